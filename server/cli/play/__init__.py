"""`tide play`, `join`, `arena`."""
