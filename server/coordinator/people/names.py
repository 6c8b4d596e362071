"""When two names look alike, which names nobody may have, and what else one could be called."""

import secrets
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from wcwidth import wcswidth

from engine.bots.names import NAMES as BOT_NAMES
from server.coordinator.people.confusables import LOOKALIKES, OTHER_SCRIPTS, SAME
from server.storage.people import Claim

NAME_WIDTH: Final = 12
"""Columns of a name, as the edge cuts it."""
GUEST: Final = "guest"
"""For who gives no name."""

SPEAKERS: Final = (
    *("system", "server", "tide", "host", "house", "admin", "administrator"),
    *("operator", "moderator", "staff", "bot"),
)
"""Names under which the server itself speaks: with a number behind them, too."""
RESERVED: Final = (
    *SPEAKERS,
    *("lobby", "table", "seat", "spectator", "bots", "substitute", "anonymous"),
    *("you", "all", "nobody", "everybody", "everyone"),
)
"""These, and names that would read as one of its words."""

_TRIES: Final = 4
_MOST_DIGITS: Final = 6


@lru_cache(4096)
def skeleton(name: str) -> str:
    """What names that look alike have in common; empty only for the empty name.

    Stored beside every name: a change of what this answers needs a migration.
    """
    plain = unicodedata.normalize("NFKC", name)
    # Folding turns capitals into letters that look like something else again: so once before, once after.
    folded = _plain(_plain(plain).casefold()).casefold().translate(SAME)
    # A name of nothing but signs is itself.
    return "".join(char for char in folded if char.isalnum()) or plain


def _plain(text: str) -> str:
    """Without marks (in a terminal an accent is a speck), and in letters and digits of ASCII if possible."""
    bare = "".join(
        str(unicodedata.decimal(char, char))
        for char in unicodedata.normalize("NFKD", text.translate(OTHER_SCRIPTS))
        if not unicodedata.combining(char)
    )
    return bare.translate(LOOKALIKES)


_SPEAKERS: Final = frozenset(map(skeleton, SPEAKERS))
_RESERVED: Final = frozenset(map(skeleton, (*RESERVED, *BOT_NAMES)))
_NUMBER: Final = "".join(sorted({skeleton(digit) for digit in "0123456789"}))
"""What digits look like: a letter, some of them."""


def is_reserved(name: str) -> bool:
    """Whether nobody may have this name, or one that looks like it."""
    return skeleton(name) in _RESERVED or _speaks(name)


def _speaks(name: str) -> bool:
    return skeleton(name).rstrip(_NUMBER) in _SPEAKERS


def claims(wanted: str, *, exact: bool = False) -> Iterator[Claim]:
    """What somebody who wants to be called ``wanted`` (clean) could be called, the best first.

    With ``exact``, at most the name itself. Reserved names are left out. Later ones have more digits, drawn
    by chance: so many people may want the same name that counting up to them would take for ever.
    """
    if exact:
        names: Iterable[str] = filter(None, [wanted])
    else:
        names = _variants(GUEST if _speaks(wanted) else wanted or GUEST)
    for name in names:
        if not is_reserved(name):
            yield Claim(name, skeleton(name))


def _variants(name: str) -> Iterator[str]:
    yield name
    for number in range(2, 10):
        yield _numbered(name, number)
    for digits in range(2, _MOST_DIGITS + 1):
        for _ in range(_TRIES):
            low = 10 ** (digits - 1)
            yield _numbered(name, low + secrets.randbelow(9 * low))


def _numbered(name: str, number: int) -> str:
    tail = str(number)
    # The sum of the characters' widths is not always the width of all together: some marks take a column.
    while name and wcswidth(name + tail) > NAME_WIDTH:
        name = name[:-1]
    return name + tail
