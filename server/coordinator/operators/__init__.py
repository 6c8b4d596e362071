"""What operators may ask for, as plain data."""
