"""SSH, through asyncssh."""
