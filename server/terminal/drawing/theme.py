"""The colours: deep blue to foam, and one warm colour, kept for what needs the player; and what the style
names of frames look like in them, on a terminal of a given colour depth.

Each table gives a style three appearances: with all colours (nearest of 256 where there are no more),
with sixteen (drawn for those, in the eight that every terminal has; bold is brighter on most), and
without any (sparingly: bold, reverse, underline). What none of them names is the terminal's own.

Screens say what a thing *is* (``"tide.high"``); a theme says how that looks. No fact may hang on a
style alone: a monochrome terminal shows most of them alike.
"""

from functools import lru_cache

from server.terminal.capabilities import Capabilities, Colours
from server.terminal.drawing.sgr import PLAIN, CellStyle, parse_style
from server.terminal.drawing.water import StyleTexts, water_styles

SEA: dict[str, StyleTexts] = {
    # Words.
    "": ("", "", ""),  # the terminal's own: gaps, anything unremarkable
    "title": ("bold #8fe3f2", "bold cyan", "bold"),  # the game's name, or a screen's
    "heading": ("#7cc3dc", "cyan", ""),  # of a part of a screen: on offer, your hand, round 7
    "text": ("", "", ""),
    "strong": ("bold", "bold", "bold"),  # words that stand out among ordinary ones
    "dim": ("#6d93a8", "dim", ""),  # words that may be overlooked: past rounds, hints
    "rule": ("#2f6283", "dim cyan", ""),  # lines, borders of boxes
    "key": ("bold #bfeaf2", "bold cyan", "bold"),  # a hot key in a footer: Enter, l, ?
    "key.label": ("#6d93a8", "", ""),  # what that hot key does
    "warm": ("bold #ffb454", "bold yellow", "bold"),  # needs the player now: a bid, a question
    "good": ("#76e0b5", "green", ""),  # points won, a life preserver kept
    "bad": ("#bda4ec", "magenta", ""),  # a life preserver or a point lost, eliminated
    "error": ("bold #ffb454", "bold yellow", "bold"),  # something was refused or failed
    "input": ("#e2f6f8 on #0a2050", "bold white on blue", "underline"),  # a line being typed
    "selected": ("bold #f2fcfd on #17567f", "bold white on blue", "reverse"),  # what Enter takes
    "notice": ("bold #d9f4f6", "bold white", "bold"),  # from the server: a restart is coming
    # Water by depth. Blocks (█ ▄ ▁) take water.N, its crest crest.N (▀), light on it light.N (▔); words and
    # numbers written in it take under.N.
    **water_styles(("#43b4d8", "#1a86cc", "#1261a3", "#0a2f5c"), "#e6fbfb", "#f4f4ee", "#8c6f63"),
    # In a reveal, for a moment: the highest column; what the round came to.
    "water.flash": ("#bda4ec", "magenta", ""),
    "under.flash": ("bold #10222e on #bda4ec", "bold white on magenta", "reverse"),
    "climax": ("bold #ffffff on #6b3fb0", "bold white on magenta", "reverse"),
    "alarm": (
        "bold #ffffff on #b3261e",
        "bold white on red",
        "reverse",
    ),  # no life preserver is left
    "foam": ("#d9f4f6", "bold white", ""),  # the edge of the water, crests of waves, spray
    "sand": ("#a39a7b", "", ""),  # a basin that is dry, the shore
    "beach": ("bold #241f10 on #b3a882", "black on white", "reverse"),  # words written in the sand
    "sheep": ("bold #ffffff", "bold white", "bold"),  # floats on the water
    "qr": (
        "#000000 on #ffffff",
        "black on white",
        "reverse",
    ),  # the dark half of a code for telephones
    # Cards.
    "card": ("#d9f4f6", "", ""),  # in the hand or on the table
    "card.chosen": ("bold #10222e on #ffb454", "black on yellow", "reverse"),  # Enter would bid it
    "card.bid": ("bold #8fe3f2", "bold cyan", "bold"),  # one's own bid, face down
    "card.sealed": ("#7cc3dc", "cyan", ""),  # somebody's, face down
    "card.first": ("bold #ffffff", "bold white", "bold"),  # after the reveal: the highest
    "card.second": ("bold #8fe3f2", "bold cyan", "bold"),  # after the reveal: the second highest
    "card.played": ("#6d93a8", "dim", ""),  # earlier in this stage
    "tide": ("#8fe3f2", "cyan", ""),  # a tide card; the number on it
    "tide.low": ("#8fe3f2", "cyan", ""),  # the lower one on offer
    "tide.high": ("bold #f2fcfd", "bold white", "bold"),  # the higher one on offer
    "tide.top": ("bold #bda4ec", "bold magenta", "bold"),  # the highest level at the table
    "preserver.left": ("#76e0b5", "green", ""),  # still there
    "preserver.half": ("#76e0b5", "green", ""),  # printed on a weather card
    "preserver.lost": ("#5e8095", "dim", ""),  # turned over
    # Seats.
    "seat": ("#d9f4f6", "", ""),  # another player's name
    "seat.you": ("bold #8fe3f2", "bold cyan", "bold"),
    "seat.bot": ("#9db4c1", "", ""),
    "seat.away": ("#6d93a8", "dim", ""),  # not there just now
    "seat.out": ("#5e8095", "dim", ""),  # eliminated from this stage, and the empty basin
    "seat.leader": ("bold #f2fcfd", "bold white", "bold"),  # whoever has the most points
    "score": ("#d9f4f6", "bold", ""),
    # Lines of a chart, a seat each; its number stands in them.
    "line.1": ("#5cbcf2", "bold cyan", ""),
    "line.2": ("#f0e442", "bold yellow", ""),
    "line.3": ("#ee92c6", "bold magenta", ""),
    "line.4": ("#53d3a8", "bold green", ""),
    "line.5": ("#ff9a62", "bold red", ""),
    "line.6": ("#e4e9f0", "bold white", ""),
}
"""Every style name there is, on a dark background. Any other name is an error when it is drawn."""

