"""Sit down at a screen in memory: press keys, let time pass, look.

    async with Pilot(controller) as pilot:
        pilot.press("right", "enter")
        assert "bid" in pilot.text

Nothing here waits for real time: the session's timers run when the pilot says so.
"""

import asyncio
import random
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from msgspec.structs import replace

from engine.views import SeatView
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import Player, Status
from server.fullscreen.router import Router
from server.session.client import Visitor
from server.terminal.application import PlayerApplication, Screen
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.meter import unlimited
from tests.support.fake_clock import FakeClock, FakeTimers
from tests.support.glass import Glass
from tests.support.memory_stores import MemoryStore
from tests.support.patience import PATIENCE
from tests.support.regular import Regular
from tests.support.through_frames import enter

SENT = {
    "left": "\x1b[D", "right": "\x1b[C", "up": "\x1b[A", "down": "\x1b[B",
    "s-left": "\x1b[1;2D", "s-right": "\x1b[1;2C", "s-up": "\x1b[1;2A", "s-down": "\x1b[1;2B",
    "home": "\x1b[H", "end": "\x1b[F", "pageup": "\x1b[5~", "pagedown": "\x1b[6~",
    "insert": "\x1b[2~", "delete": "\x1b[3~", "backspace": "\x7f",
    "enter": "\r", "tab": "\t", "s-tab": "\x1b[Z", "c-c": "\x03", "c-d": "\x04", "c-l": "\x0c",
    "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS",
}  # fmt: skip
"""What an xterm sends for the keys; Esc is special: it needs silence after it."""


NORMAL = Size(80, 24)


class FakeTerminal:
    """A `Terminal` whose other end is a `Glass`."""

    def __init__(self, size: Size, abilities: Capabilities):
        self.meter = unlimited()
        self.size = size
        self.abilities = abilities
        self.writable = True
        self.closed = False
        self.glass = Glass(size)
        self.wrote: Callable[[], None] = lambda: None

    def write(self, text: str) -> None:
        self.glass.write(text)
        self.wrote()

    def close(self) -> None:
        self.closed = True


class Pilot:
    """A session with ``controller`` on a terminal in memory, running while inside ``async with``."""

    def __init__(
        self,
        controller: Screen,
        size: Size = NORMAL,
        *,
        colours: Colours = Colours.SIXTEEN,
        **abilities: Any,
    ):
        self.controller = controller
        self.terminal = FakeTerminal(size, replace(Capabilities(colours=colours), **abilities))
        self.timers = FakeTimers()
        self.terminal.meter = unlimited(self.timers)
        self.session = PlayerApplication(self.terminal, controller, self.timers)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.session.play())
        self._task.add_done_callback(lambda _: self.timers.stirred())
        await self.until(lambda: self.glass.writes > 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.session.end_of_input()
        await self.ended()

    async def ended(self) -> None:
        """Wait for the session to end; raises what it raised."""
        assert self._task is not None
        await self._task

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    # ------------------------------------------------------------------------------- what a player does

    def press(self, *names: str) -> None:
        """Press keys, one after the other, with time to draw in between."""
        for name in names:
            if name == "escape":
                self.send("\x1b")
                self.timers.advance(0.6)
            else:
                self.send(SENT.get(name, name))

    def type(self, text: str) -> None:
        """Press a key for every character."""
        self.press(*text)

    def paste(self, text: str) -> None:
        """Paste, in a terminal that marks it as such."""
        self.send(f"\x1b[200~{text}\x1b[201~")

    def send(self, data: str) -> None:
        """Let the terminal send exactly this; a frame follows."""
        self.session.feed(data)
        self.timers.advance(0.1)

    def resize(self, columns: int, rows: int) -> None:
        self.terminal.size = Size(columns, rows)
        self.terminal.glass.resize(self.terminal.size)
        self.session.resized()
        self.timers.advance(0.1)

    async def until(self, seen: str | Callable[[], bool]) -> None:
        """Wait until these words are on the screen, or until something is true after a frame.

        For what other tasks bring about: after a key press the screen is up to date already.
        """
        stirred = asyncio.Event()
        self.timers.stirred = self.terminal.wrote = stirred.set
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    stirred.clear()
                    self.timers.advance(0.1)
                    if seen in self.text if isinstance(seen, str) else seen():
                        return
                    if not self.running:
                        raise AssertionError(f"the session ended before {seen!r}:\n{self.text}")
                    await stirred.wait()
        except TimeoutError:
            raise AssertionError(f"{seen!r} did not come:\n{self.text}") from None

    # ----------------------------------------------------------------------------------- what is seen

    @property
    def glass(self) -> Glass:
        return self.terminal.glass

    def screen(self) -> list[str]:
        """The rows of the screen, without blanks at their ends."""
        return self.glass.lines

    @property
    def text(self) -> str:
        """The screen in one piece."""
        return self.glass.text

    def row_with(self, words: str) -> str:
        """The first row that has these words; fails with the whole screen when none has."""
        for line in self.screen():
            if words in line:
                return line
        raise AssertionError(f"{words!r} is not on the screen:\n{self.text}")


def lowest(_: str, view: SeatView, *__: object) -> int:
    """A bot whose play never changes."""
    return view.hand[0]


class Sitting:
    """One player at the real lobby, watched through a terminal."""

    def __init__(self, size: Size, **abilities: object) -> None:
        self.clock = FakeClock()
        self.lobby = Lobby(
            MemoryStore(),
            self.clock,
            new_seed=lambda: bytes(range(32)),
            new_rng=lambda: random.Random(1),
            choose=lowest,
        )
        self.visit = enter(self.lobby, Player("ada-id", "ada", True))
        able = Capabilities(**abilities)  # type: ignore[arg-type]
        self.controller = Router(
            Visitor(self.visit.player, self.clock, able, Regular(), self.visit)
        )
        self.pilot = Pilot(self.controller, size, unicode=able.unicode)

    async def wait(self, seconds: float = 0.0) -> None:
        await self.clock.advance(seconds)
        self.pilot.timers.advance(0.2)

    async def press(self, *names: str) -> None:
        for name in names:
            self.pilot.press(name)
            await self.wait()

    @property
    def status(self) -> Status | None:
        table = self.controller.context.table
        return table.info.status if table else None
