"""What every keeper of bans, reports and the operators' log promises, wherever it keeps them."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from server.storage.databases.database import Database
from server.storage.moderation import (
    AuditRow,
    BanRow,
    MuteRow,
    ReportRow,
    StoredBan,
    StoredMute,
    StoredReport,
)
from server.storage.moderation_store import ModerationStore
from tests.support.databases import database

pytestmark = pytest.mark.usefixtures("product")


@pytest.fixture
def operator_actions(opened: Database) -> ModerationStore:
    return ModerationStore(opened)


def entry(action: str = "kick", made: float = 100.0) -> AuditRow:
    return AuditRow(0, made, "SHA256:a", "ada", action, "bo", {"reason": "rude"})


def ban(matched: str = "bo", made: float = 100.0, until: float = 0.0) -> StoredBan:
    return StoredBan(BanRow(0, "name", matched, "rude", made, "ada", until), matched)


def report(reporter: str = "account:1") -> StoredReport:
    return StoredReport(
        ReportRow(0, 100.0, "cem", "bo", "Harbour", "shouts"), reporter, "account:2"
    )


async def test_what_was_done_is_kept_newest_first(operator_actions: ModerationStore) -> None:
    numbers = [await operator_actions.note(entry(action)) for action in ("kick", "ban", "say")]
    await operator_actions.settle(numbers[0], "ok")
    newest, second, first = await operator_actions.audit(10)
    assert [newest.action, second.action, first.action] == ["say", "ban", "kick"]
    assert first == replace(entry(), id=numbers[0], outcome="ok")
    assert newest.outcome == ""
    assert await operator_actions.audit(1, before=newest.id) == (second,)


async def test_bans_are_listed_lifted_and_replaced(operator_actions: ModerationStore) -> None:
    first = await operator_actions.ban(ban("bo"))
    second = await operator_actions.ban(ban("cem", until=500.0))
    assert await operator_actions.bans() == (second, first)
    again = await operator_actions.ban(ban("bo", until=900.0))
    assert [(one.matched, one.row.until) for one in await operator_actions.bans()] == [
        ("bo", 900.0),
        ("cem", 500.0),
    ]
    assert await operator_actions.unban(again.row.id)
    assert not await operator_actions.unban(again.row.id)
    assert await operator_actions.bans() == (second,)


async def test_the_number_of_a_ban_that_was_lifted_is_not_given_again(
    operator_actions: ModerationStore,
) -> None:
    first = await operator_actions.ban(ban("bo"))
    await operator_actions.unban(first.row.id)
    second = await operator_actions.ban(ban("cem"))
    third = await operator_actions.ban(ban("cem", until=900.0))
    assert first.row.id < second.row.id < third.row.id


async def test_silences_are_listed_replaced_and_lifted(operator_actions: ModerationStore) -> None:
    bo = StoredMute(MuteRow("bo", "shouts", 100.0, "ada", 200.0), "account:bo")
    cem = StoredMute(MuteRow("cem", "", 150.0, "ada", 900.0), "guest:cem")
    await operator_actions.mute(bo)
    await operator_actions.mute(cem)
    assert await operator_actions.mutes() == (cem, bo)
    longer = bo._replace(row=replace(bo.row, reason="again", made=160.0, until=500.0))
    await operator_actions.mute(longer)
    assert await operator_actions.mutes() == (longer, cem)
    await operator_actions.unmute("account:bo")
    await operator_actions.unmute("nobody")
    assert await operator_actions.mutes() == (cem,)
    assert await operator_actions.forget(899.0) == 0
    assert await operator_actions.forget(901.0) == 1
    assert await operator_actions.mutes() == ()


async def test_a_report_is_open_until_it_is_closed(operator_actions: ModerationStore) -> None:
    first, second = (
        await operator_actions.report(report()),
        await operator_actions.report(report("guest:2")),
    )
    assert [one.row.id for one in await operator_actions.reports(10, closed=False)] == [
        second,
        first,
    ]
    assert [one.row.id for one in await operator_actions.reports(1, closed=False)] == [second]
    closed = await operator_actions.close(first, "thank you", 200.0, "ada")
    assert closed is not None
    assert (closed.row.answer, closed.row.closed, closed.row.closed_by) == (
        "thank you",
        200.0,
        "ada",
    )
    assert [one.row.id for one in await operator_actions.reports(10, closed=False)] == [second]
    assert {one.row.id for one in await operator_actions.reports(10, closed=True)} == {
        first,
        second,
    }
    assert await operator_actions.close(99, "", 200.0, "ada") is None


async def test_an_answer_is_untold_until_the_reporter_has_heard_it(
    operator_actions: ModerationStore,
) -> None:
    first, second = await operator_actions.report(report()), await operator_actions.report(report())
    assert await operator_actions.untold() == ()
    await operator_actions.close(first, "thank you", 200.0, "ada")
    await operator_actions.close(second, "", 200.0, "ada")
    assert [one.row.id for one in await operator_actions.untold()] == [first]
    await operator_actions.told(first)
    assert await operator_actions.untold() == ()


async def test_what_is_old_and_over_is_forgotten(operator_actions: ModerationStore) -> None:
    await operator_actions.note(entry(made=100.0))
    kept = await operator_actions.note(entry(made=300.0))
    await operator_actions.ban(ban("bo", until=150.0))
    await operator_actions.ban(ban("cem", until=0.0))
    await operator_actions.ban(ban("dil", until=400.0))
    closed, still_open = (
        await operator_actions.report(report()),
        await operator_actions.report(report()),
    )
    await operator_actions.close(closed, "", 120.0, "ada")
    assert await operator_actions.forget(200.0) == 3
    assert [one.id for one in await operator_actions.audit(10)] == [kept]
    assert {one.matched for one in await operator_actions.bans()} == {"cem", "dil"}
    assert [one.row.id for one in await operator_actions.reports(10, closed=True)] == [still_open]
    assert await operator_actions.forget(200.0) == 0


async def test_all_is_there_after_a_restart(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        operator_actions = ModerationStore(opened)
        kept = await operator_actions.ban(ban())
        muted = StoredMute(MuteRow("bo", "shouts", 100.0, "ada", 200.0), "account:bo")
        await operator_actions.mute(muted)
        lifted = await operator_actions.ban(ban("cem"))
        await operator_actions.unban(lifted.row.id)
        await operator_actions.report(report())
        await operator_actions.note(entry())
    async with database(tmp_path) as opened:
        operator_actions = ModerationStore(opened)
        assert await operator_actions.bans() == (kept,)
        assert await operator_actions.mutes() == (muted,)
        assert (await operator_actions.ban(ban("dil"))).row.id > lifted.row.id
        assert [one.row.text for one in await operator_actions.reports(10, closed=False)] == [
            "shouts"
        ]
        assert [one.details for one in await operator_actions.audit(10)] == [{"reason": "rude"}]
