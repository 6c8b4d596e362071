"""Limits of tables, by name, and the refusals that tell of them."""

from typing import Final

LIMITS: Final = (
    "tables",
    "tables_per_player",
    "tables_per_address",
    "games_per_player",
    "games_per_address",
    "spectators",
    "commands",
    "chat",
)
"""By their names in the settings; ``chat`` is how fast somebody may write."""

BY_CODE: Final = {
    "too_many_tables": "tables",
    "too_many_opened": "tables_per_player",
    "too_many_from_there": "tables_per_address",
    "too_many_games": "games_per_player",
    "too_many_games_there": "games_per_address",
    "too_many_spectators": "spectators",
    "chat_wait": "chat",
}
"""Refusals that mean that a limit has bitten."""
