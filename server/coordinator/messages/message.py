"""What every message is, and a person as messages name one."""

from msgspec import Struct


class Message(Struct, frozen=True, tag=True):
    """Plain data that encodes and decodes, without cycles. Equal only to its own kind."""


class Player(Message, frozen=True):
    """A person: ``id`` is stable (a key's fingerprint, or a guest's random word), ``name`` unique."""

    id: str
    name: str
    guest: bool
    program: bool = False
    """What came last was a program that nobody steers."""
