"""From characters to keys, typed lines and pastes."""
