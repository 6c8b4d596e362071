"""The colours: deep blue to foam, and one warm colour, kept for what needs the player.

And what the style names of frames look like in them, on a terminal of a given colour depth.

Each style is a row: how it looks without colours (sparingly: bold, reverse, underline); on a dark background
with all of them (nearest of 256 where there are no more), after a comma with sixteen (drawn for those, in the
eight that every terminal has; bold is brighter on most); the same on a light background, if it differs there.
What none of them names is the terminal's own. Until it is known how light the background is, everything
that is not written in the terminal's own colour has one that can be seen on black and on white.

Screens say what a thing *is* (``"tide.high"``); a theme says how that looks. No fact may hang on a
style alone: a monochrome terminal shows most of them alike.

How a cell looks is told a terminal in the shortest way (SGR, ECMA-48 8.3.117).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from server.terminal.capabilities import Capabilities, Colours

# ---------------------------------------------------------------- water, and what floats on it

# A cell shows two colours at most: that of a block, and the one behind it. So what meets in a cell has a
# style of its own: ``crest.3`` is foam on water of depth 3, ``sheep.wool.face`` wool above a face. Both are
# drawn with ``▀``.

StyleTexts = tuple[str, str, str]
"""(all colours, sixteen, none), in the words of `sgr.parse_style`."""

DEPTHS: Final = 12
"""``water.1`` is the lightest, just below the surface, ``water.12`` the darkest."""
_BLACK: Final = "#000000"
_WHITE: Final = "#ffffff"
_BETWEEN: Final = 0.15, 0.24
"""Luminances that contrast with black and with white: at least 3:1, also as the nearest of 256 colours."""
_CREST: Final = 0.6
"""Share of foam in the crest of the water."""
_LIT: Final = 0.3
"""Share of foam where light falls on it."""


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: str, other: str, share: float) -> str:
    """A colour between two ``#rrggbb``: 0 is ``one``, 1 is ``other``."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def gradient(stops: Sequence[str]) -> list[str]:
    """`DEPTHS` colours from the first stop to the last."""
    colours = []
    for depth in range(DEPTHS):
        place = depth * (len(stops) - 1) / (DEPTHS - 1)
        at = min(int(place), len(stops) - 2)
        colours.append(mix(stops[at], stops[at + 1], place - at))
    return colours