SEA_ON_LIGHT: dict[str, StyleTexts] = {
    **SEA,
    "title": ("bold #0a4f7d", "bold blue", "bold"),
    "heading": ("#17629a", "blue", ""),
    "dim": ("#526675", "dim", ""),
    "rule": ("#8fb2c6", "cyan", ""),
    "key": ("bold #0a4f7d", "bold blue", "bold"),
    "key.label": ("#526675", "", ""),
    "warm": ("bold #b35300", "bold red", "bold"),
    "good": ("#0b7a55", "green", ""),
    "bad": ("#6b3fb0", "magenta", ""),
    "error": ("bold #b35300", "bold red", "bold"),
    "input": ("#06263c on #d3e8f2", "black on cyan", "underline"),
    "selected": ("bold #ffffff on #17629a", "bold white on blue", "reverse"),
    "notice": ("bold #0f4679", "bold blue", "bold"),
    **water_styles(("#9adcf0", "#5fb4dc", "#2f84bb", "#14507f"), "#ffffff", "#b9c6cc", "#5b463e"),
    "water.flash": ("#6b3fb0", "magenta", ""),
    "under.flash": ("bold #ffffff on #6b3fb0", "bold white on magenta", "reverse"),
    "climax": ("bold #ffffff on #6b3fb0", "bold white on magenta", "reverse"),
    "foam": ("#4c9dbb", "cyan", ""),
    "sand": ("#8a7a45", "", ""),
    "beach": ("bold #2b2412 on #d9cc9a", "black on white", "reverse"),
    "sheep": ("bold", "bold", "bold"),
    "card": ("#123a55", "", ""),
    "card.chosen": ("bold #ffffff on #b35300", "bold white on red", "reverse"),
    "card.bid": ("bold #17629a", "bold blue", "bold"),
    "card.sealed": ("#2173a8", "blue", ""),
    "card.first": ("bold #06263c", "bold", "bold"),
    "card.second": ("bold #17629a", "bold blue", "bold"),
    "card.played": ("#526675", "dim", ""),
    "tide": ("#17629a", "blue", ""),
    "tide.low": ("#17629a", "blue", ""),
    "tide.high": ("bold #06263c", "bold", "bold"),
    "tide.top": ("bold #6b3fb0", "bold magenta", "bold"),
    "preserver.left": ("#0b7a55", "green", ""),
    "preserver.half": ("#0b7a55", "green", ""),
    "preserver.lost": ("#6a7984", "dim", ""),
    "seat": ("#123a55", "", ""),
    "seat.you": ("bold #0a4f7d", "bold blue", "bold"),
    "seat.bot": ("#4a6375", "", ""),
    "seat.away": ("#526675", "dim", ""),
    "seat.out": ("#6a7984", "dim", ""),
    "seat.leader": ("bold #06263c", "bold", "bold"),
    "score": ("#123a55", "bold", ""),
    "line.1": ("#0067a3", "blue", ""),
    "line.2": ("#7d6400", "bold", ""),
    "line.3": ("#af005f", "magenta", ""),
    "line.4": ("#00705a", "green", ""),
    "line.5": ("#ab4400", "red", ""),
    "line.6": ("#33434f", "cyan", ""),
}
"""For a light background."""

