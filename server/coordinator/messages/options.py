"""The options of a table: what its owner chooses before the start."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

import msgspec

from engine.bots import DEFAULT_STRATEGY
from engine.editions import Edition, Rules, player_range


class Pace(StrEnum):
    """How long a round may take."""

    TIMED = "timed"
    UNTIMED = "untimed"
    CORRESPONDENCE = "correspondence"
    FAST = "fast"
    """Timed, for programs and bots only: nobody waits for anybody to read."""


DEFAULT_SECONDS: Final = 60
DAY: Final = 24 * 60 * 60
SECONDS_RANGE: Final = {
    Pace.TIMED: range(10, 60 * 60 + 1),
    Pace.CORRESPONDENCE: range(60 * 60, 14 * DAY + 1),
    Pace.FAST: range(1, 60 * 60 + 1),
}
"""How long a round may be given; a correspondence game usually gives a day."""


class Spectating(StrEnum):
    """What people who have no seat may see of a running game. When it is over, everybody sees all of it."""

    OPEN = "open"
    """The public view, at once."""
    DELAYED = "delayed"
    """The public view as it was when the last round was over: nothing of the round that goes on."""
    NONE = "none"
    """Nobody watches."""

    @property
    def allowed(self) -> bool:
        """Whether anybody may watch at all."""
        return self is not Spectating.NONE


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the table's owner chooses before the start; always shown at the table."""

    rules: Rules = field(default_factory=Rules)
    pace: Pace = Pace.TIMED
    seconds: int = DEFAULT_SECONDS
    """For bidding in a round; meaningless when untimed."""
    rated: bool = False
    """The result counts for the players' ratings: only accounts sit here, no guests and no bots."""
    spectators: Spectating = Spectating.OPEN
    bots: str = DEFAULT_STRATEGY
    """Which bots sit down unless others are asked for: a strategy of ``engine.bots``."""
    hints: bool = True
    """Players may ask what the strongest bot would bid, unless the game is ``rated``."""

    @property
    def gives_hints(self) -> bool:
        """Whether players get hints."""
        return self.hints and not self.rated

    @property
    def kind(self) -> tuple[Edition, Pace, bool]:
        """What people look for who would join any game."""
        return self.rules.edition, self.pace, self.rated

    def changed(
        self,
        *,
        edition: Edition | None = None,
        players: int | None = None,
        stages: int | None = None,
        modified_drowning: bool | None = None,
        assistance: bool | None = None,
        pace: Pace | None = None,
        seconds: int | None = None,
        **others: Any,
    ) -> "TableOptions":
        """These options with some of them chosen anew; ``others`` go with any. What is not chosen, or is
        ``None``, stays as far as that makes a game that exists; ``stages`` of 0 is the printed length. Raises
        ``BadRules`` for a choice that does not.
        """
        before = self.rules
        edition = before.edition if edition is None else edition
        if players is None:
            # An edition with fewer seats takes as many as it has.
            players = min(before.players, player_range(edition)[-1])
        if stages is None:
            # The printed length remains the printed length.
            stages = 0 if before.stages == before.players else min(before.stages, players)
        if modified_drowning is None:
            modified_drowning = before.modified_drowning and edition.modified_drowning
        if assistance is None:
            assistance = before.assistance
        pace = self.pace if pace is None else pace
        if seconds is None:
            usual = DAY if pace is Pace.CORRESPONDENCE else DEFAULT_SECONDS
            seconds = self.seconds if pace is self.pace else usual
        return replace(
            self,
            rules=Rules(edition, players, stages, modified_drowning, assistance),
            pace=pace,
            seconds=seconds,
            **{name: value for name, value in others.items() if value is not None},
        )

    def to_plain(self) -> dict[str, Any]:
        """As they are stored: what follows from the other rules is left out."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        plain["rules"] = {
            each.name: plain["rules"][each.name] for each in fields(Rules) if each.init
        }
        return plain

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "TableOptions":
        """Return the options again; missing ones are as usual. Raises ``ValueError``, ``BadRules`` or
        ``msgspec.ValidationError``.
        """
        edition = Edition(plain["rules"]["edition"])
        rules = Rules(**{**plain["rules"], "edition": edition})
        return msgspec.convert({**plain, "rules": rules}, cls)
