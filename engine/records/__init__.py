"""Games that are over: their records, and what follows from them."""
