"""The waiting room: a table before its game."""
