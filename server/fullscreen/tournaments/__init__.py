"""Tournaments on the full screen."""
