"""Finding servers on the local network."""
