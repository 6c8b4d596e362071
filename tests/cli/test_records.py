"""``tide records``: lists, accounts, export and import of finished games."""

import asyncio
import json
from contextlib import aclosing
from pathlib import Path

import pytest

from engine.records.outcome import resolve
from server.storage.ratings import LEAST, SeasonStore, SeasonTable
from tests.support.databases import ADA, BO, keep, meet, vouch
from tests.support.games import record
from tests.support.state import open_state
from tests.support.state_dirs import filled, tide

FEBRUARY = 31 * 86_400.0
"""1970: the month before is that of the first seconds."""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return filled(tmp_path / "state")


def test_the_list_has_the_newest_first_and_names_the_winners(state: Path) -> None:
    told = tide("records", "list", "--state", state)
    assert (told.status, told.err) == (0, "")
    assert [line.split()[0] for line in told.lines] == ["3", "2", "1"]
    report = resolve(record(3))
    for seat, name in enumerate(("ada", "bo", "cem", "dora")):
        star = "*" if seat in report.winners else ""
        assert f"{name} {report.scores[seat]}{star}" in told.lines[0]
    assert "2023-11-14 22:13  amigo" in told.lines[0]
    assert len(tide("records", "list", "-n", "2", "--state", state).lines) == 2


def test_the_list_for_programs(state: Path) -> None:
    told = tide("records", "list", "--json", "--state", state)
    first = json.loads(told.lines[0])
    assert first["id"] == 3
    assert first["ended"] == "2023-11-14T22:13:20+00:00"
    assert [seat["score"] for seat in first["seats"]] == list(resolve(record(3)).scores)


def test_a_running_game_is_in_no_list_and_no_export(state: Path) -> None:
    for command in ("list", "export"):
        told = tide("records", command, "--state", state)
        assert len(told.lines) == 3
        assert "running" not in told.out


def test_a_game_is_told_round_by_round(state: Path) -> None:
    told = tide("records", "show", "2", "--state", state)
    assert told.status == 0
    assert told.lines[0].startswith("game 2")
    assert "Stage 4 of 4" in told.out


def test_a_game_that_is_not_there(state: Path) -> None:
    for command in (["show", "9"], ["export", "1", "9"]):
        told = tide("records", *command, "--state", state)
        assert (told.status, told.out) == (1, "")
        assert "there is no game 9" in told.err


def test_what_is_exported_comes_back_unchanged(state: Path, tmp_path: Path) -> None:
    told = tide("records", "export", "--state", state)
    assert told.lines == [record(number).text for number in (1, 2, 3)]
    assert tide("records", "export", "2", "--state", state).lines == [record(2).text]
    file = tmp_path / "games.jsonl"
    assert tide("records", "export", "--state", state, "-o", file).status == 0
    assert file.read_text().splitlines() == told.lines
    again = tide("records", "export", "--state", state, "-o", file)
    assert again.status == 1
    assert "File exists" in again.err


def test_records_move_to_another_server_once(state: Path, tmp_path: Path) -> None:
    other = filled(tmp_path / "other", 1)
    exported = tide("records", "export", "--state", state).out
    told = tide("records", "import", "--state", other, stdin=exported)
    assert told.lines == ["game 2: kept", "game 3: kept", "game 4: kept"]
    again = tide("records", "import", "-", "--state", other, stdin=exported)
    assert again.lines == [f"game {number}: here already" for number in (2, 3, 4)]
    listed = tide("records", "list", "--state", other).lines
    assert len(listed) == 4
    assert tide("records", "export", "4", "--state", other).lines == [record(3).text]


def test_an_exported_game_is_known_where_it_was_played(tmp_path: Path) -> None:
    state = filled(tmp_path / "state", 0)
    own = record(5, id="table-1").text
    told = tide("records", "import", "--state", state, stdin=own)
    assert told.lines == ["game 1: kept"]
    assert tide("records", "import", "--state", state, stdin=own).lines == ["game 1: here already"]


