"""How much, and how often: what each source may do at once, and from then on; what was too much is logged."""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from math import inf
from typing import Final

import structlog


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
        """Use up so much, whether it is there or not; ``now`` may be left out just after a look at it."""
        if now is not None:
            self.left(now)
        self._tokens -= amount

    def left(self, now: float) -> float:
        """How much can be granted; less than nothing when too much has been charged."""
        tokens = self._tokens + (now - self._last) * self.rate
        self._tokens = tokens = min(self.burst, tokens)
        self._last = now
        return tokens

    def seconds_until(self, wanted: float, now: float) -> float:
        """When ``wanted`` (at most the burst) can be granted, from now."""
        return max(0.0, (min(wanted, self.burst) - self.left(now)) / self.rate)


@dataclass(slots=True, eq=False)
class RateLimiter:
    """So many attempts in a row from one source, then one in each ``seconds``."""

    attempts: int
    seconds: float
    remembered: int = 10_000
    """Of so many sources at most it is known what they have used."""
    _whole: OrderedDict[str, float] = field(default_factory=OrderedDict, init=False)
    """When all attempts of a source will be there again. The newest last."""

    def take(self, source: str, now: float) -> bool:
        """Use up an attempt; false when there is none left. Asking then costs nothing."""
        whole = max(self._whole.get(source, now), now)
        if self.wait(source, now) > 0:
            return False
        self._whole[source] = whole + self.seconds
        self._whole.move_to_end(source)
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
    """Use up an attempt of each limiter for its source (an empty one does not count); or none where one has
    none left: then the seconds until all have.
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
    """Limits that have been reached: each time is counted, and each limit logged at most once a second, under
    the logger of that name. ``now`` is a clock in seconds; ``counts`` may be read by others.
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
