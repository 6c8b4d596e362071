"""What every keeper of bans, reports and the operators' log promises, wherever it keeps them."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from server.storage.databases.database import Database
from server.storage.moderation import (
    AuditRow,
    BanRow,
    ModerationStore,
    MuteRow,
    ReportRow,
    StoredReport,
)
from tests.support.databases import database

pytestmark = pytest.mark.usefixtures("product")


@pytest.fixture
def operator_actions(opened: Database) -> ModerationStore:
    return ModerationStore(opened)


def entry(action: str = "kick", made: float = 100.0) -> AuditRow:
    return AuditRow(0, made, "SHA256:a", "ada", action, "bo", {"reason": "rude"})


def ban(matched: str = "bo", made: float = 100.0, until: float = 0.0) -> tuple[str, BanRow]:
    return matched, BanRow(0, "name", matched, "rude", made, "ada", until)


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
    first = await operator_actions.ban(*ban("bo"))
    second = await operator_actions.ban(*ban("cem", until=500.0))
    assert [*(await operator_actions.bans()).items()] == [
        (("name", "cem"), second),
        (("name", "bo"), first),
    ]
    again = await operator_actions.ban(*ban("bo", until=900.0))
    kept = (await operator_actions.bans()).items()
    assert [(matched, one.until) for (_, matched), one in kept] == [("bo", 900.0), ("cem", 500.0)]
    assert await operator_actions.unban(again.id)
    assert not await operator_actions.unban(again.id)
    assert await operator_actions.bans() == {("name", "cem"): second}


async def test_the_number_of_a_ban_that_was_lifted_is_not_given_again(
    operator_actions: ModerationStore,
) -> None:
    first = await operator_actions.ban(*ban("bo"))
    await operator_actions.unban(first.id)
    second = await operator_actions.ban(*ban("cem"))
    third = await operator_actions.ban(*ban("cem", until=900.0))
    assert first.id < second.id < third.id


async def test_silences_are_listed_replaced_and_lifted(operator_actions: ModerationStore) -> None:
    bo = MuteRow("bo", "shouts", 100.0, "ada", 200.0)
    cem = MuteRow("cem", "", 150.0, "ada", 900.0)
    await operator_actions.mute("account:bo", bo)
    await operator_actions.mute("guest:cem", cem)
    assert [*(await operator_actions.mutes()).items()] == [("guest:cem", cem), ("account:bo", bo)]
    longer = replace(bo, reason="again", made=160.0, until=500.0)
    await operator_actions.mute("account:bo", longer)
    kept = await operator_actions.mutes()
    assert [*kept.items()] == [("account:bo", longer), ("guest:cem", cem)]
    await operator_actions.unmute("account:bo")
    await operator_actions.unmute("nobody")
    assert await operator_actions.mutes() == {"guest:cem": cem}
    assert await operator_actions.forget(899.0) == 0
    assert await operator_actions.forget(901.0) == 1
    assert await operator_actions.mutes() == {}


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
    await operator_actions.ban(*ban("bo", until=150.0))
    await operator_actions.ban(*ban("cem", until=0.0))
    await operator_actions.ban(*ban("dil", until=400.0))
    closed, still_open = (
        await operator_actions.report(report()),
        await operator_actions.report(report()),
    )
    await operator_actions.close(closed, "", 120.0, "ada")
    assert await operator_actions.forget(200.0) == 3
    assert [one.id for one in await operator_actions.audit(10)] == [kept]
    assert set(await operator_actions.bans()) == {("name", "cem"), ("name", "dil")}
    assert [one.row.id for one in await operator_actions.reports(10, closed=True)] == [still_open]
    assert await operator_actions.forget(200.0) == 0


async def test_all_is_there_after_a_restart(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        operator_actions = ModerationStore(opened)
        kept = await operator_actions.ban(*ban())
        muted = MuteRow("bo", "shouts", 100.0, "ada", 200.0)
        await operator_actions.mute("account:bo", muted)
        lifted = await operator_actions.ban(*ban("cem"))
        await operator_actions.unban(lifted.id)
        await operator_actions.report(report())
        await operator_actions.note(entry())
    async with database(tmp_path) as opened:
        operator_actions = ModerationStore(opened)
        assert await operator_actions.bans() == {("name", "bo"): kept}
        assert await operator_actions.mutes() == {"account:bo": muted}
        assert (await operator_actions.ban(*ban("dil"))).id > lifted.id
        assert [one.row.text for one in await operator_actions.reports(10, closed=False)] == [
            "shouts"
        ]
        assert [one.details for one in await operator_actions.audit(10)] == [{"reason": "rude"}]