def test_nobody_can_take_the_place_of_a_game_to_come(tmp_path: Path) -> None:
    """A record may claim any id: the game that really has it is kept all the same."""
    state = tmp_path / "state"
    filled(state, 0)
    tide("records", "import", "--state", state, stdin=record(5, id="table-1").text)
    filled(state, 1)
    assert len(tide("records", "list", "--state", state).lines) == 2


def test_bad_records_are_named_and_the_good_ones_kept(state: Path, tmp_path: Path) -> None:
    bad = record(8).fields()
    bad["stages"][0]["bids"][0][0] = 61
    file = tmp_path / "mixed.jsonl"
    file.write_text(record(7).text + "\n" + json.dumps(bad) + "\n" + record(9).text + "\n")
    told = tide("records", "import", file, tmp_path / "missing", "--state", state)
    assert told.status == 1
    assert told.lines == ["game 4: kept", "game 5: kept"]
    assert len(told.errors) == 2
    assert "record 2, stage 1, round 1, seat 1" in told.err
    assert "missing" in told.errors[1]


def test_names_cannot_draw_on_the_terminal(state: Path) -> None:
    names = ("\x1b[31mada", "b\no", "", "\u202edora")
    tide("records", "import", "--state", state, stdin=record(6, names).text)
    told = tide("records", "list", "--state", state)
    assert "\x1b" not in told.out
    assert "\u202e" not in told.out
    assert len(told.lines) == 4
    assert len(tide("records", "show", "4", "--state", state).lines) > 40


def test_an_empty_house(tmp_path: Path) -> None:
    state = filled(tmp_path / "state", 0)
    assert tide("records", "list", "--state", state).lines == ["No game has been finished yet."]
    assert tide("records", "export", "--state", state).out == ""


def test_a_directory_without_a_server(tmp_path: Path) -> None:
    told = tide("records", "list", "--state", tmp_path)
    assert (told.status, told.out) == (1, "")
    assert told.err.startswith("tide: No server has kept anything in")
    assert list(tmp_path.iterdir()) == []


def test_beside_a_running_server(state: Path) -> None:
    async def beside() -> None:
        async with aclosing(await open_state(state)):
            listed = await asyncio.to_thread(tide, "records", "list", "--state", state)
            assert len(listed.lines) == 3
            text = record(7).text
            kept = await asyncio.to_thread(tide, "records", "import", "--state", state, stdin=text)
            assert kept.lines == ["game 4: kept"]

    asyncio.run(beside())


def test_old_games_are_removed_and_their_numbers_never_used_again(state: Path) -> None:
    told = tide("records", "prune", "--older", "520w", "--yes", "--state", state)
    assert told.lines == ["0 games deleted."]
    told = tide("records", "prune", "--older", "1d", "--state", state)
    assert told.status == 2
    assert "3 games would be deleted" in told.err
    told = tide("records", "prune", "--older", "1d", "--yes", "--state", state)
    assert (told.status, told.lines) == (0, ["3 games deleted."])
    kept = tide("records", "import", "--state", state, stdin=record(7).text)
    assert kept.lines == ["game 4: kept"]
    assert tide("records", "prune", "--older", "soon", "--state", state).status == 2


def test_games_that_are_removed_stay_in_the_leaderboard_of_their_month(state: Path) -> None:
    async def play() -> SeasonTable:
        async with aclosing(await open_state(state)) as opened:
            await meet(opened.database)
            await vouch(opened.database, "ada", "bo")
            for number in range(11, 11 + LEAST):
                await keep(opened.database, number, record(number, rated=True), ADA, BO, "", "")
            return await SeasonStore(opened.database).season(FEBRUARY, 1)

    async def seen() -> SeasonTable:
        async with aclosing(await open_state(state)) as opened:
            return await SeasonStore(opened.database).season(FEBRUARY, 1)

    before = asyncio.run(play())
    assert (before.month, len(before.rows), before.closed) == ("1970-01", 2, False)
    tide("records", "prune", "--older", "1d", "--yes", "--state", state)
    assert asyncio.run(seen()) == before._replace(closed=True)
