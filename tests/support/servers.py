"""A real server, as `tide serve` starts it, and the ssh that goes there."""

import os
import re
import shutil
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.windows import Window


class TideServer:
    """`command` in a terminal, with its state and keys below `place`. Use as a context manager."""

    def __init__(self, place: Path, *command: str, settings: dict[str, str] | None = None) -> None:
        self.environ = {
            "TIDE_HOST": "localhost",
            "TIDE_SSH_PORT": "0",
            "TIDE_TELNET_PORT": "0",
            "TIDE_STATE": str(place / "state"),
            "TIDE_KEYS": str(place / "keys"),
            "HOME": str(place),
            # As if typed in a shell: not in a make within a make.
            "MAKEFLAGS": "",
            "MAKELEVEL": "",
            **(settings or {}),
        }
        self._place = place
        self._command = command or (str(Path(sys.executable).with_name("tide")), "serve")
        self.window: Window
        self.ssh_port = ""
        self.telnet_port = ""

    def ssh(self, name: str = "", *words: str) -> list[str]:
        """The system's ssh, on its way here, without a question and without looking at anybody's keys."""
        return [
            *self.ssh_options(),
            "-p",
            self.ssh_port,
            f"{name}@localhost" if name else "localhost",
            *words,
        ]

    def ssh_options(self) -> list[str]:
        """The system's ssh, with nothing of the user's."""
        ssh = shutil.which("ssh")
        assert ssh, "there is no ssh on this machine"
        known = self._place / "known_hosts"
        options = (
            "StrictHostKeyChecking=accept-new",
            f"UserKnownHostsFile={known}",
            "IdentityFile=none",
            "IdentityAgent=none",
            "LogLevel=ERROR",
        )
        return [ssh, "-F", os.devnull, *(part for option in options for part in ("-o", option))]

    def __enter__(self) -> Self:
        self.window = Window(self._command, env=self.environ, columns=120)
        try:
            self.window.wait_for("Ctrl-C closes the house")
            self.ssh_port = self._said(r"ssh -p (\d+) localhost")
            self.telnet_port = self._said(r"telnet localhost (\d+)")
        except BaseException:
            self.window.hang_up()
            raise
        return self

    def _said(self, pattern: str) -> str:
        found = re.search(pattern, self.window.text)
        assert found, self.window.text
        return found[1]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.window.press("\x03")
        self.window.wait_for_end()
        self.window.hang_up()
