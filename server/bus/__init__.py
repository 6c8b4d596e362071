"""What passes between nodes, and may be lost."""
