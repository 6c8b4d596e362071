"""Tournaments on a server whose clock stands still."""
