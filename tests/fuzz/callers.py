"""Whole connections: a caller on telnet, on SSH before and after the login, at a table with others."""

import asyncio
import struct
from collections.abc import Sequence
from contextlib import suppress

import asyncssh
from hypothesis import strategies as st

from server.session.commands import COMMAND_WORDS
from server.transport.telnet import protocol as t
from tests.fuzz.harness import Harness, in_a_hurry
from tests.fuzz.inputs import NASTY, text, typed
from tests.fuzz.ours import strange_in
from tests.fuzz.servers import GENEROUS, Place, Wire, a_place, only_text
from tests.support.clients import Keyless

_PAUSE = 1.0


async def _gone_without_a_trace(place: Place, tasks: int, wire: Wire) -> None:
    wire.drops()
    await asyncio.sleep(2)
    assert wire.gone
    assert place.strangers == 0
    # A table that was opened goes on for a while without anybody; it has a task, and nothing else.
    opened = len(place.lobby.feed.snapshot().tables) - 1
    assert len(asyncio.all_tasks()) <= tasks + opened
    await place.still_works()


def check_telnet(chunks: list[bytes]) -> None:
    """Whatever comes over a telnet line, before the name, at the lobby and at a table with others: no
    error, no byte to anybody's terminal that is not the server's own, answers no longer than a fixed sum
    and a multiple of what came; the others play on, and when the line drops nothing of it is left.
    """

    async def main() -> None:
        async with a_place(GENEROUS) as place:
            tasks = len(asyncio.all_tasks())
            wire = place.calls()
            total = 0
            for chunk in chunks:
                data = chunk.replace(b"{table}", place.table.encode())
                total += len(data)
                wire.arrives(data)
                await asyncio.sleep(_PAUSE)
            strange = strange_in(only_text(bytes(wire.sent)))
            assert not strange, strange
            assert len(wire.sent) < 200_000 + 2_000 * total
            await _gone_without_a_trace(place, tasks, wire)

    in_a_hurry(main)


def check_ssh_bytes(chunks: list[bytes]) -> None:
    """Whatever comes in place of an SSH handshake: no error; the connection ends, or is let go in time;
    nothing of it is left, and the others play on.
    """

    async def main() -> None:
        async with a_place(GENEROUS) as place:
            tasks = len(asyncio.all_tasks())
            wire = place.knocks()
            for chunk in chunks:
                wire.arrives(chunk)
                await asyncio.sleep(_PAUSE)
            await asyncio.sleep(GENEROUS.login_seconds + GENEROUS.stuck_seconds)
            assert wire.gone
            await _gone_without_a_trace(place, tasks, wire)

    in_a_hurry(main)


def check_ssh_packets(packets: list[tuple[int, bytes]]) -> None:
    """Whatever a client that has come in over SSH says within the encryption, on a channel with a game or
    beside it: no error; the server goes on or hangs up; nothing but its own bytes goes to any terminal;
    nothing is left afterwards, and the others play on.
    """

    async def main() -> None:
        async with a_place(GENEROUS) as place:
            tasks = len(asyncio.all_tasks())
            wire, client, shown = await comes_in(place)
            for kind, payload in packets:
                if wire.gone:
                    break
                data = payload.replace(b"{table}", place.table.encode())
                with suppress(asyncssh.Error, OSError):
                    client.send_packet(kind, data)
                await asyncio.sleep(_PAUSE)
            strange = strange_in(shown.decode("utf-8", "replace"))
            assert not strange, strange
            client.abort()
            await asyncio.sleep(0)
            await _gone_without_a_trace(place, tasks, wire)

    in_a_hurry(main)


class _Watching(asyncssh.SSHClientSession[bytes]):
    def __init__(self, shown: bytearray) -> None:
        self._shown = shown

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self._shown += data


async def client_on(
    wire: Wire, name: str, keys: Sequence[asyncssh.SSHKey] = ()
) -> asyncssh.SSHClientConnection:
    """A client at the far end of ``wire`` that has logged in, with a key if it has some."""
    loop = asyncio.get_running_loop()
    options = asyncssh.SSHClientConnectionOptions(
        client_factory=Keyless,
        known_hosts=None,
        client_keys=list(keys) or None,
        agent_path=None,
        config=None,
        username=name,
        kex_algs=["curve25519-sha256"],
        encryption_algs=["aes128-gcm@openssh.com"],
        compression_algs=None,
        gss_host=None,
        keepalive_interval=0,
        preferred_auth="publickey" if keys else "keyboard-interactive",
        host="127.0.0.1",
        port=22,
    )
    options.waiter = loop.create_future()
    client = asyncssh.SSHClientConnection(loop, options, wait="auth")
    far = _FarEnd(wire)
    wire.deliver = client.data_received
    client.connection_made(far)
    data, wire.sent = bytes(wire.sent), bytearray()
    if data:
        client.data_received(data)
    await options.waiter
    return client


