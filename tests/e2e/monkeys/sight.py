"""What a player can read off a screen, in any of the languages: keys that are offered, questions, prompts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple

import pyte
from pyte.screens import Char

from server.i18n.lookup import words_for
from server.transport.access.login import CODE

LANGUAGES: Final = ("en", "de", "pt")


@cache
def every(text: str) -> frozenset[str]:
    """The text in every language."""
    return frozenset(words_for(language).t(text) for language in LANGUAGES)


@cache
def pattern(text: str, end: str = "") -> re.Pattern[str]:
    """Finds the text in any language, with that ``end``, whatever its placeholders are filled with."""
    forms = (re.sub(r"\\{(\w+)\\}", r"(.+?)", re.escape(form)) for form in every(text))
    return re.compile("|".join(f"(?:{form}{end})" for form in sorted(forms)))


_TO_ONE: Final = pattern("to {name} alone", ":")


UP, DOWN, RIGHT, LEFT = (f"\x1b[{letter}" for letter in "ABCD")
ESC, ENTER, TAB = "\x1b", "\r", "\t"
NOTHING: Final = "\x1bOS"
"""F4, which does nothing anywhere, but wipes away what was said last."""
_LABELS: Final[dict[str, tuple[str, ...]]] = {
    "Enter": (ENTER,),
    "Esc": (ESC,),
    "Tab": (TAB,),
    "← →": (RIGHT, LEFT),
    "+ -": ("+", "-"),
    "n p": ("n", "p"),
    "1-6": tuple("123456"),
    "1-9 0": ("1", "0"),
}
_SPELT_OUT: Final[dict[str, tuple[str, ...]]] = {
    "Space": (" ",),
    "arrows": (RIGHT, LEFT),
    "Up Down": (DOWN, UP),
    "Up": (UP,),
    "Left": (LEFT,),
    "Right": (RIGHT,),
    "PgUp": ("\x1b[5~",),
}
KEYS: Final = _LABELS | {form: keys for label, keys in _SPELT_OUT.items() for form in every(label)}
"""What to press, any of these, for a key as screens call it."""
_QUESTION: Final = re.compile(r"^\s*[> ] (\w)   (\S.*)$")


class Offer(NamedTuple):
    """A key that is shown, and what it is said to do."""

    key: str
    label: str

    def does(self, *texts: str) -> bool:
        """Whether it is said to do one of these, in whatever language, and perhaps with the end cut off."""
        begun = self.label.rstrip(".… ")
        return any(form.startswith(begun) for text in texts for form in every(text))

    @property
    def presses(self) -> tuple[str, ...]:
        """What to send; for two keys that are named together, either."""
        return KEYS.get(self.key, (self.key,))


@dataclass(frozen=True)
class Sight:
    """One look at a screen."""

    rows: tuple[str, ...]
    cursor: tuple[int, int] | None
    footer: tuple[Offer, ...]
    footer_row: int
    answers: tuple[Offer, ...]
    """What a question, or the title page, offers above the footer."""
    told: tuple[Offer, ...]
    """Keys of other pages, as help tells them."""

    @property
    def text(self) -> str:
        """All of it, with a blank for any number of blanks and ends of lines."""
        return " ".join(" ".join(self.rows).split())

    @property
    def head(self) -> str:
        """The first row with something in it."""
        return next((row.strip() for row in self.rows if row.strip()), "")

    @property
    def page(self) -> str:
        """What is called by the beginning of its first row, without what changes there."""
        return " ".join(re.findall(r"[^\W\d]+", self.head)[:2])

    def says(self, text: str) -> bool:
        """Whether this text is there, in any language and filled with anything."""
        return bool(pattern(text).search(self.text))

    def offers(self, *texts: str) -> Offer | None:
        """The key that is said to do one of these."""
        return next((one for one in (*self.answers, *self.footer) if one.does(*texts)), None)

    @property
    def lobby(self) -> bool:
        return self.head.startswith(tuple(every("Lobby")))

    @property
    def title(self) -> bool:
        return bool(self.offers("play", "learn") and self.says("You are {name}."))

    @property
    def question(self) -> bool:
        """It wants one of its answers."""
        return bool(self.footer and self.footer[-1].does("stay"))

    @property
    def prompt(self) -> str:
        """The row in which something is typed."""
        return self.rows[self.cursor[1]].strip() if self.cursor else ""

    @property
    def says_why(self) -> bool:
        """A line is typed, and something is said of it above the footer."""
        return bool(self.cursor and self.footer and self.rows[self.footer_row - 1])

    @property
    def whom(self) -> str:
        """Whom the line that is being typed is for: ``lobby``, ``table``, ``=NAME``; empty without one."""
        for text, room in (("to the lobby", "lobby"), ("to the table", "table"),
                           ("to the spectators", "table")):  # fmt: skip
            if any(self.prompt.startswith(f"{form}:") for form in every(text)):
                return room
        found = _TO_ONE.match(self.prompt)
        return "=" + next(filter(None, found.groups())) if found else ""

    @property
    def codes(self) -> set[str]:
        """Words that look like codes of tables."""
        return {word for word in re.findall(r"\b[a-z]{8}\b", self.text) if CODE.fullmatch(word)}


def look(screen: pyte.Screen) -> Sight:
    """What there is to see."""
    cells = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    rows = tuple("".join(cell.data for cell in row).rstrip() for row in cells)
    # When a window gets smaller, pyte leaves it where it was.
    hidden = screen.cursor.hidden or screen.cursor.y >= screen.lines
    cursor = None if hidden else (screen.cursor.x, screen.cursor.y)
    offered = [tuple(_offers(row)) if text else () for row, text in zip(cells, rows, strict=True)]
    last = max((number for number, found in enumerate(offered) if found), default=-1)
    footer = offered[last] if last >= 0 else ()
    above = [one for found in offered[:last] for one in found]
    answers: list[Offer] = []
    if footer and footer[-1].does("stay"):
        found_rows = filter(None, map(_QUESTION.match, rows[:last]))
        answers = [Offer(found[1], found[2]) for found in found_rows]
    elif footer and footer[0].does("play"):
        answers, above = above, []
    return Sight(rows, cursor, footer, last, tuple(answers), tuple(above))


def _offers(row: Sequence[Char]) -> Iterator[Offer]:
    """Keys are bold, and what they do is not; nothing where anything else is in the row."""
    if not next(cell.bold for cell in row if cell.data != " "):
        return
    bold, runs = False, []
    for cell in row:
        if cell.data not in ("", " "):
            bold = cell.bold
        runs.append((bold, cell.data))
    spans = [
        (strong, "".join(char for _, char in group).strip())
        for strong, group in groupby(runs, lambda one: one[0])
    ]
    if spans and not spans[0][1]:
        del spans[0]
    keys, labels = spans[::2], spans[1::2]
    if len(keys) == len(labels) and all(
        strong and (key in KEYS or len(key) == 1) for strong, key in keys
    ):
        for (_, key), (_, label) in zip(keys, labels, strict=True):
            yield Offer(key, label)
