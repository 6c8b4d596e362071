"""Cards, editions, and the options that a game may have.

A weather card is its number, 1 to 60. A tide card is its level, 1 to 12. Life preservers printed on
a weather card are counted in halves, so that no fraction ever appears.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self

from engine.errors import BadRules

WEATHER_CARDS: Final = range(1, 61)
"""Every weather card, each once."""

HIGHEST_TIDE: Final = 12
"""Tide cards are 1 to this one; fewer if six play (``Rules.highest_tide``)."""

TIDE_COPIES: Final = 2
"""How often each tide card stands in the tide deck."""

LARGEST_HAND: Final = 12
"""Cards dealt to each seat; fewer if six play (``Rules.hand_size``)."""

_HALVES: Final = {
    card: 2 if 25 <= card <= 36 else 1 if 13 <= card <= 48 else 0 for card in WEATHER_CARDS
}


def half_preservers(card: int) -> int:
    """Return the life preservers printed on weather ``card``, in halves: 0, 1 or 2.

    Raises ``ValueError`` when there is no such card.
    """
    if card not in _HALVES:
        raise ValueError(f"no weather card {card}")
    return _HALVES[card]


def hand_life_preservers(hand: Iterable[int]) -> int:
    """Return the life preservers that a dealt hand starts a stage with: its halves summed, rounded down.

    Raises ``ValueError`` when there is no such card.
    """
    halves = 0
    try:
        for card in hand:
            halves += _HALVES[card]
    except KeyError as error:
        raise ValueError(f"no weather card {error}") from None
    return halves // 2


MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 6


class Edition(StrEnum):
    """A printed or published edition of the game. Its row is all that there is to say of one."""

    called: str
    """Name that people are shown."""
    letter: str
    """Letter in codes of deals (``deal_code``): no two have the same."""
    most_players: int
    passes_loss_on: bool
    """Whether a loss that nobody could pay passes to the next highest level ..."""
    modified_drowning: bool
    """... and whether the option of that name can switch this off."""

    # Of a known one, the value alone: hence the defaults.
    def __new__(
        cls,
        value: str,
        called: str = "",
        letter: str = "",
        most: int = 0,
        passes: bool = True,
        modified: bool = False,
    ) -> Self:
        self = str.__new__(cls, value)
        self._value_ = value
        self.called, self.letter, self.most_players = called, letter, most
        self.passes_loss_on, self.modified_drowning = passes, modified
        return self

    AMIGO = "amigo", "Amigo", "a", 5
    GAMEWRIGHT = "gamewright", "Gamewright", "g", 5, False
    BGA = "bga", "Board Game Arena", "b", 6, True, True


def called(edition: str) -> str:
    """Return the name of an edition that people are shown; an unknown one as it is."""
    return next((each.called for each in Edition if each == edition), edition)


def player_range(edition: Edition) -> range:
    """Return the numbers of players that ``edition`` seats."""
    return range(MIN_PLAYERS, edition.most_players + 1)


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
        if self.modified_drowning and not self.edition.modified_drowning:
            raise BadRules("modified_drowning", edition=self.edition.value)
        if self.stages == 0:
            object.__setattr__(self, "stages", self.players)
        if not 1 <= self.stages <= self.players:
            raise BadRules("stages", stages=self.stages, players=self.players)
        six = self.players == MAX_PLAYERS
        object.__setattr__(self, "hand_size", 10 if six else LARGEST_HAND)
        object.__setattr__(self, "highest_tide", 10 if six else HIGHEST_TIDE)
        object.__setattr__(
            self,
            "passes_loss_on",
            self.edition.passes_loss_on and not self.modified_drowning,
        )

    @property
    def rounds(self) -> int:
        """Rounds in a full stage: one for each card of a hand."""
        return self.hand_size
