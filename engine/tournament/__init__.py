"""Duplicate tournaments: all play the same deals, and are compared with who had the same seat elsewhere."""

from typing import Final

LEAST_PLAYERS: Final = 8
MOST_PLAYERS: Final = 200
"""Places in a tournament, at most."""
ROUNDS: Final = range(1, 21)
"""Numbers of rounds that a tournament may have."""
