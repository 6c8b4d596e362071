"""What ours is compared with: ``python -m bench.load.peers echo|stock CORE``.

``echo`` is asyncssh and nothing else: what comes in is sent back. ``stock`` is prompt_toolkit as its manual
has it (``contrib.ssh``, its own layout and renderer) with a table-like screen of 24 rows, a window each; the
five sessions of a table are drawn anew when one of them presses a key.
"""

import asyncio
import logging
import os
import resource
import sys
from functools import partial
from typing import Any, Final

import asyncssh
from prompt_toolkit.application import Application
from prompt_toolkit.contrib.ssh import PromptToolkitSSHServer, PromptToolkitSSHSession
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window

from bench.frame import QUIET, SIZE, Picture, seat_frame
from bench.load.client import CLASSICAL, HYBRID
from bench.load.line import HOST
from bench.load.processes import end_with_parent
from bench.stock import fragments

_ALGORITHMS: Final[dict[str, Any]] = {
    "kex_algs": [HYBRID, CLASSICAL],
    "encryption_algs": ["aes128-gcm@openssh.com"],
    "compression_algs": None,
    "gss_host": None,
}


class Echo(asyncssh.SSHServerSession[bytes]):
    """Sends back what comes in, after a first screenful."""

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """See ``asyncssh.SSHServerSession``."""
        self._channel = chan

    def pty_requested(self, *_: Any) -> bool:
        """See ``asyncssh.SSHServerSession``."""
        return True

    def shell_requested(self) -> bool:
        """See ``asyncssh.SSHServerSession``."""
        return True

    def session_started(self) -> None:
        """See ``asyncssh.SSHServerSession``."""
        self._channel.write(b"ready " * 100)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """See ``asyncssh.SSHServerSession``."""
        self._channel.write(data)


class EchoServer(asyncssh.SSHServer):
    """Lets everybody in, by a key if there is one."""

    def begin_auth(self, username: str) -> bool:
        """See ``asyncssh.SSHServer``."""
        return True

    def public_key_auth_supported(self) -> bool:
        """See ``asyncssh.SSHServer``."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """See ``asyncssh.SSHServer``."""
        return True

    def session_requested(self) -> Echo:
        """See ``asyncssh.SSHServer``."""
        return Echo()


class Tables:
    """Who sees whom on the stock server."""

    def __init__(self) -> None:
        self._pictures: Final[dict[str, Picture]] = {}
        self._applications: Final[dict[str, list[Application[None]]]] = {}

    async def interact(self, session: PromptToolkitSSHSession) -> None:
        """One session, until the line drops."""
        channel: Any = session._chan  # nothing public tells who this is
        code = channel.get_extra_info("username").partition("+")[2]
        there = self._applications.setdefault(code, [])
        seat = len(there)
        application = self._application(code, seat)
        there.append(application)
        await application.run_async()

    def _application(self, code: str, seat: int) -> Application[None]:
        def show(sealed: bool) -> None:
            status = list(self._pictures.get(code, Picture(QUIET)).status)
            status[seat] = "▐█▌ sealed" if sealed else QUIET[seat]
            self._pictures[code] = Picture(tuple(status))
            for each in self._applications[code]:
                each.invalidate()

        def row(number: int) -> StyleAndTextTuples:
            rows = seat_frame(self._pictures.get(code, Picture(QUIET)), seat).rows
            return fragments(rows[number]) if number < len(rows) else []

        keys = KeyBindings()

        @keys.add("s")
        def _seal(event: KeyPressEvent) -> None:
            show(True)

        @keys.add("t")
        def _think(event: KeyPressEvent) -> None:
            show(False)

        windows = [
            Window(FormattedTextControl(partial(row, y)), height=1) for y in range(SIZE.rows)
        ]
        return Application(Layout(HSplit(windows)), full_screen=True, key_bindings=keys)


async def serve(kind: str) -> None:
    """Listen until ended."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
    tables = Tables()
    plain = {"line_editor": False, "encoding": None}
    server = await asyncssh.create_server(
        EchoServer if kind == "echo" else partial(PromptToolkitSSHServer, tables.interact),
        HOST,
        0,
        server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        login_timeout=30,
        **_ALGORITHMS,
        **(plain if kind == "echo" else {}),
    )
    print(f"-p {server.get_port()}", flush=True)
    await server.wait_closed()


if __name__ == "__main__":
    end_with_parent()
    os.sched_setaffinity(0, {int(sys.argv[2])})
    asyncio.run(serve(sys.argv[1]))
