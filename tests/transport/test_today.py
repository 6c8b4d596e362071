"""``ssh today@HOST`` leads straight to today's tide, and ``ssh HOST today`` to the same in line mode."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from server.coordinator import messages as m
from server.coordinator.people.people import Credential
from server.timers import SystemClock
from server.transport.session.frontends import frontend_for
from tests.support.clients import seated
from tests.support.connections import AT_ONCE, Open, fingerprint, key, open_server, until
from tests.support.tables import Guest


@asynccontextmanager
async def house() -> AsyncIterator[Open]:
    make_frontend = partial(frontend_for, SystemClock(), way_in="-p 2222 tide.example")
    async with open_server(make_frontend=make_frontend, today=True, timing=AT_ONCE) as opened:
        yield opened


async def play(house: Open, name: str) -> None:
    """Somebody with a key of that name has played it."""
    admitted = await house.arrivals.people.admit(Credential(fingerprint(name)), name)
    guest = Guest(house.lobby.enter(admitted.player))
    await guest.ok(m.PlayToday())
    while guest.status() is not m.Status.OVER:
        await until(lambda: guest.owes() or guest.status() is m.Status.OVER)
        if guest.owes():
            await guest.bid()
    await guest.ok(m.LeaveTable())
    guest.visit.close()


async def test_a_stranger_is_at_the_first_bid_at_once_with_the_guide() -> None:
    async with house() as opened, seated(opened, "today") as screen:
        await screen.sees("stage 1/1", "round 1/12", "your hand", "Guide: Stay dry!")
        (here,) = opened.server.sessions
        assert here.player is not None
        assert here.player.name == "guest"


async def test_a_command_without_a_terminal_is_told_in_sentences() -> None:
    async with house() as opened, opened.connect("ada") as client:
        done = await client.run("today", input="quit\nyes\n")
        said = str(done.stdout)
        assert "Stage 1 of 1, round 1 of 12." in said
        assert "Your hand: " in said
        assert "\x1b" not in said


@pytest.mark.direct
async def test_who_has_played_comes_to_the_ranking_and_keeps_the_name() -> None:
    async with house() as opened:
        await play(opened, "ada")
        async with seated(opened, "today", keys=[key("ada")]) as screen:
            await screen.sees("Today's tide", "1. ada: ", "s share")
            screen.press("s")
            await screen.sees("Turn the Tide 20", "today@tide.example")
        async with opened.connect("today", [key("ada")]) as client:
            done = await client.run("today", input="share today\nquit\n")
        said = str(done.stdout)
        assert "You are ada." in said
        assert "1. ada: " in said
        assert "ssh -p 2222 today@tide.example" in said
