"""``tide forget``: nothing of the person is left, and nobody else loses anything."""

import asyncio
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import aclosing, closing, contextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from msgspec.structs import replace

from engine.records.outcome import resolve
from engine.records.record_format import parse
from server.coordinator.messages import Player, TableOptions
from server.coordinator.people.names import skeleton
from server.coordinator.table.state import Seat, Table
from server.coordinator.table.stored import to_row
from server.storage.moderation import (
    AuditRow,
    BanRow,
    ModerationStore,
    MuteRow,
    ReportRow,
    StoredReport,
)
from server.storage.people import Claim, PeopleStore, Person
from server.storage.table_store import FinishedGame, StoredChange
from tests.support.databases import archived
from tests.support.games import record
from tests.support.servers import Server
from tests.support.state import open_state
from tests.support.state_dirs import ENDED, tide
from tests.support.windows import Window

ADA, BO = "account:a-da", "account:bo"
NAMES = ("Ada", "Bo", "Cem", "Dora")


@contextmanager
def looking(state: Path) -> Iterator[Any]:
    with closing(sqlite3.connect(state / "tide.db")) as connection:
        yield lambda sql: list(connection.execute(sql))


def lived_in(state: Path, *, seated: bool = False) -> Path:
    """Ada and Bo have played two rated games here with guests, and a few things happened."""

    async def live() -> None:
        opened = await open_state(state)
        people, moderation = PeopleStore(opened.database), ModerationStore(opened.database)
        for person, name in ((ADA, "Ada"), (BO, "Bo")):
            claims = [Claim(name, skeleton(name))]
            await people.add(Person(person, "", False, 1.0, 1.0), claims, key=f"SHA256:{name}")
        await people.came(ADA, 2.0, [Claim("Ada2", skeleton("Ada2"))])
        await people.set_settings(ADA, {"theme": "dusk"})
        blocked = {ADA: "Ada", "x": "X", "guest:9": "ada"}
        await people.set_settings(BO, {"theme": "day", "blocked": blocked})
        for number in (1, 2):
            fields = record(number, NAMES, rated=True, seats=["human"] * 4).fields()
            over = FinishedGame(fields, (ADA, BO, "", ""), ENDED)
            await archived(opened.database, f"table-{number}", over)
        seats = (Seat(player=Player(ADA, "Ada", False)) if seated else Seat(), Seat(kept="ADA2"))
        table = replace(
            Table("kabeli", "Pier", TableOptions(), 1.0, seats),
            played_by=("Bo", "ADA"),
            wins=(("Ada", 2), ("Bo", 1)),
        )
        await opened.tables.append(StoredChange("running", to_row(table), 1, 0, [["tides", 4, 7]]))
        for who, name, whom, about, text in (
            (BO, "Bo", ADA, "Ada", "said things"),
            (BO, "Bo", "guest:1", "Cem", "shouted at ADA by radar, Ada2!"),
            ("guest:1", "Dora", "guest:3", "Ada", "said Dora"),
            ("guest:2", "Dora", "guest:3", "Ada", "said Dora"),
        ):
            said = ReportRow(0, 1.0, name, about, "", text)
            await moderation.report(StoredReport(said, who, whom))
        for number in (2, 3):
            await moderation.close(number, "ada was told", 2.0, "Ada")
        await moderation.mute(ADA, MuteRow("Ada", "shouts", 1.0, "uid 0", 9.0))
        await moderation.mute("guest:2", MuteRow("Cem", "after Ada", 1.0, "Ada", 9.0))
        await moderation.ban("SHA256:Ada", BanRow(0, "key", "SHA256:Ada", "", 1.0, "uid 0", 0.0))
        await moderation.note(AuditRow(0, 1.0, "uid 0", "root", "mute", "Ada", {"for": "Ada"}))
        details = {"text": "ada is silenced, Dora", "kind": "ada"}
        await moderation.note(AuditRow(0, 1.0, "uid 0", "root", "answer", "report 1", details))
        await opened.aclose()

    asyncio.run(live())
    return state


