"""The lobby as it is shown: its tables, and who is here."""

from server.coordinator.messages.message import Message
from server.coordinator.messages.options import TableOptions
from server.coordinator.messages.tables import Status


class TableRow(Message, frozen=True):
    """A table in the lobby's list."""

    id: str
    title: str
    options: TableOptions
    status: Status
    names: tuple[str, ...]
    """A seat each; empty string where nobody sits."""
    bots: int
    stage: int
    """From 0."""
    spectators: int
    kept: int = 0
    """Empty seats that are kept for somebody."""
    ratings: tuple[int, int] | None = None
    """The lowest and the highest rating among the people who sit there; ``None`` when none has any."""
    present: int = 0
    """People who sit there with a live connection."""
    programs: tuple[str, ...] = ()
    """Which of the names are those of programs."""
    event: str = ""
    """The event that it belongs to; empty for none."""
    known: bool = False
    """The deal was chosen (``TableInfo.known``)."""

    @property
    def has_room(self) -> bool:
        """Whether anybody may still sit down there."""
        return self.status is Status.OPEN and self.names.count("") > self.kept

    @property
    def solo(self) -> bool:
        """Whether a game goes on there of no more than one person, against bots."""
        people = len(self.names) - self.names.count("") - self.bots
        return self.status is Status.PLAYING and people < 2

    @property
    def place(self) -> int:
        """Where it stands in the list: first where one can sit down, then what else is open, then games
        between people, then those against bots, last what is over.
        """
        if self.status is Status.OPEN:
            return 0 if self.has_room else 1
        if self.status is Status.PLAYING:
            return 3 if self.solo else 2
        return 4


class LobbySnapshot(Message, frozen=True):
    """The lobby: public tables, by their ``place`` and then newest first, and the names of who is here."""

    tables: tuple[TableRow, ...]
    players: tuple[str, ...]
    closing: float = 0.0
    """When the server goes down; 0 when it stays. No game starts any more."""
    programs: tuple[str, ...] = ()
    """Which of the players are programs."""
