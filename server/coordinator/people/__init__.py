"""Accounts, guests, names and rejoin codes."""
