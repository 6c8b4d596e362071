"""The frontends on a terminal: from line mode to the full screen and back; what is copied."""

import asyncio
import base64
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from engine.editions import Rules
from server.coordinator.arrivals import Arrivals
from server.coordinator.messages import Status, Update
from server.coordinator.people.people import People
from server.i18n.lookup import words_for
from server.settings.settings import Settings
from server.terminal.capabilities import Capabilities, Colours, ConnectionStats, Copying, Size
from server.terminal.meter import unlimited
from server.transport.access.login import Login
from server.transport.session.frontends import frontend_for
from server.transport.session.server import Caller, GameServer, Session, SessionNotice
from tests.support import through_frames
from tests.support.accounts import FakeAccount
from tests.support.fake_clock import FakeClock
from tests.support.fakes import FakeVisit
from tests.support.glass import Glass
from tests.support.memory_stores import MemoryPeople
from tests.support.patience import PATIENCE
from tests.support.snapshots import Game, table_info
from tests.support.tables import world


class Terminal:
    """See ``server.terminal.capabilities.ByteStream``."""

    writable = True
    facts = ConnectionStats()
    size = Size(80, 24)
    abilities = Capabilities(colours=Colours.SIXTEEN, lines=True)

    def __init__(self) -> None:
        self.lines: list[bool] = []
        self.meter = unlimited()
        self.written = ""
        self.glass = Glass(self.size)
        self.stirred = asyncio.Event()

    def write(self, text: str) -> None:
        self.written += text
        self.glass.write(text)
        self.stirred.set()

    def expect(self, *, lines: bool) -> None:
        self.lines.append(lines)
        self.stirred.set()

    async def until(self, seen: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not seen():
                self.stirred.clear()
                await self.stirred.wait()

    def close(self) -> None:
        pass


async def test_what_is_set_in_lines_is_so_on_the_screen_and_back() -> None:
    async with world() as place:
        terminal = Terminal()
        arrivals = Arrivals(
            place.lobby, People(MemoryPeople(), place.clock, seated=place.lobby.knows)
        )
        make = partial(frontend_for, place.clock)
        server = GameServer(Settings(), through_frames.of(arrivals), make)
        session = Session(server, terminal, Caller(Login("ada"), "", "", "ssh"))
        await terminal.until(lambda: bool(terminal.written))
        await place.clock.advance(0)
        assert "Turn the Tide. You are ada." in terminal.written
        session.feed("set\rmore\r")
        await place.clock.advance(0)
        number = re.search(r"(\d+): Characters: ", terminal.written)
        assert number
        for typed in (f"set {number[1]}", "set language de", "screen"):
            session.feed(f"{typed}\r")
            await place.clock.advance(0)
        await terminal.until(lambda: "L A N D   U N T E R" in terminal.glass.text)
        assert terminal.lines == [True, False]
        # The drawing was changed to plain ASCII.
        assert "Characters: plain ASCII." in terminal.written
        assert not set(terminal.glass.text) & set("▁▂▃▄█│")
        session.feed("o")
        for _ in range(30):
            if "> Nur Zeilen" in terminal.glass.text:
                break
            terminal.stirred.clear()
            session.feed("\x1b[B")
            await terminal.stirred.wait()
        session.feed("\x1b[C")
        await terminal.until(lambda: terminal.lines == [True, False, True])
        session.feed("setze\r")
        await place.clock.advance(0)
        drawing = words_for("de").t("Characters"), words_for("de").t("plain ASCII")
        assert f"{drawing[0]}: {drawing[1]} (" in terminal.written
        session.hang_up()
        await server.close()


async def test_a_name_that_was_kept_is_said_once() -> None:
    terminal, kept = Terminal(), SessionNotice("name_kept", "ada")
    frontend = frontend_for(FakeClock(), terminal, FakeVisit(), (kept,), FakeAccount())
    running = asyncio.create_task(frontend.run())
    await terminal.until(lambda: '"name" and another one changes it.' in terminal.written)
    assert terminal.written.count("ada") == 1
    frontend.feed("quit\r")
    await running


async def test_a_text_is_copied_as_often_as_that_is_asked_for() -> None:
    clock, terminal, game = FakeClock(), Terminal(), Game(Rules(players=3))
    terminal.abilities = Capabilities(copies=Copying.KNOWN)
    game.play_out()
    visit = FakeVisit()
    table = game.snapshot(0, table_info(game.rules, status=Status.OVER))
    visit.feed.push(Update(None, table, (), False, ""))
    frontend = frontend_for(
        clock, terminal, visit, (), FakeAccount(), way_in="-p 2222 tide.example"
    )
    running = asyncio.create_task(frontend.run())
    try:
        await terminal.until(lambda: "Final standings" in terminal.glass.text)
        frontend.feed("s")
        await terminal.until(lambda: "Your terminal is known to" in terminal.glass.text)
        assert "\x1b]52;" not in terminal.written
        frontend.feed("c")
        await terminal.until(lambda: "Copied." in terminal.glass.text)
        frontend.feed("c")
        await terminal.until(lambda: terminal.written.count("\x1b]52;c;") == 2)
        first, second = re.findall(r"\x1b\]52;c;([^\x1b]*)\x1b\\", terminal.written)
        assert first == second
        copied = base64.b64decode(first).decode().split("\n")
        assert copied[0].startswith("Turn the Tide (Amigo, 3 players): ")
        assert copied[-1] == "ssh -p 2222 tide.example"
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
