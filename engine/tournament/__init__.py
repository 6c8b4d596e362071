"""Duplicate tournaments: all play the same deals, and are compared with who had the same seat elsewhere."""
