"""What people tell each other of themselves: everything but what they keep to themselves, and nothing to or
of those whom they have blocked, nor to those who have blocked them.
"""

from collections.abc import Mapping
from typing import Any, Final

from server.storage.people import Person

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
