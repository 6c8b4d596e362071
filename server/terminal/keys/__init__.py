"""From bytes to keys, typed lines and pastes."""