def luminance(colour: str) -> float:
    """The relative luminance of ``#rrggbb`` (WCAG 2.2): 0 is black, 1 white."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two ``#rrggbb`` (WCAG 2.2)."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def between(colour: str) -> str:
    """``colour``, or the nearest to it that can be seen on black and on white."""
    low, high = _BETWEEN
    was = luminance(colour)
    wanted = min(max(was, low), high)
    shades = [mix(colour, _WHITE if was < low else _BLACK, share / 50) for share in range(51)]
    return min(shades, key=lambda shade: abs(luminance(shade) - wanted))


def ink_and_water(colour: str) -> str:
    """The look of a number in water of that colour: black where it can be read, else white."""
    return f"bold {_BLACK if contrast(_BLACK, colour) >= 4.5 else _WHITE} on {colour}"


class SixteenColours(NamedTuple):
    """What is drawn on the background, in the words of `sgr.parse_style`."""

    crest: str
    wool: str
    face: str


ON_DARK: Final = SixteenColours("bold white", "bold white", "yellow")
ON_LIGHT: Final = SixteenColours("blue", "black", "red")


def water_styles(
    stops: Sequence[str], foam: str, wool: str, face: str, sixteen: SixteenColours = ON_DARK
) -> dict[str, StyleTexts]:
    """Water from the lightest of ``stops`` to the darkest, its crest of ``foam``, and a sheep on it."""
    colours = gradient(stops)
    crest = mix(colours[0], foam, _CREST)
    styles: dict[str, StyleTexts] = {
        "crest": (crest, sixteen.crest, ""),
        "sheep.wool": (wool, sixteen.wool, "bold"),
        "sheep.face": (face, sixteen.face, "bold"),
        "sheep.wool.face": (f"{wool} on {face}", f"{sixteen.wool} on {sixteen.face}", "bold"),
        "sheep.wool.crest": (f"{wool} on {crest}", f"{sixteen.wool} on cyan", "bold"),
        "sheep.face.crest": (f"{face} on {crest}", f"{sixteen.face} on cyan", "bold"),
    }
    for number, colour in enumerate(colours, 1):
        name = "cyan" if number <= DEPTHS // 2 else "blue"
        ink = "black" if name == "cyan" else "bold white"
        styles[f"water.{number}"] = (colour, name, "")
        styles[f"under.{number}"] = (
            ink_and_water(colour),
            f"{ink} on {name}",
            "reverse",
        )
        styles[f"crest.{number}"] = (f"{crest} on {colour}", f"bold white on {name}", "")
        styles[f"light.{number}"] = (
            f"{mix(colour, foam, _LIT)} on {colour}",
            f"white on {name}",
            "",
        )
    return styles


# ---------------------------------------------------------------- themes

NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
FLAGS = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7"}
_OFF = {"italic": "23", "underline": "24", "reverse": "27", "fg": "39", "bg": "49"}
_HEX = re.compile(r"#[0-9a-f]{6}")


class CellStyle(NamedTuple):
    """One way a cell can look; colours are SGR parameters, ``""`` is the terminal's own."""

    fg: str = ""
    bg: str = ""
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False

    @property
    def of_blank(self) -> "CellStyle":
        """What is left to see of it where there is no character."""
        return self if self.underline or self.reverse else CellStyle(bg=self.bg)


PLAIN = CellStyle()


def parse_style(text: str, indexed: bool = False) -> CellStyle:
    """A style from words like ``"bold #8fe0f0 on blue"``.

    Colours are ``#rrggbb`` (with ``indexed`` the nearest of the 256), or one of `NAMES`. Raises
    ValueError for anything else.
    """
    fg = bg = ""
    flags: dict[str, bool] = {}
    ground = False
    for word in text.split():
        if word == "on":
            ground = True
        elif word in FLAGS:
            flags[word] = True
        elif ground:
            bg = _colour(word, 40, indexed)
        else:
            fg = _colour(word, 30, indexed)
    return CellStyle(fg, bg, **flags)


def _colour(word: str, base: int, indexed: bool) -> str:
    if word in NAMES:
        return str(base + NAMES.index(word))
    if not _HEX.fullmatch(word):
        raise ValueError(f"not a colour: {word!r}")
    red, green, blue = (int(word[i : i + 2], 16) for i in (1, 3, 5))
    if indexed:
        return f"{base + 8};5;{nearest(red, green, blue)}"
    return f"{base + 8};2;{red};{green};{blue}"


CUBE = (0, 95, 135, 175, 215, 255)
"""The levels of the 6 x 6 x 6 cube, colours 16 to 231 of xterm's 256."""


def nearest(red: int, green: int, blue: int) -> int:
    """The closest of xterm's colours 16 to 255 (the first sixteen differ from terminal to terminal)."""

    def far(r: int, g: int, b: int) -> int:
        # Weighted as the eye does, roughly: green counts most.
        return 3 * (r - red) ** 2 + 5 * (g - green) ** 2 + 2 * (b - blue) ** 2

    steps = [min(range(6), key=lambda i, v=v: abs(CUBE[i] - v)) for v in (red, green, blue)]  # type: ignore[misc]
    cube = 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    grey = max(0, min(23, round(((red + green + blue) / 3 - 8) / 10)))
    value = 8 + 10 * grey
    return cube if far(*(CUBE[s] for s in steps)) <= far(value, value, value) else 232 + grey


