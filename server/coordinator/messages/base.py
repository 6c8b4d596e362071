"""What every message is."""

from msgspec import Struct


class Message(Struct, frozen=True, tag=True, gc=False):
    """Plain data that encodes and decodes. Equal only to its own kind, whatever the fields are. Nothing in it
    can lead back to it.
    """