async def comes_in(place: Place) -> tuple[Wire, asyncssh.SSHClientConnection, bytearray]:
    """A client that has logged in and begun a game; what it is shown."""
    wire = place.knocks()
    client = await client_on(wire, "eve")
    shown = bytearray()
    await client.create_session(
        lambda: _Watching(shown), term_type="xterm-256color", term_size=(80, 24), encoding=None
    )
    await asyncio.sleep(_PAUSE)
    return wire, client, shown


class _FarEnd(asyncio.Transport):
    """The client's end of a wire."""

    def __init__(self, wire: Wire) -> None:
        super().__init__({"peername": ("127.0.0.1", 22), "sockname": ("127.0.0.1", 40000)})
        self._wire = wire
        self._closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        asyncio.get_running_loop().call_soon(self._wire.arrives, bytes(data))

    def is_closing(self) -> bool:
        return self._closed

    def abort(self) -> None:
        self.close()

    def close(self) -> None:
        self._closed = True
        self._wire.drops()

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        return

    def pause_reading(self) -> None:
        return

    def resume_reading(self) -> None:
        return


# ---------------------------------------------------------------- strategies


def _sub(payload: bytes) -> bytes:
    return t.IAC + t.SB + payload.replace(t.IAC, t.IAC + t.IAC) + t.IAC + t.SE


_OPTIONS = (t.TTYPE, t.NAWS, t.NEW_ENVIRON, t.CHARSET, t.TSPEED, t.GMCP, t.MSSP, t.BINARY, t.ECHO, t.SGA,
            t.EOR, t.TM, t.LOGOUT, b"\x22", b"\x05", b"\x21", b"\x23", b"\x56")  # fmt: skip
_COMMANDS = st.builds(
    lambda command, option: t.IAC + command + option,
    st.sampled_from([t.DO, t.DONT, t.WILL, t.WONT]),
    st.sampled_from(_OPTIONS) | st.binary(min_size=1, max_size=1),
)
_SUBS = st.one_of(
    st.builds(lambda name: _sub(t.TTYPE + t.IS + _bytes(name)), text(80)),
    st.builds(
        lambda columns, rows: _sub(t.NAWS + struct.pack("!HH", columns, rows)),
        st.integers(0, 65_535),
        st.integers(0, 65_535),
    ),
    st.builds(lambda value: _sub(t.NEW_ENVIRON + t.IS + t.VAR + b"LANG" + t.VALUE + _bytes(value)), text()),
    st.builds(lambda value: _sub(t.GMCP + _bytes(value)), text(200)),
    st.builds(lambda value: _sub(t.CHARSET + b"\1" + _bytes(value)), text()),
    st.builds(
        lambda option, payload: _sub(option + payload), st.sampled_from(_OPTIONS), st.binary(max_size=30)
    ),
)  # fmt: skip
_VERBS = st.sampled_from([*COMMAND_WORDS, "quick", "exit", "language", "lines"])
_OPERANDS = st.sampled_from(
    ["", "{table}", "ada", "bo", "eve", "ada hello", "ada \x1b[2J", "de", "off", "1", "7", "2 zed", "pause",
     "end", "sound off",
     "spectators none", "rated", "1 1", "hello", "low", "\u202e\u200b", "e" + "\u0301" * 40]
)  # fmt: skip
LINES = st.builds(lambda verb, rest: f"{verb} {rest}".strip(), _VERBS, _OPERANDS | text(40))


def _bytes(raw: str) -> bytes:
    return raw.encode("utf-8", "surrogatepass")


