"""What a page has under way ends when it is closed: timers, tasks, the line typed on it."""

import ast
import asyncio
import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

from server import fullscreen
from server.coordinator.messages import CreateTable, JoinTable, LeaveTable, Room, Say
from server.fullscreen.pages.page import Page
from server.fullscreen.pages.reading import ReadingPage
from server.fullscreen.replay.page import ReplayPage
from server.terminal.capabilities import Size
from tests.support.accounts import who_has_played
from tests.support.at_a_screen import Sitting, sitting
from tests.support.fakes import Player1
from tests.support.tables import UNTIMED, Guest, World, world


async def a_replay_that_plays() -> tuple[Player1, ReplayPage]:
    player, _library = await who_has_played()
    await player.lobby()
    for key in ("r", "enter"):
        await player.press(key)
        await player.clock.advance(1)
    page = player.controller.context.overlays[-1]
    assert isinstance(page, ReplayPage)
    await player.press("home", " ")
    assert page.playing
    return player, page


async def test_a_replay_stops_when_a_table_takes_the_player() -> None:
    player, page = await a_replay_that_plays()
    await player.table()
    at = page.position.at
    assert not player.controller.context.overlays
    assert not page.playing
    await player.clock.advance(60)
    assert page.position.at == at


async def test_a_replay_stops_with_its_session() -> None:
    player, page = await a_replay_that_plays()
    player.controller.close()
    assert not page.playing


async def test_a_task_ends_with_the_page_that_began_it() -> None:
    player = Player1()
    await player.lobby()
    context, ended = player.controller.context, asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    page = Page(context)
    context.open(page)
    page.spawn(work())
    await player.clock.settle()
    assert not ended.is_set()
    context.close(page)
    await ended.wait()


@pytest.mark.parametrize("ends", ["page", "session"])
@pytest.mark.filterwarnings("error")
async def test_what_has_not_begun_when_its_page_closes_never_does(ends: str) -> None:
    player = Player1()
    await player.lobby()
    context = player.controller.context

    async def load() -> None:
        raise AssertionError

    page, reading = Page(context), load()
    context.open(page)
    if ends == "page":
        page.fetch(reading)
        context.close(page)
    else:
        context.fetch(reading)
        player.controller.close()
    await player.clock.settle()
    assert inspect.getcoroutinestate(reading) == inspect.CORO_CLOSED


async def another_table(server: World) -> Guest:
    bo = server.enter("bo")
    await bo.ok(CreateTable(UNTIMED))
    return bo


async def is_taken_to(ada: Sitting, guest: Guest) -> None:
    """By something else than her keys, as when a round of a tournament begins."""
    assert guest.table is not None
    ada.controller.context.do(JoinTable(guest.table.info.id))
    await ada.wait()


async def test_a_line_begun_in_the_lobby_is_gone_after_a_table() -> None:
    async with world() as server, sitting(server) as ada:
        bo = await another_table(server)
        await ada.press("c")
        await ada.type("halfcode")
        await is_taken_to(ada, bo)
        assert "halfcode" not in ada.text
        await ada.press("escape", "l")
        assert "Lobby" in ada.text
        await ada.press("?")
        assert "How to play" in ada.text, "a key, not a letter of a line"


async def test_a_line_begun_in_a_waiting_room_is_gone_in_the_next_one() -> None:
    async with world() as server, sitting(server) as ada:
        bo = await another_table(server)
        await ada.press("n", "enter", "i")
        await ada.type("secret")
        assert "secret" in ada.text
        ada.controller.context.do(LeaveTable())
        await is_taken_to(ada, bo)
        assert bo.table is not None
        assert bo.table.info.id in ada.text
        assert "secret" not in ada.text


# ---------------------------------------------------------------- frames


async def test_the_key_that_opened_a_page_closes_it_too() -> None:
    player, _library = await who_has_played()
    await player.lobby()
    for key in ("o", "d", "?", "r"):
        await player.press(key)
        assert len(player.controller.context.overlays) == 1, key
        await player.press(key)
        assert player.controller.context.overlays == [], key


async def test_only_what_was_sent_has_been_seen() -> None:
    player = Player1()
    await player.lobby()
    await player.press("?")
    page = player.controller.page
    assert isinstance(page, ReadingPage)
    before = dict(vars(page))
    large = player.controller.frame(Size(120, 40))
    small = player.controller.frame(Size(30, 10))
    assert vars(page) == before
    assert large.rows == player.controller.frame(Size(120, 40)).rows
    await player.press("escape")
    assert player.controller.page is not page, "a key does what it does on the screen that is seen"
    for tell in small.seen:
        tell()
    await player.press("?")
    assert not player.controller.context.overlays, "nothing is seen there"


async def test_a_line_of_chat_has_been_read_when_it_was_sent() -> None:
    async with world() as server, sitting(server) as ada:
        await ada.press("l")
        bo = server.enter("bo")
        ada.pilot.terminal.writable = False
        await bo.ok(Say(Room.LOBBY, "anybody here?"))
        await ada.wait()
        context = ada.controller.context
        assert context.chat_history.unread == 1
        ada.controller.frame(ada.pilot.terminal.size)
        assert context.chat_history.unread == 1
        ada.pilot.terminal.writable = True
        ada.pilot.session.drained()
        assert "anybody here?" in ada.text
        assert context.chat_history.unread == 0


# ---------------------------------------------------------------- who knows which page there is

SCREENS = Path(fullscreen.__file__).parent


def pages() -> set[str]:
    """The names of all classes of pages but the common ones."""
    return {
        name
        for module in pkgutil.walk_packages(fullscreen.__path__, f"{fullscreen.__name__}.")
        for name, what in inspect.getmembers(import_module(module.name), inspect.isclass)
        if issubclass(what, Page) and what is not Page
    }


@pytest.mark.parametrize(
    "path", sorted(SCREENS.rglob("*.py")), ids=lambda path: str(path.relative_to(SCREENS))
)
def test_nothing_depends_on_which_page_another_one_is(path: Path) -> None:
    known = pages()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            assert not known & set(re.findall(r"\w+", ast.unparse(node.args[1]))), node.lineno


@pytest.mark.parametrize("module", ["router", "context", "widgets/chrome"])
def test_what_shows_pages_knows_none_of_them(module: str) -> None:
    assert not pages() & set(re.findall(r"\w+", (SCREENS / f"{module}.py").read_text()))
