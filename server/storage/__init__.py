"""Where what must not be lost is kept."""
