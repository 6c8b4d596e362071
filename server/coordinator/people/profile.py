"""What one person may be told of another.

Everything but what they keep to themselves, and nothing to or of those whom they have blocked, nor to those
who have blocked them.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.records.statistics import Streak
from server.storage.history import Standing
from server.storage.people import Person

SEEN_TO: Final = 900
"""Seconds: a quarter of an hour."""


class PlayerResults(NamedTuple):
    """What a person has achieved, as anybody may know it."""

    standing: Standing
    streak: Streak
    """Streak of days of today's tide."""
    days: int
    """Days of today's tide that the person has begun."""


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
    """Whether the asking person follows this one, and is notified at logins."""


MOST_BLOCKED: Final = 50
"""People that one person can block."""
BLOCKED: Final = "blocked"
"""The setting that has who is blocked: names by id."""
SHOWS_RESULTS: Final = "shows_results"
SHOWS_VISITS: Final = "shows_visits"
FOLLOWABLE: Final = "followable"
"""Settings: whether others may see a person's results, when and where the person was here, and follow."""


def blocked_in(settings: Mapping[str, Any]) -> dict[str, str]:
    """Ids and names of whom somebody with these settings has blocked; what is no such thing is left out."""
    kept = settings.get(BLOCKED)
    if not isinstance(kept, Mapping):
        return {}
    pairs = list(kept.items())[:MOST_BLOCKED]
    return {who: name for who, name in pairs if isinstance(who, str) and isinstance(name, str)}


def lets(settings: Mapping[str, Any], what: str) -> bool:
    """Whether somebody with these settings allows that: one of the three above."""
    return settings.get(what) is not False


def are_apart(one: Person, other: Person) -> bool:
    """Whether one of them has blocked the other."""
    return other.id in blocked_in(one.settings) or one.id in blocked_in(other.settings)
