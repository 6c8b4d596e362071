"""What MUD clients are told as data: who is here (MSSP), and the state of the game (GMCP)."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from engine.state import GameState
from server.coordinator.messages import Update
from server.transport.telnet import protocol as t
from server.transport.telnet.gmcp import tide_state
from tests.support.connections import AT_ONCE, real_frontend, until
from tests.support.engine import (
    SPECTATOR,
    games_under_way,
    otherwise_hidden,
)
from tests.support.patience import PATIENCE
from tests.support.snapshots import snapshot_of
from tests.support.telnet_caller import Caller, OpenTelnet, open_telnet
from tests.transport.floods import fill

MUD = ("MUDLET", "XTERM", "MTTS 13")


@pytest.fixture
async def telnet() -> AsyncIterator[OpenTelnet]:
    async with open_telnet(make_frontend=real_frontend, timing=AT_ONCE) as one:
        yield one


def states(caller: Caller) -> list[dict[str, Any]]:
    """The messages so far."""
    start = t.GMCP + b"Tide.State "
    return [json.loads(sub[len(start) :]) for sub in caller.subs if sub.startswith(start)]


def chat(caller: Caller) -> list[dict[str, Any]]:
    """The chat lines so far."""
    start = t.GMCP + b"Comm.Channel.Text "
    return [json.loads(sub[len(start) :]) for sub in caller.subs if sub.startswith(start)]


@pytest.mark.slow
async def test_directories_are_told_who_is_here(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as ada:
        ada.line("ada")
        await ada.reads("You are ada")
        async with telnet.call(do=[t.MSSP]) as crawler:
            await crawler.until(lambda one: any(sub[:1] == t.MSSP for sub in one.subs))
            sub = next(sub for sub in crawler.subs if sub[:1] == t.MSSP)
    parts = [part.split(t.MSSP_VAL) for part in sub[1:].split(t.MSSP_VAR)[1:]]
    said = {name.decode(): [value.decode() for value in values] for name, *values in parts}
    assert "ada" not in str(said)
    assert said["NAME"] == ["Turn the Tide"]
    assert said["PLAYERS"] == ["1"]
    assert int(said["UPTIME"][0]) > 1_700_000_000
    assert said["PORT"] == [str(telnet.line.listening.port)]
    assert said["SSL"] == ["0"]
    assert "en" in said["LANGUAGES"]


async def test_a_game_is_told_as_data_to_who_wants_it(telnet: OpenTelnet) -> None:
    async with (
        telnet.terminal(types=MUD, do=(t.GMCP,)) as ada,
        telnet.terminal(types=MUD, do=(t.GMCP,)) as bo,
        telnet.terminal(types=MUD) as cem,
    ):
        for name, caller in (("ada", ada), ("bo", bo), ("cem", cem)):
            await caller.reads("Your name")
            caller.line(name)
            await caller.reads(f"You are {name}.")
        await ada.until(lambda one: any(said["place"] == "lobby" for said in states(one)))
        ada.line("new 3 players 1 stage untimed")
        await ada.until(lambda one: any(said["place"] == "table" for said in states(one)))
        code = states(ada)[-1]["table"]
        assert states(ada)[-1]["you"] == {"seat": 0}
        ada.line("add")
        bo.line(f"join {code}")
        cem.line(f"watch {code}")
        await ada.until(lambda one: all(seat["name"] for seat in states(one)[-1]["seats"]))
        await bo.until(lambda one: states(one)[-1]["place"] == "table")
        ada.line("start")
        for caller in (ada, bo):
            await caller.until(lambda one: states(one)[-1].get("tides"))
        hands = [set(states(one)[-1]["you"]["hand"]) for one in (ada, bo)]
        assert not hands[0] & hands[1]
        ada.line(str(min(hands[0])))
        await ada.until(lambda one: states(one)[-1]["you"].get("bid"))
        assert states(ada)[-1]["you"]["bid"] == min(hands[0])
        await bo.until(lambda one: states(one)[-1]["seats"][0]["bid"])
        assert not states(bo)[-1]["you"]["bid"]
        bo.line(str(max(hands[1])))
        await bo.until(lambda one: states(one)[-1].get("last"))
        last = states(bo)[-1]["last"]
        assert (last["bids"][0], last["bids"][2]) == (min(hands[0]), max(hands[1]))
        assert not any(sub[:1] == t.GMCP for sub in cem.subs)
        # Nothing is said twice, and nobody is told another one's hand.
        for caller, other in ((ada, hands[1]), (bo, hands[0])):
            said = states(caller)
            assert all(one != two for one, two in itertools.pairwise(said))
            played = {card for seat in said[-1]["seats"] for card in seat["played"]}
            for state in said:
                held = set((state.get("you") or {}).get("hand", ()))
                assert not held & (other - played)


async def test_what_is_said_is_told_to_programs_that_listen(telnet: OpenTelnet) -> None:
    async with (
        telnet.terminal(types=MUD, do=(t.GMCP,)) as ada,
        telnet.terminal(types=MUD) as bo,
    ):
        for name, caller in (("ada+pt", ada), ("bo", bo)):
            await caller.reads("Your name")
            caller.line(name)
        await ada.reads("Você é ada.")
        await bo.reads("You are bo.")
        bo.line("say hi, it's \\{me}\\")
        bo.line("phrase 2 ada")
        await ada.until(lambda one: len(chat(one)) == 2)
        rest = {"talker": "bo", "watching": False}
        assert sorted(chat(ada), key=lambda one: str(one["channel"])) == [
            {"channel": "direct", "text": "Boa sorte!", "to": "ada", **rest},
            {"channel": "lobby", "text": "hi, it's \\{me}\\", "to": None, **rest},
        ]
        assert not chat(bo)


async def test_who_asks_late_is_told_at_once(telnet: OpenTelnet) -> None:
    async with telnet.terminal(types=MUD) as ada:
        await ada.reads("Your name")
        ada.line("ada")
        await ada.reads("You are ada.")
        assert not states(ada)
        ada.send(t.IAC + t.DO + t.GMCP)
        await ada.until(states)
        assert states(ada)[-1]["players"] == ["ada"]


async def test_a_slow_reader_is_told_the_newest_alone(telnet: OpenTelnet) -> None:
    async with telnet.terminal(types=MUD, do=(t.GMCP,)) as ada:
        await ada.reads("Your name")
        ada.line("ada")
        await ada.until(states)
        (session,) = telnet.opened.server.sessions
        line: Any = session.terminal
        ada.listens(False)
        async with asyncio.timeout(PATIENCE):
            while line.writable or line._line.waiting < 20_000:
                line.put(b"x" * 4_096)
                await asyncio.sleep(0)
        told = line._gmcp.told
        ada.line("play untimed")
        await until(lambda: telnet.opened.lobby.feed.snapshot().tables)
        assert line._gmcp.told == told
        ada.listens(True)
        await ada.until(lambda one: states(one)[-1]["place"] == "table")


@settings(max_examples=60, deadline=None)
@given(games_under_way())
def test_what_a_mud_client_cannot_know_does_not_change_a_byte(
    game: tuple[GameState, Random],
) -> None:
    state, rng = game
    for viewer in (SPECTATOR, *range(state.rules.players)):
        told = [
            json.dumps(tide_state(Update(None, snapshot_of(one, viewer), (), False, "")))
            for one in (state, otherwise_hidden(state, viewer, rng))
        ]
        assert told[0] == told[1]


@pytest.mark.direct
async def test_a_full_lobby_is_told_in_part_and_not_each_time(telnet: OpenTelnet) -> None:
    await fill(telnet.opened, 120)
    async with telnet.terminal(types=MUD, do=(t.GMCP,)) as ada:
        await ada.reads("Your name")
        ada.line("ada")
        await ada.until(states)
        (state,) = states(ada)
        assert (len(state["tables"]), state["tables_here"]) == (30, 120)
        assert (len(state["players"]), state["players_here"]) == (30, 121)
        assert len(json.dumps(state)) < 10_000
