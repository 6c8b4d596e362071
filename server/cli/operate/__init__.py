"""`tide admin`, `forget`, `nodes`, `tournament`."""
