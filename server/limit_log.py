"""Limits that have been reached: each time is counted, and each limit logged at most once a second."""

from collections import Counter
from collections.abc import Callable
from typing import Final

import structlog

_LOG_SECONDS: Final = 1.0


class LimitLog:
    """Under the logger of that name. ``now`` is a clock in seconds; ``counts`` may be read by others."""

    def __init__(self, name: str, now: Callable[[], float], counts: Counter[str]) -> None:
        self._log: Final = structlog.get_logger(name)
        self._now: Final = now
        self._counts: Final = counts
        self._logged: Final[dict[str, tuple[float, int]]] = {}

    def note(self, limit: str, *, usual: bool = False, **who: object) -> None:
        """A limit has been reached by somebody; one that is ``usual`` is no reason to worry."""
        self._counts[limit] += 1
        last, unsaid = self._logged.get(limit, (-_LOG_SECONDS, 0))
        now = self._now()
        if now - last >= _LOG_SECONDS:
            tell = self._log.info if usual else self._log.warning
            tell("limit", limit=limit, **who, also=unsaid)
            self._logged[limit] = (now, 0)
        else:
            self._logged[limit] = (last, unsaid + 1)
