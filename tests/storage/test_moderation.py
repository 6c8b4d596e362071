"""What every keeper of bans, reports and the operators' log promises, in memory and on a disk."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from server.storage.moderation import (
    AuditRow,
    BanRow,
    MuteRow,
    ReportRow,
    StoredBan,
    StoredMute,
    StoredReport,
)
from server.storage.moderation_sql import SqlModeration
from tests.support.databases import database
from tests.support.memory_stores import MemoryModeration


@pytest.fixture
def office() -> SqlModeration:
    return MemoryModeration()


def entry(action: str = "kick", made: float = 100.0) -> AuditRow:
    return AuditRow(0, made, "SHA256:a", "ada", action, "bo", {"reason": "rude"})


def ban(matched: str = "bo", made: float = 100.0, until: float = 0.0) -> StoredBan:
    return StoredBan(BanRow(0, "name", matched, "rude", made, "ada", until), matched)


def report(reporter: str = "account:1") -> StoredReport:
    return StoredReport(
        ReportRow(0, 100.0, "cem", "bo", "Harbour", "shouts"), reporter, "account:2"
    )


async def test_what_was_done_is_kept_newest_first(office: SqlModeration) -> None:
    numbers = [await office.note(entry(action)) for action in ("kick", "ban", "say")]
    await office.settle(numbers[0], "ok")
    newest, second, first = await office.audit(10)
    assert [newest.action, second.action, first.action] == ["say", "ban", "kick"]
    assert first == replace(entry(), id=numbers[0], outcome="ok")
    assert newest.outcome == ""
    assert await office.audit(1, before=newest.id) == (second,)


async def test_bans_are_listed_lifted_and_replaced(office: SqlModeration) -> None:
    first = await office.ban(ban("bo"))
    second = await office.ban(ban("cem", until=500.0))
    assert await office.bans() == (second, first)
    again = await office.ban(ban("bo", until=900.0))
    assert [(one.matched, one.row.until) for one in await office.bans()] == [
        ("bo", 900.0),
        ("cem", 500.0),
    ]
    assert await office.unban(again.row.id) == again
    assert await office.unban(again.row.id) is None
    assert await office.bans() == (second,)


async def test_the_number_of_a_ban_that_was_lifted_is_not_given_again(
    office: SqlModeration,
) -> None:
    first = await office.ban(ban("bo"))
    await office.unban(first.row.id)
    second = await office.ban(ban("cem"))
    third = await office.ban(ban("cem", until=900.0))
    assert first.row.id < second.row.id < third.row.id


async def test_silences_are_listed_replaced_and_lifted(office: SqlModeration) -> None:
    bo = StoredMute(MuteRow("bo", "shouts", 100.0, "ada", 200.0), "account:bo")
    cem = StoredMute(MuteRow("cem", "", 150.0, "ada", 900.0), "guest:cem")
    await office.mute(bo)
    await office.mute(cem)
    assert await office.mutes() == (cem, bo)
    longer = bo._replace(row=replace(bo.row, reason="again", made=160.0, until=500.0))
    await office.mute(longer)
    assert await office.mutes() == (longer, cem)
    await office.unmute("account:bo")
    await office.unmute("nobody")
    assert await office.mutes() == (cem,)
    assert await office.forget(899.0) == 0
    assert await office.forget(901.0) == 1
    assert await office.mutes() == ()


async def test_a_report_is_open_until_it_is_closed(office: SqlModeration) -> None:
    first, second = await office.report(report()), await office.report(report("guest:2"))
    assert [one.row.id for one in await office.reports(10, closed=False)] == [second, first]
    assert [one.row.id for one in await office.reports(1, closed=False)] == [second]
    closed = await office.close(first, "thank you", 200.0, "ada")
    assert closed is not None
    assert (closed.row.answer, closed.row.closed, closed.row.closed_by, closed.told) == (
        "thank you",
        200.0,
        "ada",
        False,
    )
    assert [one.row.id for one in await office.reports(10, closed=False)] == [second]
    assert {one.row.id for one in await office.reports(10, closed=True)} == {first, second}
    assert await office.close(99, "", 200.0, "ada") is None


async def test_an_answer_is_untold_until_the_reporter_has_heard_it(office: SqlModeration) -> None:
    first, second = await office.report(report()), await office.report(report())
    assert await office.untold() == ()
    await office.close(first, "thank you", 200.0, "ada")
    await office.close(second, "", 200.0, "ada")
    assert [one.row.id for one in await office.untold()] == [first]
    await office.told(first)
    assert await office.untold() == ()


async def test_what_is_old_and_over_is_forgotten(office: SqlModeration) -> None:
    await office.note(entry(made=100.0))
    kept = await office.note(entry(made=300.0))
    await office.ban(ban("bo", until=150.0))
    await office.ban(ban("cem", until=0.0))
    await office.ban(ban("dil", until=400.0))
    closed, still_open = await office.report(report()), await office.report(report())
    await office.close(closed, "", 120.0, "ada")
    assert await office.forget(200.0) == 3
    assert [one.id for one in await office.audit(10)] == [kept]
    assert {one.matched for one in await office.bans()} == {"cem", "dil"}
    assert [one.row.id for one in await office.reports(10, closed=True)] == [still_open]
    assert await office.forget(200.0) == 0


async def test_all_is_there_after_a_restart(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        office = SqlModeration(opened)
        kept = await office.ban(ban())
        muted = StoredMute(MuteRow("bo", "shouts", 100.0, "ada", 200.0), "account:bo")
        await office.mute(muted)
        lifted = await office.ban(ban("cem"))
        await office.unban(lifted.row.id)
        await office.report(report())
        await office.note(entry())
    async with database(tmp_path) as opened:
        office = SqlModeration(opened)
        assert await office.bans() == (kept,)
        assert await office.mutes() == (muted,)
        assert (await office.ban(ban("dil"))).row.id > lifted.row.id
        assert [one.row.text for one in await office.reports(10, closed=False)] == ["shouts"]
        assert [one.details for one in await office.audit(10)] == [{"reason": "rude"}]
