"""Help, settings, keys, account, and the question before leaving."""
