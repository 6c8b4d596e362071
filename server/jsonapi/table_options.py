"""A table's options as a program gives them: only those that it wants otherwise."""

from typing import Annotated

from msgspec import Meta, Struct, structs

from engine.editions import Edition
from server.coordinator.messages import Pace, Spectating, TableOptions

_Few = Annotated[int, Meta(ge=0, le=99)]
_Seconds = Annotated[int, Meta(ge=0, lt=1 << 31)]


class OptionsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not said stays as it is, or is as usual at a new table."""

    edition: Edition | None = None
    players: _Few | None = None
    stages: _Few | None = None
    modified_drowning: bool | None = None
    assistance: bool | None = None
    pace: Pace | None = None
    seconds: _Seconds | None = None
    rated: bool | None = None
    spectators: Spectating | None = None


def chosen(start: TableOptions, wanted: OptionsRequest) -> TableOptions:
    """``start`` with what is wanted otherwise. Raises ``BadRules`` for a game that does not exist."""
    return start.changed(**structs.asdict(wanted))
