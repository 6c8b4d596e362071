"""Faces: what a player sees and which keys do what. Knows no socket."""
