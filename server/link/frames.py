"""Messages of the link, their frames, and the protocol of its connections.

A frame is four bytes of length (big-endian) and a list of messages in MessagePack. It holds everything that
one turn of the event loop has led to, in order: the effects of a command come with its answer, or before it.
"""

import asyncio
import struct
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar, cast, get_type_hints

import msgspec
import structlog
from msgspec import Struct
from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.contract import Arrival, Arrived, Coordinator
from server.storage.moderation import BanRow

VERSION: Final = 1
"""The version of the messages."""
LONGEST: Final = 64 * 1024 * 1024
"""Maximum bytes of a frame, ten times the lobby of ten thousand tables."""
_HIGH: Final = 4 * 1024 * 1024
"""Bytes of unsent output from which on nothing is gathered; feeds merge meanwhile what comes next."""
_LENGTH: Final = struct.Struct(">I")
BEAT: Final = 1.0
"""Seconds between two heartbeats, which are empty frames."""
SILENT: Final = 4.0
"""Seconds without input after which a connection is closed: the other end, or the network between, hangs."""

_log = structlog.get_logger("link")


class LinkFrame(Struct, frozen=True, tag=True, array_like=True, gc=False):
    """One message of a frame."""


# ---------------------------------------------------------------- up, from a door


class Hello(LinkFrame, frozen=True):
    """The first frame of a door."""

    version: int
    door: str


class Again(LinkFrame, frozen=True):
    """A visitor who had arrived before the connection broke."""

    player: m.Player
    since: float
    blocked: Mapping[str, str]
    muted: Mapping[str, str]
    goal: m.WatchTable | m.JoinTable | m.FollowBusiest | None
    """How to return to where the visit has led, if that is no seat of a live game."""


class Arrive(LinkFrame, frozen=True):
    """An arrival, or one ``again``. The first is answered by ``Result``, with ``Came``, or by ``Failed``."""

    visit: int
    arrival: Arrival
    again: Again | None = None


class Leave(LinkFrame, frozen=True):
    """The end of a visit, or of the wait for an answer, with this number."""

    number: int


class Submit(LinkFrame, frozen=True):
    """A command of a visitor, answered by ``Result`` with a reply."""

    number: int
    visit: int
    command: m.Command


class Call(LinkFrame, frozen=True):
    """A call of a method of the contract, answered by ``Result`` or ``Failed``."""

    number: int
    method: str
    arguments: tuple[Any, ...]


Up = Hello | Arrive | Leave | Submit | Call


# ---------------------------------------------------------------- down, from the coordinator


class Welcome(LinkFrame, frozen=True):
    """The first frame of a coordinator."""

    version: int
    term: int
    """Increases with every coordinator: of two, the one with the higher term is the right one."""
    time: float


class BansNow(LinkFrame, frozen=True):
    """The bans in force, each with its kind and the value that is compared."""

    bans: tuple[tuple[str, str, BanRow], ...]


class Result(LinkFrame, frozen=True):
    """The result of a call, an arrival or a command."""

    number: int
    value: Any


class Failed(LinkFrame, frozen=True):
    """A failure of a call or an arrival: ``StoreError``, or ``Banned`` with a ban."""

    number: int
    code: str
    ban: BanRow | None = None


class LobbyNow(LinkFrame, frozen=True):
    """The lobby: rows that have changed since the last one, and the ids of all tables in order."""

    rows: tuple[m.TableRow, ...]
    tables: tuple[str, ...]
    rest: m.LobbySnapshot
    """The snapshot without tables."""


class VisitUpdate(LinkFrame, frozen=True):
    """An update for a visitor, without the lobby; if ``in_lobby``, that of the last ``LobbyNow`` is shown."""

    visit: int
    update: m.Update
    in_lobby: bool


Down = Welcome | BansNow | Result | Failed | LobbyNow | VisitUpdate

Came = tuple[m.Player, float, Arrived]
"""The result of an arrival; the number is the time."""

METHODS: Final[Mapping[str, Mapping[str, Any]]] = {
    name: get_type_hints(method)
    for name, method in vars(Coordinator).items()
    if asyncio.iscoroutinefunction(method) and name != "arrive"
}
"""Types of the arguments, in order, and of the result of each method of the contract, by its name."""


