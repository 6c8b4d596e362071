"""Bans, mutes, reports and the operators' log: as data, and in a database.

A row has the fields that operators see; ``server.coordinator.contract`` matches bans. Times are in seconds
since 1970.
"""

import json
import sys
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct, convert
from msgspec.structs import asdict, replace

from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Repository, reads, writes

AUDIT_SECONDS: Final = 365 * 24 * 60 * 60.0
"""How long entries of the audit log are kept, and reports, bans and mutes after their end."""


class ListedRow(Struct, frozen=True, tag_field="row"):
    """One line of an answer."""


class BanRow(ListedRow, frozen=True, tag="ban"):
    """A ban."""

    id: int
    kind: str
    """``key``, ``name``, ``address`` or ``network``."""
    shown: str
    """A fingerprint, a name, an address or a network, as operators see it."""
    reason: str
    made: float
    made_by: str
    until: float
    """0 for ever."""


class MuteRow(ListedRow, frozen=True, tag="mute"):
    """A mute."""

    name: str
    """The person's name at the time."""
    reason: str
    made: float
    made_by: str
    until: float


class ReportRow(ListedRow, frozen=True, tag="report"):
    """A player's report about another one."""

    id: int
    made: float
    reporter: str
    about: str
    place: str
    """The title of the reporter's table; empty in the lobby."""
    text: str
    answer: str = ""
    closed: float = 0.0
    """0 while it is open."""
    closed_by: str = ""


class StoredReport(NamedTuple):
    """A report as it is stored."""

    row: ReportRow
    reporter: str
    """The id of a person, who may have been erased since."""
    about: str


class AuditRow(ListedRow, frozen=True, tag="entry"):
    """An entry of the audit log: an operator's action or attempt."""

    id: int
    made: float
    who: str
    """A key's fingerprint, or ``uid N`` for a user of the machine itself."""
    name: str
    """The operator's name."""
    action: str
    about: str
    details: dict[str, Any] = {}
    outcome: str = ""
    """``ok`` or the reason of a refusal; empty if the server stopped before there was one."""


T = TypeVar("T")

_AUDIT: Final = "SELECT * FROM audit WHERE id < :before ORDER BY id DESC LIMIT :limit"
_REPORTS: Final = "SELECT * FROM reports "
_CLOSE: Final = """
    UPDATE reports SET answer = :answer, closed = :now, closed_by = :who, told = :told
    WHERE id = :id RETURNING *
"""
_VOUCH: Final = """
    UPDATE people SET vouched = :vouched WHERE guest = 0
    AND id IN (SELECT person FROM names WHERE skeleton = :skeleton) RETURNING name
"""
_OVER: Final = (
    "DELETE FROM audit WHERE made < :before",
    "DELETE FROM bans WHERE until > 0 AND until < :before",
    "DELETE FROM mutes WHERE until < :before",
    "DELETE FROM reports WHERE closed > 0 AND closed < :before",
)


