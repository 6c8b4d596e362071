"""From line mode to the full screen and back: what was chosen in the one goes for the other."""

import asyncio
import re
from collections.abc import Callable
from functools import partial

from server.coordinator.people.people import People
from server.i18n.catalogues import words_for
from server.settings.settings import Settings
from server.terminal.capabilities import Capabilities, Colours, ConnectionStats, Size
from server.terminal.output_budget import Budget
from server.transport.access.login_name import Login
from server.transport.session.frontends import frontend_for
from server.transport.session.server import Caller, GameServer, Session
from tests.support.glass import Glass
from tests.support.memory_stores import MemoryPeople
from tests.support.patience import PATIENCE
from tests.support.tables import world


class Terminal:
    """See ``server.terminal.capabilities.ByteStream``."""

    writable = True
    facts = ConnectionStats()
    size = Size(80, 24)
    abilities = Capabilities(colours=Colours.SIXTEEN, lines=True)

    def __init__(self) -> None:
        self.lines: list[bool] = []
        self.written = ""
        self.glass = Glass(self.size)
        self.stirred = asyncio.Event()

    def write(self, text: str) -> None:
        self.written += text
        self.glass.write(text)
        self.stirred.set()

    budget = Budget()

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
        people = People(MemoryPeople(), place.clock, seated=place.lobby.knows)
        make = partial(frontend_for, place.clock)
        server = GameServer(Settings(), place.lobby, make, people=people)
        session = Session(server, terminal, Caller(Login("ada"), "", "", "ssh"))
        await terminal.until(lambda: bool(terminal.written))
        await place.clock.advance(0)
        assert "Turn the Tide. You are ada." in terminal.written
        session.feed("set\rmore\r")
        await place.clock.advance(0)
        number = re.search(r"(\d+): Drawing: ", terminal.written)
        assert number
        for typed in (f"set {number[1]}", "set language de", "screen"):
            session.feed(f"{typed}\r")
            await place.clock.advance(0)
        await terminal.until(lambda: "L A N D   U N T E R" in terminal.glass.text)
        assert terminal.lines == [True, False]
        # The drawing was changed to plain ASCII.
        assert "Drawing: plain ASCII." in terminal.written
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
        drawing = words_for("de").t("Drawing"), words_for("de").t("plain ASCII")
        assert f"{drawing[0]}: {drawing[1]} (" in terminal.written
        session.hang_up()
        await server.close()
