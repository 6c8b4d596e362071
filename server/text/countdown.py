"""A countdown that is coarse until the last ten seconds, so that screens seldom change."""

import math
from typing import Final

from server.i18n.lookup import Words
from server.terminal.drawing.frame import Span
from server.text.times import span_in_words, time_in_words

PRECISE: Final = 10
"""So many seconds, the last ones, are counted one by one."""
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
