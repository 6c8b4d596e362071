"""When something is, and how long it takes, in words.

And countdowns, which are coarse until the last ten seconds, so that screens seldom change.
"""

import math
from datetime import UTC, date, datetime
from typing import Final

from server.coordinator import messages as m
from server.i18n.lookup import Words, _
from server.terminal.drawing.frame import Span

_MONTHS: Final = (
    _("January"),
    _("February"),
    _("March"),
    _("April"),
    _("May"),
    _("June"),
    _("July"),
    _("August"),
    _("September"),
    _("October"),
    _("November"),
    _("December"),
)


def moment_in_words(when: float, words: Words) -> str:
    """A time, the same for everybody: players of one server live in different places."""
    moment = datetime.fromtimestamp(when, UTC)
    day = day_in_words(f"{moment:%Y-%m-%d}", words)
    return words.t("{day} {time} UTC", day=day, time=f"{moment:%H:%M}")


def day_in_words(day: str, words: Words) -> str:
    """A day such as "2026-11-23", as people write it."""
    on = date.fromisoformat(day)
    return words.p("date", "{year}-{month:02}-{day:02}", year=on.year, month=on.month, day=on.day)


def month_in_words(month: str, words: Words) -> str:
    """A month such as "2026-11", as people write it."""
    on = date.fromisoformat(f"{month}-01")
    return words.t("{month} {year}", month=words.t(_MONTHS[on.month - 1]), year=on.year)


def pace_in_words(options: m.TableOptions, words: Words) -> str:
    """How long a round may take."""
    if options.pace is m.Pace.UNTIMED:
        return words.t("untimed")
    if options.pace is m.Pace.CORRESPONDENCE:
        return words.t("a day a round")
    if options.pace is m.Pace.FAST:
        return words.t("fast, for programs")
    return words.t("{seconds} s a round", seconds=options.seconds)


def time_in_words(seconds: int, words: Words, *, minutes_from: int = 100) -> str:
    """Say a duration, in seconds, or in minutes or hours where those say enough."""
    if seconds < minutes_from:
        return words.n("{count} second", "{count} seconds", seconds)
    minutes = -(-seconds // 60)
    if minutes < 100:
        return words.n("{count} minute", "{count} minutes", minutes)
    return words.n("{count} hour", "{count} hours", -(-minutes // 60))


def span_in_words(seconds: float, words: Words) -> str:
    """Say a duration in few letters, and coarsely."""
    if seconds < 120:
        return words.t("{count} s", count=round(seconds))
    if seconds < 7200:
        return words.t("{count} min", count=round(seconds / 60))
    if seconds < 2 * 86_400:
        return words.t("{count} h", count=round(seconds / 3600))
    return words.n("{count} day", "{count} days", round(seconds / 86_400))


PRECISE: Final = 10
"""Number of last seconds that are counted one by one."""
_STEPS: Final = {PRECISE: (1, 5), 120: (15, 30), 600: (60, 60), 3600: (300, 300)}
"""The step in which no more seconds than these are shown, and on a slow line; more are shown in hours."""

_SPARE: Final = 4
"""A coarse step is shown for so many seconds more than it says: for the time in which a reveal is read, when
a round's clock has not begun yet."""


def _step(left: float, thin: bool) -> tuple[int, int]:
    """In which ``left`` seconds are shown, and what of ``_SPARE`` there is for it."""
    spare = _SPARE if left > PRECISE else 0
    for limit, steps in _STEPS.items():
        if left <= limit:
            return steps[thin], spare
    return 3600, spare


def shown_seconds(left: float, thin: bool) -> int:
    """``left`` seconds as they are shown: rounded up to a step that suits, but for ``_SPARE``."""
    if left <= 0:
        return 0
    step, spare = _step(left, thin)
    return math.ceil((left - spare) / step) * step


def next_change(left: float, thin: bool) -> float:
    """In how many seconds ``shown_seconds`` will be another; 0 when never."""
    if left <= 0 or math.isinf(left):
        return 0.0
    step, spare = _step(left, thin)
    below = max((limit for limit in _STEPS if limit < left), default=0)
    # A little later, so that rounding up has arrived at the next step by then.
    wait = left - max(below, spare + (math.ceil((left - spare) / step) - 1) * step) + 0.001
    # From where a finer step begins, it may first show the number that is shown already.
    same = shown_seconds(left - wait, thin) == shown_seconds(left, thin)
    return wait + next_change(left - wait, thin) if same else wait


def until_in_words(left: float, words: Words) -> str:
    """How long it is until something begins: in minutes until the last ten seconds."""
    return time_in_words(max(1, math.ceil(left)), words, minutes_from=PRECISE + 1)


def next_until(left: float) -> float:
    """In how many seconds ``until_in_words`` will be another, or the time has come; 0 when it has."""
    if left <= 0:
        return 0.0
    step, below = (60, PRECISE) if left > PRECISE else (1, 0)
    return left - max(below, (math.ceil(left / step) - 1) * step) + 0.001


def clock_span(left: float, words: Words, thin: bool) -> Span:
    """What the clock in the corner says."""
    return _span(shown_seconds(left, thin), words)


def time_to_bid(left: float, words: Words, thin: bool) -> str:
    """What is left for the next bid, in as coarse steps: minutes and seconds, or hours."""
    seconds = shown_seconds(left, thin)
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02}"
    return _span(seconds, words)[1]


def _span(seconds: int, words: Words) -> Span:
    return ("warm" if seconds <= PRECISE else "text", span_in_words(seconds, words))
