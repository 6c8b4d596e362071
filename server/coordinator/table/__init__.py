"""One table: its state, what changes it, and the task that runs it."""
