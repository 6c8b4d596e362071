"""The server: tables, sessions, screens and what carries them."""
