"""Codes that let somebody without a key back in, or add a key to an account; and patience with guesses.

Twelve letters and digits, 57 bits: no vowels, so that a code is never a word nor a table's code, and
nothing that is easily misread.
"""

import hashlib
import secrets
from collections import OrderedDict
from typing import Final

LETTERS: Final = "23456789bcdfghjkmnpqrstvwxyz"
LENGTH: Final = 12
GROUP: Final = 4

_MOST_SOURCES: Final = 10_000


def new_code() -> str:
    """A code as it is shown: ``k7m2-p9xq-3dhw``."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return "-".join(code[start : start + GROUP] for start in range(0, LENGTH, GROUP))


def plain_code(typed: str) -> str:
    """A code without what people put between its groups; empty when ``typed`` cannot be one."""
    code = "".join(char for char in typed.lower() if char not in "- _.")
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else ""


def digest(code: str) -> str:
    """What is kept of a code. With 57 bits of chance in it, a plain hash cannot be turned around."""
    return hashlib.sha256(f"rejoin {plain_code(code)}".encode("ascii")).hexdigest()


class GuessLimiter:
    """So many attempts in a row from one source, then one in each ``seconds``."""

    def __init__(self, attempts: int, seconds: float) -> None:
        self._attempts: Final = attempts
        self._seconds: Final = seconds
        # When all attempts of a source will be there again. The newest last.
        self._whole: Final[OrderedDict[str, float]] = OrderedDict()

    def take(self, source: str, now: float) -> bool:
        """Use up an attempt; false when there is none left. Asking then costs nothing."""
        whole = max(self._whole.get(source, now), now)
        if self.wait(source, now) > 0:
            return False
        self._whole[source] = whole + self._seconds
        self._whole.move_to_end(source)
        # Forget the oldest, a few at a time: those that have everything back, or too many to remember.
        for _ in range(2):
            oldest = next(iter(self._whole))
            if len(self._whole) <= _MOST_SOURCES and self._whole[oldest] > now:
                break
            del self._whole[oldest]
        return True

    def __len__(self) -> int:
        """How many sources are remembered."""
        return len(self._whole)

    def wait(self, source: str, now: float) -> float:
        """Seconds until the next attempt is there; 0 when one is."""
        return max(0.0, self._whole.get(source, now) - now - (self._attempts - 1) * self._seconds)

    def give_back(self, source: str) -> None:
        """The attempt was none: whoever it is may have it back."""
        if source in self._whole:
            self._whole[source] -= self._seconds
