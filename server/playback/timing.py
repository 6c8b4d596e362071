"""How long what is played back stays, while it happens and afterwards."""

from typing import Final

FACE_DOWN: Final = 0.15
CARD: Final = 0.16
TAKE: Final = 0.35
WATER: Final = 0.1
"""Seconds that a step of each kind lasts: under two in all, with six seats."""


def step_seconds(step: int, cards: int) -> float:
    """How long a step of a reveal of so many cards stays; not the last, which stays to be read."""
    if step == 0:
        return FACE_DOWN
    if step <= cards:
        return CARD
    return TAKE if step == cards + 1 else WATER
