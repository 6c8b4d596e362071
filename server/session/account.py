"""What a face may ask of the player's account, if there is one."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from typing_extensions import override

from server.session.game_library import GameLibrary
from server.session.operator_access import OperatorActions

BLOCKED: Final = "blocked"
"""The setting that has who is blocked: names by id."""

LESSON: Final = "lesson"
"""Under this name the game is kept to which the guide has come along."""


def blocked_names(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the people whom somebody with these settings has blocked."""
    blocked = settings.get(BLOCKED)
    return tuple(map(str, blocked.values())) if isinstance(blocked, Mapping) else ()


class Account(Protocol):
    """The person behind a visit."""

    __slots__ = ()

    @property
    def rejoin_code(self) -> str:
        """A guest's, to come back with; empty for who has a key. For nobody else's eyes."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What this person chose on earlier visits."""

    @property
    def library(self) -> GameLibrary | None:
        """The games that are over; ``None`` where none are kept."""

    @property
    def office(self) -> OperatorActions | None:
        """Where operators do their work; ``None`` for everybody who is none at this moment."""

    async def report(self, about: str, text: str) -> str:
        """Tell operators about the player called ``about``. Answers ``ok``, ``nobody_called``, ``own_name``,
        ``bot_called``, ``no_text``, ``report_wait`` (too many lately), ``storage``, or ``no_operators`` where
        there are none.
        """

    def link_code(self) -> str:
        """A new code that adds another key to this account, once and soon; empty for guests."""

    def remember(self, settings: Mapping[str, Any]) -> None:
        """Keep what the person has chosen, all of it, for the next visit; sooner or later. When that cannot
        be, the person is told.
        """

    async def keep(self, settings: Mapping[str, Any]) -> bool:
        """The same at once; false when it could not be written down and holds for this visit alone."""


class NoAccount(Account):
    """Keeps nothing: for playing without a server."""

    rejoin_code: Final = ""
    settings: Final[Mapping[str, Any]] = MappingProxyType({})
    library: Final[GameLibrary | None] = None
    office: Final[OperatorActions | None] = None

    @override
    async def report(self, about: str, text: str) -> str:
        return "no_operators"

    @override
    def link_code(self) -> str:
        return ""

    @override
    def remember(self, settings: Mapping[str, Any]) -> None:
        pass

    @override
    async def keep(self, settings: Mapping[str, Any]) -> bool:
        return True  # there is no next visit
