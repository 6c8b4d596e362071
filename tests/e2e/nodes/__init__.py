"""What may happen to several nodes in the long run, and to what they need."""
