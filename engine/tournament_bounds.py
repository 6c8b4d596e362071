"""How large tournaments can be: also told where none are held."""

from typing import Final

LEAST_PLAYERS: Final = 8
MOST_PLAYERS: Final = 200
"""Places in a tournament, at most."""
ROUNDS: Final = range(1, 21)
"""How many rounds a tournament may have."""
