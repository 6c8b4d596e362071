"""Whole games over real SSH connections, played by who only knows what is on the screen."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest

from server.session.client import Visitor
from server.timers import SystemClock
from server.transport.session.frontends import ScreenFrontend
from tests.support.clients import Screen, seated
from tests.support.connections import AT_ONCE, Open, open_server
from tests.support.patience import PATIENCE

OVER = re.compile(r"\bwins?\b")


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    clock = SystemClock()
    async with open_server(
        make_frontend=lambda terminal, visit, notices, account, _: ScreenFrontend(
            terminal, Visitor(visit.player, clock, terminal.abilities, account, visit), notices
        ),
        timing=AT_ONCE,
    ) as one:
        yield one


def over(seat: Screen) -> bool:
    return "another game" in seat.text


async def play(seat: Screen) -> int:
    """Bid the first card in every round, and go on after each stage, until the game is over; how many keys
    that took.
    """
    pressed = 0
    async with asyncio.timeout(4 * PATIENCE):
        while not over(seat):
            if "sealed" not in own_basin(seat):
                seat.press(first_card(seat) or " ")
                pressed += 1
            await seat.news()
    return pressed


def first_card(seat: Screen) -> str:
    """What bids the first card in the own hand."""
    hand = next((row for row in seat.text.splitlines() if "your hand" in row), "")
    cards = re.findall(r"\d+", hand)
    return f"{cards[0]}\r" if cards else ""


def own_basin(seat: Screen) -> str:
    """What the player's own seat is doing: the words below the basin that says "you"."""
    rows = seat.text.splitlines()
    walls = [number for number, row in enumerate(rows) if row.lstrip().startswith("│")]
    if not walls:
        return ""
    names, walled, doing = rows[walls[0] - 1], rows[walls[0]], rows[walls[-1] + 2]
    you = names.find(" you")
    edges = [column for column, cell in enumerate(walled) if cell == "│"]
    left = max((edge for edge in edges if edge <= you), default=0)
    return doing[left : min((edge for edge in edges if edge > you), default=None)]


async def test_a_big_screen_waits_for_a_game_and_needs_no_keys(opened: Open) -> None:
    async with seated(opened, "hall+watch") as hall, seated(opened, "ada") as ada:
        await hall.sees("Turn the Tide", "who is here")
        assert "hall+" not in hall.text, "nobody can come back as this screen"
        await ada.sees("You are ada.")
        ada.press("b")
        await hall.sees("You are watching.", "stage 1/")
        assert "who is here" not in hall.text


@pytest.mark.parametrize(
    ("login", "said", "sees"),
    [
        ("bo+{code}", "That table is private", "2  bo"),
        ("bo+{code}+beaver", "That is not the invitation word", "2  bo"),
        ("bo+watch+{code}", "That table is private", "Waiting for players"),
    ],
)
async def test_who_comes_to_a_private_table_without_its_word_types_it(
    opened: Open, login: str, said: str, sees: str
) -> None:
    async with seated(opened, "ada") as ada:
        await ada.sees("You are ada.")
        ada.press("ln")
        await ada.sees("New table")
        ada.press("\r")
        await ada.sees("code to join: ")
        _, _, code = ada.text.splitlines()[0].rpartition(" ")
        ada.press("i")
        await ada.sees("invitation word")
        ada.press("otter\r")
        await ada.sees("invitation word is otter")
        async with seated(opened, login.format(code=code)) as bo:
            await bo.sees("Lobby", said, "invitation word")
            bo.press("otter\r")
            await bo.sees(sees)


@pytest.mark.slow
async def test_three_players_play_a_whole_game_to_the_final_standings(opened: Open) -> None:
    async with (
        seated(opened, "ada") as ada,
        seated(opened, "bo", columns=100, rows=30) as bo,
        seated(opened, "cem", columns=60, rows=20) as cem,
    ):
        await ada.sees("You are ada.")
        ada.press("l")
        await ada.sees("lobby")
        ada.press("n")
        await ada.sees("New table")
        await choose(ada, "players", "3")
        ada.press("\r")
        await ada.until(lambda _: opened.lobby.feed.snapshot().tables)
        table = opened.lobby.feed.snapshot().tables[0]
        assert len(table.names) == 3
        for other in (bo, cem):
            await other.sees("You are")
            other.press("l")
            await other.sees(table.title)
            other.press("\r")
        await ada.sees("bo", "cem")
        ada.press("\r")
        await asyncio.gather(*(play(seat) for seat in (ada, bo, cem)))
        for seat in (ada, bo, cem):
            seat.press("\x1b[H")  # what was pressed for the game may have scrolled them away
            await seat.until(standings)  # the footer may come before them
        scores = [standings(seat) for seat in (ada, bo, cem)]
    assert scores[0] == scores[1] == scores[2]
    assert set(scores[0]) == {"ada", "bo", "cem"}


async def choose(seat: Screen, field: str, value: str) -> None:
    """On the form for a new table: set a field."""
    for _ in range(20):
        rows = seat.text.splitlines()
        row = next((row for row in rows if row.lower().lstrip(" >│").startswith(field)), "")
        if re.search(rf"\b{value}\b", row):
            return
        before = seat.text
        seat.press("h" if row.lstrip(" │").startswith(">") else "j")
        await seat.until(lambda seat, before=before: seat.text != before)  # type: ignore[misc]
    raise AssertionError(seat.text)


def standings(seat: Screen) -> dict[str, int]:
    """The totals on the final screen."""
    rows = re.findall(r"^[> ] [A-Z] (\w+) +(?:[+-]?\d+'? +){3}(-?\d+)\b", seat.text, re.MULTILINE)
    return {name: int(total) for name, total in rows}


async def test_leaving_is_asked_about_and_said_good_bye_to(opened: Open) -> None:
    async with seated(opened, "ada") as ada:
        await ada.sees("You are ada.")
        ada.press("\x03")
        await ada.sees("eave")
        ada.press("\x1b")
        await ada.sees("You are ada.")
        ada.press("\x04")
        await ada.sees("eave")
        ada.press("y")
        await ada.until(lambda seat: seat.closed)
    assert "Goodbye, ada." in ada.text
    assert ada.exit_status == 0