class ModerationStore(Repository):
    """Bans, mutes, reports and audit log in a ``Database``. All methods raise ``StoreError``."""

    @writes
    def note(self, connection: Connection, entry: AuditRow) -> int:
        """Log an action before it is carried out; return the entry's number."""
        number, details = connection.next_number("audit"), to_json(entry.details)
        connection.insert("audit", asdict(entry) | {"id": number, "details": details})
        return number

    @writes
    def settle(self, connection: Connection, entry: int, outcome: str) -> None:
        """Log the outcome of that action."""
        query = "UPDATE audit SET outcome = :outcome WHERE id = :id"
        connection.execute(query, id=entry, outcome=outcome)

    @reads
    def audit(self, connection: Connection, limit: int, before: int = 0) -> tuple[AuditRow, ...]:
        """Return log entries, the newest first, with numbers below ``before`` unless that is 0."""
        rows = connection.execute(_AUDIT, limit=limit, before=before or sys.maxsize)
        return tuple([_named(AuditRow, row, details=json.loads(row.details)) for row in rows])

    @writes
    def ban(self, connection: Connection, matched: str, ban: BanRow) -> BanRow:
        """Store a ban of ``matched``, in place of an earlier one, and return it with its number."""
        connection.lock_tables("bans")
        same = "DELETE FROM bans WHERE kind = :kind AND matched = :matched"
        connection.execute(same, kind=ban.kind, matched=matched)
        ban = replace(ban, id=connection.next_number("bans"))
        connection.insert("bans", asdict(ban) | {"matched": matched})
        return ban

    @writes
    def unban(self, connection: Connection, number: int) -> bool:
        """Lift a ban; return whether there was one. Numbers are never used again."""
        return bool(connection.execute("DELETE FROM bans WHERE id = :id", id=number).rowcount)

    @reads
    def bans(self, connection: Connection) -> dict[tuple[str, str], BanRow]:
        """Return all bans, expired ones too, by kind and ``matched``, the newest first."""
        rows = connection.execute("SELECT * FROM bans ORDER BY id DESC")
        return {(row.kind, row.matched): _named(BanRow, row) for row in rows}

    @writes
    def mute(self, connection: Connection, person: str, mute: MuteRow) -> None:
        """Store a mute, in place of an earlier one of the same person."""
        connection.upsert("mutes", "person", asdict(mute) | {"person": person})

    @writes
    def unmute(self, connection: Connection, person: str) -> None:
        """Lift a mute, if there is one."""
        connection.execute("DELETE FROM mutes WHERE person = :person", person=person)

    @reads
    def mutes(self, connection: Connection) -> dict[str, MuteRow]:
        """Return all mutes, expired ones too, by the person's id, the newest first."""
        rows = connection.execute("SELECT * FROM mutes ORDER BY made DESC, person")
        return {row.person: _named(MuteRow, row) for row in rows}

    @writes
    def vouch(self, connection: Connection, skeleton: str, *, on: bool) -> str:
        """Set whether an account is listed on the leaderboard in any case, and return its name.

        Returns an empty name if there is no account with this skeleton.
        """
        return connection.scalar(_VOUCH, skeleton=skeleton, vouched=int(on)) or ""

    @writes
    def report(self, connection: Connection, report: StoredReport) -> int:
        """Store a report and return its number."""
        number, row = connection.next_number("reports"), asdict(report.row)
        named = {"reporter_name": row["reporter"], "about_name": row["about"]}
        row |= {**named, "reporter": report.reporter, "about": report.about}
        row |= {"id": number, "content": row.pop("text"), "told": 0}
        connection.insert("reports", row)
        return number

    @reads
    def reports(
        self, connection: Connection, limit: int, *, closed: bool
    ) -> tuple[StoredReport, ...]:
        """Return open reports, or with ``closed`` all of them, the newest first."""
        which = "id > 0" if closed else "closed = 0"
        query = f"{_REPORTS}WHERE {which} ORDER BY id DESC LIMIT :limit"
        return tuple(map(_report, connection.execute(query, limit=limit)))

    @writes
    def close(
        self, connection: Connection, number: int, answer: str, now: float, who: str
    ) -> StoredReport | None:
        """Close a report and return it; ``None`` when there is none with that number."""
        values = {"id": number, "answer": answer, "now": now, "who": who, "told": int(not answer)}
        rows = connection.execute(_CLOSE, values).fetchall()
        return _report(rows[0]) if rows else None

    @reads
    def untold(self, connection: Connection) -> tuple[StoredReport, ...]:
        """Return closed reports whose reporters have not seen the answer, oldest first."""
        query = _REPORTS + "WHERE closed > 0 AND told = 0 ORDER BY id"
        return tuple(map(_report, connection.execute(query)))

    @writes
    def told(self, connection: Connection, number: int) -> None:
        """Note that the reporter has seen the answer."""
        connection.execute("UPDATE reports SET told = 1 WHERE id = :id", id=number)

    @writes
    def forget(self, connection: Connection, before: float) -> int:
        """Delete what was logged, closed or over before then, and return the number of rows."""
        return sum(connection.execute(sql, before=before).rowcount for sql in _OVER)


def _report(row: Any) -> StoredReport:
    names = {"reporter": row.reporter_name, "about": row.about_name}
    return StoredReport(_named(ReportRow, row, **names, text=row.content), row.reporter, row.about)


def _named(kind: type[T], row: Any, **instead: object) -> T:
    """Return the columns of a row that this kind has, some of them replaced."""
    return convert({**row._asdict(), **instead}, kind)
