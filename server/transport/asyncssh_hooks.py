"""Hooks into asyncssh: each stops an attack, or lets a client play that could not otherwise.

Each is written so that asyncssh could take it over. Of private names, ``tests/test_private_names.py`` has the
list; a version of asyncssh without something that is overridden here is refused on import.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import Any, Final, cast

import asyncssh
from asyncssh.compression import Compressor, Decompressor, register_compression_alg
from asyncssh.constants import (
    MSG_CHANNEL_OPEN,
    MSG_GLOBAL_REQUEST,
    MSG_IGNORE,
    MSG_KEXINIT,
    MSG_NEWKEYS,
    MSG_REQUEST_FAILURE,
    MSG_USERAUTH_REQUEST,
)
from asyncssh.logging import SSHLogger
from asyncssh.packet import SSHPacket, SSHPacketLogger
from typing_extensions import override

from server.library_hooks import check_hooks, check_replaced
from server.transport.net.terminal_detection import ENVIRONMENT
from server.transport.net.write_coalescer import CoalescingTransport

_PROVE: Final = b"hostkeys-prove-00@openssh.com"
_LONGEST_PROOF: Final = 2 * (4 + 51)
"""Bytes of two Ed25519 keys in their wire form: the one in use, and the one to come."""
_LONGEST_PACKET: Final = 35_000
"""Maximum bytes of a decompressed packet: what every SSH server has to accept (RFC 4253, 6.1)."""
_LONGEST_NAME: Final = 1023
"""Maximum bytes of a login name."""
_LONGEST_VALUE: Final = 128
"""Maximum bytes of the value of an environment variable."""
_VARIABLES: Final = frozenset(map(str.encode, ENVIRONMENT))


# A client that cannot play otherwise: asyncssh disconnects when a login name or a password has a character
# that SASLprep (of 2005) does not know, such as an emoji, and changes others. Names are cleaned in
# `login.py`, and passwords are compared as typed. No subclass can do that: both calls are in the middle
# of functions that are found in tables.
check_replaced("asyncssh", asyncssh.connection, "saslprep")
check_replaced("asyncssh", asyncssh.auth, "saslprep")
setattr(asyncssh.connection, "saslprep", str)  # noqa: B010 - it is no public name
setattr(asyncssh.auth, "saslprep", str)  # noqa: B010


class Environment(dict[bytes, bytes]):
    """The environment variables of a channel.

    Only known names, with values cut to a length. asyncssh keeps whatever a client sets, which could
    fill the memory.
    """

    __slots__ = ()

    @override
    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name in _VARIABLES:
            super().__setitem__(name, value[:_LONGEST_VALUE])


class BoundedZlib(Compressor, Decompressor):
    """Compression with bounded memory.

    Asyncssh's takes 300 KB for every connection before the login, and makes a gigabyte of a megabyte
    that a client has sent. Nothing is set up before it is used.
    """

    @cached_property
    def _packer(self) -> "zlib._Compress":
        return zlib.compressobj(wbits=12, memLevel=5)  # 32 KB of memory

    @cached_property
    def _unpacker(self) -> "zlib._Decompress":
        return zlib.decompressobj()

    @override
    def compress(self, data: bytes) -> bytes:
        return self._packer.compress(data) + self._packer.flush(zlib.Z_SYNC_FLUSH)

    @override
    def decompress(self, data: bytes) -> bytes | None:
        """``None`` ends the connection."""
        try:
            found = self._unpacker.decompress(data, _LONGEST_PACKET)
        except zlib.error:
            return None
        return None if self._unpacker.unconsumed_tail else found


register_compression_alg(b"zlib@openssh.com", BoundedZlib, BoundedZlib, True, False)


class Silence(SSHLogger):
    """Logs nothing.

    What there is to tell of a login, we tell ourselves. asyncssh makes texts of all that it would log
    before it asks whether anybody wants them.
    """

    @override
    def get_child(self, child: str = "", context: str = "") -> SSHLogger:
        return self

    @override
    def log(self, level: int, msg: object, *args: object, **kwargs: object) -> None:
        pass

    @override
    def debug1(self, msg: object, *args: object, **kwargs: object) -> None:
        pass

    @override
    def debug2(self, msg: object, *args: object, **kwargs: object) -> None:
        pass


_SILENCE: Final = Silence()


class BoundedChannel(asyncssh.SSHServerChannel[bytes]):
    """A channel with a bounded environment, which can ask its client for a keepalive."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._env = Environment()

    def ask_for_answer(self, answered: Callable[[asyncio.Future[bool]], object]) -> None:
        """Send a request that every client answers, in order (RFC 4254, 5.4), to recognize a slow line.

        It is begun by hand: a task would send it behind what is sent next.
        """
        request = self._make_request(b"keepalive@openssh.com")
        request.send(None).add_done_callback(answered)
        request.close()


