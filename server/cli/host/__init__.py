"""`tide serve`, `keys`, `word`, `backup`."""
