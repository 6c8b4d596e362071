"""Water, and what floats on it: how deep water gets darker, and colours that meet within a cell.

A cell shows two colours at most: that of a block, and the one behind it. So what meets in a cell has a
style of its own: ``crest.3`` is foam on water of depth 3, ``sheep.wool.face`` wool above a face. Both are
drawn with ``▀``.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

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
