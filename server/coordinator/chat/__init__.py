"""What people say to each other: in the lobby, at tables, to one another. It is never logged nor stored."""
