"""Sentences: the one place where codes, events and results become words."""
