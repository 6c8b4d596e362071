"""Who may come in: limits, bans, keys, passwords, login names."""
