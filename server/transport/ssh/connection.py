"""One SSH connection: admission before any cryptography, who is there, and limits on what it may send."""

import asyncio
import base64
import hashlib
from collections.abc import Awaitable
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Final, cast

import asyncssh
from asyncssh.constants import (
    MSG_CHANNEL_OPEN,
    MSG_IGNORE,
    MSG_NEWKEYS,
    MSG_USERAUTH_FIRST,
    MSG_USERAUTH_LAST,
    MSG_USERAUTH_REQUEST,
)
from asyncssh.logging import SSHLogger
from asyncssh.packet import SSHPacket, SSHPacketLogger, String
from asyncssh.saslprep import SASLPrepError, saslprep

from server.terminal.output_budget import Budget
from server.terminal.timers import LoopTimers
from server.transport.access.bans import turn_away
from server.transport.access.limiter import RateLimiter, Reason, Refused, Ticket
from server.transport.access.login_name import Login
from server.transport.access.sanitize import clean_text
from server.transport.net.bandwidth import is_fast
from server.transport.net.capabilities import ENVIRONMENT
from server.transport.net.input_throttle import InputThrottle
from server.transport.net.sockets import address_of, let_go
from server.transport.session.server import GameServer
from server.transport.ssh.begun import begun
from server.transport.ssh.player_keys import is_usable

if TYPE_CHECKING:
    from server.transport.ssh.session import SshSession


def _any_name(name: str) -> str:
    """A login name as asyncssh wants it. By itself it hangs up on whoever has one that SASLprep (of 2005)
    does not know, such as a sheep; what we make of a name is cleaned anyway.
    """
    if name.isascii() and name.isprintable():
        return name  # as it is, and quicker
    try:
        return saslprep(name)
    except SASLPrepError:
        return clean_text(name)


def _as_typed(password: str) -> str:
    """A password: it would hang up on those that it does not know, too."""
    return password


_log = SSHLogger.log


def _say_if_heard(
    logger: SSHLogger, level: int, message: object, *args: Any, **options: Any
) -> None:
    """By itself it puts everything into words before it asks whether anybody wants to know."""
    if logger.logger.isEnabledFor(level):
        _log(logger, level, message, *args, **options)


def _say_nothing(*_: object) -> None:
    """Every packet is put into words before it is asked whether anybody logs packets; nobody does here."""


setattr(asyncssh.connection, "saslprep", _any_name)  # noqa: B010 - it is no public name
setattr(asyncssh.auth, "saslprep", _as_typed)  # noqa: B010
setattr(SSHLogger, "log", _say_if_heard)  # noqa: B010
setattr(SSHPacketLogger, "log_sent_packet", _say_nothing)  # noqa: B010 - not for one class alone
setattr(SSHPacketLogger, "log_received_packet", _say_nothing)  # noqa: B010

_FULL: Final = b"This house is full, or you knock too often. Please try again in a minute.\r\n"
_LONGEST_VALUE: Final = 128
_LEAST_PACKET: Final = 512
"""Bytes that a client takes at a time. (All that are in use take 16 KB and more.)"""
_KEY_EXCHANGES: Final = 8
"""Clients ask for new keys after an hour or a gigabyte; so often in a row one may ..."""
_KEY_EXCHANGE_SECONDS: Final = 60.0
"""... and then once in so long."""
_REQUESTS: Final = 16
"""Messages about who one is that a connection may send: OpenSSH asks with nothing, then twice for a key."""
_LONGEST_PROOF: Final = 2 * (4 + 51)
"""Bytes of two Ed25519 keys on the wire: one in use, one to come."""
_ABOUT_LOGIN: Final = {
    MSG_USERAUTH_REQUEST,
    *range(MSG_USERAUTH_FIRST, MSG_USERAUTH_LAST + 1),
}
_VARIABLES: Final = {name.encode() for name in ENVIRONMENT}


_OF_CLIENTS: Final = (
    "_revoked_host_keys",
    "_server_sig_algs",
    "_trusted_ca_keys",
    "_trusted_host_keys",
    "_x509_revoked_certs",
)
_NONE: Final = frozenset[Any]()
"""In place of sets that only the other end of a connection has something in: a kilobyte."""


def _nothing_more() -> bool:
    return False


