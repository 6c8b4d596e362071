"""What SSH and telnet connections share: sockets, buffers, limits, character sets."""
