"""The table during a game."""
