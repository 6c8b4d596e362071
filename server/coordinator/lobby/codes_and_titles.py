"""What a new table is called: its code and its title."""

import random
from collections.abc import Container
from itertools import count
from typing import Final

_CONSONANTS: Final = "bdklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = 4
"""Of a code, a consonant and a vowel each: easy to say in any language; 60 ** 4 codes are hard to guess."""

TITLES: Final = (
    "Anchorage", "Atoll", "Bay", "Beacon", "Boathouse", "Breakwater", "Buoy", "Cape", "Causeway",
    "Channel", "Cove", "Creek", "Delta", "Dike", "Dock", "Estuary", "Ferry", "Fjord", "Harbour",
    "Headland", "Inlet", "Island", "Isthmus", "Jetty", "Lagoon", "Landing", "Lighthouse", "Lock",
    "Marina", "Marsh", "Meadow", "Mudflat", "Pier", "Pilot", "Polder", "Pontoon", "Port", "Quay",
    "Rapids", "Reef", "River", "Saltings", "Sandbank", "Shallows", "Shingle", "Shipyard", "Shoal",
    "Skerry", "Slipway", "Sluice", "Sound", "Spit", "Strait", "Strand", "Tidemill", "Wharf", "Weir",
)  # fmt: skip
"""Names of places by the water, for tables to be told apart."""


def new_code(taken: Container[str], rng: random.Random) -> str:
    """A code that is not in ``taken``. ``rng`` must be unpredictable (``random.SystemRandom``)."""
    while True:
        code = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(_SYLLABLES))
        if code not in taken:
            return code


def new_title(taken: Container[str], rng: random.Random) -> str:
    """A title that is not in ``taken``, numbered when all places are."""
    start = rng.randrange(len(TITLES))
    places = TITLES[start:] + TITLES[:start]
    titles = (f"{place} {n}" if n > 1 else place for n in count(1) for place in places)
    return next(title for title in titles if title not in taken)
