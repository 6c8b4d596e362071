"""`tide admin`, `forget`, `tournament`."""
