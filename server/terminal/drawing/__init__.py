"""From a frame, rows of styled text, to the bytes that change the screen."""
