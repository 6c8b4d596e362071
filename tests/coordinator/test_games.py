"""Whole games, from the lobby to the final standings and on to a rematch."""

import json
from dataclasses import replace

import pytest

from engine.deal import verify
from engine.editions import Edition, Rules
from engine.records.record_format import parse
from server.coordinator import messages as m
from tests.support.memory_stores import MemoryStore
from tests.support.tables import UNTIMED, Guest, world
from tests.support.through_frames import enter


async def test_a_lone_visitor_plays_against_bots_at_once() -> None:
    async with world() as server:
        ada = await server.quick(m.TableOptions(Rules(players=4), m.Pace.UNTIMED))
        assert ada.status() is m.Status.PLAYING
        assert ada.info.seats[0].name == "ada"
        assert all(seat.name for seat in ada.info.seats)
        assert len(ada.heard(m.Sat)) == 4
        assert ada.heard(m.GameStarted) == [m.GameStarted(1, ada.info.commitment)]
        await server.play_out(ada)
        assert ada.status() is m.Status.OVER
        (over,) = ada.heard(m.GameOver)
        assert over.winners == ada.own.table.winners
        assert len(ada.heard(m.StageScored)) == 4
        # Everything that happened was heard, once and in order.
        rounds = [(event.stage, event.round) for event in ada.heard(m.RoundResolved)]
        assert rounds == sorted(set(rounds))
        assert len(ada.heard(m.TidesTurned)) == len(rounds)
        assert verify(ada.info.commitment, bytes.fromhex(ada.info.seed), ada.info.options.rules)
        (kept,) = server.store.finished.values()
        record = parse(json.dumps(dict(kept.record)))
        assert record.players == tuple(seat.name for seat in ada.info.seats)
        assert record.fields()["commitment"] == ada.info.commitment


@pytest.mark.parametrize(
    "rules",
    [Rules(players=3), Rules(Edition.GAMEWRIGHT, 5, 1), Rules(Edition.BGA, 6, 2, True)],
    ids=str,
)
async def test_people_and_bots_play_to_the_end(rules: Rules) -> None:
    async with world() as server:
        guests = await server.table(m.TableOptions(rules, m.Pace.UNTIMED), humans=3)
        await server.play_out(*guests)
        scores = {guest.heard(m.GameOver)[0] for guest in guests}
        assert len(scores) == 1
        views = {guest.own.table for guest in guests}
        assert len(views) == 1
        (kept,) = server.store.finished.values()
        assert kept.players[:3] == ("id-ada", "id-bo", "id-cem")
        assert set(kept.players[3:]) <= {""}


@pytest.mark.parametrize("accounts", [0, 1])
@pytest.mark.parametrize("pace", [m.Pace.FAST, m.Pace.UNTIMED])
@pytest.mark.parametrize("leaves", [False, True])
async def test_of_fast_games_without_an_account_no_record_is_kept(
    accounts: int, pace: m.Pace, leaves: bool
) -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        programs = [
            Guest(
                enter(
                    server.lobby, m.Player(f"id-{number}", f"bot{number}", number >= accounts, True)
                )
            )
            for number in range(2)
        ]
        await programs[0].ok(m.CreateTable(replace(UNTIMED, pace=pace)))
        await programs[1].ok(m.JoinTable(programs[0].info.id))
        await programs[0].ok(m.AddBot())
        await programs[0].ok(m.StartGame())
        if leaves:
            await programs.pop(0).ok(m.LeaveTable())
        await server.play_out(*programs)
        assert programs[0].status() is m.Status.OVER
        assert len(store.finished) == (accounts or pace is not m.Pace.FAST)
