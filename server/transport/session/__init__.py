"""One player's session, whatever the protocol."""
