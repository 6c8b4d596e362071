"""One SSH connection, and limits on what it may send."""

import asyncio
from functools import partial
from typing import Final, cast

import asyncssh
from asyncssh.constants import MSG_USERAUTH_REQUEST
from asyncssh.packet import PacketDecodeError, SSHPacket, String
from msgspec.structs import replace
from typing_extensions import override

from server.networks import TokenBucket
from server.terminal.meter import Meter
from server.timers import NamedTimers
from server.transport.access.limiter import Reason, Ticket
from server.transport.access.login import Login
from server.transport.asyncssh_hooks import HookedConnection
from server.transport.net.asyncio_hooks import let_go
from server.transport.net.input_throttle import InputThrottle
from server.transport.session.server import Caller, GameServer
from server.transport.session.terminals import LINGER, RemoteTerminal

_LEAST_PACKET: Final = 512
"""Minimum packet size of a client. (All that are in use take 16 KB and more.)"""
_KEY_EXCHANGES: Final = 8
"""Key exchanges at once: clients start one after an hour or a gigabyte ..."""
_KEY_EXCHANGE_SECONDS: Final = 60.0
"""... and seconds until there may be one more."""
_REQUESTS: Final = 16
"""Maximum authentication requests of a connection: OpenSSH sends ``none``, then two for a key."""
_LONGEST_KEY: Final = 4096
"""Maximum bytes of a key, four times the largest of an honest client."""
_RSA_BITS: Final = range(1024, 8192 + 1)
_RSA_EXPONENTS: Final = range(3, 1 << 32)
"""OpenSSL's bounds for large keys. A verification takes time in proportion to their length."""
_KEEPALIVE_SECONDS: Final = 30
_KEEPALIVE_COUNT: Final = 3
KINDS: Final = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ssh-ed448",
    "ecdsa-sha2-nistp256",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
)
"""Key types of one size each, beside RSA: no DSA (whose numbers a client chooses), and no certificates."""
_BEGINNINGS: Final = tuple(map(String, KINDS))


def is_usable(key_data: bytes) -> bool:
    """Return whether a key in its wire form (RFC 4253, 6.6) is of a type and size that clients really have.

    An attacker may make up any, and some would take long to verify with.
    """
    if len(key_data) > _LONGEST_KEY:
        return False
    if key_data.startswith(_BEGINNINGS):
        return True
    packet = SSHPacket(key_data)
    try:
        if packet.get_string() != b"ssh-rsa":
            return False
        exponent, modulus = packet.get_mpint(), packet.get_mpint()
    except PacketDecodeError:
        return False
    return (
        exponent in _RSA_EXPONENTS
        and exponent % 2 == modulus % 2 == 1
        and modulus > 0
        and modulus.bit_length() in _RSA_BITS
    )