# Blue and orange stay apart for every kind of colour blindness; green against violet does not.
_CLEAR: dict[str, StyleTexts] = {
    "good": ("bold #56b4e9", "bold cyan", "bold"),
    "bad": ("bold #f0e442", "bold white", "bold"),
    "tide.top": ("bold #f0e442", "bold white", "bold"),
    "water.flash": ("#f0e442", "white", ""),
    "under.flash": ("bold #10222e on #f0e442", "bold black on white", "reverse"),
    "climax": ("bold #10222e on #f0e442", "bold black on white", "reverse"),
    "preserver.left": ("bold #56b4e9", "bold cyan", "bold"),
    "preserver.half": ("#56b4e9", "cyan", ""),
}
_CLEAR_ON_LIGHT: dict[str, StyleTexts] = {
    "good": ("bold #0072b2", "bold blue", "bold"),
    "bad": ("bold #7a3a00", "bold", "bold"),
    "tide.top": ("bold #7a3a00", "bold", "bold"),
    "water.flash": ("#7a3a00", "black", ""),
    "under.flash": ("bold #ffffff on #7a3a00", "bold white on black", "reverse"),
    "climax": ("bold #ffffff on #7a3a00", "bold white on black", "reverse"),
    "preserver.left": ("bold #0072b2", "bold blue", "bold"),
    "preserver.half": ("#0072b2", "blue", ""),
}
# The sea after sunset: rose and violet instead of blue.
_DUSK: dict[str, StyleTexts] = {
    **water_styles(("#f0a58f", "#c9648c", "#7b4296", "#2c1b57"), "#fff0dc", "#f6efe6", "#7a5a55"),
    "title": ("bold #ffc9a8", "bold magenta", "bold"),
    "heading": ("#e29ab4", "magenta", ""),
    "dim": ("#a389a8", "dim", ""),
    "rule": ("#6b4a80", "dim magenta", ""),
    "key": ("bold #ffe2cf", "bold magenta", "bold"),
    "key.label": ("#a389a8", "", ""),
    "bad": ("#8fc7f2", "cyan", ""),
    "input": ("#fff3ea on #45245c", "bold white on magenta", "underline"),
    "selected": ("bold #fff7f0 on #713b80", "bold white on magenta", "reverse"),
    "foam": ("#fff0dc", "bold white", ""),
    "card": ("#f3e4ea", "", ""),
    "card.bid": ("bold #ffc9a8", "bold magenta", "bold"),
    "card.sealed": ("#e29ab4", "magenta", ""),
    "card.second": ("bold #ffc9a8", "bold magenta", "bold"),
    "card.played": ("#a389a8", "dim", ""),
    "tide": ("#ffc9a8", "magenta", ""),
    "tide.low": ("#ffc9a8", "magenta", ""),
    "tide.top": ("bold #8fc7f2", "bold cyan", "bold"),
    "preserver.lost": ("#8d7592", "dim", ""),
    "seat": ("#f3e4ea", "", ""),
    "seat.you": ("bold #ffc9a8", "bold magenta", "bold"),
    "seat.bot": ("#bda7bf", "", ""),
    "seat.away": ("#a389a8", "dim", ""),
    "seat.out": ("#8d7592", "dim", ""),
    "score": ("#f3e4ea", "bold", ""),
}
_DUSK_ON_LIGHT: dict[str, StyleTexts] = {
    **water_styles(("#f7bfa6", "#d8809f", "#8d4fa3", "#452a70"), "#ffffff", "#c9bfc4", "#5b463e"),
    "title": ("bold #7a2a66", "bold magenta", "bold"),
    "heading": ("#93397c", "magenta", ""),
    "rule": ("#c6a5c0", "magenta", ""),
    "key": ("bold #7a2a66", "bold magenta", "bold"),
    "selected": ("bold #ffffff on #93397c", "bold white on magenta", "reverse"),
    "bad": ("#0f5f9c", "blue", ""),
    "card.bid": ("bold #93397c", "bold magenta", "bold"),
    "card.second": ("bold #93397c", "bold magenta", "bold"),
    "card.sealed": ("#93397c", "magenta", ""),
    "tide": ("#93397c", "magenta", ""),
    "tide.low": ("#93397c", "magenta", ""),
    "tide.top": ("bold #0f5f9c", "bold blue", "bold"),
    "seat.you": ("bold #7a2a66", "bold magenta", "bold"),
}
_MONO: dict[str, StyleTexts] = {style: (none, none, none) for style, (_, _, none) in SEA.items()}