def test_nothing_of_the_person_is_left_and_games_stay(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state")
    with looking(state) as found:
        before = [json.loads(content) for (content,) in found("SELECT content FROM records")]
    told = tide("forget", "ADA", "--yes", "--state", state)
    assert (told.status, told.err) == (0, "")
    for text in (
        "2 names: Ada, Ada2",
        "1 key",
        "the rating",
        "1 report ",
        "2 finished games stay, ",
        "1 ban of a key or name stays, ",
    ):
        assert text in told.out, told.out
    with looking(state) as found:
        left = "\n".join(found("SELECT 1") and _dump(state))
        assert ADA not in left
        left = left.replace('"kind":"ada"', "")
        assert '"ada"' not in left
        assert "Ada" not in left.replace("SHA256:Ada", ""), "only in the ban, which stays"
        assert found("SELECT name FROM people") == [("Bo",)]
        assert json.loads(found("SELECT settings FROM people")[0][0])["blocked"] == {"x": "X"}
        assert found("SELECT person FROM ratings") == [(BO,)]
        (table,) = [json.loads(content) for (content,) in found("SELECT content FROM tables")]
        assert table["played_by"] == ["Bo", "former"]
        assert (table["wins"], table["seats"][1]["kept"]) == ([["Bo", 1]], "")
        assert found("SELECT about_name, content FROM reports")[0] == (
            "Cem",
            "shouted at former by radar, former!",
        )
        assert found("SELECT person, reason FROM mutes") == [("guest:2", "after former")]
        (*_, (details,)) = found("SELECT details FROM audit ORDER BY id")
        assert json.loads(details) == {"text": "former is silenced, Dora", "kind": "ada"}
        assert found("SELECT player FROM record_seats ORDER BY 1 DESC")[:3] == [(BO,), (BO,), ("",)]
        after = [json.loads(content) for (content,) in found("SELECT content FROM records")]
    for old, new in zip(before, after, strict=True):
        assert new["players"] == ["former", *NAMES[1:]]
        assert {**new, "players": old["players"]} == old
        resolve(parse(json.dumps(new)))
    on_disk = b"".join(path.read_bytes() for path in state.iterdir() if path.is_file())
    assert ADA.encode() not in on_disk, "it is overwritten, and not only given up"
    assert b"Ada" not in on_disk.replace(b"SHA256:Ada", b"")
    assert tide("forget", "Ada", "--yes", "--state", state).status == 1
    assert tide("verify", "1", "2", "--state", state).status == 0


def test_every_table_has_been_thought_of(tmp_path: Path) -> None:
    with looking(lived_in(tmp_path / "state")) as found:
        tables = {name for (name,) in found("SELECT name FROM sqlite_master WHERE type = 'table'")}
    cleared = "people names keys ratings mutes reports audit event_players follows tournaments"
    renamed = "records record_seats season_places bans"
    refused = "tables entries"  # who has a seat there
    untouched = "codes events hand_results numbers positions schema_version seasons"
    known = f"{cleared} {renamed} {refused} {untouched}".split()
    assert tables == {*known}, "what does `tide forget` have to do with a new one?"


def _dump(state: Path) -> list[str]:
    with closing(sqlite3.connect(state / "tide.db")) as connection:
        return list(connection.iterdump())


def test_a_person_is_found_by_key_and_forgotten_beside_a_running_server(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state")

    async def beside() -> int:
        async with aclosing(await open_state(state)) as running:
            told = await asyncio.to_thread(tide, "forget", "SHA256:Bo", "--yes", "--state", state)
            assert await PeopleStore(running.database).find("id", BO) is None
            return told.status

    assert asyncio.run(beside()) == 0


def test_who_has_a_seat_stays(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state", seated=True)
    before = _dump(state)
    told = tide("forget", "Ada", "--yes", "--state", state)
    assert told.status == 1
    assert "Ada2 is needed at Pier (kabeli)" in told.err
    assert _dump(state) == before


def test_a_guest_of_long_ago_is_taken_out_of_finished_games(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state")
    told = tide("forget", "Dora", "--yes", "--state", state)
    assert told.status == 0
    assert "2 finished games of a guest of that name" in told.out
    assert "Dora" not in "".join(_dump(state))


def test_nothing_happens_without_a_yes(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state")
    before = _dump(state)
    told = tide("forget", "Ada", "--state", state)
    assert told.status == 2
    assert "--yes" in told.err
    assert tide("forget", "nobody", "--state", state).status == 1
    assert "No server has kept anything" in tide("forget", "Ada", "--state", tmp_path).err
    assert _dump(state) == before


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("ssh"), reason="no ssh here")
def test_whoever_is_connected_is_sent_away(tmp_path: Path) -> None:
    mine = tmp_path / "id"
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(mine)
    mine.chmod(0o600)
    with Server(tmp_path) as server:
        state = tmp_path / "state"
        with Window(server.ssh("-i", str(mine), name="ada+plain")) as ada:
            ada.wait_for("You are ada")
            told = tide("forget", "ada", "--yes", "--state", state)
            assert (told.status, told.err) == (0, "")
            ada.wait_for("An operator has ended your connection")
            ada.wait_for_end()
        assert not re.search(r"\bada\b", "".join(_dump(state)))
        assert server.stop() == 0
