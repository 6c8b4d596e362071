"""What players can vote for, and how far a vote is."""

from enum import StrEnum

from server.coordinator.messages.message import Message


class Motion(StrEnum):
    """What the connected players of a running game can vote for."""

    REPLACE = "replace"
    """A bot bids for an absent player until he or she is back. A majority decides."""
    PAUSE = "pause"
    """All must agree."""
    END = "end"
    """All must agree, also those whose line has only just dropped."""


class VoteInfo(Message, frozen=True):
    """A vote in progress."""

    motion: Motion
    seat: int
    """Whom it is about; -1 for nobody."""
    agreed: tuple[int, ...]
    """Seats that are for it, ascending."""
    needed: int
    """How many of them it takes as long as nobody comes or goes."""
