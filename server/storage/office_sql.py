"""Bans, silences, reports and the log of what operators did, in a database."""

import json
from typing import Any, Final

from sqlalchemy import Connection
from typing_extensions import override

from server.storage.database import Database
from server.storage.office import AuditEntry, BanEntry, ModerationStore, MuteEntry, ReportEntry
from server.storage.sql import to_json
from server.storage.statements import execute, next_number

_NOTE: Final = """
    INSERT INTO audit (id, made, who, name, action, about, details, outcome)
    VALUES (:id, :made, :who, :name, :action, :about, :details, :outcome)
"""
_AUDIT: Final = """
    SELECT made, who, name, action, about, details, outcome, id FROM audit
    WHERE :before = 0 OR id < :before ORDER BY id DESC LIMIT :limit
"""
_BAN: Final = """
    INSERT INTO bans (id, kind, shown, matched, reason, made, made_by, until)
    VALUES (:id, :kind, :shown, :matched, :reason, :made, :made_by, :until)
"""
_BANS: Final = "SELECT kind, shown, matched, reason, made, made_by, until, id FROM bans "
_MUTE: Final = """
    INSERT INTO mutes (person, name, reason, made, made_by, until)
    VALUES (:person, :name, :reason, :made, :made_by, :until)
    ON CONFLICT (person) DO UPDATE SET name = excluded.name, reason = excluded.reason,
        made = excluded.made, made_by = excluded.made_by, until = excluded.until
"""
_MUTES: Final = (
    "SELECT person, name, reason, made, made_by, until FROM mutes ORDER BY made DESC, person"
)
_REPORT: Final = """
    INSERT INTO reports (id, made, reporter, reporter_name, about, about_name, place, content,
        answer, closed, closed_by, told)
    VALUES (:id, :made, :reporter, :reporter_name, :about, :about_name, :place, :content,
        :answer, :closed, :closed_by, :told)
"""
_REPORTS: Final = (
    "SELECT made, reporter, reporter_name, about, about_name, place, content, answer, closed, "
    "closed_by, told, id FROM reports "
)
_CLOSE: Final = """
    UPDATE reports SET answer = :answer, closed = :now, closed_by = :who, told = :told
    WHERE id = :id
"""

_ACCOUNT: Final = (
    "SELECT people.id, people.name FROM names JOIN people ON people.id = names.person"
    " WHERE names.skeleton = :skeleton AND people.guest = 0"
)
_VOUCH: Final = "UPDATE people SET vouched = :vouched WHERE id = :person"


class SqlModeration(ModerationStore):
    """What operators keep, in a ``Database``."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    @override
    async def note(self, entry: AuditEntry) -> int:
        values = entry._asdict() | {"details": to_json(dict(entry.details))}

        def work(connection: Connection) -> int:
            number = next_number(connection, "audit")
            execute(connection, _NOTE, values | {"id": number})
            return number

        return await self._database.change(work)

    @override
    async def settle(self, entry: int, outcome: str) -> None:
        await self._execute(
            "UPDATE audit SET outcome = :outcome WHERE id = :id", id=entry, outcome=outcome
        )

    @override
    async def audit(self, limit: int, before: int = 0) -> tuple[AuditEntry, ...]:
        rows = await self._rows(_AUDIT, limit=limit, before=before)
        entries = (AuditEntry(*row) for row in rows)
        return tuple(entry._replace(details=json.loads(str(entry.details))) for entry in entries)

    @override
    async def ban(self, ban: BanEntry) -> BanEntry:

        def work(connection: Connection) -> BanEntry:
            number = next_number(connection, "bans")
            same = {"kind": ban.kind, "matched": ban.matched}
            execute(connection, "DELETE FROM bans WHERE kind = :kind AND matched = :matched", same)
            execute(connection, _BAN, ban._asdict() | {"id": number})
            return ban._replace(id=number)

        return await self._database.change(work)

    @override
    async def unban(self, number: int) -> BanEntry | None:

        def work(connection: Connection) -> BanEntry | None:
            query = _BANS + "WHERE id = :id"
            row = execute(connection, query, {"id": number}).one_or_none()
            execute(connection, "DELETE FROM bans WHERE id = :id", {"id": number})
            return BanEntry(*row) if row else None

        return await self._database.change(work)

    @override
    async def bans(self) -> tuple[BanEntry, ...]:
        return tuple(BanEntry(*row) for row in await self._rows(_BANS + "ORDER BY id DESC"))

    @override
    async def mute(self, mute: MuteEntry) -> None:

        def work(connection: Connection) -> None:
            execute(connection, _MUTE, mute._asdict())

        await self._database.change(work)

    @override
    async def unmute(self, person: str) -> None:
        await self._execute("DELETE FROM mutes WHERE person = :person", person=person)

    @override
    async def vouch(self, skeleton: str, *, on: bool) -> str:

        def work(connection: Connection) -> str:
            found = execute(connection, _ACCOUNT, {"skeleton": skeleton}).one_or_none()
            if found is None:
                return ""
            execute(connection, _VOUCH, {"person": found.id, "vouched": int(on)})
            return str(found.name)

        return await self._database.change(work)

    @override
    async def mutes(self) -> tuple[MuteEntry, ...]:
        return tuple(MuteEntry(*row) for row in await self._rows(_MUTES))

    @override
    async def report(self, report: ReportEntry) -> int:

        def work(connection: Connection) -> int:
            number = next_number(connection, "reports")
            values = report._asdict() | {"id": number, "told": int(report.told)}
            execute(connection, _REPORT, values)
            return number

        return await self._database.change(work)

    @override
    async def reports(self, limit: int, *, closed: bool) -> tuple[ReportEntry, ...]:
        which = "" if closed else "WHERE closed = 0 "
        rows = await self._rows(f"{_REPORTS}{which}ORDER BY id DESC LIMIT :limit", limit=limit)
        return tuple(map(_report, rows))

    @override
    async def close(self, number: int, answer: str, now: float, who: str) -> ReportEntry | None:
        values = {"id": number, "answer": answer, "now": now, "who": who, "told": int(not answer)}

        def work(connection: Connection) -> ReportEntry | None:
            execute(connection, _CLOSE, values)
            query = _REPORTS + "WHERE id = :id"
            row = execute(connection, query, {"id": number}).one_or_none()
            return _report(row) if row else None

        return await self._database.change(work)

    @override
    async def untold(self) -> tuple[ReportEntry, ...]:
        rows = await self._rows(_REPORTS + "WHERE closed > 0 AND told = 0 ORDER BY id")
        return tuple(map(_report, rows))

    @override
    async def told(self, number: int) -> None:
        await self._execute("UPDATE reports SET told = 1 WHERE id = :id", id=number)

    @override
    async def forget(self, before: float) -> int:

        def work(connection: Connection) -> int:
            return sum(
                execute(connection, sql, {"before": before}).rowcount
                for sql in (
                    "DELETE FROM audit WHERE made < :before",
                    "DELETE FROM bans WHERE until > 0 AND until < :before",
                    "DELETE FROM mutes WHERE until < :before",
                    "DELETE FROM reports WHERE closed > 0 AND closed < :before",
                )
            )

        return await self._database.change(work)

    async def _rows(self, sql: str, **values: object) -> list[Any]:
        return await self._database.read(lambda connection: list(execute(connection, sql, values)))

    async def _execute(self, sql: str, **values: object) -> None:
        def work(connection: Connection) -> None:
            execute(connection, sql, values)

        await self._database.change(work)


def _report(row: Any) -> ReportEntry:
    report = ReportEntry(*row)
    return report._replace(told=bool(report.told))
