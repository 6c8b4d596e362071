"""The link between doors, where people connect, and the coordinator in a process of its own."""
