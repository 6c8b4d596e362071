"""What every frontend shares: preferences, settings, table options, the tutorial."""
