"""Tournaments as pure data."""