def _plain(value: object) -> object:
    """Return a mapping that is no dict as one."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} in a frame")


_encode: Final = msgspec.msgpack.Encoder(enc_hook=_plain).encode
decode_up: Final = msgspec.msgpack.Decoder(list[Up]).decode
decode_down: Final = msgspec.msgpack.Decoder(list[Down]).decode

T = TypeVar("T")


def encodable(value: Any) -> Any:
    """Return plain data that MessagePack can carry, as near to ``value`` as possible.

    Lone surrogates become question marks, integers beyond 64 bits the nearest one within them. Nothing on the
    other side has such a name or number, so the answer is the same.
    """
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, int):
        return max(-(2**63), min(value, 2**63 - 1))
    if isinstance(value, Mapping):
        return {encodable(key): encodable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [encodable(each) for each in value]
    return value


def framed(messages: list[LinkFrame]) -> bytes:
    """Return the frame of these messages."""
    try:
        data = _encode(messages)
    except (UnicodeEncodeError, OverflowError):
        data = _encode(
            encodable(msgspec.to_builtins(messages, builtin_types=(bytes,), enc_hook=_plain))
        )
    return _LENGTH.pack(len(data)) + data


class LinkConnection(asyncio.Protocol, Generic[T]):
    """One end of a connection of the link.

    ``heard`` is called with each message, ``lost`` when the connection has ended, and ``gather`` to add
    messages to a frame that is about to leave.
    """

    def __init__(
        self,
        decode: Callable[[bytes], list[T]],
        heard: Callable[[T], object],
        lost: Callable[[], object],
        gather: Callable[[list[LinkFrame]], object] = lambda _: None,
    ) -> None:
        self._decode, self._heard, self._lost, self._gather = decode, heard, lost, gather
        self._out: list[LinkFrame] = []
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._loop: Final = asyncio.get_running_loop()
        self._waits = self._full = False
        self._heard_at = 0.0
        self._beat: asyncio.TimerHandle | None = None

    def send(self, message: LinkFrame) -> None:
        """Send a message with the frame of this turn of the event loop."""
        self._out.append(message)
        self.wake()

    def wake(self) -> None:
        """Send a frame in this turn of the event loop, for which there is something to gather."""
        if not (self._waits or self._full):
            self._waits = True
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def finish(self) -> None:
        """Send the last frame, and close the connection."""
        self._flush()
        if self._transport is not None:
            self._transport.close()

    def _flush(self) -> None:
        self._waits = False
        if self._transport is None or self._transport.is_closing():
            return
        self._gather(self._out)
        if self._out:
            out, self._out = self._out, []
            self._transport.write(framed(out))

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=_HIGH)
        self._heard_at = self._loop.time()
        self._beat = self._loop.call_later(BEAT, self._say_and_look)
        self.wake()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._beat is not None:
            self._beat.cancel()
        self._lost()

    def _say_and_look(self) -> None:
        """Send a heartbeat, and check those of the other end."""
        assert self._transport is not None
        if (silent := self._loop.time() - self._heard_at) > SILENT:
            _log.warning("line_silent", seconds=round(silent, 1))
            self.close()
            return
        if not self._full:
            self._transport.write(framed([]))
        self._beat = self._loop.call_later(BEAT, self._say_and_look)

    @override
    def pause_writing(self) -> None:
        self._full = True

    @override
    def resume_writing(self) -> None:
        self._full = False
        self.wake()

    @override
    def data_received(self, data: bytes) -> None:
        self._heard_at = self._loop.time()
        buffer, at = self._buffer, 0
        buffer += data
        try:
            while len(buffer) - at >= _LENGTH.size:
                (length,) = _LENGTH.unpack_from(buffer, at)
                if length > LONGEST:
                    raise msgspec.DecodeError("too long")
                end = at + _LENGTH.size + length
                if len(buffer) < end:
                    break
                for message in self._decode(bytes(buffer[at + _LENGTH.size : end])):
                    self._heard(message)
                at = end
            del buffer[:at]
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            # The other end is of another release, or something else.
            _log.error("frame_not_understood", reason=str(error))
            self.close()
