"""What operators do, done; and all of it in the log."""

import asyncio
import math
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
import structlog

from server import StoreError
from server.coordinator.messages import (
    AddBot,
    CreateTable,
    LeaveTable,
    QuickGame,
    Room,
    Say,
    ServerMessage,
    SetWord,
    StartGame,
)
from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import (
    Action,
    OperatorReply,
    PersonRow,
    TableFacts,
    name_of,
)
from server.coordinator.people.names import skeleton as skeleton_of
from server.operators import orders
from server.operators.online_people import table_rows
from server.storage.moderation import (
    AUDIT_SECONDS,
    AuditRow,
    BanRow,
    MuteRow,
    ReportRow,
)
from server.timers import repeated
from server.transport.access.login import Login
from tests.support.connections import fingerprint
from tests.support.memory_stores import MemoryModeration
from tests.support.operators import EXAMPLES, ROOT, Place, place
from tests.support.tables import UNTIMED

ACTIONS: list[type] = [kind for part in get_args(Action) for kind in (get_args(part) or (part,))]


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda kind: kind.__name__)
async def test_every_action_is_written_down_before_it_is_done(tmp_path: Path, kind: type) -> None:
    noted: list[str] = []

    class Watched(MemoryModeration):
        async def note(self, entry: AuditRow) -> int:
            noted.append(" ".join(one.name for one in await names()))
            return await super().note(entry)

    async with place(tmp_path, store=Watched()) as here:
        await here.enter("ada")
        await here.enter("bo")

        async def names() -> list[PersonRow]:
            rows = here.operator_actions.online.rows().rows
            return [row for row in rows if isinstance(row, PersonRow)]

        if kind is asked.Undrain:
            here.world.lobby.announce_closing(math.inf)
        action = EXAMPLES[kind]
        here.authorize("ada")
        told = await (await here.enter("ada", "192.0.2.9")).act(action)
        (entry,) = await here.audit()
        assert noted == ["ada bo"], "written down while nothing had happened"
        assert (entry.who, entry.name) == (fingerprint("ada"), "ada")
        assert (entry.action, entry.outcome) == (name_of(action), told.code)
        assert entry.made == here.world.clock.time()
        if told.ok and hasattr(action, "reason"):
            assert (entry.about, entry.details["reason"]) == ("bo", "shouts")


async def test_nothing_is_done_that_cannot_be_written_down(tmp_path: Path) -> None:
    class Full(MemoryModeration):
        async def note(self, entry: AuditRow) -> int:
            raise StoreError("full")

    async with place(tmp_path, store=Full()) as here:
        bo = await here.enter("bo")
        assert await here.act(asked.Kick("bo")) == OperatorReply("storage")
        assert bo.here


async def test_what_was_done_is_not_denied_when_only_its_end_cannot_be_written(
    tmp_path: Path,
) -> None:
    class FullSoon(MemoryModeration):
        async def settle(self, entry: int, outcome: str) -> None:
            raise StoreError("full")

    async with place(tmp_path, store=FullSoon()) as here:
        bo = await here.enter("bo")
        assert (await here.act(asked.Kick("bo"))).ok
        assert not bo.here
        (entry,) = await here.audit()
        assert (entry.action, entry.outcome) == ("kick", "")


async def test_a_ban_that_cannot_be_kept_is_none(tmp_path: Path) -> None:
    class NoBans(MemoryModeration):
        async def ban(self, matched: str, ban: BanRow) -> BanRow:
            raise StoreError("full")

    async with place(tmp_path, store=NoBans()) as here:
        bo = await here.enter("bo")
        assert await here.act(asked.BanSomebody("name", "bo")) == OperatorReply("storage")
        assert bo.here
        (entry,) = await here.audit()
        assert (entry.action, entry.outcome) == ("ban", "storage")


async def test_a_mistake_of_ours_is_told_without_its_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place(tmp_path) as here:
        monkeypatch.setattr(orders, "table_rows", lambda _: 1 / 0)
        with structlog.testing.capture_logs() as logs:
            assert await here.act(asked.SeeTables()) == OperatorReply("internal")
        (failed,) = [log for log in logs if log["event"] == "operator_failed"]
        assert failed["error"] == "ZeroDivisionError"
        assert "division by" not in str(logs)