def change(old: CellStyle, new: CellStyle) -> str:
    """The shortest escape sequence that turns the pen from ``old`` to ``new``; empty when equal."""
    if old == new:
        return ""
    if new == PLAIN:
        return "\x1b[m"
    afresh = ";".join(["0", *_on(PLAIN, new)])
    # Bold and dim share one code for "off": dropping either takes the other along.
    kept = old
    off: list[str] = []
    if old.bold > new.bold or old.dim > new.dim:
        off.append("22")
        kept = kept._replace(bold=False, dim=False)
    off += [code for part, code in _OFF.items() if getattr(old, part) and not getattr(new, part)]
    onward = ";".join([*off, *_on(kept, new)])
    return f"\x1b[{onward if len(onward) < len(afresh) else afresh}m"


def _on(old: CellStyle, new: CellStyle) -> list[str]:
    codes = [code for flag, code in FLAGS.items() if getattr(new, flag) and not getattr(old, flag)]
    codes += [new.fg] if new.fg and new.fg != old.fg else []
    codes += [new.bg] if new.bg and new.bg != old.bg else []
    return codes


Appearances = Mapping[str, StyleTexts]

_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
_ALWAYS: Final = {"", "bold", "red", "magenta"}
"""The sixteen colours that can be seen on black and on white."""

