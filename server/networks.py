"""Networks that addresses belong to, and limits on how often a source may do something."""

import hashlib
import ipaddress
import secrets
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import Final

import structlog

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_SITE: Final = 48
"""Prefix length of what a provider assigns to one customer."""
_PRIVATE: Final[Sequence[Network]] = tuple(
    map(
        ipaddress.ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
            *("fc00::/7", "fe80::/10", "::/64"),
        ),
    )
)
"""Networks of this machine and of local networks; ``::1`` as its /64."""


@lru_cache(4096)
def network_of(address: str) -> str:
    """Return what counts as one source: an IPv4 address, or the /64 of an IPv6 address."""
    found = parsed_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found) if found else address[:64]


def parsed_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse an address, perhaps with an interface; IPv4 mapped to IPv6 is IPv4. ``None`` if invalid."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def site_of(source: str) -> str:
    """Return what a provider assigns to one customer: the /48 of an IPv6 address or network.

    Anything else is returned as it is.
    """
    found = _network(source)
    if isinstance(found, ipaddress.IPv6Network) and found.prefixlen > _SITE:
        return str(found.supernet(new_prefix=_SITE))
    return source


def is_private(source: str) -> bool:
    """Return whether an address or network is local or of this machine."""
    found = _network(source)
    return found is not None and any(found.network_address in each for each in _PRIVATE)


def mark(source: str, salt: str) -> str:
    """Return a short hash of an address: enough for counting, too short to identify the address.

    Empty for an empty ``source``, which does not count.
    """
    if not source:
        return ""
    return f"{salt}-{hashlib.blake2s(f'{salt} {source}'.encode()).hexdigest()[:4]}"


def salt_of(marks: Collection[str]) -> str:
    """Return the salt of these marks, or a new one."""
    return next((one.partition("-")[0] for one in marks if one), "") or secrets.token_hex(8)


def _network(source: str) -> Network | None:
    try:
        return ipaddress.ip_network(source, strict=False)
    except ValueError:
        return None


@dataclass(slots=True, eq=False)
class TokenBucket:
    """Rate limit for amounts such as bytes: ``burst`` at once, then ``rate`` a second."""

    burst: float
    rate: float
    _last: float
    """Time of the last update."""
    _tokens: float = field(init=False)

    def __post_init__(self) -> None:
        self._tokens = self.burst

    def charge(self, amount: float, now: float | None = None) -> None:
        """Use up ``amount``, even if it is not left; ``now`` may be omitted right after ``left``."""
        if now is not None:
            self.left(now)
        self._tokens -= amount

    def left(self, now: float) -> float:
        """Return how much can be granted; negative if too much has been charged."""
        tokens = self._tokens + (now - self._last) * self.rate
        self._tokens = tokens = min(self.burst, tokens)
        self._last = now
        return tokens

    def seconds_until(self, wanted: float, now: float) -> float:
        """Return the seconds until ``wanted`` (at most the burst) can be granted."""
        return max(0.0, (min(wanted, self.burst) - self.left(now)) / self.rate)


@dataclass(slots=True, eq=False)
class RateLimiter:
    """Rate limit by source: a burst of attempts, then one in each ``seconds``."""

    attempts: int
    seconds: float
    remembered: int = 10_000
    """Maximum number of sources that are remembered."""
    _whole: OrderedDict[str, float] = field(default_factory=OrderedDict, init=False)
    """Time at which a source has regained all attempts; the last used last."""

    def take(self, source: str, now: float) -> bool:
        """Use up an attempt; return false, and use up nothing, if none is left."""
        if self.wait(source, now) > 0:
            return False
        self._whole[source] = max(self._whole.pop(source, now), now) + self.seconds
        # Forget the oldest, a few at a time: those that have regained all, or are too many.
        for _ in range(2):
            oldest = next(iter(self._whole))
            if len(self._whole) <= self.remembered and self._whole[oldest] > now:
                break
            del self._whole[oldest]
        return True

    def wait(self, source: str, now: float) -> float:
        """Return the seconds until an attempt is left; 0 if one is."""
        return max(0.0, self._whole.get(source, now) - now - (self.attempts - 1) * self.seconds)

    def give_back(self, source: str) -> None:
        """Return an attempt to a source."""
        if source in self._whole:
            self._whole[source] -= self.seconds


def take_all(counted: Collection[tuple[RateLimiter, str]], now: float) -> float:
    """Use up an attempt of each limiter for its source, and return 0; an empty source does not count.

    If one of them has none left, use up nothing, and return the seconds until all have.
    """
    counting = [(limiter, source) for limiter, source in counted if source]
    wait = max((limiter.wait(source, now) for limiter, source in counting), default=0.0)
    if not wait:
        for limiter, source in counting:
            limiter.take(source, now)
    return wait


@dataclass(slots=True, eq=False)
class LogThrottle:
    """Limit for a log line that may recur: once in so many ``seconds``."""

    seconds: float = 1.0
    _last: float = field(default=-inf, init=False)
    _left_out: int = field(default=0, init=False)

    def left_out(self, now: float) -> int | None:
        """Return how often the line was left out since it was last written; ``None`` to leave it out now."""
        if now - self._last < self.seconds:
            self._left_out += 1
            return None
        unsaid, self._left_out, self._last = self._left_out, 0, now
        return unsaid


class LimitLog:
    """Counts and logs when limits are reached, each at most once a second, with the logger of that name.

    ``now`` is a clock in seconds; ``counts`` may be read by others.
    """

    def __init__(self, name: str, now: Callable[[], float], counts: Counter[str]) -> None:
        self._log: Final = structlog.get_logger(name)
        self._now: Final = now
        self._counts: Final = counts
        self._logged: Final[defaultdict[str, LogThrottle]] = defaultdict(LogThrottle)

    def note(self, limit: str, *, usual: bool = False, **who: object) -> None:
        """Note that a limit was reached; a ``usual`` one is no warning."""
        self._counts[limit] += 1
        if (also := self._logged[limit].left_out(self._now())) is not None:
            tell = self._log.info if usual else self._log.warning
            tell("limit", limit=limit, **who, also=also)
