"""Sentences: codes, events and results as words."""
