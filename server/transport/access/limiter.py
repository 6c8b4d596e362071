"""Admission: how many connections there may be, how fast they may come, how fast each may send.

It counts, and knows no socket. Every refusal has a reason without words (``Reason``), is counted and logged.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

from server.logs import shortened
from server.networks import LimitLog, RateLimiter, network_of, take_all
from server.settings.settings import ServerLimits

_NETWORKS_REMEMBERED: Final = 50_000
_REGION: Final = 10
"""Number of addresses whose attempts a region has together."""
_LOGS_IN: Final = 2.0
"""Seconds that an honest login takes; until then its place is not given to anybody else."""


class Reason(StrEnum):
    """Limits that may be reached."""

    ATTEMPTS = "attempts"
    WAITING = "waiting"
    WAITING_HERE = "waiting_per_address"
    SESSIONS = "sessions"
    SESSIONS_HERE = "sessions_per_address"
    CHANNELS = "channels"
    WIRE = "wire_bytes"
    SETUP = "setup_bytes"
    UNREAD = "unread_bytes"
    STUCK = "stuck_seconds"
    IDLE = "idle_connection_seconds"
    FLOOD = "flood"
    PAUSE = "pause_bytes"
    LOGIN = "login_seconds"
    FIRST_BYTE = "first_byte_seconds"
    EXCHANGES = "key_exchanges"
    WRONG_PASSWORD = "wrong_password"
    WRONG_PASSWORDS = "wrong_passwords"
    CODE = "wrong_code"
    CODES = "wrong_codes"
    ACCOUNTS = "accounts"
    KEY = "unlisted_key"
    SIGNATURE = "wrong_signature"
    REQUESTS = "login_requests"
    BANNED = "banned"
    TLS_PORT = "telnet_tls_port"
    ALGORITHMS = "no_common_algorithms"
    SHELL = "tried_shells"


_USUAL: Final = frozenset({Reason.PAUSE, Reason.LOGIN, Reason.SHELL})
"""No warnings: a slow line, a client that goes before it has given a name, a scanner."""


@dataclass(slots=True, eq=False)
class Ticket:
    """One connection: waiting, logged in, or closed. Every method may be called again."""

    limiter: "ConnectionLimiter"
    address: str
    give_up: Callable[[], object]
    """Called to close the connection when another one needs the place."""
    network: str = field(init=False)
    """The address, or its /64."""
    region: str = field(init=False)
    """The /24 or /48 of the address, which may belong to one person as well."""
    since: float = field(init=False)
    _in: bool = field(default=False, init=False)
    _open: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        self.network, self.region = network_of(self.address), _region_of(self.address)
        self.since = self.limiter.now()

    def come_in(self) -> bool:
        """Take a logged-in player's place, and return whether there is one."""
        if self._open and not self._in:
            self._in = self.limiter._come_in(self)
            return self._in
        return True

    def leave(self) -> None:
        """Give up the place of a connection that has been closed."""
        if self._open:
            self._open = False
            self.limiter._leave(self, was_in=self._in)


