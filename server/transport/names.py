"""Names are unique: whoever asks for one that is taken gets a free variant ("ada2")."""

import secrets
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import count
from typing import Final

from server.transport.sanitize import NAME_WIDTH, clean_name

GUEST: Final = "guest"
RESERVED: Final = frozenset(
    {
        "system",
        "server",
        "tide",
        "admin",
        "operator",
        "moderator",
        "lobby",
        "table",
        "you",
        "bot",
        "all",
    }
)
"""Names under which the house itself speaks, or that would read as one of its words."""

_REMEMBERED: Final = 20_000
_TRIES: Final = 4
# What passes for a Latin letter in a terminal's font: small letters of other scripts, and digits.
_LOOKALIKES: Final = str.maketrans(
    {
        char: latin
        for latin, chars in {
            "a": "\u0430\u03b1\u0251",
            "b": "\u0432\u03b2",
            "c": "\u0441\u03f2",
            "d": "\u0501",
            "e": "\u0435\u03b5\u0454",
            "g": "\u0261",
            "h": "\u043d\u04bb",
            "j": "\u0458",
            "k": "\u043a\u03ba",
            "l": "i1|\u0131\u0456\u03b9\u0269\u04cf\u2113",
            "m": "\u043c",
            "n": "\u03b7",
            "o": "0\u043e\u03bf\u0585",
            "p": "\u0440\u03c1",
            "q": "\u051b",
            "s": "\u0455",
            "t": "\u0442\u03c4",
            "u": "\u03c5",
            "v": "\u03bd",
            "w": "\u051d\u03c9",
            "x": "\u0445\u03c7",
            "y": "\u0443\u03b3",
        }.items()
        for char in chars
    }
)


def skeleton(name: str) -> str:
    """What two names that look alike have in common."""
    folded = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    return "".join(char for char in bare.translate(_LOOKALIKES) if char.isalnum()) or folded


class Names:
    """Who is called what. A key keeps its name; a guest gives it up when it has left for good."""

    def __init__(
        self, reserved: Iterable[str] = (), in_use: Callable[[str], bool] | None = None
    ) -> None:
        """``in_use`` knows of names beyond those given out here, such as those on seats left behind."""
        self._reserved: Final = {skeleton(name) for name in (*RESERVED, *reserved)}
        self._in_use: Final = in_use or (lambda _: False)
        self._owner: Final[dict[str, str]] = {}
        self._name: Final[OrderedDict[str, str]] = OrderedDict()

    def claim(self, wanted: str, player: str) -> str:
        """A name for ``player`` (an id), as near to ``wanted`` as can be. The same player always gets the
        same name for the same wish.
        """
        wanted = clean_name(wanted) or GUEST
        held = self._name.get(player)
        if held is not None and skeleton(held) == skeleton(wanted):
            return held
        name = next(name for name in _variants(wanted) if self._free(name, player))
        self._drop(player)
        self._owner[skeleton(name)] = player
        self._name[player] = name
        while len(self._name) > _REMEMBERED:
            self._drop(next(iter(self._name)))
        return name

    def release(self, player: str) -> None:
        """``player`` will not come back under this id."""
        self._drop(player)

    def _free(self, name: str, player: str) -> bool:
        key = skeleton(name)
        owner = self._owner.get(key)
        if key in self._reserved or owner not in {None, player}:
            return False
        return owner == player or not self._in_use(name)

    def _drop(self, player: str) -> None:
        if (name := self._name.pop(player, None)) is not None:
            del self._owner[skeleton(name)]


def _variants(name: str) -> Iterable[str]:
    """Ever longer numbers, drawn once the first few are taken: a thousand guests must not be counted."""
    yield name
    for number in range(2, 10):
        yield _numbered(name, number)
    for digits in count(2):
        for _ in range(_TRIES):
            low = 10 ** (digits - 1)
            yield _numbered(name, low + secrets.randbelow(9 * low))


def _numbered(name: str, number: int) -> str:
    tail = str(number)
    return clean_name(name, NAME_WIDTH - len(tail)) + tail
