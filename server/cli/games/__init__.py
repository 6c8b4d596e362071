"""`tide records`, `replay`, `review`, `statistics`, `verify`, `referee`."""
