"""One node of a server of several: what it starts, and what it agrees upon with the others."""
