"""docs/api.md has every command, field and code that there is, and no others where that can be seen."""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from server.coordinator import messages as m
from server.i18n.lookup import languages
from server.jsonapi import fields
from server.jsonapi.fields import (
    HAPPENING,
    SettingsRequest,
    chat_data,
    choices_data,
    happening_data,
    update_data,
    word_data,
)
from server.jsonapi.requests import CODES, REQUESTS, GetView, Quit, read
from server.jsonapi.session import PROTOCOL, line_of
from server.session.command_queue import AHEAD
from server.session.commands import TABLE_ACTIONS
from server.session.preferences import CHATS, REVEAL_SECONDS, Verbosity
from server.terminal.drawing.theme import PALETTES
from tests.support.api_program import COMMANDS, SCHEMA
from tests.support.snapshots import Game

ROOT = Path(__file__).resolve().parents[2]
API = (ROOT / "docs" / "api.md").read_text()
WORDS = frozenset(re.findall(r"`(\w+)`", API))


def rows(heading: str) -> list[list[str]]:
    """The cells of the tables below a heading."""
    section = re.split(rf"^#+ {heading}\n", API, maxsplit=1, flags=re.MULTILINE)[1]
    section = re.split(r"^#", section, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def fields_in(heading: str) -> set[str]:
    """What the first column names."""
    return {name for row in rows(heading) for name in re.findall(r"`(\w+)`", row[0])}


EXAMPLES = [row[0].strip("`") for row in rows("Commands")]


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_is_understood(line: str) -> None:
    assert read(line.encode())
    COMMANDS.validate(json.loads(line))


def test_every_command_has_an_example_that_has_all_its_fields() -> None:
    shown = {example["do"]: example.keys() for example in map(json.loads, EXAMPLES)}
    assert shown.keys() == REQUESTS.keys()
    at_tables = {*(action.word for action in TABLE_ACTIONS), "touch", "look"}
    for do, kind in REQUESTS.items():
        # A text stands for a phrase as well; that all these may name a table is said once.
        told = {"phrase", "table"} if do in at_tables else {"phrase"}
        assert set(kind.__struct_fields__) - told <= shown[do], do
    first, last = (list(shown).index(do) for do in ("leave", "public"))
    assert at_tables - {"look"} == {*list(shown)[first : last + 1]}
    assert REQUESTS["look"] is GetView
    assert REQUESTS["quit"] is Quit


def test_every_field_of_what_programs_are_told() -> None:
    def fields(schema: Any) -> Iterator[str]:
        if isinstance(schema, dict):
            yield from schema.get("properties", {})
            schema = [*schema.values()]
        for part in schema if isinstance(schema, list) else ():
            yield from fields(part)

    assert {*fields(SCHEMA)} <= {*re.findall(r"\w+", API)}


def test_options_and_their_values() -> None:
    assert fields.table_data(Game().snapshot())["options"].keys() <= WORDS
    for kind in (m.Pace, m.Spectating, m.Status, m.Occupant, m.Phrase, m.Motion, m.Room):
        assert {each.value for each in kind} <= WORDS, kind
    assert {each.value for kind in (m.Pause, m.Ended) for each in kind} - {""} <= WORDS


def test_every_kind_of_happening_and_its_fields() -> None:
    told = {row[0].strip("`"): tuple(re.findall(r"`(\w+)`", row[1])) for row in rows("happenings")}
    assert told == {name: HAPPENING[kind].fields for kind, name in m.HAPPENING_NAMES.items()}


def test_every_setting_and_its_values() -> None:
    told = {row[0]: row[1] for row in rows("settings")}
    named = {name for row in told for name in re.findall(r"`(\w+)`", row)}
    assert named == set(SettingsRequest.__struct_fields__) == choices_data({}).keys()
    for known in (languages(), CHATS, Verbosity, PALETTES):
        assert {str(each) for each in known} <= WORDS
    for name, values in (
        ("language", languages()),
        ("theme", PALETTES),
        ("chat", CHATS),
        ("talk", Verbosity),
        ("reveal_seconds", REVEAL_SECONDS),
    ):
        for value in values:
            assert msgspec.convert({name: value}, SettingsRequest) != SettingsRequest()


VALUES: dict[str, object] = {
    "seat": -1,
    "name": "bo",
    "other": "",
    "bot": "Otter",
    "title": "Bay",
    "code": "removed",
    "game": 1,
    "commitment": "c0ffee",
    "private": True,
    "agree": True,
    "target": -1,
    "motion": m.Motion.END,
    "pause": m.Pause.VOTED,
    "ended": m.Ended.VOTED,
    "when": math.inf,
}


@pytest.mark.parametrize(
    "kind", [each for each in m.HAPPENING_NAMES if each not in get_args(m.GameEvent)]
)
def test_a_happening_is_told_with_its_fields(kind: Any) -> None:
    happening = kind(**{field: VALUES[field] for field in kind.__struct_fields__})
    told = json.loads(line_of(happening_data(happening)))
    assert tuple(told) == ("kind", *HAPPENING[kind].fields)
    if kind is m.Voted:
        assert told["target"] is None
        assert told["motion"] == "end"
    if kind is m.Resumed:
        assert told["seat"] is None
    if kind is m.Closing:
        assert told["closing"] == {"when": None}


def test_what_happens_in_a_game_is_told_with_its_fields() -> None:
    game = Game()
    game.play_out()
    told = [happening_data(each) for each in game.taken()]
    assert {each["kind"] for each in told} == {
        *("stage_started", "tides_turned", "bid_sealed", "round_resolved", "stage_scored"),
        "game_over",
    }
    fields = {name: HAPPENING[kind].fields for kind, name in m.HAPPENING_NAMES.items()}
    assert all(tuple(each) == ("kind", *fields[each["kind"]]) for each in told)


def _game() -> dict[str, Any]:
    game = Game()
    game.play_out()
    return update_data(m.Update(None, game.snapshot(), (), False, ""), 0.0)


def test_every_field_of_an_update() -> None:
    update = _game()
    lobby = fields.lobby_data(m.LobbySnapshot((), ()))
    assert fields_in("Updates") == update.keys()
    assert fields_in("lobby") == lobby.keys()
    letter = m.CorrespondenceGame("a", "b", m.TableOptions(), m.Status.OPEN, ("",), 0, 0, 0.0, True)
    assert fields_in("correspondence") == fields.CORRESPONDENCE(letter).keys()
    for part in ("table", "game", "you"):
        assert fields_in(part) == update[part].keys(), part
    row = m.TableRow("a", "b", m.TableOptions(), m.Status.OPEN, ("ada",), 0, 0, 0)
    game = m.GameNow("a", 0, (1,), (2,), (3,))
    inner = [
        fields.lobby_data(m.LobbySnapshot((row,), ()))["tables"][0],
        fields.lobby_data(m.LobbySnapshot((), (), games=(game,)))["games"][0],
        fields.lobby_data(m.LobbySnapshot((), (), news=(m.News(("ada",)),)))["news"][0],
        lobby["today"],
        update["table"]["seats"][0],
        update["game"]["seats"][0],
        update["game"]["log"][0],
        update["game"]["log"][0]["losses"][0],
        chat_data(m.ChatLine(1, m.Room.LOBBY, "ada", "hi", 0.0)),
        word_data(m.ServerMessage("broadcast")),
    ]
    for data in inner:
        assert data.keys() <= WORDS, data.keys() - WORDS


def test_every_code() -> None:
    described = fields_in("Why a command is refused")
    known = set(m.Refusal)
    rules = {
        *("not_in_hand", "eliminated", "no_tides", "tides_on_offer", "game_over", "no_such_seat"),
        *("players", "stages", "modified_drowning"),
    }
    past = {
        *("no_games", "no_such_game", "event_open", "not_kept"),
        *("bot_called", "no_text", "report_wait", "no_operators"),
        *("no_profile", "not_followable", "follow_guest", "too_many_followed"),
    }
    assert described == known | rules | past | set(CODES)


def test_what_ends_a_session() -> None:
    ends = fields_in("What you receive")
    assert {"taken_over", "shutdown", "left", "kicked", "banned", "storage", "internal"} <= ends


def test_figures() -> None:
    assert f"`protocol` {PROTOCOL}" in API
    assert AHEAD == fields.MOST_PLAYERS == 100
    assert fields.MOST_TABLES == 30
    assert API.count("hundred") == 4
    assert "4,096" in API
