"""Games by correspondence: to each of them, and back to the lobby with the seat kept."""

from tests.support.faces import AnyFace, on_each_face
from tests.support.letters import bid_at, letters
from tests.support.tables import world


@on_each_face
async def test_from_one_to_the_next_and_back_to_the_lobby(face: AnyFace) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        codes = [await letters(server, ada, bo) for _ in range(2)]
        async with face(server.enter("ada").visit, server.clock) as back:
            for code in codes:
                await back.does("next letter", code=code)
            assert len(server.lobby.places.seats("id-ada")) == 2
            await back.does("to the lobby")
            back.learns(place="lobby")
            assert sorted(server.lobby.places.seats("id-ada")) == sorted(codes)


@on_each_face
async def test_in_a_live_game_one_is_told_that_another_waits(face: AnyFace) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        code = await letters(server, ada, bo)
        await bid_at(ada, code)
        async with face(server.enter("ada").visit, server.clock) as back:
            await back.does("open a table")
            await bid_at(bo, code)
            await server.clock.advance(3.0)  # the bot bids
            title = server.lobby.known[code].title
            back.learns(
                f"It is your turn at {title} ({code}).",
                house=[{"kind": "your_turn", "about": code}],
            )
