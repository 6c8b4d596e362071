"""What passes over a link: frames of messages, and the line that carries them.

A frame is four bytes of length (big-endian) and a list of messages in MessagePack. It holds all that one turn
of the event loop has led to, in order: with an answer, or before it, comes what has come of the command.
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
"""Bytes of a frame: the lobby of ten thousand tables is a tenth of it."""
_HIGH: Final = 4 * 1024 * 1024
"""So much may be on its way; feeds merge meanwhile what comes next."""
_LENGTH: Final = struct.Struct(">I")
BEAT: Final = 1.0
"""Seconds between two frames: an empty one, when there is nothing to say."""
SILENT: Final = 4.0
"""Seconds without a frame after which a line is broken off: the other end, or the network between, hangs."""

_log = structlog.get_logger("link")


class Frame(Struct, frozen=True, tag=True, array_like=True, gc=False):
    """One message of a frame."""


# ---------------------------------------------------------------- up, from a door


class Hello(Frame, frozen=True):
    """The first frame of a door."""

    version: int
    door: str


class Again(Frame, frozen=True):
    """Somebody who has been let in before the line broke."""

    player: m.Player
    since: float
    blocked: Mapping[str, str]
    muted: Mapping[str, str]
    goal: m.WatchTable | m.JoinTable | m.FollowBusiest | None
    """Where the visit has led that is no seat of a live game."""


class Arrive(Frame, frozen=True):
    """Somebody wants to come in, or comes again. The first is answered by ``Result``, with the player, the
    time and ``contract.Arrived``, or by ``Failed``.
    """

    visit: int
    arrival: Arrival
    again: Again | None = None


class Leave(Frame, frozen=True):
    """The visit with this number is over, or nobody waits for the answer with this number any more."""

    number: int


class Submit(Frame, frozen=True):
    """A command of a visitor, answered by ``Result``, with a reply."""

    number: int
    visit: int
    command: m.Command


class Call(Frame, frozen=True):
    """One of the methods of the contract, answered by ``Result`` or ``Failed``."""

    number: int
    method: str
    arguments: tuple[Any, ...]


Up = Hello | Arrive | Leave | Submit | Call


# ---------------------------------------------------------------- down, from the coordinator


class Welcome(Frame, frozen=True):
    """The first frame of a coordinator."""

    version: int
    term: int
    """Grows with every coordinator: of two, the one with the higher term is the right one."""
    time: float


class BansNow(Frame, frozen=True):
    """The bans in force, by kind and what is compared."""

    bans: tuple[tuple[str, str, BanRow], ...]


class Result(Frame, frozen=True):
    """What has come of a call, an arrival or a command."""

    number: int
    value: Any


class Failed(Frame, frozen=True):
    """It has raised ``StoreError``, or with a ban ``Banned``."""

    number: int
    code: str
    ban: BanRow | None = None


class LobbyNow(Frame, frozen=True):
    """The lobby: the rows that have changed since the last one, and all tables by their ids, in order."""

    rows: tuple[m.TableRow, ...]
    tables: tuple[str, ...]
    rest: m.LobbySnapshot
    """Without tables."""


class Told(Frame, frozen=True):
    """An update for a visitor, without the lobby: who is ``in_lobby`` sees that of the last ``LobbyNow``."""

    visit: int
    update: m.Update
    in_lobby: bool


Down = Welcome | BansNow | Result | Failed | LobbyNow | Told

Came = tuple[m.Player, float, Arrived]
"""What has come of an arrival: who this is, and since when."""

METHODS: Final[Mapping[str, Mapping[str, Any]]] = {
    name: get_type_hints(method)
    for name, method in vars(Coordinator).items()
    if asyncio.iscoroutinefunction(method) and name != "arrive"
}
"""The calls of the contract, by name: the types of their arguments, in order, and of what they
return.
"""


def _plain(value: object) -> object:
    """A mapping that is no dict."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} in a frame")


_encode: Final = msgspec.msgpack.Encoder(enc_hook=_plain).encode
decode_up: Final = msgspec.msgpack.Decoder(list[Up]).decode
decode_down: Final = msgspec.msgpack.Decoder(list[Down]).decode

T = TypeVar("T")


def encodable(value: Any) -> Any:
    """Return plain data as near to ``value`` as MessagePack can carry: other signs for lone surrogates, and
    for integers beyond 64 bits the last one. Nothing on the other side has such a name or number, so that the
    answer is the same.
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


def framed(messages: list[Frame]) -> bytes:
    """Return them as a frame."""
    try:
        data = _encode(messages)
    except (UnicodeEncodeError, OverflowError):
        data = _encode(
            encodable(msgspec.to_builtins(messages, builtin_types=(bytes,), enc_hook=_plain))
        )
    return _LENGTH.pack(len(data)) + data


class Line(asyncio.Protocol, Generic[T]):
    """One end of a link. ``heard`` gets each message that comes, ``gather`` adds to those that leave what is
    to leave with them, and ``lost`` is called when the line has broken.
    """

    def __init__(
        self,
        decode: Callable[[bytes], list[T]],
        heard: Callable[[T], object],
        lost: Callable[[], object],
        gather: Callable[[list[Frame]], object] = lambda _: None,
    ) -> None:
        self._decode, self._heard, self._lost, self._gather = decode, heard, lost, gather
        self._out: list[Frame] = []
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._loop: Final = asyncio.get_running_loop()
        self._waits = self._full = False
        self._heard_at = 0.0
        self._beat: asyncio.TimerHandle | None = None

    def send(self, message: Frame) -> None:
        """Have it leave with the frame of this turn of the event loop."""
        self._out.append(message)
        self.wake()

    def wake(self) -> None:
        """There is something to gather."""
        if not (self._waits or self._full):
            self._waits = True
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        """Break the line."""
        if self._transport is not None:
            self._transport.abort()

    def finish(self) -> None:
        """Send what there is, and close the line."""
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
        """Say that this end is there, and see whether the other one is."""
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
            # The other end is of another release, or none of ours.
            _log.error("frame_not_understood", reason=str(error))
            self.close()
