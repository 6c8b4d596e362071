"""Where we override or reach into asyncssh's private parts (seen in 2.24.1), each with its reason.

``tests/transport/test_asyncssh_hooks.py`` fails when the library renames one of them; ``pyproject.toml``
leaves the next minor version out.
"""

import asyncio
import os
import zlib
from collections.abc import Awaitable, Collection, Coroutine
from functools import cached_property
from struct import Struct
from time import monotonic
from types import CoroutineType
from typing import Any, Final, cast

import asyncssh
from asyncssh.compression import Compressor, Decompressor
from asyncssh.constants import MSG_CHANNEL_DATA, MSG_IGNORE, MSG_USERAUTH_REQUEST
from asyncssh.logging import SSHLogger
from asyncssh.packet import SSHPacket, SSHPacketLogger, String, UInt32
from typing_extensions import override

_LONGEST_PROOF: Final = 2 * (4 + 51)
"""Bytes of two Ed25519 keys on the wire: one in use, one to come."""
_LONGEST_PACKET: Final = 35_000
"""Bytes of a packet whose content was compressed: as many as every SSH server has to take (RFC 4253, 6.1)."""
OF_CLIENTS: Final = (
    *("_trusted_host_keys", "_revoked_host_keys", "_trusted_ca_keys", "_trusted_host_key_algs"),
    *("_x509_revoked_certs", "_x509_trusted_subjects", "_x509_revoked_subjects"),
)
"""What a client trusts: in a server's connection 1 KB of empty sets and lists."""
_LONGEST_VALUE: Final = 128
"""Bytes of an environment variable."""
_data_head: Final = Struct(">BBII").pack
"""(padding, type, channel, bytes): how a packet of a channel's data begins (RFC 4253, 6; RFC 4254, 5.2)."""
_LEAST_PADDING: Final = 4
"""Bytes (RFC 4253, 6)."""


# Asyncssh hangs up on whoever has a login name or a password with a character that SASLprep (of 2005) does
# not know, such as an emoji, and takes others apart. We clean names ourselves, and passwords are compared as
# typed. No subclass can do that: both calls are in the middle of long functions that asyncssh finds in
# tables, not by their names.
setattr(asyncssh.connection, "saslprep", str)  # noqa: B010 - it is no public name
setattr(asyncssh.auth, "saslprep", str)  # noqa: B010

# Of what asyncssh does, only errors are logged; what else it has to say (24 lines a login) it would put into
# words, or look up whether somebody reads it.
_ignored: Final = "".format  # takes anything, without a call of Python's: there are 80 a login
for _name in ("debug1", "debug2", "info"):
    setattr(SSHLogger, _name, _ignored)
for _name in ("log_sent_packet", "log_received_packet"):
    setattr(SSHPacketLogger, _name, _ignored)


def _slim(closed: asyncio.Event) -> None:
    """Nobody waits for it: until somebody does, the deque for who waits takes 760 bytes, and a list 56."""
    vars(closed)["_waiters"] = []


def _carry_out(work: Coroutine[Any, Any, None]) -> None:
    """Do what waits for nothing, without a task."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise RuntimeError(f"{work} waits for something")


class Environment(dict[bytes, bytes]):
    """The environment variables of a channel: those that mean something here, cut short, and no others."""

    __slots__ = ("_names",)

    def __init__(self, names: Collection[bytes]) -> None:
        self._names: Final = names

    @override
    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name in self._names:
            super().__setitem__(name, value[:_LONGEST_VALUE])


class BoundedZlib(Compressor, Decompressor):
    """Asyncssh's own takes 300 KB for every connection before anybody has logged in, and makes a gigabyte of
    a megabyte that a client has sent. Nothing is set up before it is used, which is after the login.
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


class BoundedChannel(asyncssh.SSHServerChannel[bytes]):
    """Asyncssh grants the whole window again with the first piece of what waits that is used: whoever types
    faster than keys may be pressed would be read on and on, into our memory. Here it is granted with the
    last one. Nor does asyncssh mind how little a client takes at a time.
    """

    @override
    def process_open(
        self, send_chan: int, send_window: int, send_pktsize: int, session: Any
    ) -> None:
        if reason := cast(HookedConnection, self._conn).why_not_open(send_pktsize):
            self._cleanup()
            raise asyncssh.ChannelOpenError(asyncssh.OPEN_RESOURCE_SHORTAGE, reason)
        self._send_chan, self._send_window = send_chan, send_window
        self._send_pktsize = send_pktsize
        # Asyncssh makes a task of it, but there is no session that one waits for.
        _carry_out(self._finish_open_request(session))

    @override
    def write(self, data: bytes, datatype: int | None = None) -> None:
        """Asyncssh copies it into a queue and takes it out again; a frame nearly always fits. While anything
        is in the queue, the window is empty.
        """
        size, room = len(data), min(self._send_window, self._send_pktsize)
        if datatype is not None or not 0 < size <= room or self.is_closing():
            super().write(data, datatype)
        else:
            self._send_window -= size
            cast(HookedConnection, self._conn).send_data(cast(int, self._send_chan), data)

    @override
    def _deliver_data(self, data: bytes, datatype: int | None) -> None:
        if self._recv_buf and self._session is not None:
            self._session.data_received(data, datatype)
        else:
            super()._deliver_data(data, datatype)