_SEA: Final = {
    # Words.
    # The terminal's own: gaps, anything unremarkable.
    "": ";",
    # The game's name, or a screen's.
    "title": "bold; bold #8fe3f2, bold cyan; bold #0a4f7d, bold blue",
    # Of a part of a screen: on offer, your hand, round 7.
    "heading": "; #7cc3dc, cyan; #17629a, blue",
    "text": ";",
    # Words that stand out among ordinary ones.
    "strong": "bold; bold, bold",
    # Words that may be overlooked: past rounds, hints.
    "dim": "; #6d93a8, dim; #526675, dim",
    # Lines, borders of boxes.
    "rule": "; #326a8d, dim cyan; #5f8ba3, blue",
    # A hot key in a footer: Enter, l, ?.
    "key": "bold; bold #bfeaf2, bold cyan; bold #0a4f7d, bold blue",
    # What that hot key does.
    "key.label": "; #6d93a8; #526675",
    # Needs the player now: a bid, a question.
    "warm": "bold; bold #ffb454, bold yellow; bold #b35300, red",
    # Points won, a life preserver kept.
    "good": "; #76e0b5, green; #0b7a55, blue",
    # A life preserver or a point lost, eliminated.
    "bad": "; #bda4ec, bold magenta; #6b3fb0, magenta",
    # Something was refused or failed.
    "error": "bold; bold #ffb454, bold yellow; bold #b35300, red",
    # A line being typed.
    "input": "underline; #e2f6f8 on #0a2050, bold white on blue; #06263c on #d3e8f2, black on cyan",
    # What Enter takes.
    "selected": (
        "reverse; bold #f2fcfd on #17567f, bold white on blue; "
        "bold #ffffff on #17629a, bold white on blue"
    ),
    # From the server: a restart is coming.
    "notice": "bold; bold #d9f4f6, bold white; bold #0f4679, bold blue",
    # Water by depth. Blocks (█ ▄ ▁) take water.N, its crest crest.N (▀), light on it light.N (▔); words and
    # numbers written in it take under.N.
    # In a reveal, for a moment: the highest column; what the round came to.
    "water.flash": "; #bda4ec, magenta; #6b3fb0, magenta",
    "under.flash": (
        "reverse; bold #10222e on #bda4ec, bold white on magenta; "
        "bold #ffffff on #6b3fb0, bold white on magenta"
    ),
    "climax": "reverse; bold #ffffff on #6b3fb0, bold white on magenta",
    # No life preserver is left.
    "alarm": "reverse; bold #ffffff on #b3261e, bold white on red",
    # The edge of the water, crests of waves, spray.
    "foam": "; #d9f4f6, bold white; #3a87a6, blue",
    # A basin that is dry, the shore.
    "sand": "; #a39a7b; #7c6d3c",
    # Words written in the sand.
    "beach": (
        "reverse; bold #241f10 on #b3a882, black on white; bold #2b2412 on #d9cc9a, black on white"
    ),
    # Floats on the water.
    "sheep": "bold; bold #ffffff, bold white; bold, bold",
    # The dark half of a code for telephones.
    "qr": "reverse; #000000 on #ffffff, black on white",
    # Cards.
    # In the hand or on the table.
    "card": "; #d9f4f6; #123a55",
    # Enter would bid it.
    "card.chosen": (
        "reverse; bold #10222e on #ffb454, black on yellow; "
        "bold #ffffff on #b35300, bold white on red"
    ),
    # One's own bid, face down.
    "card.bid": "bold; bold #8fe3f2, bold cyan; bold #17629a, bold blue",
    # Somebody's, face down.
    "card.sealed": "; #7cc3dc, cyan; #2173a8, blue",
    # After the reveal: the highest.
    "card.first": "bold; bold #ffffff, bold white; bold #06263c, bold",
    # After the reveal: the second highest.
    "card.second": "bold; bold #8fe3f2, bold cyan; bold #17629a, bold blue",
    # Earlier in this stage.
    "card.played": "; #6d93a8, dim; #526675, dim",
    # A tide card; the number on it.
    "tide": "; #8fe3f2, cyan; #17629a, blue",
    # The lower one on offer.
    "tide.low": "; #8fe3f2, cyan; #17629a, blue",
    # The higher one on offer.
    "tide.high": "bold; bold #f2fcfd, bold white; bold #06263c, bold",
    # The highest level at the table.
    "tide.top": "bold; bold #bda4ec, bold magenta; bold #6b3fb0, magenta",
    # Still there.
    "preserver.left": "; #76e0b5, green; #0b7a55, blue",
    # Printed on a weather card.
    "preserver.half": "; #76e0b5, green; #0b7a55, blue",
    # Turned over.
    "preserver.lost": "; #5e8095, dim; #64737e, dim",
    # Seats.
    # Another player's name.
    "seat": "; #d9f4f6; #123a55",
    "seat.you": "bold; bold #8fe3f2, bold cyan; bold #0a4f7d, bold blue",
    "seat.bot": "; #9db4c1; #4a6375",
    # Not there just now.
    "seat.away": "; #6d93a8, dim; #526675, dim",
    # Eliminated from this stage, and the empty basin.
    "seat.out": "; #5e8095, dim; #64737e, dim",
    # Whoever has the most points.
    "seat.leader": "bold; bold #f2fcfd, bold white; bold #06263c, bold",
    "score": "; #d9f4f6, bold; #123a55, bold",
    # Lines of a chart, a seat each; its number stands in them.
    "line.1": "; #5cbcf2, bold cyan; #0067a3, blue",
    "line.2": "; #f0e442, bold yellow; #7d6400, bold",
    "line.3": "; #ee92c6, bold magenta; #af005f, magenta",
    "line.4": "; #53d3a8, bold green; #00705a, bold blue",
    "line.5": "; #ff9a62, bold red; #ab4400, red",
    "line.6": "; #e4e9f0, bold white; #33434f",
}
# Blue and orange stay apart for every kind of colour blindness; green against violet does not.
_CLEAR: Final = {
    "good": "bold; bold #56b4e9, bold cyan; bold #0072b2, bold blue",
    "bad": "bold; bold #f0e442, bold white; bold #7a3a00, bold",
    "tide.top": "bold; bold #f0e442, bold white; bold #7a3a00, bold",
    "water.flash": "; #f0e442, white; #7a3a00, black",
    "under.flash": (
        "reverse; bold #10222e on #f0e442, black on white; "
        "bold #ffffff on #7a3a00, bold white on black"
    ),
    "climax": (
        "reverse; bold #10222e on #f0e442, black on white; "
        "bold #ffffff on #7a3a00, bold white on black"
    ),
    "preserver.left": "bold; bold #56b4e9, bold cyan; bold #0072b2, bold blue",
    "preserver.half": "; #56b4e9, cyan; #0072b2, blue",
}
# The sea after sunset: rose and violet instead of blue.
_DUSK: Final = {
    "title": "bold; bold #ffc9a8, bold magenta; bold #7a2a66, magenta",
    "heading": "; #e29ab4, bold magenta; #93397c, magenta",
    "dim": "; #a389a8, dim; #526675, dim",
    "rule": "; #70508a, dim magenta; #a97fa2, magenta",
    "key": "bold; bold #ffe2cf, bold magenta; bold #7a2a66, magenta",
    "key.label": "; #a389a8; #526675",
    "bad": "; #8fc7f2, cyan; #0f5f9c, blue",
    "input": (
        "underline; #fff3ea on #45245c, bold white on magenta; #06263c on #d3e8f2, black on cyan"
    ),
    "selected": (
        "reverse; bold #fff7f0 on #713b80, bold white on magenta; "
        "bold #ffffff on #93397c, bold white on magenta"
    ),
    "foam": "; #fff0dc, bold white; #3a87a6, blue",
    "card": "; #f3e4ea; #123a55",
    "card.bid": "bold; bold #ffc9a8, bold magenta; bold #93397c, magenta",
    "card.sealed": "; #e29ab4, bold magenta; #93397c, magenta",
    "card.second": "bold; bold #ffc9a8, bold magenta; bold #93397c, magenta",
    "card.played": "; #a389a8, dim; #526675, dim",
    "tide": "; #ffc9a8, bold magenta; #93397c, magenta",
    "tide.low": "; #ffc9a8, bold magenta; #93397c, magenta",
    "tide.top": "bold; bold #8fc7f2, bold cyan; bold #0f5f9c, bold blue",
    "preserver.lost": "; #8d7592, dim; #64737e, dim",
    "seat": "; #f3e4ea; #123a55",
    "seat.you": "bold; bold #ffc9a8, bold magenta; bold #7a2a66, magenta",
    "seat.bot": "; #bda7bf; #4a6375",
    "seat.away": "; #a389a8, dim; #526675, dim",
    "seat.out": "; #8d7592, dim; #64737e, dim",
    "score": "; #f3e4ea, bold; #123a55, bold",
}

