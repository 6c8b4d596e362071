"""The rules of Turn the Tide: pure, synchronous, no clock, no input or output."""