class PreAuthSession(asyncio.Protocol):
    """Whoever connects stands here first. Who may not come in costs us no more than this and one line
    (RFC 4253, 4.2 allows lines before the version).
    """

    def __init__(
        self,
        house: GameServer,
        options: asyncssh.SSHServerConnectionOptions,
        connections: "set[SshConnection]",
    ) -> None:
        """``connections`` are those that are open now."""
        self._house: Final = house
        self._options: Final = options
        self._connections: Final = connections
        self._line: asyncio.Transport | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncio.Protocol``."""
        let_go(self._line)
        self._line = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See ``asyncio.Protocol``."""
        transport = self._line = cast(asyncio.Transport, transport)
        address = address_of(transport)
        if not address:  # gone again
            transport.abort()
            return
        if (ban := self._house.bans.at(address)) is not None:
            turn_away(transport, ban, self._house.guard, address)
            return
        try:
            ticket = self._house.guard.admit(address, transport.abort)
        except Refused:
            transport.write(_FULL)
            transport.close()
            return
        self._line = None
        connection = SshConnection(self._house, self._options, ticket, address, self._connections)
        transport.set_protocol(connection)
        connection.connection_made(transport)


class Environment(dict[bytes, bytes]):
    """The variables that mean something here, and none of the rest."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name in _VARIABLES:
            super().__setitem__(name, value[:_LONGEST_VALUE])


class SshConnection(asyncssh.SSHServerConnection):
    """asyncssh's connection, with our limits and with word of how its output drains."""

    # asyncssh has a dictionary with 146 names for each; with more than 170 it is twice as big.
    __slots__ = (
        "_agreeing",
        "_before_session",
        "_connections",
        "_corked",
        "_deferred",
        "_exchanges",
        "_first",
        "_had_session",
        "_half_in",
        "_heard",
        "_idle",
        "_offered",
        "_playing",
        "_proven",
        "_reading",
        "_requests",
        "_started",
        "_ticket",
        "_valve",
        "address",
        "budget",
        "fast",
        "house",
        "identity",
        "key",
        "line",
        "login",
        "sessions",
        "word",
    )

    def __init__(
        self,
        house: GameServer,
        options: asyncssh.SSHServerConnectionOptions,
        ticket: Ticket,
        address: str,
        connections: "set[SshConnection]",
    ) -> None:
        """``connections`` is where it is listed while it is open."""
        loop = asyncio.get_running_loop()
        options.login_timeout = house.settings.limits.login_seconds
        super().__init__(loop, options)
        for name in _OF_CLIENTS:
            setattr(self, name, _NONE)
        self.house: Final = house
        self.address: Final = address
        self.identity = ""
        """``key:SHA256:...`` once a signature by that key has been verified; empty for guests."""
        self.word = ""
        """Which server word was given; empty when none was needed."""
        self.key = b""
        """That key, in its wire form."""
        self.login = Login("")
        self.sessions: Final[set[SshSession]] = set()
        self.line: asyncio.Transport | None = None
        self.budget: Final = Budget(LoopTimers(loop))
        self._connections: Final = connections
        self._ticket: Final = ticket
        self._idle: asyncio.TimerHandle | None = None
        self._first: asyncio.TimerHandle | None = None
        """Until the client has said anything."""
        self._started = False
        self._playing = False
        self._half_in = False
        self._proven = False
        self._before_session = 0
        self._requests = 0
        self._heard = 0.0
        """When the client last sent anything, in the event loop's time."""
        self.fast = False
        """Our half of the key exchange has come to the client fast, and its answer back."""
        self._offered: tuple[float, int] | None = None
        """When that half was sent, in the event loop's time, and its bytes; until it is answered."""
        self._corked = bytearray()
        self._reading = False
        """What has come in is being looked at."""
        self._deferred = 0
        self._agreeing: asyncio.TimerHandle | None = None
        self._had_session = False
        limits = house.settings.limits
        self._exchanges: Final = RateLimiter(
            _KEY_EXCHANGES, 1 / _KEY_EXCHANGE_SECONDS, house.guard.now()
        )
        self._valve: Final = InputThrottle(
            RateLimiter(limits.wire_bytes, limits.wire_bytes_per_second, house.guard.now()),
            house.guard.now,
            deliver=super().data_received,
            pause=self._pause_reading,
            resume=self._resume_reading,
            bitten=lambda: self._bitten(Reason.WIRE),
            share=house.newcomers.of(ticket.network),
        )

    # -------------------------------------------------------------- the line

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See ``asyncio.Protocol``."""
        self.line = cast(asyncio.Transport, transport)
        high = self.house.settings.limits.pause_bytes
        self._connections.add(self)
        self.line.set_write_buffer_limits(high=high, low=high // 4)
        seconds = self.house.settings.limits.first_byte_seconds
        self._first = self._loop.call_later(seconds, self._says_nothing)
        super().connection_made(transport)

    def _says_nothing(self) -> None:
        self._first = None
        self._bitten(Reason.FIRST_BYTE)
        self.abort()

    def _has_spoken(self) -> None:
        if self._first is not None:
            self._first.cancel()
            self._first = None

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """See ``asyncio.Protocol``; reads no faster than the limits allow."""
        self._has_spoken()
        if not self._started:
            self._before_session += len(data)
            if self._before_session > self.house.settings.limits.setup_bytes:
                self._bitten(Reason.SETUP)
                self.abort()
                return
        line, self._reading = self.line, True
        try:
            self._valve.push(data)
        finally:
            self._reading = False
            if self._corked and line is not None:
                self._uncork(line)

    def process_packet(self, pkttype: int, pktid: int, packet: SSHPacket) -> bool | Awaitable[None]:
        """See asyncssh. What it has written as coroutines waits for nothing here, as a rule, and needs no
        task then; nor would what a task does count as its network's processor time.
        """
        if pkttype == MSG_CHANNEL_OPEN and self._takes_too_little(packet):
            return True
        if pkttype in _ABOUT_LOGIN and self._asks_too_often():
            return True
        if pkttype == MSG_NEWKEYS and self._offered is not None:
            (since, size), self._offered = self._offered, None
            self.fast = is_fast(size, self._loop.time() - since)
        result = super().process_packet(pkttype, pktid, packet)
        if isinstance(result, CoroutineType):
            return begun(result) or True
        return result

    def _takes_too_little(self, packet: SSHPacket) -> bool:
        """Whether a channel is asked for that is to get a byte or so in each packet, a thousand packets for a
        screen, while which everybody else would have to wait. Then it has been refused.
        """
        asked = SSHPacket(packet.get_remaining_payload())
        asked.get_string()
        channel, _, most = asked.get_uint32(), asked.get_uint32(), asked.get_uint32()
        if most >= _LEAST_PACKET:
            return False
        self._bitten(Reason.CHANNELS)
        reason = f"Packets of less than {_LEAST_PACKET} bytes are too small."
        self.send_channel_open_failure(channel, asyncssh.OPEN_RESOURCE_SHORTAGE, reason, "en")
        return True

    def pause_writing(self) -> None:
        """See ``asyncio.Protocol``."""
        for session in tuple(self.sessions):
            session.line_full()

    def resume_writing(self) -> None:
        """See ``asyncio.Protocol``."""
        for session in tuple(self.sessions):
            session.line_drained()

    def connection_lost(self, exc: Exception | None = None) -> None:
        """See ``asyncio.Protocol``. asyncssh calls it as well, when it gives up waiting for a login."""
        self._valve.close()
        self._not_idle()
        self._has_spoken()
        self._agreed()
        self._ticket.leave()
        self._connections.discard(self)
        self.budget.forget()
        line, self.line = self.line, None
        super().connection_lost(exc)
        self._recv_handler = _nothing_more
        # Where asyncssh gives up, it cuts the line in the next turn of the event loop.
        self._loop.call_soon(let_go, line)

    def send_packet(
        self, pkttype: int, *args: bytes, handler: SSHPacketLogger | None = None
    ) -> None:
        """See asyncssh. It sends an empty packet before every other one, against an attack on CBC ciphers,
        of which we have none: without, a frame is one packet, one write and one encryption.
        """
        if pkttype != MSG_IGNORE:
            before = len(self._deferred_packets)
            super().send_packet(pkttype, *args, handler=handler)
            if len(self._deferred_packets) > before:
                self._deferred += sum(map(len, args))

    def _send_deferred_packets(self) -> None:
        """See asyncssh."""
        self._deferred = 0
        super()._send_deferred_packets()

    def _send_kexinit(self) -> None:
        """See asyncssh. Until both have agreed on keys, what there is to send waits; and a client that never
        goes on would let it wait for good.
        """
        again = self._session_id != b"" and not self._auth_complete
        super()._send_kexinit()
        self._agreed()
        # No client wants new keys before it has come in, but those who want to keep us busy.
        if again or not self._exchanges.take(1, self.house.guard.now()):
            self._bitten(Reason.EXCHANGES)
            self.abort()
        elif self._auth_complete:  # before that, there is a limit for everything together
            seconds = self.house.settings.limits.login_seconds
            self._agreeing = self._loop.call_later(seconds, self._never_agrees)

    def _login_timer_callback(self) -> None:
        """See asyncssh, which ends a connection without a word when nobody has come in in time."""
        self._bitten(Reason.LOGIN)
        super()._login_timer_callback()

    def _never_agrees(self) -> None:
        self._bitten(Reason.LOGIN)
        self.abort()

    def _agreed(self) -> None:
        if self._agreeing is not None:
            self._agreeing.cancel()
            self._agreeing = None

    def _send(self, data: bytes) -> None:
        """See asyncssh. Until a session has its first screenful, what is sent in answer to what came, or else
        in one turn of the event loop, leaves as one packet; afterwards a frame is one already.
        """
        if self.line is not None and self.line.is_closing():
            return  # asyncio would write a line into the log for each
        if self._playing and not self._corked:
            super()._send(data)
        elif self.line is not None:
            if not self._corked and not self._reading:
                # By itself, also once asyncssh has let go of the line: a reason to hang up is still told.
                self._loop.call_soon(self._uncork, self.line)
            self._corked += data

    def send_newkeys(self, k: bytes, h: bytes) -> None:
        """See asyncssh. By itself it keeps what both ends have offered, which the keys are made of, although
        all of that is offered anew before there are other keys: two kilobytes.
        """
        self._agreed()
        super().send_newkeys(k, h)
        self._client_kexinit = self._server_kexinit = b""
        self._extensions_to_send.clear()
        if not self.sessions:
            self._offered = self._loop.time(), len(self._corked)

    def _uncork(self, line: asyncio.Transport) -> None:
        data, self._corked = self._corked, bytearray()
        if data and not line.is_closing():
            line.write(data)

    def _reset_keepalive_timer(self) -> None:
        """See asyncssh. It makes a new timer for every packet; here the one there is looks at the time."""
        self._heard = self._loop.time()

    def _keepalive_timer_callback(self) -> None:
        """See asyncssh: whoever has not been heard for so long is asked for a sign."""
        left = self._heard + self._keepalive_interval - self._loop.time()
        if left > 0:
            self._keepalive_timer = self._loop.call_later(left, self._keepalive_timer_callback)
        else:
            super()._keepalive_timer_callback()

    def _send_disconnect(self, code: int, reason: str, lang: str) -> None:
        """See asyncssh. A signature covers the login name as it was sent, so it cannot be mended: but its
        user can be told in words.
        """
        if code == asyncssh.DISC_ILLEGAL_USER_NAME:
            reason = "That login name is too long, or no UTF-8 text. Please take another one."
        super()._send_disconnect(code, reason, lang)

    @property
    def channels(self) -> int:
        """How many there are. Many may be asked for before the first of them has its session."""
        return len(self._channels)

    @property
    def unsent(self) -> int:
        """Bytes that the kernel has not taken yet, or that wait for new keys."""
        below = self.line.get_write_buffer_size() if self.line is not None else 0
        return below + len(self._corked) + self._deferred

    def _pause_reading(self) -> None:
        if self.line is not None and not self.line.is_closing():
            self.line.pause_reading()

    def _resume_reading(self) -> None:
        if self.line is not None and not self.line.is_closing():
            self.line.resume_reading()

    def _bitten(self, reason: Reason) -> None:
        self.house.guard.refuse(reason, self.address)

    # -------------------------------------------------------------- who is there

    async def reload_config(self) -> None:
        """There is no OpenSSH configuration to look at again for each user; asyncssh would, in a thread."""

    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        """Any key will do, but only one that has signed is an identity: a client may *offer* any key."""
        key = await self._validate_client_public_key(username, key_data)
        if key is None or not msg:
            return key is not None
        if not key.verify(String(self._session_id) + msg, signature):
            self._fails(Reason.SIGNATURE, "The signature of that key is wrong.")
            return False
        shown = fingerprint(key_data)
        self.identity, self.key = f"key:{shown}", key_data
        gate = self.house.gate
        if not gate.asks_word:
            return True
        if await gate.needs_word(key, shown, self.address):
            self._half_in = True
            return False
        return True

    async def _validate_client_public_key(
        self, username: str, key_data: bytes
    ) -> asyncssh.SSHKey | None:
        """See asyncssh, which takes whatever can be calculated with, however long that would take."""
        if not is_usable(key_data):
            return None
        return await super()._validate_client_public_key(username, key_data)

    def _asks_too_often(self) -> bool:
        """Whether this message about who the client is was one too many. Then the connection ends."""
        if self._auth_complete:
            return False
        self._requests += 1
        if self._requests <= _REQUESTS:
            return False
        self._fails(Reason.REQUESTS, "Too many attempts to come in.")
        return True

    def _fails(self, reason: Reason, said: str) -> None:
        """Whoever tries to come in so has tried in vain, and counts as having come twice."""
        self.house.guard.failed(reason, self.address)
        self.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, said)

    @property
    def asks_word_only(self) -> bool:
        """A key has been proven, and the word is all that is missing."""
        return bool(self.identity) and self.house.gate.asks_word

    def send_userauth_failure(self, partial_success: bool) -> None:
        """See asyncssh. A key that needs the word besides is half of what it takes (RFC 4252, 5.1): clients
        keep it in mind, and ask for the rest.
        """
        half, self._half_in = self._half_in, False
        super().send_userauth_failure(partial_success or half)

    def come_in(self, login: Login) -> None:
        """The login has succeeded."""
        self.login = login
        try:
            self._ticket.come_in()
        except Refused:
            self.disconnect(
                asyncssh.DISC_TOO_MANY_CONNECTIONS,
                "This house is full. Please try again in a while.",
            )
            return
        self._valve.share = self.house.players.of(self._ticket.network)
        self.idle()

    def _process_hostkeys_prove_00_at_openssh_dot_com_global_request(
        self, packet: SSHPacket
    ) -> None:
        """See asyncssh. OpenSSH asks once, for keys that were announced; each costs a signature, and a client
        might fill a packet with the same one over and over.
        """
        if self._proven or len(packet.get_remaining_payload()) > _LONGEST_PROOF:
            self._report_global_response(False)
            return
        self._proven = True
        super()._process_hostkeys_prove_00_at_openssh_dot_com_global_request(packet)

    # -------------------------------------------------------------- its sessions

    def create_server_channel(
        self, encoding: str | None = "", errors: str = "", window: int = 0, max_pktsize: int = 0
    ) -> asyncssh.SSHServerChannel[bytes]:
        """See ``asyncssh.SSHServerConnection``; what a client may set in the environment is bounded."""
        channel = super().create_server_channel(encoding, errors, window, max_pktsize)
        channel._env = Environment()
        return channel

    def idle(self) -> None:
        """There is no session: wait a while for one."""
        self._not_idle()
        self._started = self._playing = False
        self._before_session = 0
        seconds = self.house.settings.limits.idle_connection_seconds
        self._idle = asyncio.get_running_loop().call_later(seconds, self._been_idle)

    def may_open(self) -> bool:
        """Whether there may be one more session. The first comes with the connection; each other one counts
        as an attempt of its address, whether the ones before are over or not.
        """
        had, self._had_session = self._had_session, True
        if self.channels >= self.house.settings.limits.channels:
            self._bitten(Reason.CHANNELS)
            return False
        return not had or self.house.guard.attempts_again(self.address)

    def opened(self, session: "SshSession") -> None:
        """A client has opened a channel for a session."""
        self._not_idle()
        self.sessions.add(session)

    def started(self) -> None:
        """One of the sessions has been told what to do."""
        self._started = True

    def playing(self) -> None:
        """A session has a screenful, and perhaps been asked for a sign: both leave now, together."""
        self._playing = True
        if self._corked and self.line is not None:
            self._uncork(self.line)

    def closed(self, session: "SshSession") -> None:
        """A session is over."""
        self.sessions.discard(session)
        if not self.sessions and self.line is not None:
            self.idle()

    def _not_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _been_idle(self) -> None:
        self._idle = None
        self._bitten(Reason.IDLE)
        self.disconnect(asyncssh.DISC_BY_APPLICATION, "Nothing was asked for.")


def fingerprint(key_data: bytes) -> str:
    """As ``ssh-keygen -lf`` shows it, of a public key in its wire form (RFC 4253, 6.6)."""
    digest = base64.b64encode(hashlib.sha256(key_data).digest())
    return f"SHA256:{digest.rstrip(b'=').decode('ascii')}"
