"""Bans, silences, reports and the log of what operators did, in a database."""

import json
from typing import Any, Final

from msgspec.structs import asdict, replace
from sqlalchemy import Connection
from typing_extensions import override

from server.storage.database import Database
from server.storage.moderation import (
    AuditRow,
    BanRow,
    ModerationStore,
    MuteRow,
    ReportRow,
    StoredBan,
    StoredMute,
    StoredReport,
)
from server.storage.statements import execute, next_number, to_json

_NOTE: Final = """
    INSERT INTO audit (id, made, who, name, action, about, details, outcome)
    VALUES (:id, :made, :who, :name, :action, :about, :details, :outcome)
"""
_AUDIT: Final = """
    SELECT id, made, who, name, action, about, details, outcome FROM audit
    WHERE :before = 0 OR id < :before ORDER BY id DESC LIMIT :limit
"""
_BAN: Final = """
    INSERT INTO bans (id, kind, shown, matched, reason, made, made_by, until)
    VALUES (:id, :kind, :shown, :matched, :reason, :made, :made_by, :until)
"""
_BANS: Final = "SELECT id, kind, shown, reason, made, made_by, until, matched FROM bans "
_MUTE: Final = """
    INSERT INTO mutes (person, name, reason, made, made_by, until)
    VALUES (:person, :name, :reason, :made, :made_by, :until)
    ON CONFLICT (person) DO UPDATE SET name = excluded.name, reason = excluded.reason,
        made = excluded.made, made_by = excluded.made_by, until = excluded.until
"""
_MUTES: Final = (
    "SELECT name, reason, made, made_by, until, person FROM mutes ORDER BY made DESC, person"
)
_REPORT: Final = """
    INSERT INTO reports (id, made, reporter, reporter_name, about, about_name, place, content,
        answer, closed, closed_by, told)
    VALUES (:id, :made, :reporter_id, :reporter, :about_id, :about, :place, :text,
        :answer, :closed, :closed_by, :told)
"""
_REPORTS: Final = """
    SELECT id, made, reporter_name, about_name, place, content, answer, closed, closed_by,
        reporter, about, told
    FROM reports
"""
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
    async def note(self, entry: AuditRow) -> int:
        values = asdict(entry) | {"details": to_json(entry.details)}

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
    async def audit(self, limit: int, before: int = 0) -> tuple[AuditRow, ...]:
        rows = await self._rows(_AUDIT, limit=limit, before=before)
        return tuple(
            AuditRow(**{**row._mapping, "details": json.loads(row.details)}) for row in rows
        )

    @override
    async def ban(self, ban: StoredBan) -> StoredBan:
        values = asdict(ban.row) | {"matched": ban.matched}

        def work(connection: Connection) -> StoredBan:
            number = next_number(connection, "bans")
            same = "DELETE FROM bans WHERE kind = :kind AND matched = :matched"
            execute(connection, same, values)
            execute(connection, _BAN, values | {"id": number})
            return ban._replace(row=replace(ban.row, id=number))

        return await self._database.change(work)

    @override
    async def unban(self, number: int) -> StoredBan | None:
        def work(connection: Connection) -> StoredBan | None:
            row = execute(connection, _BANS + "WHERE id = :id", {"id": number}).one_or_none()
            execute(connection, "DELETE FROM bans WHERE id = :id", {"id": number})
            return _ban(row) if row else None

        return await self._database.change(work)

    @override
    async def bans(self) -> tuple[StoredBan, ...]:
        return tuple(map(_ban, await self._rows(_BANS + "ORDER BY id DESC")))

    @override
    async def mute(self, mute: StoredMute) -> None:

        def work(connection: Connection) -> None:
            execute(connection, _MUTE, asdict(mute.row) | {"person": mute.person})

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
    async def mutes(self) -> tuple[StoredMute, ...]:
        return tuple(StoredMute(MuteRow(*row[:-1]), row.person) for row in await self._rows(_MUTES))

    @override
    async def report(self, report: StoredReport) -> int:
        hidden = {
            "reporter_id": report.reporter,
            "about_id": report.about,
            "told": int(report.told),
        }

        def work(connection: Connection) -> int:
            number = next_number(connection, "reports")
            execute(connection, _REPORT, asdict(report.row) | hidden | {"id": number})
            return number

        return await self._database.change(work)

    @override
    async def reports(self, limit: int, *, closed: bool) -> tuple[StoredReport, ...]:
        which = "" if closed else "WHERE closed = 0 "
        rows = await self._rows(f"{_REPORTS}{which}ORDER BY id DESC LIMIT :limit", limit=limit)
        return tuple(map(_report, rows))

    @override
    async def close(self, number: int, answer: str, now: float, who: str) -> StoredReport | None:
        values = {"id": number, "answer": answer, "now": now, "who": who, "told": int(not answer)}

        def work(connection: Connection) -> StoredReport | None:
            execute(connection, _CLOSE, values)
            query = _REPORTS + "WHERE id = :id"
            row = execute(connection, query, {"id": number}).one_or_none()
            return _report(row) if row else None

        return await self._database.change(work)

    @override
    async def untold(self) -> tuple[StoredReport, ...]:
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


def _ban(row: Any) -> StoredBan:
    return StoredBan(BanRow(*row[:-1]), row.matched)


def _report(row: Any) -> StoredReport:
    return StoredReport(ReportRow(*row[:9]), row.reporter, row.about, bool(row.told))
