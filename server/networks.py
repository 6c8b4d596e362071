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
"""Bits of what a provider gives one customer."""
_PRIVATE: Final[Sequence[Network]] = tuple(
    map(
        ipaddress.ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
            *("fc00::/7", "fe80::/10", "::/64"),
        ),
    )
)
"""A local network, or the machine itself, also as a /64."""


@lru_cache(4096)
def network_of(address: str) -> str:
    """What counts as one source: an IPv4 address, or the /64 that an IPv6 address belongs to."""
    found = parsed_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found) if found else address[:64]


def parsed_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, perhaps with an interface; IPv4 written as IPv6 is IPv4. ``None`` for what is none."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def site_of(source: str) -> str:
    """What one customer of a provider has.

    An IPv4 address as it is, the /48 around an address or network of IPv6. What is neither stays as it
    is.
    """
    found = _network(source)
    if isinstance(found, ipaddress.IPv6Network) and found.prefixlen > _SITE:
        return str(found.supernet(new_prefix=_SITE))
    return source


def is_private(source: str) -> bool:
    """Whether an address or network is of the local network or of this machine."""
    found = _network(source)
    return found is not None and any(found.network_address in each for each in _PRIVATE)


def mark(source: str, salt: str) -> str:
    """What is kept of where somebody came from.

    Enough to count by, and shared by so many addresses that none can be told from it. Empty for an
    empty ``source``, which does not count.
    """
    if not source:
        return ""
    return f"{salt}-{hashlib.blake2s(f'{salt} {source}'.encode()).hexdigest()[:4]}"


def salt_of(marks: Collection[str]) -> str:
    """The salt that these have, or a new one."""
    return next((one.partition("-")[0] for one in marks if one), "") or secrets.token_hex(8)


def _network(source: str) -> Network | None:
    try:
        return ipaddress.ip_network(source, strict=False)
    except ValueError:
        return None


@dataclass(slots=True, eq=False)
class TokenBucket:
    """``burst`` at once, ``rate`` a second from then on. For amounts, such as bytes."""

    burst: float
    rate: float
    _last: float
    """When it was looked at."""
    _tokens: float = field(init=False)

    def __post_init__(self) -> None:
        self._tokens = self.burst

    def charge(self, amount: float, now: float | None = None) -> None:
        """Use up ``amount``, whether it is there or not; ``now`` may be left out just after a look at it."""
        if now is not None:
            self.left(now)
        self._tokens -= amount

    def left(self, now: float) -> float:
        """Return how much can be granted; less than nothing when too much has been charged."""
        tokens = self._tokens + (now - self._last) * self.rate
        self._tokens = tokens = min(self.burst, tokens)
        self._last = now
        return tokens

    def seconds_until(self, wanted: float, now: float) -> float:
        """When ``wanted`` (at most the burst) can be granted, from now."""
        return max(0.0, (min(wanted, self.burst) - self.left(now)) / self.rate)


@dataclass(slots=True, eq=False)
class RateLimiter:
    """Rate limit by source: a burst of attempts, then one in each ``seconds``."""

    attempts: int
    seconds: float
    remembered: int = 10_000
    """Most sources whose use is remembered."""
    _whole: OrderedDict[str, float] = field(default_factory=OrderedDict, init=False)
    """When all attempts of a source will be there again. The newest last."""

    def take(self, source: str, now: float) -> bool:
        """Use up an attempt; false when there is none left. Asking then costs nothing."""
        if self.wait(source, now) > 0:
            return False
        self._whole[source] = max(self._whole.pop(source, now), now) + self.seconds
        # Forget the oldest, a few at a time: those that have everything back, or too many to remember.
        for _ in range(2):
            oldest = next(iter(self._whole))
            if len(self._whole) <= self.remembered and self._whole[oldest] > now:
                break
            del self._whole[oldest]
        return True

    def wait(self, source: str, now: float) -> float:
        """Seconds until the next attempt is there; 0 when one is."""
        return max(0.0, self._whole.get(source, now) - now - (self.attempts - 1) * self.seconds)

    def give_back(self, source: str) -> None:
        """The attempt was none: whoever it is may have it back."""
        if source in self._whole:
            self._whole[source] -= self.seconds


def take_all(counted: Collection[tuple[RateLimiter, str]], now: float) -> float:
    """Use up an attempt of each limiter for its source (an empty one does not count).

    Or none where one has none left: then the seconds until all have.
    """
    counting = [(limiter, source) for limiter, source in counted if source]
    wait = max((limiter.wait(source, now) for limiter, source in counting), default=0.0)
    if not wait:
        for limiter, source in counting:
            limiter.take(source, now)
    return wait


@dataclass(slots=True, eq=False)
class LogThrottle:
    """A line of the log that may be due again and again is written at most once in so many ``seconds``."""

    seconds: float = 1.0
    _last: float = field(default=-inf, init=False)
    _left_out: int = field(default=0, init=False)

    def left_out(self, now: float) -> int | None:
        """It is due: how often it was left out since it was last written; ``None`` leaves it out now."""
        if now - self._last < self.seconds:
            self._left_out += 1
            return None
        unsaid, self._left_out, self._last = self._left_out, 0, now
        return unsaid


class LimitLog:
    """Limits that have been reached.

    Each time is counted, and each limit logged at most once a second, under the logger of that name.
    ``now`` is a clock in seconds; ``counts`` may be read by others.
    """

    def __init__(self, name: str, now: Callable[[], float], counts: Counter[str]) -> None:
        self._log: Final = structlog.get_logger(name)
        self._now: Final = now
        self._counts: Final = counts
        self._logged: Final[defaultdict[str, LogThrottle]] = defaultdict(LogThrottle)

    def note(self, limit: str, *, usual: bool = False, **who: object) -> None:
        """A limit has been reached by somebody; one that is ``usual`` is no reason to worry."""
        self._counts[limit] += 1
        if (also := self._logged[limit].left_out(self._now())) is not None:
            tell = self._log.info if usual else self._log.warning
            tell("limit", limit=limit, **who, also=also)
