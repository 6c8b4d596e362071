"""Tournaments: who has registered, the rounds, and the way to the tables."""
