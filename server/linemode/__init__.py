"""Line mode: the whole game as sentences, one after the other; no cursor movement, frames or colours."""
