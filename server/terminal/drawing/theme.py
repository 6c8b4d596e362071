"""What the style names of frames look like, on a terminal of a given colour depth.

Screens say what a thing *is* (``"tide.high"``); a theme says how that looks. No fact may hang on a
style alone: a monochrome terminal shows most of them alike.
"""

from functools import lru_cache
from types import MappingProxyType

from server.terminal.capabilities import Capabilities, Colours
from server.terminal.drawing.palettes import PALETTES
from server.terminal.drawing.sgr import PLAIN, CellStyle, parse_look

STYLES = MappingProxyType(
    {
        # Words.
        "": "the terminal's own colours: gaps, anything unremarkable",
        "title": "name of the game or of a screen",
        "heading": "name of a part of a screen: on offer, your hand, round 7",
        "text": "ordinary words",
        "strong": "words that stand out among ordinary ones",
        "dim": "words that may be overlooked: past rounds, hints",
        "rule": "horizontal and vertical lines, borders of boxes",
        "key": "a hot key in a footer: Enter, l, ?",
        "key.label": "what that hot key does",
        "warm": "needs the player now: your turn to bid, a question, the last seconds",
        "good": "went well: points won, a life preserver kept",
        "bad": "went badly: a life preserver lost, eliminated, a point lost",
        "error": "something was refused or failed",
        "input": "text that the player is typing, and the field around it",
        "selected": "the line or choice that Enter would take, as a bar over its whole width",
        "notice": "from the server: a restart is coming, somebody reconnected",
        # Water. Blocks (█ ▄ ▀ ▁) take water.N; words and numbers written in the water take under.N.
        "water.1": "water just below the surface",
        "water.2": "water, deeper",
        "water.3": "water, deeper still",
        "water.4": "water at the bottom",
        "under.1": "words in water.1: background of that water",
        "under.2": "words in water.2",
        "under.3": "words in water.3",
        "under.4": "words in water.4",
        "foam": "the edge of the water, crests of waves, spray",
        "sand": "a basin that is dry, the shore",
        "sheep": "the sheep that floats on the water",
        # Cards.
        "card": "a weather card in the hand or on the table",
        "card.chosen": "the card that Enter would bid",
        "card.bid": "the card that lies face down as one's own bid",
        "card.sealed": "somebody's card, face down",
        "card.first": "after the reveal: the highest card",
        "card.second": "after the reveal: the second highest card",
        "card.played": "a card played earlier in this stage",
        "tide": "a tide card; the number on it",
        "tide.low": "the lower tide card on offer",
        "tide.high": "the higher tide card on offer",
        "tide.top": "the highest tide level at the table: whoever shows it loses a life preserver",
        "preserver.left": "a life preserver that is still there",
        "preserver.half": "half a life preserver printed on a weather card",
        "preserver.lost": "a life preserver that has been turned over",
        # Seats.
        "seat": "another player's name",
        "seat.you": "one's own name",
        "seat.bot": "a bot's name or mark",
        "seat.away": "a player who is not there just now",
        "seat.out": "a player eliminated from this stage, and the empty basin",
        "seat.leader": "whoever has the most points",
        "score": "points",
    }
)
"""Every style name there is, and what it is for. Any other name is an error when it is drawn."""


class UnknownStyle(LookupError):
    """A frame uses a style name that is not in `STYLES`: a mistake in a screen."""


class Theme:
    """The looks of all styles on one kind of terminal. Shared between sessions; never changes."""

    def __init__(self, name: str, colours: Colours, light: bool = False):
        """``name`` is one of `palettes.PALETTES` (else KeyError)."""
        table = PALETTES[name][light]
        depth = {Colours.NONE: 2, Colours.SIXTEEN: 1}.get(colours, 0)
        looks = [PLAIN]
        self._index: dict[str, int] = {}
        for style in STYLES:
            text = table[style][depth] if style in table else ""
            look = parse_look(text, indexed=colours == Colours.INDEXED)
            self._index[style] = _number(look, looks)
        self.blank = tuple(_number(look.of_blank, looks) for look in tuple(looks))
        """Number of a look -> number of what it is on a blank."""
        self.solid: dict[str, int] = {}
        """Style of water -> number of the blank that looks like a full block of it: the same to see, at
        a third of the bytes. Only of water, because it is gone when a screen is copied as text."""
        for style in STYLES:
            look = looks[self._index[style]]
            if style.startswith("water.") and look.fg:
                self.solid[style] = _number(CellStyle(bg=_as_background(look.fg)), looks)
        self.blank += tuple(range(len(self.blank), len(looks)))
        self.looks = tuple(looks)
        """By number; 0 is `sgr.PLAIN`. A byte holds the number."""

    def number(self, style: str) -> int:
        """Number of the look of ``style``; raises `UnknownStyle`."""
        try:
            return self._index[style]
        except KeyError:
            raise UnknownStyle(style) from None

    def look(self, style: str) -> CellStyle:
        """The look of ``style``; raises `UnknownStyle`."""
        return self.looks[self.number(style)]


def _number(look: CellStyle, looks: list[CellStyle]) -> int:
    if look not in looks:
        looks.append(look)
    return looks.index(look)


def _as_background(fg: str) -> str:
    first, *rest = fg.split(";")
    return ";".join([str(int(first) + 10), *rest])


@lru_cache(maxsize=64)
def _theme(name: str, colours: Colours, light: bool) -> Theme:
    return Theme(name, colours, light)


def theme_for(abilities: Capabilities) -> Theme:
    """The theme for a terminal and its player's wishes; the same object for equal ones."""
    name = abilities.theme if abilities.theme in PALETTES else "sea"
    # Colours by number take a few bytes, mixed ones up to twenty: every time.
    colours = min(abilities.colours, Colours.SIXTEEN) if abilities.thin else abilities.colours
    return _theme(name, colours, abilities.light)
