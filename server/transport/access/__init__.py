"""Access to the server: limits, bans, keys, passwords, login names."""
