"""Whoever goes elsewhere after a game, as the next one begins there in that moment, plays that one."""

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest

from server.coordinator import messages as m
from server.coordinator.lobby.tables import member_of
from server.coordinator.table.steps import Asked, GoAway
from tests.support.faulty_stores import HeldStore, RaceStore
from tests.support.tables import SHORT, UNTIMED, Guest, World, world

ADA = "id-ada"
DAILY = m.TableOptions(SHORT, m.Pace.CORRESPONDENCE, 3600)
OTHER = m.TableOptions(SHORT, m.Pace.UNTIMED, hints=False)
"""Unlike the table where the game is over: nobody is taken back there by ``QuickJoin``."""


async def over(server: World) -> tuple[Guest, Guest]:
    """Two who have played, of whom ada wants another game."""
    ada, bo = await server.table(UNTIMED, humans=2)
    await server.play_out(ada, bo)
    await ada.ok(m.Rematch())
    return ada, bo


def ways(other: str, letters: str = "") -> dict[str, Any]:
    """Out of a game that is over; ``other`` is a table, ``letters`` one where ada plays by correspondence."""
    return {
        "open a table": m.CreateTable(OTHER),
        "play against bots": m.QuickGame(OTHER),
        "join any": m.QuickJoin(OTHER),
        "join": m.JoinTable(other),
        "watch": m.WatchTable(other),
        "lobby": m.GoToLobby(),
        "leave": m.LeaveTable(),
        "correspondence": m.JoinTable(letters),
    }


@pytest.mark.parametrize("way", ways(""))
async def test_nobody_leaves_a_game_that_has_just_begun(way: str) -> None:
    store = HeldStore()
    store.gate.set()
    async with world(store=store) as server:
        letters = server.enter("ada")
        await letters.ok(m.CreateTable(DAILY))
        await letters.ok(m.GoToLobby())
        ada, bo = await over(server)
        dora = server.enter("dora")
        await dora.ok(m.CreateTable(OTHER))
        game, tables = ada.info.id, set(server.lobby.known)
        store.gate.clear()
        begins = asyncio.create_task(bo.code(m.Rematch()))
        await server.clock.settle()
        code = server.lobby.places.letters(ADA)[0]
        goes = asyncio.create_task(ada.code(ways(dora.info.id, code)[way]))
        await server.clock.settle()
        store.gate.set()
        assert await begins == "ok"
        assert await goes == ("already_playing" if way == "leave" else "seated_elsewhere")
        await server.clock.settle()
        assert (ada.info.id, ada.table.seat, ada.info.game) == (game, 0, 2)
        assert server.lobby.places.of(ADA) == (code, game)
        assert set(server.lobby.known) == tables
        assert not any(seat.left for seat in bo.info.seats)
        assert "ada" not in [seat.name for seat in dora.info.seats]
        await server.play_out(ada, bo)
        assert (ada.info.id, ada.status()) == (game, m.Status.OVER), "the standings are seen here"
        await ada.ok(ways(dora.info.id, code)[way])
        assert game not in server.lobby.places.of(ADA)


def refused(full: str, private: str) -> dict[str, tuple[Any, str]]:
    """What ada asks for in vain, and the answer."""
    return {
        "full": (m.JoinTable(full), "table_full"),
        "wrong word": (m.JoinTable(private, word="beaver"), "wrong_word"),
        "watch": (m.WatchTable(full), "no_spectators"),
        "no room": (m.QuickGame(OTHER), "too_many_tables"),
    }


@pytest.mark.parametrize("meanwhile", [False, True])
@pytest.mark.parametrize("way", refused("", ""))
async def test_who_is_refused_elsewhere_still_wants_a_rematch(way: str, meanwhile: bool) -> None:
    """Also where the other one asks for the rematch ``meanwhile``."""
    async with world() as server:
        ada, bo = await over(server)
        game, tables = ada.info.id, server.lobby.tables
        dora, eve = server.enter("dora"), server.enter("eve")
        await dora.ok(m.CreateTable(replace(OTHER, spectators=m.Spectating.NONE)))
        for _ in range(2):
            await dora.ok(m.AddBot())
        await eve.ok(m.CreateTable(OTHER))
        await eve.ok(m.SetWord("otter"))
        command, code = refused(dora.info.id, eve.info.id)[way]
        actor = tables.actors[game]
        begins: list[asyncio.Task[str]] = []
        ask = actor.ask

        async def asked(given: Any) -> m.Reply:
            reply = await ask(given)
            if given.command == GoAway(soon=True):
                assert not bo.info.seats[0].rematch
                if way == "no room":  # others have opened tables
                    patch.setattr(tables, "room_for", lambda *_: m.Reply("too_many_tables"))
                if meanwhile:
                    begins.append(asyncio.create_task(bo.code(m.Rematch())))
                    await server.clock.settle()
                    assert bo.status() is m.Status.OVER
            return reply

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(actor, "ask", asked)
            assert await ada.code(command) == code
        if not meanwhile:
            assert (ada.info.id, ada.info.seats[0].rematch) == (game, True)
            await bo.ok(m.Rematch())
        await server.clock.settle()
        assert (ada.info.id, ada.table.seat, ada.info.game) == (game, 0, 2)
        assert server.lobby.places.of(ADA) == (game,)
        assert all(task.result() == "ok" for task in begins)


