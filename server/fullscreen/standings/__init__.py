"""After a stage and after a game."""
