"""The best players, of all time and of a month."""
