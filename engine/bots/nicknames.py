"""What bots are called at a table. Short, ASCII, the same in every language; no player may have one."""

from typing import Final

NAMES: Final = (
    "Coral",
    "Gull",
    "Kelp",
    "Otter",
    "Puffin",
    "Pebble",
    "Tern",
    "Dune",
    "Marlin",
    "Heron",
    "Limpet",
    "Reef",
    "Osprey",
    "Brine",
    "Plover",
    "Cockle",
    "Petrel",
    "Drift",
    "Eider",
    "Sprat",
    "Walrus",
    "Sandbar",
    "Nautilus",
    "Anchovy",
)
