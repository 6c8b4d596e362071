"""`tide serve`, `config`, `database`, `keys`, `password`, `backup`."""
