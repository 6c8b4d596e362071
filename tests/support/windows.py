"""A program in a pseudo-terminal of its own, and the screen that a person in front of it would see.

Waiting here means waiting for bytes; the time limits only keep a broken program from holding up the tests.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyte

from tests.support.patience import PATIENCE


class Window:
    """Run a command in a terminal of the given size. Use as a context manager: leaving it hangs up."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        columns: int = 80,
        rows: int = 24,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._terminal, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        try:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                cwd=cwd,
                env={**os.environ, "TERM": "xterm-256color", **(env or {})},
                preexec_fn=lambda: os.login_tty(slave),  # noqa: PLW1509 - no threads here
                close_fds=True,
                pass_fds=(slave,),
            )
        finally:
            os.close(slave)

    @property
    def rows(self) -> list[str]:
        """What the screen shows, without blanks at the ends of lines."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        """What the screen shows, in one piece."""
        return "\n".join(self.rows)

    @property
    def cells(self) -> list[list[Any]]:
        """What the screen shows, with its colours."""
        line = self._screen.buffer
        return [
            [line[y][x] for x in range(self._screen.columns)] for y in range(self._screen.lines)
        ]

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._terminal, keys.encode())

    def wait_for(self, *texts: str, patience: float = PATIENCE) -> None:
        """Return as soon as the screen shows all of the texts at once."""
        limit = time.monotonic() + patience
        while not all(text in self.text for text in texts):
            if not self._read(limit - time.monotonic()):
                raise AssertionError(f"waited in vain for {texts!r}; the screen:\n{self.text}")

    def wait_until(self, happened: Callable[[], object], patience: float = PATIENCE) -> None:
        """Return as soon as ``happened`` is true of what the screen shows."""
        limit = time.monotonic() + patience
        while not happened():
            if not self._read(limit - time.monotonic()):
                raise AssertionError(f"waited in vain; the screen:\n{self.text}")

    def watch(self, quiet: float) -> None:
        """Read on until nothing has come for so many seconds."""
        while self._read(quiet):
            pass

    def wait_for_end(self, patience: float = PATIENCE) -> int:
        """Read on until the program ends; its exit status."""
        limit = time.monotonic() + patience
        while self._read(limit - time.monotonic()):
            pass
        return self._process.wait(max(limit - time.monotonic(), 0.1))

    def _read(self, patience: float) -> bool:
        """Show more output, once there is some. False when none came in time, or the program has ended."""
        if patience <= 0 or not select.select([self._terminal], [], [], patience)[0]:
            return False
        try:
            output = os.read(self._terminal, 65536)
        except OSError:  # Linux says EIO when the last program has left the terminal
            return False
        self._stream.feed(output)
        return bool(output)

    def hang_up(self) -> None:
        """Close the terminal, as somebody who closes the window; then see that nothing is left."""
        if self._terminal < 0:
            return
        os.close(self._terminal)
        self._terminal = -1
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.hang_up()
