"""The schema describes all that programs get and send, and nothing that they do not."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from server.jsonapi.requests import REQUESTS
from tests.support.api_program import CHECK, COMMANDS, SCHEMA


def parts(of: Any) -> Iterator[dict[str, Any]]:
    """Every object in it."""
    for inner in of.values() if isinstance(of, dict) else of if isinstance(of, list) else ():
        yield from parts(inner)
    if isinstance(of, dict):
        yield of


def test_it_is_a_schema_in_which_every_name_leads_somewhere() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    named = {each["$ref"].removeprefix("#/$defs/") for each in parts(SCHEMA) if "$ref" in each}
    assert named | {"command"} == SCHEMA["$defs"].keys()
    assert all("." not in name for name in named), "a name that is there twice has its module's"


def test_every_command_is_in_it() -> None:
    refs = [each["$ref"].rpartition("/")[2] for each in SCHEMA["$defs"]["command"]["anyOf"]]
    told = [SCHEMA["$defs"][name]["properties"]["do"]["enum"] for name in refs]
    assert told == [[do] for do in REQUESTS]


@pytest.mark.parametrize(
    "line",
    [
        {"do": "fly"},
        {"do": "bid", "card": 44},
        {"do": "bid", "card": "44", "stage": 0, "round": 0},
        {"do": "start", "now": True},
        {"do": "new", "options": {"pace": "slow"}},
        {"id": {}, "do": "look"},
        {},
    ],
)
def test_what_is_no_command_does_not_fit(line: dict[str, Any]) -> None:
    assert not COMMANDS.is_valid(line)


@pytest.mark.parametrize(
    "line",
    [
        {"hello": {}},
        {"update": {"number": 1, "time": 0.0, "place": "sea"}},
        {"update": {"number": 1, "time": 0.0, "place": "lobby", "happenings": [{"kind": "rain"}]}},
        {"update": {"number": 1, "time": 0.0, "place": "lobby", "weather": 1}},
        {"id": 1},
        {"end": {"code": "left"}},
        {},
    ],
)
def test_what_is_never_told_does_not_fit(line: dict[str, Any]) -> None:
    assert not CHECK.is_valid(line)
