"""Editions and the rules of one game (rules.md, "Editions" and "Cards")."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engine.errors import BadRules


class Edition(StrEnum):
    """A printed or published edition of the game."""

    AMIGO = "amigo"
    GAMEWRIGHT = "gamewright"
    BGA = "bga"


_MAX_PLAYERS: Final = {Edition.AMIGO: 5, Edition.GAMEWRIGHT: 5, Edition.BGA: 6}
MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 6


def player_range(edition: Edition) -> range:
    """How many players ``edition`` seats."""
    return range(MIN_PLAYERS, _MAX_PLAYERS[edition] + 1)


@dataclass(frozen=True, slots=True)
class Rules:
    """What is fixed before the first card is dealt.

    ``stages`` of 0 means one stage a player, the printed length. Raises ``BadRules`` with one of the
    codes ``players``, ``stages``, ``modified_drowning`` when the combination does not exist.
    """

    edition: Edition = Edition.AMIGO
    players: int = 4
    stages: int = 0
    modified_drowning: bool = False
    assistance: bool = False
    hand_size: int = field(init=False, repr=False)
    """Weather cards dealt to each seat; as many rounds a stage."""
    highest_tide: int = field(init=False, repr=False)
    passes_loss_on: bool = field(init=False, repr=False)
    """Whether a loss that nobody could pay passes to the next highest level."""

    def __post_init__(self) -> None:
        if self.players not in player_range(self.edition):
            raise BadRules("players", players=self.players, edition=self.edition.value)
        if self.modified_drowning and self.edition is not Edition.BGA:
            raise BadRules("modified_drowning", edition=self.edition.value)
        if self.stages == 0:
            object.__setattr__(self, "stages", self.players)
        if not 1 <= self.stages <= self.players:
            raise BadRules("stages", stages=self.stages, players=self.players)
        six = self.players == MAX_PLAYERS
        object.__setattr__(self, "hand_size", 10 if six else 12)
        object.__setattr__(self, "highest_tide", 10 if six else 12)
        object.__setattr__(
            self,
            "passes_loss_on",
            self.edition is not Edition.GAMEWRIGHT and not self.modified_drowning,
        )

    @property
    def rounds(self) -> int:
        """Rounds in a full stage: one for each card of a hand."""
        return self.hand_size
