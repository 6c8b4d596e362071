"""Telnet: its protocol, the login, and what it tells MUD clients."""
