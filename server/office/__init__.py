"""Operators: who is one, what they do, and the log of it."""
