"""Chat on the full screen."""
