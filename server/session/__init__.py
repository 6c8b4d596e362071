"""What every frontend shares: the client, actions at a table, preferences, settings, the tutorial."""