_LINE = st.builds(
    lambda line, end: line + end, LINES | text(), st.sampled_from(["\r\n", "\r\0", "\n"])
)
_CHUNKS = st.one_of(
    _LINE.map(_bytes), typed().map(_bytes), _COMMANDS, _SUBS, st.binary(max_size=20)
)
_LOGIN = st.sampled_from([b"eve\r\n", b"eve+{table}\r\n", b"eve+watch+{table}\r\n"])
_SCREEN = b"".join(t.IAC + t.WILL + option for option in (t.TTYPE, t.NAWS)) + _sub(
    t.TTYPE + t.IS + b"XTERM-256COLOR"
) + _sub(t.NAWS + b"\0\x50\0\x18")  # fmt: skip
TELNET_CHUNKS = st.builds(
    lambda begin, login, rest: [begin, login, *rest],
    st.sampled_from([b"", _SCREEN]),
    _LOGIN | _LINE.map(_bytes),
    st.lists(_CHUNKS, max_size=12),
)
_HELLO = b"SSH-2.0-x\r\n"
_NUMBER = st.integers(0, 2**32 - 1).map(lambda number: struct.pack("!I", number))
_STRING = (st.binary(max_size=12) | text(40).map(_bytes)).map(
    lambda raw: struct.pack("!I", len(raw)) + raw
)
_FIELDS = st.lists(
    _NUMBER | _STRING | st.sampled_from([b"\0", b"\1", b"\0\0\0\0"]), max_size=6
).map(b"".join)


def _named(*names: bytes) -> st.SearchStrategy[bytes]:
    return st.sampled_from(names).map(lambda name: struct.pack("!I", len(name)) + name)


_REQUEST = st.builds(
    lambda kind, reply, rest: (98, b"\0\0\0\0" + kind + reply + rest),
    _named(b"pty-req", b"env", b"exec", b"shell", b"subsystem", b"window-change", b"signal", b"break",
           b"x11-req", b"auth-agent-req@openssh.com", b"keepalive@openssh.com", b"xon-xoff", b"exit-status"),
    st.sampled_from([b"\0", b"\1"]),
    _FIELDS,
)  # fmt: skip
_OPEN = st.builds(
    lambda kind, rest: (90, kind + rest),
    _named(b"session", b"direct-tcpip", b"x11", b"forwarded-tcpip", b"auth-agent@openssh.com",
           b"direct-streamlocal@openssh.com", b"tun@openssh.com"),
    _FIELDS,
)  # fmt: skip
_GLOBAL = st.builds(
    lambda kind, reply, rest: (80, kind + reply + rest),
    _named(b"tcpip-forward", b"cancel-tcpip-forward", b"streamlocal-forward@openssh.com",
           b"hostkeys-prove-00@openssh.com", b"no-more-sessions@openssh.com", b"keepalive@openssh.com"),
    st.sampled_from([b"\0", b"\1"]),
    _FIELDS,
)  # fmt: skip
_DATA = typed().map(
    lambda raw: (94, b"\0\0\0\0" + struct.pack("!I", len(_bytes(raw))) + _bytes(raw))
)
_PACKET = st.one_of(
    _REQUEST,
    _OPEN,
    _GLOBAL,
    _DATA,
    st.tuples(st.integers(1, 127), _FIELDS | st.binary(max_size=30)),
)


def _cut(data: bytes) -> list[bytes]:
    return data.split(b"|")


def _known_sub(payload: bytes) -> list[bytes]:
    return [b"eve\r\n", _sub(payload)]


TELNET = Harness(
    "telnet",
    TELNET_CHUNKS,
    check_telnet,
    (
        *(["".join((name, "\r\n")).encode("utf-8", "surrogatepass")] for name in NASTY[:12]),
        _known_sub(t.GMCP + b"[" * 900),
        _known_sub(t.GMCP + b"Core.Supports.Set " + b'{"a":' * 150),
        _known_sub(t.NAWS + b"\0\1\0\1"),
        _known_sub(t.NEW_ENVIRON + t.IS + t.VAR * 500),
        [t.IAC + t.SB + t.TTYPE + t.IS + b"\x1b[2J" * 300, b"eve\r\n"],
    ),
    _cut,
    examples=40,
)
SSH_BYTES = Harness(
    "ssh-bytes",
    st.builds(
        lambda hello, rest: [hello, *rest],
        st.sampled_from([b"", _HELLO, b"SSH-1.5-x\r\n", b"GET / HTTP/1.0\r\n\r\n", b"\x16\x03\1"]),
        st.lists(st.binary(max_size=80), max_size=5),
    ),
    check_ssh_bytes,
    ([_HELLO, b"\xff" * 100], [_HELLO, b"\0\0\0\x0c\x0a\x15" + b"\0" * 10], [b"x" * 300_000]),
    _cut,
    examples=40,
)
SSH_PACKETS = Harness(
    "ssh-packets", st.lists(_PACKET, max_size=8), check_ssh_packets, ([(20, b"\xff" * 30)],), examples=40
)  # fmt: skip
