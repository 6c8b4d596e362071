"""What one person may be told of another."""

from typing import Final, NamedTuple

from engine.records.statistics import Streak
from server.storage.history import Standing

SEEN_TO: Final = 900
"""Seconds: a quarter of an hour."""


class PlayerResults(NamedTuple):
    """What a person has achieved, as anybody may know it."""

    standing: Standing
    streak: Streak
    """Of days of today's tide."""
    days: int
    """Of today's tide that the person has begun."""


class Profile(NamedTuple):
    """A person's page. Some of it a person can keep to himself or herself."""

    name: str
    own: bool
    """It is that of who asks."""
    results: PlayerResults | None
    """``None`` where they are not shown, or where no games are kept."""
    shows_visits: bool
    here: bool
    """Whether the person is connected; false where that is not shown, as what follows is empty."""
    table: str
    """The code of the table where the person plays or watches, if that is for everybody to see ..."""
    title: str
    """... and its title."""
    seen: float
    """When the person was here last, rounded down to ``SEEN_TO``."""
    followable: bool
    """Others may follow the person."""
    followed: bool
    """Who asks does, and is told when the person comes."""
