"""A player's terminal: keys in, frames out. Knows nothing of the game."""
