"""asyncssh alone, as a yardstick: ``python -m bench.load.bare CORE FOLDER``.

It shows the screen that the wish server shows and lets sessions with the same login suffix see each other's
keys: what a login and a changed line cost before there is a game, a limit or a disk.
"""

import asyncio
import json
import sys
from collections import defaultdict
from typing import Any, Final

import asyncssh
from typing_extensions import override

from bench.load.serve import pinned
from bench.load.wish import screen

Table = dict["Session", bool]
"""The sessions of a table in the order of their seats, and whether each has bid."""


class Session(asyncssh.SSHServerSession[bytes]):
    """A seat: ``s`` bids, ``t`` takes the bid back, ``q`` leaves."""

    def __init__(self, shown: dict[str, Any], table: Table) -> None:
        self._shown: Final = shown
        self._table: Final = table
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None

    @override
    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan

    @override
    def shell_requested(self) -> bool:
        return True

    @override
    def session_started(self) -> None:
        seat = len(self._table)
        self._table[self] = False
        self.write("\x1b[?1049h\x1b[H" + "\r\n".join(self._shown["seats"][seat]))

    @override
    def data_received(self, data: bytes, datatype: int | None) -> None:
        assert self._channel is not None
        for key in data:
            if key in b"st":
                self._table[self] = key == ord("s")
                said = "".join(
                    self._shown["sealed" if bid else "quiet"] for bid in self._table.values()
                )
                for session in self._table:
                    session.write(f"\x1b[{self._shown['status'] + 1}H{said}\x1b[K")
            elif key == ord("q"):
                self._channel.exit(0)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._channel = None

    def write(self, text: str) -> None:
        """Send a text, unless the session has ended."""
        if self._channel is not None:
            self._channel.write(text.encode())


class Server(asyncssh.SSHServer):
    """Any key may log in."""

    def __init__(self, shown: dict[str, Any], tables: defaultdict[str, Table]) -> None:
        self._shown: Final = shown
        self._tables: Final = tables
        self._table: Table = {}

    @override
    def begin_auth(self, username: str) -> bool:
        self._table = self._tables[username.partition("+")[2] or username]
        return True

    @override
    def public_key_auth_supported(self) -> bool:
        return True

    @override
    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return True

    @override
    def session_requested(self) -> Session:
        return Session(self._shown, self._table)


async def serve(shown: dict[str, Any]) -> None:
    """Listen until killed."""
    tables: defaultdict[str, Table] = defaultdict(dict)
    listener = await asyncssh.create_server(
        lambda: Server(shown, tables),
        "127.0.0.1",
        0,
        server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        encoding=None,
        line_editor=False,
    )
    print(f"-p {listener.get_port()} ", flush=True)
    await listener.wait_closed()


def main() -> None:
    """Serve on a core."""
    shown = json.loads(screen())
    pinned(int(sys.argv[1]))
    asyncio.run(serve(shown))


if __name__ == "__main__":
    main()