class SshConnection(HookedConnection):
    """asyncssh's connection with limits."""

    def __init__(
        self,
        server: GameServer,
        options: asyncssh.SSHServerConnectionOptions,
        connections: "set[SshConnection]",
        ticket: Ticket,
    ) -> None:
        """``connections`` contains it while it is open."""
        loop = asyncio.get_running_loop()
        super().__init__(loop, options)
        self._limits: Final = server.settings.limits
        self.server: Final = server
        self.caller = Caller(Login(""), "", ticket.address, "ssh")
        """What the login has shown so far."""
        self.meter: Final = Meter(server.newcomers.of(ticket.network))
        self.logged_in = False
        self.offered: asyncssh.SSHKey | None = None
        """The key of the current authentication request, if it is a valid one."""
        self._connections: Final = connections
        self._ticket: Final = ticket
        self._sessions: Final[set[RemoteTerminal]] = set()
        self._timers: Final = NamedTimers()
        self.started = False
        self._had_session = False
        self._before_session = 0
        self._requests = 0
        self._encrypts = False
        """Whether the first key exchange is over."""
        self._exchanges: Final = TokenBucket(
            _KEY_EXCHANGES, 1 / _KEY_EXCHANGE_SECONDS, server.limiter.now()
        )

    # -------------------------------------------------------------- the transport

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = cast(asyncio.Transport, transport)
        limits = self._limits
        self.throttle = InputThrottle(
            limits,
            asyncio.get_running_loop(),
            self.meter,
            deliver=super().data_received,
            pause=line.pause_reading,
            resume=line.resume_reading,
            on_limit=lambda: self.limit(Reason.WIRE),
            on_flood=self._flooded,
        )
        self._connections.add(self)
        line.set_write_buffer_limits(high=limits.pause_bytes, low=limits.pause_bytes // 4)
        self._later("first byte", limits.first_byte_seconds, Reason.FIRST_BYTE)
        self._later("login", limits.login_seconds, Reason.LOGIN)
        super().connection_made(line)

    @override
    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """Take input, no faster than the limits allow."""
        if not self.started:
            if not self._before_session:
                self._timers.stop("first byte")
            self._before_session += len(data)
            if self._before_session > self._limits.setup_bytes:
                self.cut_off(Reason.SETUP)
                return
        self.output.at_once = self.started  # what answers a key is a frame, which is one packet
        self.throttle.push(data)

    @override
    def pause_writing(self) -> None:
        for session in tuple(self._sessions):
            session.pause("line")

    @override
    def resume_writing(self) -> None:
        for session in tuple(self._sessions):
            session.resume("line")

    @override
    def connection_lost(self, exc: Exception | None = None) -> None:
        self.throttle.close()
        self._timers.stop_all()
        self._ticket.leave()
        self._connections.discard(self)
        super().connection_lost(exc)
        # asyncssh may abort the connection only in the next turn of the event loop.
        asyncio.get_running_loop().call_soon(let_go, self.output.transport)

    @property
    def unsent(self) -> int:
        """Bytes that the kernel has not taken yet, or that wait for the end of a key exchange."""
        return self.output.waiting + self.deferred_bytes

    def limit(self, reason: Reason) -> None:
        """Count and log that this connection has reached a limit."""
        self.server.limiter.refuse(reason, self.caller.address)

    def cut_off(self, reason: Reason) -> None:
        """End the connection at once, because of a limit."""
        self.limit(reason)
        self.abort()

    def _flooded(self) -> None:
        """Let the sessions show the reason and restore their screens. Unread input is lost."""
        self.limit(Reason.FLOOD)
        self.throttle.close()
        for session in tuple(self._sessions):
            session.end("flood")
        self._timers.later("cut", LINGER, self.abort)

    def _later(self, name: str, seconds: float, reason: Reason) -> None:
        """Cut the connection off in so many seconds, unless the timer is stopped."""
        self._timers.later(name, seconds, partial(self.cut_off, reason))

    # -------------------------------------------------------------- packets and keys

    @override
    def packet_refused(self, kind: int) -> bool:
        """Return whether this was one authentication request too many, which ends the connection."""
        if kind != MSG_USERAUTH_REQUEST:
            return False
        self._requests += 1
        if self.logged_in or self._requests <= _REQUESTS:
            return False
        self._fail_login(Reason.REQUESTS, "Too many login attempts.")
        return True

    @override
    def why_not_open(self, kind: bytes, packet_size: int) -> asyncssh.ChannelOpenError | None:
        """Refuse all channels but sessions, and tiny packets: a screen would be a thousand of them."""
        if kind != b"session":
            prohibited = asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED
            return asyncssh.ChannelOpenError(prohibited, "There is no forwarding here.")
        if packet_size >= _LEAST_PACKET:
            return None
        self.limit(Reason.CHANNELS)
        said = f"Packets of less than {_LEAST_PACKET} bytes are too small."
        return asyncssh.ChannelOpenError(asyncssh.OPEN_RESOURCE_SHORTAGE, said)

    @override
    def key_exchange_started(self) -> None:
        early = self._encrypts and not self.logged_in  # of no use but to cost us time
        if early or self._exchanges.left(self.server.limiter.now()) < 1:
            self.cut_off(Reason.EXCHANGES)
            return
        self._exchanges.charge(1)
        if self.logged_in:  # until then, the time limit of the login counts
            self._later("key exchange", self._limits.login_seconds, Reason.LOGIN)

    @override
    def key_exchange_answered(self) -> None:
        self._encrypts = True
        self._timers.stop("key exchange")

    # -------------------------------------------------------------- logging in

    @override
    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        """Return whether a client may come in with this key, or only with the password besides.

        Without a signature (and ``msg``), whether it may try to. Refuses certificates, and keys that take
        long to calculate with.
        """
        if not is_usable(key_data):
            return False
        self.offered = cast(asyncssh.SSHKey | None, None)
        valid = await super().validate_public_key(username, key_data, msg, signature)
        if not msg or self.offered is None:
            return valid
        if not valid:
            self._fail_login(Reason.SIGNATURE, "The signature of that key is wrong.")
            return False
        shown = self.offered.get_fingerprint("sha256")
        key = self.offered.public_data
        self.caller = replace(self.caller, fingerprint=shown, key=key)
        self.partly_authenticated = await self.server.access.needs_password(
            key, shown, self.caller.address
        )
        return not self.partly_authenticated

    def _fail_login(self, reason: Reason, said: str) -> None:
        """Fail a login, and count it as one more attempt."""
        self.server.limiter.failed(reason, self.caller.address)
        self.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, said)

    def come_in(self) -> None:
        """Begin the time after a successful login."""
        self.logged_in = True
        self._timers.stop("login")
        if not self._ticket.come_in():
            said = "This server is full. Please try again in a while."
            self.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, said)
            return
        self.meter.move(self.server.players.of(self._ticket.network))
        self._wait_for_session()

    # -------------------------------------------------------------- its channels

    def may_open(self) -> bool:
        """Return whether there may be one more session.

        The first is included in the connection; every other one counts as an attempt of its network.
        """
        had, self._had_session = self._had_session, True
        if self.channel_count >= self._limits.channels:
            self.limit(Reason.CHANNELS)
            return False
        return not had or self.server.limiter.attempts_again(self.caller.address)

    def opened(self, session: RemoteTerminal) -> None:
        """Add a session whose channel has been opened."""
        self._timers.stop("idle")
        self._sessions.add(session)

    def start(self) -> None:
        """Begin the time after the first request of a session, in which keepalives are sent."""
        self.started = True
        self.set_keepalive(_KEEPALIVE_SECONDS, _KEEPALIVE_COUNT)

    def closed(self, session: RemoteTerminal) -> None:
        """Remove a session that has ended."""
        self._sessions.discard(session)
        if not self._sessions and self in self._connections:
            self._wait_for_session()

    def _wait_for_session(self) -> None:
        self.started = False
        self._before_session = 0
        self._timers.later("idle", self._limits.idle_connection_seconds, self._idle)

    def _idle(self) -> None:
        self.limit(Reason.IDLE)
        self.disconnect(asyncssh.DISC_BY_APPLICATION, "Nothing was asked for.")
