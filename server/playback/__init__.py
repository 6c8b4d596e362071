"""What is played back in its own time: revealed rounds and finished games."""
