"""The settings of a server, and how they are read and checked."""
