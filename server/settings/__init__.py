"""What a host can set, where it is read from, and what is wrong with it."""
