"""Real terminals: the system's ssh in tmux, and people in front of them who know only their screens."""

import asyncio
import re
import shlex
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from tests.e2e.guests import SECRET, Guest, passed

if TYPE_CHECKING:
    from tests.e2e.evening import Evening

_HEAD: Final = re.compile(r"stage (\d+)/\d+ . round (\d+)/")
_LOOK: Final = 0.3
"""Seconds between two looks at the screen."""


class Tmux:
    """A tmux server of its own, with a window for everybody. Use as a context manager."""

    def __init__(self, place: Path) -> None:
        self._socket: Final = str(place / "tmux")

    async def run(self, *words: str) -> str:
        """One tmux command; what it prints."""
        process = await asyncio.create_subprocess_exec(
            "tmux", "-f", "/dev/null", "-S", self._socket, *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        printed, _ = await process.communicate()
        return printed.decode(errors="replace")

    async def open(self, name: str, command: list[str], columns: int, rows: int) -> None:
        """A window of that size in which the command runs."""
        size = ("-x", str(columns), "-y", str(rows))
        await self.run("new-session", "-d", "-s", name, *size, shlex.join(command))

    async def screen(self, name: str) -> str:
        """What the window shows."""
        return await self.run("capture-pane", "-p", "-t", name)

    async def press(self, name: str, text: str) -> None:
        """Type it into the window, as it is."""
        await self.run("send-keys", "-t", name, "-l", "--", text)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.run("kill-server")


class TerminalGuest(Guest):
    """Looks at a screen and presses keys."""

    reads_all = False
    """Some of what is said stands on pages that nobody opens."""

    def __init__(
        self,
        evening: "Evening",
        name: str,
        place: str,
        *,
        tmux: Tmux,
        ssh: list[str],
        size: tuple[int, int],
        seated: bool = True,
    ) -> None:
        super().__init__(evening, name, place, seated=seated)
        self._tmux: Final = tmux
        self._ssh: Final = ssh
        """The command, with a key of one's own."""
        self._size: Final = size
        self._looks: Final[list[str]] = []
        self._chose = (0, 0)
        self._last: Final[dict[int, int]] = {}
        """For each game, after how many looks the last bid in it was made."""

    @property
    def read(self) -> str:
        return "\n".join(self._looks)

    def read_during(self, game: int) -> str:
        return "\n".join(self._looks[: self._last.get(game, 0)])

    async def come(self) -> None:
        """Stay until the evening is over."""
        evening = self.evening
        while self.place != "lobby" and self.place not in evening.codes:
            if await passed(evening.over, _LOOK):
                return
        suffix = (
            "" if self.seated or self.place == "lobby" else f"+watch+{evening.codes[self.place]}"
        )
        command = [*self._ssh, f"{self.name}{suffix}@127.0.0.1"]
        await self._tmux.open(self.name, command, *self._size)
        silent = self._silence()
        while not await passed(evening.over, _LOOK):
            screen = await self._tmux.screen(self.name)
            if not self._looks or screen != self._looks[-1]:
                self._looks.append(screen)
            keys = self._keys(screen)
            silent -= _LOOK
            if not keys and self.here and silent <= 0 and not evening.quiet.is_set():
                verb, words = self.something_to_say()
                silent = self._silence()
                keys = {"say": f"{words}\r", "tell": f"tell {words}\r"}.get(verb, "")
                if keys:  # what comes in one piece is taken for pasted
                    await self._tmux.press(self.name, "/")
            if keys:
                await self._tmux.press(self.name, keys)

    def _silence(self) -> float:
        return self.evening.chance.expovariate(0.1) + 2

    def _keys(self, screen: str) -> str:
        """What to press, seeing this."""
        if "play at once, against bots" in screen:
            return "l"
        if "Space shows the standings" in screen or "You get the hand" in screen:
            return " "
        if "Press Space to go on" in screen or "Space next" in screen:
            return " "
        top = screen.split("\n", maxsplit=1)[0]
        if "Lobby" in top and self.place != "lobby":
            return self._to_the_table(screen)
        self.here = "Lobby" in top if self.place == "lobby" else True
        if "Final standings" in screen:
            ended, self.round = bool(self.round), 0
            self.games += ended
            return "r" if self.seated and ended else ""
        if (head := _HEAD.search(screen)) and self.seated:
            self.round = int(head[2])
            return self._bid(screen, (int(head[1]), int(head[2])))
        return ""

    def _bid(self, screen: str, now: tuple[int, int]) -> str:
        if "Enter bid" not in screen or self._chose == now:
            return ""
        self._chose = now
        self.bids += 1
        self._last[self.games] = len(self._looks)
        hand = next((row for row in screen.split("\n") if "your hand" in row), "")
        cards = re.findall(r"\d+", hand)
        return f"{self.evening.chance.choice(cards)}\r" if cards else "\x1b[D" * 12 + "\r"

    def _to_the_table(self, screen: str) -> str:
        if "code of the table" not in screen:
            return "c"
        code = self.evening.codes[self.place]
        self.knows = self.place == "private"
        return f"{code} {SECRET}\r" if self.knows else f"{code}\r"
