"""What a client may send, over and over, and how many bytes come back over a real connection.

``python -m tests.transport.floods`` floods a server on this machine for ten seconds in each way at the same
time, in a lobby full of tables, and tells what came back.
"""

import asyncio
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final

import asyncssh

from server.coordinator.messages import CreateTable, Player
from server.session.preferences import NEW_TABLE
from server.timers import SystemClock
from server.transport.session.frontends import frontend_for
from server.transport.telnet import protocol as t
from tests.support.clients import Keyless
from tests.support.connections import AT_ONCE, Open
from tests.support.telnet_caller import OpenTelnet, open_telnet
from tests.support.through_frames import enter

SECONDS: Final = 10.0


class Count(asyncssh.SSHClientSession[bytes]):
    """A session that counts."""

    def __init__(self) -> None:
        self.received = self.answers = 0
        """``answers`` are those to a program."""

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.received += len(data)
        self.answers += data.count(b'"ok":')


class Wire:
    """A flood: what is sent again and again, and the bytes of both directions."""

    def __init__(self, send: Callable[[bytes], None], received: Callable[[], int]) -> None:
        self.send: Final = send
        self.received: Final = received
        self.sent = 0


@asynccontextmanager
async def over_ssh(
    opened: Open,
    name: str,
    command: str | None,
    size: tuple[int, int] | None,
    address: str = "127.0.0.1",
) -> AsyncIterator[tuple[Any, Count]]:
    """A session over SSH from that address, and its channel."""
    async with opened.connect(name, client_factory=Keyless, local_addr=(address, 0)) as client:
        how = {"term_type": "xterm-256color", "term_size": size} if size else {}
        channel, count = await client.create_session(Count, command, encoding=None, **how)
        yield channel, count


async def fill(opened: Open, tables: int) -> None:
    """So many tables, of as many players."""
    for number in range(tables):
        player = Player(f"id{number}", f"player-{number:04}", True)
        visit = enter(opened.lobby, player, source=str(number))
        await visit.submit(CreateTable(NEW_TABLE))


async def flood(wire: Wire, pieces: list[bytes], seconds: float) -> None:
    """Send them in turn for so long, as fast as anybody types on a fast repeat."""
    until = asyncio.get_running_loop().time() + seconds
    number = 0
    while asyncio.get_running_loop().time() < until:
        piece = pieces[number % len(pieces)]
        number += 1
        wire.send(piece)
        wire.sent += len(piece)
        await asyncio.sleep(0.02)


def _naws(columns: int, rows: int) -> bytes:
    return t.IAC + t.SB + t.NAWS + struct.pack("!HH", columns, rows) + t.IAC + t.SE


def _do(word: str) -> bytes:
    return b'{"do": "%s"}\n' % word.encode()


API: Final = {
    "look": [_do("look")],
    "questions": [_do(word) for word in ("games", "best", "results", "settings")],
    "play and leave": [_do("play"), _do("leave")],
    "no command": [b"{}\n"],
    "chat": [b'{"do": "say", "text": "hm"}\n'],
    "nothing": [b""],
}
LINES: Final = {
    word: [word.encode() + b"\n"]
    for word in ("help", "lobby", "more", "chat", "play", "best", "keys")
}
SCREENS: Final = {
    "Ctrl-L": [b"\x0c"],
    "pages": [b"?", b"\x1b"],
    "arrows": [b"\x1b[A", b"\x1b[B"],
    "title and lobby": [b"l", b"\x1b"],
}
_OPTIONS: Final = (
    *(t.TTYPE, t.NAWS, t.NEW_ENVIRON, t.CHARSET, t.TSPEED),
    *(t.ECHO, t.SGA, t.BINARY, t.TM, t.EOR),
)
TELNET: Final = {
    "are you there": [t.IAC + t.AYT],
    "sizes": [_naws(100, 40), _naws(250, 70)],
    "MSSP": [t.IAC + t.DO + t.MSSP, t.IAC + t.DONT + t.MSSP],
    "GMCP": [t.IAC + t.DO + t.GMCP, t.IAC + t.DONT + t.GMCP],
    **{
        f"option {option[0]}": [t.IAC + verb + option for verb in (t.WILL, t.WONT, t.DO, t.DONT)]
        for option in _OPTIONS
    },
    "Ctrl-L": [b"\x0c"],
    "help": [b"help\r\n"],
}


