"""Games by correspondence in line mode: the list, the way to each, back to the lobby, and hanging up."""

from server.coordinator import messages as m
from tests.support.accounts import FakeAccount
from tests.support.letters import bid_at, letters
from tests.support.tables import world
from tests.support.transcript import reader


async def test_a_list_and_the_way_to_each() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        codes = [await letters(server, ada, bo) for _ in range(2)]
        async with reader(server) as line:
            assert '2 games by correspondence, 2 wait for you: type "turns".' in line.paper.lines
            first, *said = await line.say("turns")
            assert first == "2 games by correspondence, 2 wait for you:"
            assert [each[:2] for each in said] == ["1.", "2."]
            (table, *_) = await line.say("turns 2")
            second = line.session.table
            assert second is not None
            assert second.info.id in table
            assert await line.say("lobby") == ["You are in the lobby."]
            await line.say("turns next")
            now = line.session.table
            assert now is not None
            assert now.info.id in codes
            await line.say("turns next")
            assert line.session.table is not None
            assert line.session.table.info.id != now.info.id


async def test_where_there_is_no_other_and_none_at_all() -> None:
    async with world() as server:
        async with reader(server, "bo") as line:
            assert "You have no games by correspondence" in (await line.say("turns"))[0]
        ada = server.enter("ada")
        await letters(server, ada)
        async with reader(server) as line:
            assert len(await line.say("turns 0012")) == 2, "the list"
            await line.say("turns 1")
            assert await line.say("turns next") == ["There is no other game to go to."]
            (where,) = await line.say("news")
            assert where.endswith('type "lobby" to go there; your seat is kept.')


async def test_who_hangs_up_is_asked_nothing_and_who_leaves_is_told_of_the_lobby() -> None:
    async with world() as server:
        ada = server.enter("ada")
        code = await letters(server, ada)
        async with reader(server) as line:
            await line.say("turns 1")
            said = await line.say("leave")
            assert said[0] == '"lobby" leads to the lobby, and your seat is kept.'
            await line.say("no")
            await line.say("quit")
            assert line.ended
        assert server.lobby.places.seats("id-ada") == [code]


async def test_one_is_told_when_another_game_waits_unless_one_looks_at_it_or_wants_quiet() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        one, two = [await letters(server, ada, bo) for _ in range(2)]
        for code in (one, two):
            await bid_at(ada, code)
        async with reader(server) as line:
            await line.say("turns 1")
            here = line.session.table
            assert here is not None
            other = ({one, two} - {here.info.id}).pop()
            for code in (one, two):
                await bid_at(bo, code)
            await server.clock.advance(10.0)
            told = [each for each in line.new() if each.startswith("It is your turn at")]
            assert [other in each for each in told] == [True]
            await line.say("set quiet")
            await line.session.submit(m.GoToLobby())
            for guest in (line.session, bo):
                seen = (await guest.submit(m.LookAt(one))).table
                assert seen is not None
                assert seen.own is not None
                view, card = seen.own.table, seen.own.hand[0]
                await guest.submit(m.AtTable(one, m.PlaceBid(card, view.stage, view.round)))
            await server.clock.advance(10.0)
            assert not [each for each in line.new() if each.startswith("It is your turn at")]


async def test_who_comes_back_is_told_what_was_revealed_meanwhile() -> None:
    account = FakeAccount()
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        code = await letters(server, ada, bo)
        for rounds in (2, 0):
            async with reader(server, account=account) as line:
                said = await line.say("turns 1")
                reveals = [each for each in said if "took" in each]
                assert len(reveals) == (0 if rounds else 2)
                if reveals:
                    assert said.index(reveals[1]) < said.index(
                        next(it for it in said if "code" in it)
                    )
            ada = server.enter("ada")
            for _ in range(rounds):
                for each in (ada, bo):
                    await bid_at(each, code)
                await server.clock.advance(3.0)
