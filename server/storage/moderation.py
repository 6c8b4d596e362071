"""What operators keep: bans, silences, reports and the log of what they did.

A row is what operators are shown, field by field; what nobody is shown is kept beside it. Which ban is meant
for whom is decided elsewhere (``server.coordinator.people.bans``). Times are seconds since 1970.
"""

from typing import Any, Final, NamedTuple

from msgspec import Struct

AUDIT_SECONDS: Final = 365 * 24 * 60 * 60.0
"""How long the operators' log is kept; and closed reports, bans and mutes after their end."""


class ListedRow(Struct, frozen=True, tag_field="row"):
    """One line of an answer."""


class BanRow(ListedRow, frozen=True, tag="ban"):
    """Somebody, or somewhere, that may not come in."""

    id: int
    kind: str
    """``key``, ``name``, ``address`` or ``network``."""
    shown: str
    """As an operator reads it: a fingerprint, a name, an address, a network."""
    reason: str
    made: float
    made_by: str
    until: float
    """0 for ever."""


class MuteRow(ListedRow, frozen=True, tag="mute"):
    """Somebody who may not speak."""

    name: str
    """What that one was called then."""
    reason: str
    made: float
    made_by: str
    until: float


class ReportRow(ListedRow, frozen=True, tag="report"):
    """What one player told about another."""

    id: int
    made: float
    reporter: str
    about: str
    place: str
    """Where the reporter was: a table's title and code; empty in the lobby."""
    text: str
    answer: str = ""
    closed: float = 0.0
    """When it was dealt with; 0 while it is open."""
    closed_by: str = ""


class StoredReport(NamedTuple):
    """A report as it is kept."""

    row: ReportRow
    reporter: str
    """The id of a person, who may have been forgotten since."""
    about: str


class AuditRow(ListedRow, frozen=True, tag="entry"):
    """Something that an operator did, or tried to."""

    id: int
    made: float
    who: str
    """A key's fingerprint, or ``uid N`` for who asked on the machine itself."""
    name: str
    """What that one is called."""
    action: str
    about: str
    details: dict[str, Any] = {}
    outcome: str = ""
    """``ok``, or why it was not done; empty when the server stopped before it knew."""
