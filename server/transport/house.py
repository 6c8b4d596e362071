"""What all lines into this server share: settings, tables, admission, names, and the sessions there are."""

import asyncio
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from engine.bots.names import NAMES as BOT_NAMES
from server.config import Settings
from server.coordinator.messages import Player
from server.coordinator.ports import Coordinator, Visit
from server.transport.guard import Guard
from server.transport.names import Names
from server.ui.terminal import Terminal

if TYPE_CHECKING:
    from server.transport.session import Session


class Notice(NamedTuple):
    """Something to tell a player on arrival; ``code`` has no words, ``text`` is clean."""

    code: str
    """``unknown_suffix``, ``called`` (by another name than asked for), or a refusal code of ``Reply``
    for the table asked for."""
    text: str


class Face(Protocol):
    """What a player sees and types into, on one terminal."""

    async def run(self) -> None:
        """Until the player leaves or the visit ends. Cancelled when the line drops."""

    def feed(self, text: str) -> None:
        """The player typed; ``text`` may begin or end within a key's sequence."""

    def resized(self) -> None:
        """The terminal has another size."""

    def drained(self) -> None:
        """The terminal is writable again, and shows something old."""


class MakeFace(Protocol):
    """Chooses and makes a face for a visit."""

    def __call__(self, terminal: Terminal, visit: Visit, notices: tuple[Notice, ...]) -> Face:
        """Not yet running."""


class House:
    """One server, whatever the lines that lead into it."""

    def __init__(
        self,
        settings: Settings,
        coordinator: Coordinator,
        make_face: MakeFace,
        *,
        now: Callable[[], float] | None = None,
        in_use: Callable[[str], bool] | None = None,
    ) -> None:
        """``now`` is a clock in seconds for the limits; ``in_use`` knows the names on seats left behind."""
        self.settings: Final = settings
        self.coordinator: Final = coordinator
        self.make_face: Final = make_face
        self.guard: Final = Guard(settings.limits, now or asyncio.get_running_loop().time)
        self.names: Final = Names(BOT_NAMES, in_use)
        self.sessions: Final[set[Session]] = set()

    def player(self, wanted: str, identity: str) -> Player:
        """Who comes in: ``identity`` is what was proven (``key:SHA256:...``), empty for a guest."""
        player = identity or f"guest:{secrets.token_urlsafe(12)}"
        return Player(player, self.names.claim(wanted, player), not identity)

    async def close(self, seconds: float = 5.0) -> None:
        """End every session; those that have not ended in time are cut off."""
        tasks = [session.task for session in self.sessions]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=seconds)