# Blocks (█ ▄ ▁) take water.N, its crest crest.N (▀), light on it light.N (▔); words and numbers written in it
# take under.N.
_WATER: Final = (
    water_styles(("#43b4d8", "#1a86cc", "#1261a3", "#0a2f5c"), "#e6fbfb", "#f4f4ee", "#8c6f63"),
    water_styles(
        ("#9adcf0", "#5fb4dc", "#2f84bb", "#14507f"), "#ffffff", "#7f8f98", "#5b463e", ON_LIGHT
    ),
)
_WATER_AT_DUSK: Final = (
    water_styles(("#f0a58f", "#c9648c", "#7b4296", "#2c1b57"), "#fff0dc", "#f6efe6", "#7a5a55"),
    water_styles(
        ("#f7bfa6", "#d8809f", "#8d4fa3", "#452a70"), "#ffffff", "#94888e", "#5b463e", ON_LIGHT
    ),
)


def _palette(
    rows: Mapping[str, str], water: tuple[Appearances, Appearances] = _WATER
) -> tuple[Appearances, Appearances]:
    """On dark and on light; all that these ``rows`` do not name is in the sea's colours."""
    palette = {**water[0]}, {**water[1]}
    for style, text in {**_SEA, **rows}.items():
        without, *grounds = text.split(";")
        for found, ground in zip(palette, (grounds[0], grounds[-1]), strict=True):
            colours, _, sixteen = ground.partition(",")
            found[style] = colours.strip(), sixteen.strip(), without
    return palette