class HookedConnection(asyncssh.SSHServerConnection):
    """asyncssh's connection with hooks for limits, which the subclass overrides."""

    # -------------------------------------------------------------- for the subclass

    partly_authenticated = False
    """Set before a login attempt is refused: what was proven is half of what it takes (RFC 4252, 5.1), so
    that clients keep it in mind and ask for the rest."""

    def packet_refused(self, kind: int) -> bool:
        """Return whether an incoming packet of this kind has to be ignored."""
        return False

    def why_not_open(self, kind: bytes, packet_size: int) -> asyncssh.ChannelOpenError | None:
        """Return why a channel of this kind and maximum packet size is refused, or ``None``."""
        return None

    def key_exchange_started(self) -> None:
        """Note that a key exchange has begun."""

    def key_exchange_answered(self) -> None:
        """Note that our half of a key exchange is written."""

    # -------------------------------------------------------------- what is asked of asyncssh

    @property
    def channel_count(self) -> int:
        """Number of channels, including those without a session yet."""
        return len(self._channels)

    @property
    def deferred_bytes(self) -> int:
        """Bytes that wait for the end of a key exchange."""
        return sum(len(part) for _, parts in self._deferred_packets for part in parts)

    # -------------------------------------------------------------- overridden

    logger = _SILENCE

    output: CoalescingTransport
    """The transport."""

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Answer a client's packet, which may take several packets, with one write."""
        self.output = CoalescingTransport(cast(asyncio.Transport, transport))
        super().connection_made(self.output)

    @override
    def process_packet(self, pkttype: int, pktid: int, packet: SSHPacket) -> bool | Awaitable[None]:
        if self.packet_refused(pkttype):
            return True
        if pkttype == MSG_USERAUTH_REQUEST:
            self._check_name(_content(packet).get_string())
        elif pkttype == MSG_CHANNEL_OPEN:
            content = _content(packet)
            kind, channel = content.get_string(), content.get_uint32()
            _, packet_size = content.get_uint32(), content.get_uint32()
            if refusal := self.why_not_open(kind, packet_size):
                self.send_channel_open_failure(channel, refusal.code, refusal.reason, refusal.lang)
                return True
        elif pkttype == MSG_GLOBAL_REQUEST:
            content = _content(packet)
            request, wants_reply = content.get_string(), content.get_boolean()
            if request == _PROVE and not self._may_prove(len(content.get_remaining_payload())):
                if wants_reply:
                    self.send_packet(MSG_REQUEST_FAILURE)
                return True
        return super().process_packet(pkttype, pktid, packet)

    def _check_name(self, name: bytes) -> None:
        """Refuse a bad login name in plain words: asyncssh's are Python's (``'utf-8' codec can't ...``)."""
        if len(name) > _LONGEST_NAME or name.decode(errors="ignore").encode() != name:
            said = "That login name is too long, or is not UTF-8 text. Please take another one."
            raise asyncssh.IllegalUserName(said)

    _proven_host_keys = False

    def _may_prove(self, size: int) -> bool:
        """Return whether host keys of so many bytes are to be proven.

        OpenSSH asks once, for the keys that were announced; each costs a signature, and a client
        might fill packets with the same one.
        """
        if self._proven_host_keys or size > _LONGEST_PROOF:
            return False
        self._proven_host_keys = True
        return True

    @override
    def send_packet(
        self, pkttype: int, *args: bytes, handler: SSHPacketLogger | None = None
    ) -> None:
        """Send nothing on a line that has been cut, where each packet would be a line in asyncio's log.

        And no empty packet before every other one: that is against an attack on CBC ciphers, of
        which there are none here. Without, a frame is one packet, one write and one encryption.
        """
        if pkttype == MSG_IGNORE or self.output.transport.is_closing():
            return
        super().send_packet(pkttype, *args)  # without the handler, which would log the packet
        if pkttype == MSG_KEXINIT:
            self.key_exchange_started()
        elif pkttype == MSG_NEWKEYS:
            self.key_exchange_answered()

    @override
    def log_sent_packet(
        self, pkttype: int, pktid: int | None, packet: bytes | SSHPacket, note: str = ""
    ) -> None:
        """Format no log text."""

    @override
    def log_received_packet(
        self, pkttype: int, pktid: int | None, packet: bytes | SSHPacket, note: str = ""
    ) -> None:
        """Format no log text."""

    @override
    def choose_server_host_key(self, peer_host_key_algs: Sequence[bytes]) -> bool:
        """Decide whether the key exchange packet that a client has guessed is ignored (RFC 4253, 7.1).

        It is wrong unless both ends have the same first key exchange *and* host key algorithm.
        asyncssh compares the client's first key exchange algorithm with the one agreed on, and so
        takes the guess of Dropbear for right, which takes it for wrong and sends another packet:
        "Key exchange not in progress".
        """
        *ours, _ = _first_choices(self._server_kexinit)
        *theirs, guesses = _first_choices(self._client_kexinit)
        self._ignore_first_kex = guesses and ours != theirs
        return super().choose_server_host_key(peer_host_key_algs)

    @override
    def create_server_channel(
        self, encoding: str | None = "", errors: str = "", window: int = 0, max_pktsize: int = 0
    ) -> asyncssh.SSHServerChannel[bytes]:
        """Make a bounded channel, for bytes, without line editing."""
        loop, editor = asyncio.get_running_loop(), (False, False, 0, 0)
        sizes = (window, max_pktsize)
        return BoundedChannel(self, loop, True, *editor, None, "", *sizes)

    @override
    async def reload_config(self) -> None:
        """Look for no OpenSSH configuration: there is none, and a login would wait for a thread."""

    @override
    def send_userauth_failure(self, partial_success: bool) -> None:
        """Report partial success (RFC 4252, 5.1), which asyncssh never does."""
        partly, self.partly_authenticated = self.partly_authenticated, False
        super().send_userauth_failure(partial_success or partly)

    @override
    def connection_lost(self, exc: Exception | None = None) -> None:
        """Let go of the connection.

        One that keeps a method of its own waits for the garbage collector, and in a flood of
        connections there would be a gigabyte of them within a minute.
        """
        super().connection_lost(exc)
        self._recv_handler = lambda: False


def _content(packet: SSHPacket) -> SSHPacket:
    """Return a copy of the unread rest of a packet."""
    return SSHPacket(packet.get_remaining_payload())


def _first_choices(kexinit: bytes) -> tuple[Sequence[bytes], Sequence[bytes], bool]:
    """Return the first key exchange and host key algorithm of a KEXINIT (RFC 4253, 7.1).

    And whether a guess follows it.
    """
    packet = SSHPacket(kexinit[17:])  # without its number and cookie
    exchanges, host_keys = packet.get_namelist(), packet.get_namelist()
    return exchanges[:1], host_keys[:1], kexinit[-5] != 0  # before four reserved bytes


check_hooks("asyncssh", HookedConnection, BoundedChannel, BoundedZlib, Silence)
