"""`tide records`, `replay`, `verify`, `referee`."""
