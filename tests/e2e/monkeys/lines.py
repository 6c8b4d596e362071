"""What a monkey sits at: a terminal with a connection, and who it is that comes."""

from dataclasses import dataclass
from typing import Final, Protocol

import asyncssh
import pyte
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

Size = tuple[int, int]
"""Columns and rows."""


@dataclass
class Who:
    """A person, with a key or without one."""

    name: str
    language: str
    seed: bytes
    """32 bytes, of which the key is made."""
    keyed: bool = True
    back: str = ""
    """A guest's code to come back with, once it has been seen."""

    @property
    def key(self) -> asyncssh.SSHKey | None:
        if not self.keyed:
            return None
        made = Ed25519PrivateKey.from_private_bytes(self.seed)
        whole = made.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
        return asyncssh.import_private_key(whole)


class Terminal:
    """Shows what comes."""

    def __init__(self, size: Size) -> None:
        self.screen: Final = pyte.Screen(*size)
        self._stream: Final = pyte.ByteStream(self.screen)
        self.heard = ""
        """All that has come, as text."""

    def show(self, data: bytes) -> None:
        """This has come."""
        self.heard += data.decode("utf-8", "replace")
        self._stream.feed(data)


class Line(Protocol):
    """A connection."""

    terminal: Terminal

    @property
    def ended(self) -> bool:
        """It has been closed, by whomever."""

    def send(self, text: str) -> None:
        """Type this."""

    def resize(self, size: Size) -> None:
        """The terminal has this size now."""

    def drop(self) -> None:
        """The connection is cut."""


class House(Protocol):
    """A server, and the way to it."""

    patience: float
    """Seconds after which something has come if it ever does."""

    async def connect(self, who: Who, login: str, line: str, size: Size) -> Line:
        """Come in, by ``ssh`` or ``telnet``. Returns when there was time for a first screen."""

    async def rest(self, line: Line, seconds: float) -> None:
        """Let so much time pass, at least, and some more if nothing has come over ``line``."""
