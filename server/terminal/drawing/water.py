"""Water, and what floats on it: how deep water gets darker, and colours that meet within a cell.

A cell shows two colours at most: that of a block, and the one behind it. So what meets in a cell has a
style of its own: ``crest.3`` is foam on water of depth 3, ``sheep.wool.face`` wool above a face. Both are
drawn with ``▀``.
"""

from collections.abc import Sequence
from typing import Final

StyleTexts = tuple[str, str, str]
"""(all colours, sixteen, none), in the words of `sgr.parse_style`."""

DEPTHS: Final = 12
"""``water.1`` is the lightest, just below the surface, ``water.12`` the darkest."""
_DARK: Final = "#00080f"
_LIGHT: Final = "#ffffff"
_CREST: Final = 0.6
"""How much foam there is in the crest of the water."""
_LIT: Final = 0.3
"""The same where light falls on it."""


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


def _luminance(colour: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _ink_on(colour: str) -> str:
    """Black or white, whichever contrasts more (WCAG 2.2)."""
    light = 1.05 / (_luminance(colour) + 0.05)
    dark = (_luminance(colour) + 0.05) / (_luminance(_DARK) + 0.05)
    return _LIGHT if light >= dark else _DARK


def water_styles(stops: Sequence[str], foam: str, wool: str, face: str) -> dict[str, StyleTexts]:
    """Water from the lightest of ``stops`` to the darkest, its crest of ``foam``, and a sheep on it."""
    colours = gradient(stops)
    crest = mix(colours[0], foam, _CREST)
    styles: dict[str, StyleTexts] = {
        "crest": (crest, "bold white", ""),
        "sheep.wool": (wool, "bold white", "bold"),
        "sheep.face": (face, "yellow", "bold"),
        "sheep.wool.face": (f"{wool} on {face}", "bold white on yellow", "bold"),
        "sheep.wool.crest": (f"{wool} on {crest}", "bold white on cyan", "bold"),
        "sheep.face.crest": (f"{face} on {crest}", "yellow on cyan", "bold"),
    }
    for number, colour in enumerate(colours, 1):
        name = "cyan" if number <= DEPTHS // 2 else "blue"
        ink = "black" if name == "cyan" else "bold white"
        styles[f"water.{number}"] = (colour, name, "")
        styles[f"under.{number}"] = (
            f"bold {_ink_on(colour)} on {colour}",
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
