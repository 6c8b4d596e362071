"""The lobby: who is here, which tables there are, and the way to them."""
