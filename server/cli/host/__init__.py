"""`tide serve`, `config`, `keys`, `password`, `backup`."""
