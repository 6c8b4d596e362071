"""What operators keep: bans, silences, reports and the log of what they did; and what their store promises.

A row is what operators are shown, field by field; beside it stands what nobody is shown. Which ban is meant
for whom is decided elsewhere (``server.transport.access.bans``). Times are seconds since 1970.
"""

from typing import Any, Final, NamedTuple, Protocol

from msgspec import Struct

AUDIT_SECONDS: Final = 365 * 24 * 60 * 60.0
"""So long what operators did is kept; also reports that are closed, bans and silences after their end."""


class _Row(Struct, frozen=True, tag_field="row"):
    """One line of an answer."""


class BanRow(_Row, frozen=True, tag="ban"):
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


class StoredBan(NamedTuple):
    """A ban as it is kept."""

    row: BanRow
    matched: str
    """As it is compared."""


class MuteRow(_Row, frozen=True, tag="mute"):
    """Somebody who may not speak."""

    name: str
    """What that one was called then."""
    reason: str
    made: float
    made_by: str
    until: float


class StoredMute(NamedTuple):
    """A silence as it is kept."""

    row: MuteRow
    person: str
    """The id."""


class ReportRow(_Row, frozen=True, tag="report"):
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
    told: bool = False
    """Whether the reporter has heard the answer, or there is none to hear."""


class AuditRow(_Row, frozen=True, tag="entry"):
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


class ModerationStore(Protocol):
    """Every method is one transaction; one that writes returns when that would survive power loss.

    All raise ``StoreError`` when the database does not work.
    """

    async def note(self, entry: AuditRow) -> int:
        """Keep what is about to be done; the entry's number."""

    async def settle(self, entry: int, outcome: str) -> None:
        """How it ended."""

    async def audit(self, limit: int, before: int = 0) -> tuple[AuditRow, ...]:
        """The newest first, only those with smaller numbers than ``before`` unless that is 0."""

    async def ban(self, ban: StoredBan) -> StoredBan:
        """Keep a ban, in place of an earlier one of the same; the ban with its number."""

    async def unban(self, number: int) -> StoredBan | None:
        """Lift a ban; ``None`` when there is none with that number. No other ban ever gets the number."""

    async def bans(self) -> tuple[StoredBan, ...]:
        """All of them, also those that have ended, the newest first."""

    async def mute(self, mute: StoredMute) -> None:
        """Keep a silence, in place of an earlier one of the same person."""

    async def unmute(self, person: str) -> None:
        """Lift a silence, if there is one."""

    async def vouch(self, skeleton: str, *, on: bool) -> str:
        """Have the account with a name that looks so on the leaderboard in any case, or no longer in any
        case: its name. Empty when there is no such account.
        """

    async def mutes(self) -> tuple[StoredMute, ...]:
        """All of them, also those that have ended, the newest first."""

    async def report(self, report: StoredReport) -> int:
        """Keep a report; its number."""

    async def reports(self, limit: int, *, closed: bool) -> tuple[StoredReport, ...]:
        """The newest first: those that are open, or with ``closed`` all."""

    async def close(self, number: int, answer: str, now: float, who: str) -> StoredReport | None:
        """A report has been dealt with; ``None`` when there is none with that number."""

    async def untold(self) -> tuple[StoredReport, ...]:
        """Those whose answers their reporters have not heard, oldest first."""

    async def told(self, number: int) -> None:
        """The reporter has heard the answer."""

    async def forget(self, before: float) -> int:
        """Drop what was done, closed or over before then; how many."""
