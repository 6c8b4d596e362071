"""`tide admin`, `forget`."""