def _on_either(style: str, full: str, sixteen: str, without: str) -> StyleTexts:
    """What can be seen on black and on white, from how it looks on white."""
    if style.startswith(("water", "crest", "light", "sheep")):
        return _COLOUR.sub(lambda found: between(found[0]), full), without, without
    if style.startswith("under."):
        return ink_and_water(between(full.rsplit(maxsplit=1)[-1])), without, without
    if " on " in full:
        return full, sixteen, without
    # What is nearly black is written in the terminal's own colour.
    full = _COLOUR.sub(lambda found: between(found[0]) if luminance(found[0]) > 0.06 else "", full)
    return full, sixteen if sixteen in _ALWAYS else without, without


SEA: Final = _palette({})[0]
"""Every style name there is, on a dark background. Any other name is an error when it is drawn."""
_MONO: Final = {style: (none, none, none) for style, (_, _, none) in SEA.items()}

PALETTES: Final = {
    "sea": _palette({}),
    "dusk": _palette(_DUSK, _WATER_AT_DUSK),
    "clear": _palette(_CLEAR),
    "mono": (_MONO, _MONO),
}
"""Name -> (on dark, on light). ``clear`` for colour-blind players, ``mono`` for none of it."""


class Theme:
    """How all styles look on one kind of terminal. Shared between sessions; never changes."""

    def __init__(self, name: str, colours: Colours, light: bool | None = False):
        """``name`` is one of `PALETTES` (else KeyError); ``light``: the background, None if not known."""
        table = PALETTES[name][light is not False]
        if light is None and name != "mono":
            table = {style: _on_either(style, *texts) for style, texts in table.items()}
        depth = {Colours.NONE: 2, Colours.SIXTEEN: 1}.get(colours, 0)
        found = [PLAIN]
        index: dict[str, int] = {}
        for style, texts in table.items():
            cell = parse_style(texts[depth], indexed=colours == Colours.INDEXED)
            index[style] = _number(cell, found)
        self.number: Final = index.__getitem__
        """Style -> number of its cell style; raises KeyError for one that is not in `SEA`."""
        self.blank = tuple(_number(cell.of_blank, found) for cell in tuple(found))
        """Number of a cell style -> number of what is left of it on a blank."""
        self.solid: dict[str, int] = {}
        """Style of water -> number of the blank that looks like a full block of it: the same to see, at
        a third of the bytes. Only of water, because it is gone when a screen is copied as text."""
        for style, number in index.items():
            cell = found[number]
            if style.startswith("water.") and cell.fg:
                self.solid[style] = _number(CellStyle(bg=_as_background(cell.fg)), found)
        self.blank += tuple(range(len(self.blank), len(found)))
        self.cell_styles = tuple(found)
        """By number; 0 is `sgr.PLAIN`. A byte holds the number."""
        self.change = lru_cache(maxsize=8192)(lambda old, new: change(found[old], found[new]))
        """What turns the pen from one number to another (``sgr.change``)."""

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
    most = Colours.SIXTEEN if abilities.thin else Colours.INDEXED
    colours = min(abilities.colours, most)
    # Of sixteen, too few can be seen on any background to draw pictures with.
    none = abilities.theme == "mono" or (colours == Colours.SIXTEEN and abilities.on_light is None)
    return Colours.NONE if none else colours


def theme_for(abilities: Capabilities) -> Theme:
    """The theme for a terminal and its player's wishes; the same object for equal ones."""
    name = abilities.theme if abilities.theme in PALETTES else "sea"
    # Colours by number take a few bytes, mixed ones up to twenty: every time.
    colours = min(abilities.colours, Colours.SIXTEEN) if abilities.thin else abilities.colours
    return _theme(name, colours, abilities.on_light)