PALETTES: dict[str, tuple[dict[str, StyleTexts], dict[str, StyleTexts]]] = {
    "sea": (SEA, SEA_ON_LIGHT),
    "dusk": (SEA | _DUSK, SEA_ON_LIGHT | _DUSK_ON_LIGHT),
    "clear": (SEA | _CLEAR, SEA_ON_LIGHT | _CLEAR_ON_LIGHT),
    "mono": (_MONO, _MONO),
}
"""Name -> (on dark, on light). ``clear`` for colour-blind players, ``mono`` for none of it."""


class Theme:
    """How all styles look on one kind of terminal. Shared between sessions; never changes."""

    def __init__(self, name: str, colours: Colours, light: bool = False):
        """``name`` is one of `PALETTES` (else KeyError)."""
        table = PALETTES[name][light]
        depth = {Colours.NONE: 2, Colours.SIXTEEN: 1}.get(colours, 0)
        found = [PLAIN]
        self._index: dict[str, int] = {}
        for style, texts in table.items():
            cell = parse_style(texts[depth], indexed=colours == Colours.INDEXED)
            self._index[style] = _number(cell, found)
        self.blank = tuple(_number(cell.of_blank, found) for cell in tuple(found))
        """Number of a cell style -> number of what is left of it on a blank."""
        self.solid: dict[str, int] = {}
        """Style of water -> number of the blank that looks like a full block of it: the same to see, at
        a third of the bytes. Only of water, because it is gone when a screen is copied as text."""
        for style, number in self._index.items():
            cell = found[number]
            if style.startswith("water.") and cell.fg:
                self.solid[style] = _number(CellStyle(bg=_as_background(cell.fg)), found)
        self.blank += tuple(range(len(self.blank), len(found)))
        self.cell_styles = tuple(found)
        """By number; 0 is `sgr.PLAIN`. A byte holds the number."""

    def number(self, style: str) -> int:
        """Number of the cell style for ``style``; raises KeyError for one that is not in `SEA`."""
        return self._index[style]

    def cell_style(self, style: str) -> CellStyle:
        """How cells of ``style`` look; raises KeyError as well."""
        return self.cell_styles[self.number(style)]


def _number(cell: CellStyle, found: list[CellStyle]) -> int:
    if cell not in found:
        found.append(cell)
    return found.index(cell)


def _as_background(fg: str) -> str:
    first, *rest = fg.split(";")
    return ";".join([str(int(first) + 10), *rest])


_theme = lru_cache(maxsize=64)(Theme)


def drawn_colours(abilities: Capabilities) -> Colours:
    """With how many colours to draw for a terminal and its player's wishes: none, sixteen, or (256) all."""
    if abilities.theme == "mono":
        return Colours.NONE
    return min(abilities.colours, Colours.SIXTEEN if abilities.thin else Colours.INDEXED)


def theme_for(abilities: Capabilities) -> Theme:
    """The theme for a terminal and its player's wishes; the same object for equal ones."""
    name = abilities.theme if abilities.theme in PALETTES else "sea"
    # Colours by number take a few bytes, mixed ones up to twenty: every time.
    colours = min(abilities.colours, Colours.SIXTEEN) if abilities.thin else abilities.colours
    return _theme(name, colours, abilities.light)
