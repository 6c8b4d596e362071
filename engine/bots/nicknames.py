"""What bots are called at a table, and what each likes to bid (``engine.bots.manners``).

Names are short, ASCII, and the same in every language; no player may have one.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

MANNER_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Coral": "high_last",
        "Gull": "high_first",
        "Kelp": "middle_last",
        "Otter": "middle_first",
        "Puffin": "close",
        "Pebble": "high_last",
        "Tern": "high_first",
        "Dune": "middle_last",
        "Marlin": "middle_first",
        "Heron": "close",
        "Limpet": "high_last",
        "Reef": "high_last",
        "Osprey": "high_first",
        "Brine": "middle_last",
        "Plover": "middle_first",
        "Cockle": "close",
        "Petrel": "high_last",
        "Drift": "high_first",
        "Eider": "middle_last",
        "Sprat": "middle_first",
        "Walrus": "close",
        "Sandbar": "high_last",
        "Nautilus": "high_first",
        "Anchovy": "middle_last",
    }
)
"""The manner of who has that name."""

NAMES: Final = tuple(MANNER_OF)
