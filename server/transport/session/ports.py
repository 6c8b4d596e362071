"""What sessions, the server and its frontends know of each other."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from server.coordinator.messages import Command, JoinTable, Update, WatchTable
from server.coordinator.ports import Visit
from server.session.account import Account, OperatorActions
from server.terminal.capabilities import ByteStream
from server.transport.access.login_name import Login


class Caller(NamedTuple):
    """Who has connected, and from where."""

    login: Login
    identity: str
    """Proven, such as ``key:SHA256:...``; empty for a guest."""
    address: str
    line: str
    """``ssh``, ``telnet``, ``tty``."""
    begin: Command | None = None
    """What to do first, when the login name asks for nothing."""
    tap: Callable[[Update], None] | None = None
    """Gets every update that the frontend gets, too."""
    word: str = ""
    """Which server word was given; empty when none was asked for."""
    key: bytes = b""
    """The public key that was proven, in its wire form."""


class SessionNotice(NamedTuple):
    """Something to tell a player on arrival; ``code`` has no words, ``text`` is clean."""

    code: str
    """``house`` (what its operator says to everybody), ``unknown_suffix``, ``nothing_to_watch``, ``rejoin``
    (a guest's code), ``called`` (by another name than asked for), another code of
    ``server.coordinator.people.people.Note``, or a refusal code of ``Reply`` for the table asked for."""
    text: str
    refused: JoinTable | WatchTable | None = None
    """What that refusal was the answer to."""


class Frontend(Protocol):
    """What a player sees and types into, on one terminal."""

    __slots__ = ()

    @property
    def lines(self) -> bool:
        """Sentences, and no full screen."""

    async def run(self) -> None:
        """Until the player leaves or the visit ends. Cancelled when the line drops."""

    def feed(self, text: str) -> None:
        """The player typed; ``text`` may begin or end within a key's sequence."""

    def resized(self) -> None:
        """The terminal has another size."""

    def drained(self) -> None:
        """The terminal is writable again, and shows something old."""

    def slow(self) -> None:
        """The line has turned out to be a slow one; told once."""


MakeFrontend = Callable[[ByteStream, Visit, tuple[SessionNotice, ...], Account], Frontend]
"""Makes the frontend of a visit; it does not run yet."""


class OperatorServices(OperatorActions, Protocol):
    """How one session reaches the operators, or acts as one."""

    @property
    def allowed(self) -> bool:
        """Whether this player is an operator now."""

    async def report(self, about: str, text: str) -> str:
        """Tell the operators about somebody; returns a code as ``Account.report`` does."""

    def arrived(self) -> None:
        """The player is there now, and can be told what has been waiting."""