class HookedConnection(asyncssh.SSHServerConnection):
    """asyncssh's connection with hooks where we set limits: methods of the first part do little here."""

    # -------------------------------------------------------------- for the subclass

    variables: Collection[bytes] = ()
    """What a client may set in a channel's environment."""

    partly_authenticated = False
    """Set before a login attempt is refused: what was proven is half of what it takes (RFC 4252, 5.1), so
    that clients keep it in mind and ask for the rest."""

    def packet_refused(self, kind: int, packet: SSHPacket) -> bool:
        """A packet has come; returns whether it has been dealt with and must be passed over."""
        return False

    def why_not_open(self, packet_size: int) -> str:
        """Why there is no channel for a client that takes packets of this size; empty when there is one."""
        return ""

    def more_has_come(self) -> bool:
        """Whether something has come after the packet that is looked at."""
        return bool(self._inpbuf)

    def key_exchange_started(self, *, allowed: bool) -> None:
        """Either end wants new keys; not ``allowed`` before the login, when that would only keep us busy."""

    def key_exchange_answered(self) -> None:
        """Our half of the key exchange is written."""

    def is_usable_key(self, key_data: bytes) -> bool:
        """Whether a public key may be decoded and calculated with at all."""
        return True

    def signature_failed(self) -> None:
        """A client has sent a wrong signature."""

    @property
    def login_waits(self) -> bool:
        """Whether anything has to be waited for before it is known if a client may come in."""
        return True

    async def key_proven(self, key: asyncssh.SSHKey) -> bool:
        """A client has signed with this key; returns whether that lets it in."""
        return True

    # -------------------------------------------------------------- what is asked of asyncssh

    @property
    def is_logged_in(self) -> bool:
        """Whether the login has succeeded."""
        return bool(self._auth_complete)

    @property
    def channel_count(self) -> int:
        """Channels, those included that have no session yet: many may be asked for before the first has."""
        return len(self._channels)

    def send_data(self, channel: int, data: bytes) -> None:
        """Send a packet of a channel's data, as ``send_packet`` does; nothing is done more often."""
        cipher = self._send_encryption
        if (
            cipher is None
            or self._compressor is not None
            or not self._kex_complete
            or self._rekey_bytes_sent >= self._rekey_bytes
            or monotonic() >= self._rekey_time
        ):
            self.send_packet(MSG_CHANNEL_DATA, UInt32(channel), String(data))
            return
        size, block = len(data), self._send_blocksize
        padding = -(self._send_enchdrlen + 9 + size) % block
        if padding < _LEAST_PADDING:
            padding += block
        body = _data_head(padding, MSG_CHANNEL_DATA, channel, size) + data + os.urandom(padding)
        length, sequence = len(body), self._send_seq
        body, mac = cipher.encrypt_packet(sequence, UInt32(length), body)
        if self._transport is not None:
            self._transport.write(body + mac)
        self._send_seq = sequence + 1 & 0xFFFFFFFF
        self._rekey_bytes_sent += length

    @property
    def deferred_bytes(self) -> int:
        """Bytes that wait for the end of a key exchange."""
        return sum(len(part) for _, parts in self._deferred_packets for part in parts)

    # -------------------------------------------------------------- overridden

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        vars(self).update(dict.fromkeys(OF_CLIENTS, ()))
        _slim(self._close_event)
        super().connection_made(transport)

    @override
    def process_packet(self, pkttype: int, pktid: int, packet: SSHPacket) -> bool | Awaitable[None]:
        """Asyncssh makes a task of each key exchange and login request, and another of what that asks for.
        None waits here, so it is carried out at once; but a login request has its answer before the next
        packet is looked at.
        """
        if self.packet_refused(pkttype, packet):
            return True
        work = super().process_packet(pkttype, pktid, packet)
        if not isinstance(work, CoroutineType):
            return work
        if pkttype == MSG_USERAUTH_REQUEST and self.more_has_come():
            return work
        at_once: list[Any] = [work]
        if not self.login_waits:
            self._at_once = at_once
        try:
            for each in at_once:  # with those that it begins
                _carry_out(each)
        finally:
            self._at_once = None
        return True

    _at_once: list[Any] | None = None

    @override
    def create_task(
        self, coro: Awaitable[None], task_logger: SSHLogger | None = None
    ) -> "asyncio.Task[None]":
        if self._at_once is None:
            return super().create_task(coro, task_logger)
        self._at_once.append(coro)
        return cast("asyncio.Task[None]", None)  # there is nothing to cancel

    _heard = 0.0

    @override
    def _reset_keepalive_timer(self) -> None:
        """Asyncssh sets another timer whenever something comes in; the one here looks at the time."""
        if self._keepalive_interval and self._auth_complete:
            self._heard = self._loop.time()
            if self._keepalive_timer is None:
                self._set_keepalive_timer()

    @override
    def _keepalive_timer_callback(self) -> None:
        left = self._heard + self._keepalive_interval - self._loop.time()
        if left > 0:
            self._keepalive_timer = self._loop.call_later(left, self._keepalive_timer_callback)
        else:
            super()._keepalive_timer_callback()

    @override
    def create_server_channel(
        self, encoding: str | None = "", errors: str = "", window: int = 0, max_pktsize: int = 0
    ) -> asyncssh.SSHServerChannel[bytes]:
        """It keeps whatever a client sets or sends: that could fill our memory."""
        channel = super().create_server_channel(encoding, errors, window, max_pktsize)
        channel.__class__ = BoundedChannel
        channel._env = Environment(self.variables)
        _slim(channel._close_event)
        return channel

    @override
    def connection_lost(self, exc: Exception | None = None) -> None:
        super().connection_lost(exc)
        # A method of our own, kept in ourselves: only the garbage collector would find a dead connection.
        self._recv_handler = bool

    @override
    def send_packet(
        self, pkttype: int, *args: bytes, handler: SSHPacketLogger | None = None
    ) -> None:
        """It sends an empty packet before every other one, against an attack on CBC ciphers, of which we
        have none: without, a frame is one packet, one write and one encryption.
        """
        if pkttype != MSG_IGNORE:
            super().send_packet(pkttype, *args, handler=handler)

    @override
    def _send_kexinit(self) -> None:
        """Asyncssh sets no limit to key exchanges, nor to the time one takes while output piles up."""
        early = self._session_id != b"" and not self._auth_complete
        super()._send_kexinit()
        self.key_exchange_started(allowed=not early)

    @override
    def send_newkeys(self, k: bytes, h: bytes) -> None:
        super().send_newkeys(k, h)
        if self._compressor is not None:
            self._compressor = BoundedZlib()
        if self._next_decompressor is not None:
            self._next_decompressor = BoundedZlib()
        # What both ends have offered, 2 KB of it, is agreed upon.
        self._client_kexinit = self._server_kexinit = b""
        self.key_exchange_answered()

    @override
    def _send_disconnect(self, code: int, reason: str, lang: str) -> None:
        """The reason for a bad login name would be Python's: ``'utf-8' codec can't decode ...``."""
        if code == asyncssh.DISC_ILLEGAL_USER_NAME:
            reason = "That login name is too long, or is not UTF-8 text. Please take another one."
        super()._send_disconnect(code, reason, lang)

    @override
    async def reload_config(self) -> None:
        """It looks for an OpenSSH configuration for each user, in a thread; there is none."""

    @override
    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        """It takes certificates and whatever can be calculated with, however long that takes; and tells
        nobody of wrong signatures, nor when a key has been proven and not only offered.
        """
        if not self.is_usable_key(key_data):
            return False
        key = await self._validate_client_public_key(username, key_data)
        if key is None or not msg:
            return key is not None
        if not key.verify(String(self._session_id) + msg, signature):
            self.signature_failed()
            return False
        return await self.key_proven(key)

    @override
    def send_userauth_failure(self, partial_success: bool) -> None:
        """It never says that half of a login has succeeded."""
        partly, self.partly_authenticated = self.partly_authenticated, False
        super().send_userauth_failure(partial_success or partly)

    _proven_host_keys = False

    @override
    def _process_hostkeys_prove_00_at_openssh_dot_com_global_request(
        self, packet: SSHPacket
    ) -> None:
        """OpenSSH asks once, for keys that were announced; each costs a signature, and a client might fill a
        packet with the same one over and over.
        """
        if self._proven_host_keys or len(packet.get_remaining_payload()) > _LONGEST_PROOF:
            self._report_global_response(False)
            return
        self._proven_host_keys = True
        super()._process_hostkeys_prove_00_at_openssh_dot_com_global_request(packet)


def ask_for_reply(channel: asyncssh.SSHServerChannel[bytes]) -> asyncio.Future[bool]:
    """Send a request that every client answers, in order (RFC 4254, 5.4); the result comes with the answer.
    asyncssh's own ``_make_request`` needs a task that waits.
    """
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    channel._request_waiters.append(answer)
    channel._send_request(b"keepalive@openssh.com", want_reply=True)
    return answer


def authorized_keys_in(line: asyncssh.SSHAuthorizedKeys) -> list[asyncssh.SSHKey]:
    """The keys of an ``authorized_keys`` line, without those of certificate authorities: to index by."""
    return [entry.key for entry in line._user_entries if entry.key is not None]
