"""Playing in the terminal this process was started in."""
