"""docs/api.md has every command, field and code that there is, and no others where that can be seen."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.bots import WANTED
from server.coordinator import messages as m
from server.jsonapi import fields
from server.jsonapi.fields import HAPPENING, SettingsRequest, choices_data, update_data
from server.jsonapi.requests import CODES, REQUESTS, GetView, Quit, read
from server.session.commands import TABLE_ACTIONS
from tests.support.api_program import COMMANDS, SCHEMA
from tests.support.snapshots import Game

ROOT = Path(__file__).resolve().parents[2]
API = (ROOT / "docs" / "api.md").read_text()


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


def test_every_field_and_value_of_what_programs_are_told() -> None:
    def words(schema: Any) -> Iterator[str]:
        if isinstance(schema, dict):
            yield from schema.get("properties", {})
            yield from (each for each in schema.get("enum", ()) if isinstance(each, str))
            schema = [*schema.values()]
        for part in schema if isinstance(schema, list) else ():
            yield from words(part)

    # docs/bots.md tells of the bots.
    assert {*words(SCHEMA)} - {"", *WANTED} <= {*re.findall(r"\w+", API)}


def test_every_kind_of_happening_and_its_fields() -> None:
    told = {row[0].strip("`"): tuple(re.findall(r"`(\w+)`", row[1])) for row in rows("happenings")}
    assert told == {name: HAPPENING[kind].fields for kind, name in m.HAPPENING_NAMES.items()}


def test_every_setting() -> None:
    settings = fields_in("settings")
    assert settings == set(SettingsRequest.__struct_fields__) == choices_data({}).keys()


def test_every_field_of_an_update() -> None:
    game = Game()
    game.play_out()
    update = update_data(m.Update(None, game.snapshot(), (), False, ""), 0.0)
    assert fields_in("Updates") == update.keys()
    assert fields_in("lobby") == {*fields.lobby_data.fields}
    assert fields_in("correspondence") == {*fields.CORRESPONDENCE.fields}
    for part in ("table", "game", "you"):
        assert fields_in(part) == update[part].keys(), part


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
