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
def moderation(opened: Database) -> ModerationStore:
    return ModerationStore(opened)


def entry(action: str = "kick", made: float = 100.0) -> AuditRow:
    return AuditRow(0, made, "SHA256:a", "ada", action, "bo", {"reason": "rude"})


def ban(matched: str = "bo", made: float = 100.0, until: float = 0.0) -> tuple[str, BanRow]:
    return matched, BanRow(0, "name", matched, "rude", made, "ada", until)


def report(reporter: str = "account:1") -> StoredReport:
    return StoredReport(
        ReportRow(0, 100.0, "cem", "bo", "Harbour", "shouts"), reporter, "account:2"
    )


async def test_what_was_done_is_kept_newest_first(moderation: ModerationStore) -> None:
    numbers = [await moderation.note(entry(action)) for action in ("kick", "ban", "say")]
    await moderation.settle(numbers[0], "ok")
    newest, second, first = await moderation.audit(10)
    assert [newest.action, second.action, first.action] == ["say", "ban", "kick"]
    assert first == replace(entry(), id=numbers[0], outcome="ok")
    assert newest.outcome == ""
    assert await moderation.audit(1, before=newest.id) == (second,)


async def test_bans_are_listed_lifted_and_replaced(moderation: ModerationStore) -> None:
    first = await moderation.ban(*ban("bo"))
    second = await moderation.ban(*ban("cem", until=500.0))
    assert [*(await moderation.bans()).items()] == [
        (("name", "cem"), second),
        (("name", "bo"), first),
    ]
    again = await moderation.ban(*ban("bo", until=900.0))
    kept = (await moderation.bans()).items()
    assert [(matched, one.until) for (_, matched), one in kept] == [("bo", 900.0), ("cem", 500.0)]
    assert await moderation.unban(again.id)
    assert not await moderation.unban(again.id)
    assert await moderation.bans() == {("name", "cem"): second}


async def test_silences_are_listed_replaced_and_lifted(moderation: ModerationStore) -> None:
    bo = MuteRow("bo", "shouts", 100.0, "ada", 200.0)
    cem = MuteRow("cem", "", 150.0, "ada", 900.0)
    await moderation.mute("account:bo", bo)
    await moderation.mute("guest:cem", cem)
    assert [*(await moderation.mutes()).items()] == [("guest:cem", cem), ("account:bo", bo)]
    longer = replace(bo, reason="again", made=160.0, until=500.0)
    await moderation.mute("account:bo", longer)
    kept = await moderation.mutes()
    assert [*kept.items()] == [("account:bo", longer), ("guest:cem", cem)]
    await moderation.unmute("account:bo")
    await moderation.unmute("nobody")
    assert await moderation.mutes() == {"guest:cem": cem}
    assert await moderation.forget(899.0) == 0
    assert await moderation.forget(901.0) == 1
    assert await moderation.mutes() == {}


async def test_a_report_is_open_until_it_is_closed(moderation: ModerationStore) -> None:
    first, second = (
        await moderation.report(report()),
        await moderation.report(report("guest:2")),
    )
    assert [one.row.id for one in await moderation.reports(10, closed=False)] == [
        second,
        first,
    ]
    assert [one.row.id for one in await moderation.reports(1, closed=False)] == [second]
    closed = await moderation.close(first, "thank you", 200.0, "ada")
    assert closed is not None
    assert (closed.row.answer, closed.row.closed, closed.row.closed_by) == (
        "thank you",
        200.0,
        "ada",
    )
    assert [one.row.id for one in await moderation.reports(10, closed=False)] == [second]
    assert {one.row.id for one in await moderation.reports(10, closed=True)} == {
        first,
        second,
    }
    assert await moderation.close(99, "", 200.0, "ada") is None


async def test_an_answer_is_untold_until_the_reporter_has_heard_it(
    moderation: ModerationStore,
) -> None:
    first, second = await moderation.report(report()), await moderation.report(report())
    assert await moderation.untold() == ()
    await moderation.close(first, "thank you", 200.0, "ada")
    await moderation.close(second, "", 200.0, "ada")
    assert [one.row.id for one in await moderation.untold()] == [first]
    await moderation.told(first)
    assert await moderation.untold() == ()


async def test_what_is_old_and_over_is_forgotten(moderation: ModerationStore) -> None:
    await moderation.note(entry(made=100.0))
    kept = await moderation.note(entry(made=300.0))
    await moderation.ban(*ban("bo", until=150.0))
    await moderation.ban(*ban("cem", until=0.0))
    await moderation.ban(*ban("dil", until=400.0))
    closed, still_open = (
        await moderation.report(report()),
        await moderation.report(report()),
    )
    await moderation.close(closed, "", 120.0, "ada")
    assert await moderation.forget(200.0) == 3
    assert [one.id for one in await moderation.audit(10)] == [kept]
    assert set(await moderation.bans()) == {("name", "cem"), ("name", "dil")}
    assert [one.row.id for one in await moderation.reports(10, closed=True)] == [still_open]
    assert await moderation.forget(200.0) == 0


async def test_all_is_there_after_a_restart(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        moderation = ModerationStore(opened)
        kept = await moderation.ban(*ban())
        muted = MuteRow("bo", "shouts", 100.0, "ada", 200.0)
        await moderation.mute("account:bo", muted)
        lifted = await moderation.ban(*ban("cem"))
        await moderation.unban(lifted.id)
        await moderation.report(report())
        await moderation.note(entry())
    async with database(tmp_path) as opened:
        moderation = ModerationStore(opened)
        assert await moderation.bans() == {("name", "bo"): kept}
        assert await moderation.mutes() == {"account:bo": muted}
        assert (await moderation.ban(*ban("dil"))).id > lifted.id
        assert [one.row.text for one in await moderation.reports(10, closed=False)] == ["shouts"]
        assert [one.details for one in await moderation.audit(10)] == [{"reason": "rude"}]