@pytest.mark.parametrize("way", [it for it in ways("") if it not in ("leave", "correspondence")])
@pytest.mark.parametrize("soon", [True, False])
async def test_nobody_goes_whose_table_cannot_write_that(way: str, soon: bool) -> None:
    """Neither before nor after the goal has been reached."""
    async with world() as server:
        ada, _ = await over(server)
        dora = server.enter("dora")
        await dora.ok(m.CreateTable(OTHER))
        game, actor = ada.info.id, server.lobby.tables.actors[ada.info.id]
        ask = actor.ask

        async def asked(given: Any) -> m.Reply:
            if given.command == GoAway(soon=soon):
                server.lobby.answered(ADA)
                return m.Reply("storage", {"reason": "full"})
            return await ask(given)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(actor, "ask", asked)
            assert await ada.code(ways(dora.info.id)[way]) == "storage"
        assert server.lobby.places.of(ADA) == (game,)
        assert (ada.info.id, ada.info.seats[0].rematch) == (game, True)
        await ada.ok(ways(dora.info.id)[way])
        assert game not in server.lobby.places.of(ADA)


async def test_a_seat_that_came_with_the_next_game_is_kept() -> None:
    """Who waited for it wanted to watch something else in that moment."""
    async with world() as server:
        ada, bo = await server.table(UNTIMED, humans=2)
        game, cem, dora = ada.info.id, server.enter("cem"), server.enter("dora")
        await server.play_out(ada, bo)
        await cem.ok(m.JoinTable(game))
        await bo.ok(m.LeaveTable())
        await dora.ok(m.CreateTable(OTHER))
        actor = server.lobby.tables.actors[game]
        goes = asyncio.create_task(cem.code(m.WatchTable(dora.info.id)))
        ask = actor.ask

        async def asked(given: Any) -> m.Reply:
            assert (await ask(Asked(member_of(server.lobby.people[ADA]), m.Rematch()))).ok
            assert actor.table.status is m.Status.PLAYING
            return await ask(given)

        with pytest.MonkeyPatch.context() as patch:
            server.lobby.people[ADA].asked += 1
            patch.setattr(actor, "ask", asked)
            assert await goes == "seated_elsewhere"
        assert (cem.info.id, cem.table.seat) == (game, 2)
        await cem.ok(m.LeaveTable())


async def test_nobody_gives_up_a_seat_by_correspondence_in_a_game_that_has_just_begun() -> None:
    store = HeldStore()
    store.gate.set()
    async with world(store=store) as server:
        ada, bo, cem = (server.enter(name) for name in ("ada", "bo", "cem"))
        await ada.ok(m.CreateTable(DAILY))
        code = ada.info.id
        await bo.ok(m.JoinTable(code))
        await cem.ok(m.JoinTable(code))
        await ada.ok(m.StartGame())
        await ada.ok(m.GoToLobby())
        while server.lobby.known[code].playing:
            assert await server.clock.next()
        for guest in (ada, bo):
            await guest.ok(m.AtTable(code, m.Rematch()))
        store.gate.clear()
        begins = asyncio.create_task(cem.code(m.AtTable(code, m.Rematch())))
        await server.clock.settle()
        leaves = asyncio.create_task(ada.code(m.AtTable(code, m.LeaveTable())))
        await server.clock.settle()
        store.gate.set()
        assert (await begins, await leaves) == ("ok", "already_playing")
        assert server.lobby.places.letters(ADA) == [code]


@pytest.mark.parametrize("seed", range(20))
async def test_whatever_is_done_at_once_at_the_end_of_a_game(seed: int) -> None:
    """Everybody is at one table at most, and nobody has left a game that was not given up."""
    rng = random.Random(seed)
    async with world(store=RaceStore(rng=rng), rng=seed) as server:
        ada, bo = await over(server)
        dora, eve = server.enter("dora"), server.enter("eve")
        await dora.ok(m.CreateTable(OTHER))
        await eve.ok(m.JoinTable(dora.info.id))
        way = rng.choice([it for it in ways("") if it != "correspondence"])
        doing = [(bo, m.Rematch()), (ada, ways(dora.info.id)[way]), (dora, m.StartGame())]
        asked = []
        for guest, command in rng.sample(doing, len(doing)):
            asked.append(asyncio.create_task(guest.submit(command)))
            for _ in range(rng.randrange(12)):
                await asyncio.sleep(0)
        await asyncio.gather(*asked)
        await server.clock.settle()
        for guest in (ada, bo, dora, eve):
            presence = server.lobby.people[guest.visit.player.id]
            assert server.lobby.places.of(guest.visit.player.id) == tuple(
                filter(None, [presence.table])
            )
            assert presence.table == (guest.info.id if guest.last.table is not None else "")
        for actor in server.lobby.tables.actors.values():
            assert not any(seat.left for seat in actor.table.seats), (way, actor.table.seats)