class ConnectionLimiter:
    """Limits of connections, by address and in all. ``now`` is a clock in seconds."""

    def __init__(self, limits: ServerLimits, now: Callable[[], float]) -> None:
        self.limits = limits
        self.now: Final = now
        self.counts: Final[Counter[str]] = Counter()
        """Number of times that each limit has been reached."""
        self._places: Final[dict[Ticket, None]] = {}
        """Tickets of waiting connections, the oldest first."""
        self._waiting: Final[Counter[str]] = Counter()
        self._regions: Final[Counter[str]] = Counter()
        """Attempts by region."""
        self._inside: Final[Counter[str]] = Counter()
        self._attempts: Final = RateLimiter(*_attempts(limits), _NETWORKS_REMEMBERED)
        self._attempts_here: Final = RateLimiter(*_attempts(limits, _REGION), _NETWORKS_REMEMBERED)
        """Attempts by region."""
        self._limit_log: Final = LimitLog("guard", now, self.counts)

    @property
    def waiting(self) -> int:
        """Number of connections before their login."""
        return len(self._places)

    @property
    def inside(self) -> int:
        """Number of connections after their login."""
        return self._inside.total()

    def adjust(self, limits: ServerLimits) -> None:
        """Apply new limits; attempts that have been used count on."""
        self.limits = limits
        for limiter, addresses in ((self._attempts, 1), (self._attempts_here, _REGION)):
            limiter.attempts, limiter.seconds = _attempts(limits, addresses)

    def admit(self, address: str, give_up: Callable[[], object]) -> Ticket:
        """Admit a new connection. Before its login, ``give_up`` may be called to close it."""
        ticket, limits = Ticket(self, address, give_up), self.limits
        if self._waiting[ticket.network] >= limits.waiting_per_address:
            same = (one for one in self._places if one.network == ticket.network)
            self._give_place(next(same), Reason.WAITING_HERE)
        elif self.waiting >= limits.waiting:
            # Logins that are under way go on while others have waited for longer. Of those, the oldest one of
            # the region and the network with the most has to go.
            late = self.now() - _LOGS_IN
            most = max(
                [one for one in self._places if one.since <= late] or self._places,
                key=lambda one: (self._regions[one.region], self._waiting[one.network]),
            )
            self._give_place(most, Reason.WAITING)
        self._places[ticket] = None
        self._waiting[ticket.network] += 1
        self._regions[ticket.region] += 1
        return ticket

    def _give_place(self, ticket: Ticket, reason: Reason) -> None:
        self.refuse(reason, ticket.address)
        ticket.leave()
        ticket.give_up()

    def attempts_again(self, address: str) -> bool:
        """Count an attempt to connect, or what costs as much, and return whether it is allowed."""
        may = not take_all(self._attempts_of(address), self.now())
        if not may:
            self.refuse(Reason.ATTEMPTS, address)
        return may

    def _attempts_of(self, address: str) -> tuple[tuple[RateLimiter, str], ...]:
        """Return what counts an attempt: for the network, and for its region."""
        return (
            (self._attempts, network_of(address)),
            (self._attempts_here, _region_of(address)),
        )

    def failed(self, reason: Reason, address: str) -> None:
        """Count an attempt once more that no honest client makes, for this reason."""
        for limiter, source in self._attempts_of(address):
            limiter.take(source, self.now())
        self.refuse(reason, address)

    def refuse(self, reason: Reason, address: str, **more: object) -> None:
        """Count and log that a limit has been reached; ``more`` is logged as well."""
        self._limit_log.note(reason.value, usual=reason in _USUAL, address=address, **more)

    def _come_in(self, ticket: Ticket) -> bool:
        network = ticket.network
        if self.inside >= self.limits.sessions:
            self.refuse(Reason.SESSIONS, network)
        elif self._inside[network] >= self.limits.sessions_per_address:
            self.refuse(Reason.SESSIONS_HERE, network)
        else:
            self._leave(ticket, was_in=False)
            self._inside[network] += 1
            return True
        return False

    def _leave(self, ticket: Ticket, *, was_in: bool) -> None:
        if was_in:
            _one_less(self._inside, ticket.network)
        else:
            del self._places[ticket]
            _one_less(self._waiting, ticket.network)
            _one_less(self._regions, ticket.region)


def _attempts(limits: ServerLimits, addresses: int = 1) -> tuple[int, float]:
    """Return the attempts of so many addresses at once, and the seconds until there is one more."""
    attempts = limits.attempts * addresses
    return attempts, limits.attempts_seconds / attempts


def _one_less(counted: Counter[str], what: str) -> None:
    counted[what] -= 1
    if not counted[what]:
        del counted[what]


@lru_cache(4096)
def _region_of(address: str) -> str:
    """Return the /24, or the /48 of IPv6: as much as one person may have."""
    return shortened(address) or address[:64]