class Result:
    """Of one flood."""

    def __init__(self, what: str, sent: int, received: int) -> None:
        self.what, self.sent, self.received = what, sent, received

    def __str__(self) -> str:
        return f"{self.what:<34} {self.sent:>8} in {self.received:>9} out"


async def _ssh(
    opened: Open, what: str, command: str | None, size: Any, pieces: list[bytes]
) -> Result:
    name = "f" + str(abs(hash(what)) % 10**9)
    name += "+plain" if what.startswith("lines") else ""
    async with over_ssh(opened, name, command, size) as (channel, count):
        wire = Wire(channel.write, lambda: count.received)
        await flood(wire, pieces, SECONDS)
        return Result(what, wire.sent, count.received)


async def _sizes(opened: Open) -> Result:
    async with over_ssh(opened, "sizes", None, (200, 60)) as (channel, count):
        sizes = iter(range(10**9))

        def resize(_: bytes) -> None:
            channel.change_terminal_size(200 + next(sizes) % 50, 60)

        wire = Wire(resize, lambda: count.received)
        await flood(wire, [b""], SECONDS)
        return Result("screen: window-change", 0, count.received)


async def _silent(telnet: OpenTelnet) -> Result:
    async with telnet.call(silent=True) as one:
        await asyncio.sleep(SECONDS)
        return Result("telnet: nothing", 0, one.received)


async def _telnet(telnet: OpenTelnet, what: str, name: bytes, pieces: list[bytes]) -> Result:
    screen = what.startswith("telnet screen")
    call = telnet.terminal(size=(200, 60)) if screen else telnet.call(silent=True)
    async with call as one:
        if screen:
            await one.reads("name")
        if name:
            one.send(name + b"\r\n")
        wire = Wire(one.send, lambda: one.received)
        wire.sent = len(name)
        await flood(wire, pieces, SECONDS)
        return Result(what, wire.sent, one.received)


async def _help(opened: Open) -> Result:
    sent = received = 0
    for number in range(20):
        with suppress(asyncssh.Error, OSError):
            async with opened.connect(f"h{number}") as client:
                done = await client.run("help", encoding=None)
                sent, received = sent + 4, received + len(done.stdout or b"")
    return Result("ssh HOST help, twenty times", sent, received)


async def measure(tables: int) -> list[Result]:
    """Everything, at the same time."""
    frontend = partial(frontend_for, SystemClock())
    async with open_telnet(make_frontend=frontend, timing=AT_ONCE) as telnet:
        opened = telnet.opened
        await fill(opened, tables)
        floods: list[Awaitable[Result]] = [_sizes(opened), _silent(telnet), _help(opened)]
        floods += [_ssh(opened, f"API: {w}", "api", None, p) for w, p in API.items()]
        floods += [_ssh(opened, f"lines: {w}", None, (80, 24), p) for w, p in LINES.items()]
        floods += [_ssh(opened, f"screen: {w}", None, (250, 70), p) for w, p in SCREENS.items()]
        floods += [_telnet(telnet, f"telnet, no name: {w}", b"", p) for w, p in TELNET.items()]
        for number, (what, pieces) in enumerate(TELNET.items()):
            floods.append(_telnet(telnet, f"telnet: {what}", b"t%d" % number, pieces))
            floods.append(_telnet(telnet, f"telnet screen: {what}", b"s%d" % number, pieces))
        return await asyncio.gather(*floods)


if __name__ == "__main__":
    results = asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
    print(*results, sep="\n")