async def test_who_is_here_and_where(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        here.authorize("ada")
        await here.enter("ada", "192.0.2.1")
        bo = await here.enter("bo", "2001:db8::7", with_key=False, line="telnet")
        await bo.do(QuickGame(UNTIMED))
        rows = {
            row.name: row
            for row in (await here.act(asked.SeePeople())).rows
            if isinstance(row, PersonRow)
        }
        (table,) = table_rows(here.world.lobby)
        ada = rows["ada"]
        assert (ada.guest, ada.key, ada.address) == (False, fingerprint("ada"), "192.0.2.1")
        assert (ada.line, ada.table, ada.operator) == ("ssh", "", True)
        assert (rows["bo"].guest, rows["bo"].key, rows["bo"].line) == (True, "", "telnet")
        assert (rows["bo"].address, rows["bo"].table) == ("2001:db8::7", table.title)
        assert (rows["bo"].watching, rows["bo"].operator) == (False, False)


async def test_tables_are_told_with_the_code_that_closes_them_and_without_a_word(
    tmp_path: Path,
) -> None:
    async with place(tmp_path) as here:
        bo = await here.enter("bo")
        await bo.do(CreateTable(UNTIMED))
        await bo.do(SetWord("otter"))
        await bo.do(AddBot())
        await bo.do(AddBot())
        await bo.do(StartGame())
        (row,) = (await here.act(asked.SeeTables())).rows
        assert isinstance(row, TableFacts)
        assert (row.status, row.stage, row.stages, row.round) == ("playing", 1, 1, 1)
        assert row.names[0] == "bo"
        assert len(row.names) == 3
        place_of = here.world.lobby.place_of(bo.session.player.id if bo.session.player else "")
        assert place_of is not None
        assert row.code == place_of.id
        assert "otter" not in str(row)
        assert (await here.act(asked.CloseTable(row.code.upper()))).ok
        assert not table_rows(here.world.lobby)
        again = await here.act(asked.CloseTable(row.code))
        assert again == OperatorReply("no_such_table", {"code": row.code})


async def test_whoever_is_kicked_is_told_why_and_keeps_the_seat(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        bo = await here.enter("bo")
        await bo.do(QuickGame(UNTIMED))
        reader = bo.reader
        assert (await here.act(asked.Kick("BO", "rude \x1b[31mwords"))).ok
        assert not bo.here
        assert reader.said == [("kicked", "rude [31mwords")]
        assert reader.updates[-1].closed == "kicked"
        again = await here.enter("bo")
        assert again.reader.updates[-1].table is not None


async def test_nobody_is_kicked_by_a_name_that_nobody_has(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        await here.enter("bo")
        assert await here.act(asked.Kick("cem")) == OperatorReply("nobody_called", {"name": "cem"})
        (entry,) = await here.audit()
        assert (entry.about, entry.outcome) == ("cem", "nobody_called")


async def test_the_silenced_are_told_and_shown_as_such(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        bo = await here.enter("bo")
        assert bo.session.player is not None
        until = here.world.clock.time() + 600
        assert (await here.act(asked.MutePerson("bo", 600.0, "shouts"))).ok
        assert here.world.lobby.chat.silenced_until(bo.session.player.id) == until
        assert (await bo.reader.visit.submit(Say(Room.LOBBY, "hello"))).code == "silenced"
        assert bo.reader.said == [("muted", "shouts")]
        (row,) = (await here.act(asked.SeePeople())).rows
        assert isinstance(row, PersonRow)
        assert row.muted == 600
        assert (await here.act(asked.UnmutePerson("bo"))).ok
        await bo.do(Say(Room.LOBBY, "hello"))
        assert await here.act(asked.MutePerson("bo", 0.0)) == OperatorReply("no_time")
        assert (await here.act(asked.MutePerson("bo", 600.0))).ok
        await here.world.clock.advance(601)
        assert (await here.act(asked.SeeBans())).rows == ()
        await bo.do(Say(Room.LOBBY, "hello"))


async def test_an_account_can_be_vouched_for_whose_owner_is_not_here(tmp_path: Path) -> None:
    class Known(MemoryModeration):
        async def vouch(self, skeleton: str, *, on: bool) -> str:
            return "bo" if skeleton == skeleton_of("bo") else ""

    async with place(tmp_path, store=Known()) as here:
        assert await here.act(asked.Vouch("B0")) == OperatorReply(facts={"name": "bo"})
        assert await here.act(asked.Unvouch("bo")) == OperatorReply(facts={"name": "bo"})
        assert await here.act(asked.Vouch("cem")) == OperatorReply("no_account", {"name": "cem"})
        assert [(one.action, one.about, one.outcome) for one in await here.audit()][:3] == [
            ("vouch", "B0", "ok"),
            ("unvouch", "bo", "ok"),
            ("vouch", "cem", "no_account"),
        ]


async def test_a_silence_outlasts_a_restart_and_is_listed_and_lifted_for_who_is_not_here(
    tmp_path: Path,
) -> None:
    store = MemoryModeration()
    async with place(tmp_path, store=store) as here:
        bo = await here.enter("bo")
        assert bo.session.player is not None
        person = bo.session.player.id
        assert (await here.act(asked.MutePerson("bo", 600.0, "shouts"))).ok
        until = here.world.clock.time() + 600
    async with place(tmp_path, store=store) as here:
        assert here.world.lobby.chat.silenced_until(person) == until
        (row,) = (await here.act(asked.SeeBans())).rows
        assert isinstance(row, MuteRow)
        assert (row.name, row.reason, row.until, row.made_by) == ("bo", "shouts", until, "root")
        assert (await here.act(asked.UnmutePerson("b0"))).facts == {"name": "bo"}
        assert here.world.lobby.chat.silenced_until(person) == 0
        assert (await here.act(asked.SeeBans())).rows == ()
        assert (await here.act(asked.UnmutePerson("bo"))).code == "nobody_called"
        assert [(one.action, one.about) for one in await here.audit()][:3] == [
            ("mute", "bo"),
            ("bans", ""),
            ("unmute", "bo"),
        ]
    async with place(tmp_path, store=store) as here:
        assert here.world.lobby.chat.silenced_until(person) == 0


async def test_a_silence_that_cannot_be_kept_is_none(tmp_path: Path) -> None:
    class Full(MemoryModeration):
        async def mute(self, person: str, mute: MuteRow) -> None:
            raise StoreError("full")

    async with place(tmp_path, store=Full()) as here:
        bo = await here.enter("bo")
        assert (await here.act(asked.MutePerson("bo", 600.0))).code == "storage"
        await bo.do(Say(Room.LOBBY, "hello"))


async def test_a_list_that_stays_open_is_written_down_once_and_for_operators_alone(
    tmp_path: Path,
) -> None:
    async with place(tmp_path) as here:
        here.authorize("ada")
        ada = await here.enter("ada")
        operator_actions = ada.reader.account.operator_actions
        assert operator_actions is not None
        assert (await operator_actions.act(asked.SeePeople())).ok
        await here.enter("bo")
        rows = (await operator_actions.act(asked.SeePeople(), again=True)).rows
        assert {row.name for row in rows if isinstance(row, PersonRow)} == {"ada", "bo"}
        assert await operator_actions.act(asked.Kick("bo"), again=True) == OperatorReply(
            "not_operator"
        )
        assert [entry.action for entry in await here.audit()] == ["people"]
        here.authorize()
        await here.world.clock.advance(10)
        assert await operator_actions.act(asked.SeePeople(), again=True) == OperatorReply(
            "not_operator"
        )


# ---------------------------------------------------------------- bans


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [
        ("key", "fingerprint", "fingerprint"),
        ("key", "bo", "fingerprint"),
        ("name", "b0", "b0"),
        ("address", "198.51.100.3", "198.51.100.3"),
        ("address", "bo", "198.51.100.3"),
        ("network", "198.51.100.77/24", "198.51.100.0/24"),
        ("network", "bo", "198.51.100.0/24"),
    ],
)
async def test_a_ban_ends_the_connections_it_is_about(
    tmp_path: Path, kind: str, value: str, shown: str
) -> None:
    # Keys are made anew for each run: their fingerprints are no names for tests.
    value, shown = (fingerprint("bo") if text == "fingerprint" else text for text in (value, shown))
    async with place(tmp_path) as here:
        ada = await here.enter("ada")
        bo = await here.enter("bo", "198.51.100.3")
        reader = bo.reader
        told = await here.act(asked.BanSomebody(kind, value, 3600.0, "shouts"))
        assert told.ok, told
        assert (told.facts["shown"], told.facts["ended"]) == (shown, 1)
        assert ada.here
        assert not bo.here
        assert reader.said == [("banned", "shouts")]
        (row,) = (await here.act(asked.SeeBans())).rows
        assert isinstance(row, BanRow)
        assert (row.kind, row.shown, row.reason, row.made_by) == (kind, shown, "shouts", "root")
        assert row.until == here.world.clock.time() + 3600


@pytest.mark.parametrize("kind", ["key", "name"])
async def test_a_key_or_name_that_is_banned_stays_out_until_the_ban_ends(
    tmp_path: Path, kind: str
) -> None:
    async with place(tmp_path) as here:
        value = fingerprint("bo") if kind == "key" else "bo"
        await here.act(asked.BanSomebody(kind, value, 3600.0, "shouts"))
        bo = await here.enter("bo")
        assert not bo.here
        assert "You are banned from this server until 1970-01-12 14:46 UTC." in bo.paper.written
        assert "The reason: shouts" in bo.paper.written
        assert not here.readers
        await here.world.clock.advance(3600)
        assert (await here.enter("bo")).here
        assert (await here.act(asked.SeeBans())).rows == ()


async def test_a_banned_name_is_not_that_of_a_key_that_keeps_another(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        assert (await here.enter("ada")).here
        assert (await here.enter("bo")).here
        await here.act(asked.BanSomebody("name", "root", 3600.0))
        await here.act(asked.BanSomebody("name", "bo", 3600.0))
        # Her machine calls her so; she is called ada, and bo is called bo.
        assert (await here.enter("ada", login=Login("root"))).here
        assert not (await here.enter("ada", login=Login("root", rename=True))).here
        assert not (await here.enter("bo", login=Login("cem"))).here
        assert not (await here.enter("cem", login=Login("root"))).here


async def test_who_was_on_the_way_when_an_address_was_banned_does_not_come_in(
    tmp_path: Path,
) -> None:
    async with place(tmp_path) as here:
        await here.act(asked.BanSomebody("address", "192.0.2.7", 60.0))
        assert not (await here.enter("bo", "192.0.2.7")).here
        assert (await here.enter("bo", "192.0.2.8")).here


async def test_a_ban_is_lifted(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        number = int((await here.act(asked.BanSomebody("name", "bo"))).facts["id"])
        bo = await here.enter("bo")
        assert not bo.here
        assert "You are banned from this server." in bo.paper.written
        told = await here.act(asked.Unban(number))
        assert told.facts["shown"] == "bo"
        assert (await here.enter("bo")).here
        assert (await here.act(asked.Unban(number))).code == "no_such_ban"
        assert [entry.about for entry in await here.audit()][1] == "bo"


@pytest.mark.parametrize(
    ("kind", "value", "code"),
    [
        ("key", "SHA256:abc", "bad_fingerprint"),
        ("key", "cem", "no_key"),
        ("name", "\x1b", "bad_name"),
        ("address", "300.1.2.3", "bad_address"),
        ("address", "dora", "nobody_called"),
        ("network", "10.0.0.0/40", "bad_network"),
        ("network", "0.0.0.0/0", "too_wide"),
        ("network", "::ffff:0:0/96", "too_wide"),
        ("network", "2001::/16", "too_wide"),
        ("planet", "earth", "no_such_kind"),
    ],
)
async def test_a_ban_that_makes_no_sense_is_refused(
    tmp_path: Path, kind: str, value: str, code: str
) -> None:
    async with place(tmp_path) as here:
        await here.enter("cem", with_key=False)
        assert (await here.act(asked.BanSomebody(kind, value, 60.0))).code == code
        assert (await here.act(asked.SeeBans())).rows == ()


@pytest.mark.parametrize(
    ("kind", "value"),
    [("key", "ada"), ("name", "Ada"), ("address", "192.0.2.7"), ("network", "192.0.0.0/16")],
)
async def test_operators_do_not_ban_themselves(tmp_path: Path, kind: str, value: str) -> None:
    async with place(tmp_path) as here:
        here.authorize("ada")
        ada = await here.enter("ada")
        assert await ada.act(asked.BanSomebody(kind, value, 60.0)) == OperatorReply("own_ban")
        assert ada.here


# ---------------------------------------------------------------- reports


async def test_a_report_reaches_operators_and_its_answer_the_reporter(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        here.authorize("ada")
        ada, bo = await here.enter("ada"), await here.enter("bo")
        cem = await here.enter("cem")
        await bo.do(QuickGame(UNTIMED))
        assert await bo.reader.account.report("CEM", "shouts \x07at everybody") == "ok"
        await here.world.clock.settle()
        assert ada.reader.said == [("report", "shouts at everybody")]
        assert cem.reader.said == []
        (row,) = (await ada.act(asked.SeeReports())).rows
        assert isinstance(row, ReportRow)
        assert (row.reporter, row.about, row.text) == ("bo", "cem", "shouts at everybody")
        assert row.place == table_rows(here.world.lobby)[0].title
        assert (await ada.act(asked.AnswerReport(row.id, "he is silenced"))).ok
        assert bo.reader.said == [("answer", "he is silenced")]
        assert await here.store.untold() == ()
        assert (await ada.act(asked.SeeReports())).rows == ()
        (closed,) = (await ada.act(asked.SeeReports(closed=True))).rows
        assert isinstance(closed, ReportRow)
        assert (closed.answer, closed.closed_by) == ("he is silenced", "ada")
        missing = row.id + 1
        told = await ada.act(asked.CloseReport(missing))
        assert told == OperatorReply("no_such_report", {"id": missing})


async def test_operators_are_told_on_arrival_how_many_reports_are_open(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        await here.enter("cem")
        bo = await here.enter("bo")
        for _ in range(2):
            assert await bo.reader.account.report("cem", "shouts") == "ok"
        here.authorize("ada")
        ada = await here.enter("ada")
        words = [word for update in ada.reader.updates for word in update.said]
        assert words == [ServerMessage("operator", "2")]


async def test_who_has_left_is_told_the_answer_at_the_next_visit(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        await here.enter("cem")
        bo = await here.enter("bo")
        assert await bo.reader.account.report("cem", "shouts") == "ok"
        bo.session.hang_up()
        await here.world.clock.settle()
        (row,) = (await here.act(asked.SeeReports())).rows
        assert isinstance(row, ReportRow)
        assert (await here.act(asked.AnswerReport(row.id, "thank you"))).ok
        assert len(await here.store.untold()) == 1
        again = await here.enter("bo")
        assert again.reader.said == [("answer", "thank you")]
        assert await here.store.untold() == ()


@pytest.mark.parametrize(
    ("about", "text", "code"),
    [
        ("zoe", "shouts", "nobody_called"),
        ("", "shouts", "nobody_called"),
        ("Bo", "shouts", "own_name"),
        ("Gull", "shouts", "bot_called"),
        ("cem", "\x1b", "no_text"),
    ],
)
async def test_a_report_about_nobody_is_refused(
    tmp_path: Path, about: str, text: str, code: str
) -> None:
    async with place(tmp_path) as here:
        await here.enter("cem")
        bo = await here.enter("bo")
        assert await bo.reader.account.report(about, text) == code
        assert (await here.act(asked.SeeReports())).rows == ()


async def test_reports_in_a_row_have_to_wait(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        await here.enter("cem")
        bo = await here.enter("bo")
        said = [await bo.reader.account.report("cem", "shouts") for _ in range(5)]
        assert said == ["ok", "ok", "ok", "report_wait", "report_wait"]
        await here.world.clock.advance(300)
        assert await bo.reader.account.report("cem", "shouts") == "ok"


# ---------------------------------------------------------------- everybody


async def test_everybody_hears_the_house(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        ada, bo = await here.enter("ada"), await here.enter("bo")
        await bo.do(QuickGame(UNTIMED))
        assert (await here.act(asked.Broadcast("cake at five"))).facts == {"people": 2}
        assert ada.reader.said == bo.reader.said == [("broadcast", "cake at five")]
        assert await here.act(asked.Broadcast(" ")) == OperatorReply("no_text")


async def test_a_house_that_is_drained_lets_games_end_and_none_begin(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        ada, bo = await here.enter("ada"), await here.enter("bo")
        await bo.do(QuickGame(UNTIMED))
        told = await here.act(asked.Drain(stop=True))
        assert told.facts == {"games": 1, "stop": 1}
        assert (await ada.reader.visit.submit(QuickGame(UNTIMED))).code == "closing"
        await here.world.clock.advance(60)
        assert here.stops == 0, "somebody still plays"
        await bo.do(LeaveTable())
        await here.world.clock.advance(2)
        assert here.stops == 1


async def test_draining_can_be_taken_back(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        ada = await here.enter("ada")
        assert await here.act(asked.Undrain()) == OperatorReply("not_draining")
        await here.act(asked.Drain(stop=False))
        await here.world.clock.advance(60)
        assert here.stops == 0
        assert (await here.act(asked.Undrain())).ok
        await ada.do(QuickGame(UNTIMED))


# ---------------------------------------------------------------- who may


async def test_who_is_taken_off_the_list_can_do_nothing_more(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        here.authorize("ada")
        ada, bo = await here.enter("ada"), await here.enter("bo")
        operator_actions = ada.reader.account.operator_actions
        assert operator_actions is not None
        here.authorize("bo")
        assert await operator_actions.act(asked.Kick("bo")) == OperatorReply("not_operator")
        assert bo.here
        (entry,) = await here.audit()
        assert (entry.name, entry.action, entry.outcome) == ("ada", "kick", "not_operator")


def chmod(here: Place) -> None:
    here.authorized.chmod(0o666)


def remove(here: Place) -> None:
    here.authorized.unlink()


def garbage(here: Place) -> None:
    here.authorized.write_bytes(b"\xff\xfe no key\nssh-ed25519 AAAA\n")


@pytest.mark.parametrize("spoil", [chmod, remove, garbage])
async def test_a_file_that_cannot_be_trusted_makes_nobody_an_operator(
    tmp_path: Path, spoil: Callable[[Place], None]
) -> None:
    async with place(tmp_path) as here:
        here.authorize("ada")
        ada = await here.enter("ada")
        assert ada.reader.account.operator_actions is not None
        spoil(here)
        assert ada.reader.account.operator_actions is None


@pytest.mark.parametrize(
    ("options", "operator"),
    [
        ('from="192.0.2.*" ', True),
        ('from="198.51.100.1" ', False),
        ('expiry-time="20990101" ', True),
        ('expiry-time="19690101Z" ', False),
        ('expiry-time="soon" ', False),
        ("cert-authority ", False),
        ('command="true",no-pty ', True),
    ],
)
async def test_options_of_a_line(tmp_path: Path, options: str, operator: bool) -> None:
    async with place(tmp_path) as here:
        here.authorize("ada", options=options)
        ada = await here.enter("ada", "192.0.2.7")
        assert (ada.reader.account.operator_actions is not None) == operator


async def test_the_log_is_read_in_pieces(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        for _ in range(3):
            await here.operator_actions.act(ROOT, asked.SeeTables())
        rows = (await here.act(asked.SeeAudit(before=3))).rows
        assert [getattr(row, "id", 0) for row in rows] == [2, 1]


async def test_what_is_old_is_forgotten_by_itself(tmp_path: Path) -> None:
    async with place(tmp_path) as here:
        await here.act(asked.SeeTables())
        tidying = asyncio.create_task(
            repeated(here.world.clock, orders.TIDY_SECONDS, here.operator_actions.tidy)
        )
        await here.world.clock.advance(AUDIT_SECONDS)
        assert len(await here.audit()) == 1
        await here.world.clock.advance(7 * 60 * 60)
        assert await here.audit() == []
        tidying.cancel()
