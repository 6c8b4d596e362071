"""What the commands of line mode know of the session that carries them out."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from server.coordinator.messages import TableSnapshot
from server.linemode.paging import Pager
from server.linemode.replay import PastGames
from server.session.client import SessionClient
from server.session.settings import Verbosity


class LineContext(SessionClient, ABC):
    """The client, and how to answer. Only ``session.py`` makes one."""

    reading: Pager
    """What is left of the last long answer."""
    past: PastGames
    """The games that are over, as this player has asked for them."""
    spectators_told: str
    """The table at which it has been told that only spectators hear this one."""

    @property
    def here(self) -> TableSnapshot:
        """The table where the player is, for commands that are carried out only at one."""
        assert self.table is not None
        return self.table

    @property
    def talk(self) -> Verbosity:
        """How much is said unasked."""
        return Verbosity(self.preferences.talk)

    @property
    @abstractmethod
    def width(self) -> int:
        """Columns of a line, with one left for the cursor."""

    @abstractmethod
    def say(self, *lines: str) -> None:
        """Write lines, all in one piece."""

    @abstractmethod
    def read(self, lines: Sequence[str], then: Callable[[], None] | None = None) -> None:
        """Say a long answer a screen at a time; ``then`` fetches what comes after it."""

    @abstractmethod
    def read_on(self) -> None:
        """Say what comes next of it."""

    @abstractmethod
    def fetch(self, load: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do what has to ask the database first."""

    @abstractmethod
    def ask(self, question: str, then: Callable[[], None]) -> None:
        """Ask something; ``yes`` does it."""

    @abstractmethod
    def end(self, *lines: str) -> None:
        """Say the last words, and leave."""

    @abstractmethod
    def leave(self) -> None:
        """``quit``: asks first in a running game, and when asked again goes."""

    @abstractmethod
    def show_screen(self) -> None:
        """End this session for the full screen."""
