"""Every command, and every line that is none."""

import json
from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.coordinator import messages as m
from server.i18n.lookup import words_for
from server.jsonapi.requests import (
    CODES,
    LONGEST,
    BadLine,
    CommandRequest,
    problem_in_words,
    read,
)
from server.session.commands import TABLE_ACTIONS
from tests.support.api_program import LINES, OBJECTS


@pytest.mark.parametrize("do", LINES)
def test_every_command(do: str) -> None:
    fields, command = LINES[do]
    order = read(json.dumps({"id": 7, "do": do, **fields}).encode())
    assert order.id == 7
    assert isinstance(order.request, CommandRequest)
    assert order.request.command(None) == command


def test_no_command_is_missing() -> None:
    watch = read(b'{"do": "watch"}').request
    assert isinstance(watch, CommandRequest)
    another = read(b'{"do": "watch", "another": true}').request
    assert isinstance(another, CommandRequest)
    reached = {type(command) for _, command in LINES.values()}
    reached |= {type(watch.command(None)), type(another.command(None))}
    # These have no name of their own: they are what others say with a table.
    assert reached | {m.AtTable, m.LookAt} == set(get_args(m.Command))


@pytest.mark.parametrize("do", [*(action.word for action in TABLE_ACTIONS), "touch"])
def test_what_is_done_at_a_table_may_name_it(do: str) -> None:
    fields, command = LINES[do]
    assert isinstance(command, m.TableCommand)
    order = read(json.dumps({"do": do, **fields, "table": "Kadubilo"}).encode())
    assert isinstance(order.request, CommandRequest)
    assert order.request.command(None) == m.AtTable("kadubilo", command)


HOSTILE: list[tuple[str | bytes, str, dict[str, int | str]]] = [
    ("nonsense", "json", {"column": 1}),
    ('{"do": }', "json", {"column": 8}),
    ('{"do": "\x01"}', "json", {"column": 9, "reason": "Invalid control character"}),
    ('{"do": "look}', "json", {"column": 8, "reason": "Unterminated string"}),
    (b'{"do": "\xff"}', "utf8", {"byte": 9}),
    ("[1]", "not_an_object", {}),
    ("3", "not_an_object", {}),
    ("\ufeff", "not_an_object", {}),
    ("[" * 4000, "nesting", {}),
    ('{"do": "bid", "card": 1, "card": 2}', "duplicate_key", {"key": "card"}),
    ('{"do": "bid", "card": NaN}', "not_a_number", {}),
    ('{"do": "bid", "card": ' + "9" * 50 + "}", "number_too_large", {}),
    ("{}", "missing_field", {"field": "do"}),
    ('{"do": 3}', "wrong_field", {"field": "do"}),
    ('{"do": null}', "wrong_field", {"field": "do"}),
    ('{"do": ["ping"]}', "wrong_field", {"field": "do"}),
    ('{"do": {"ping": 1}}', "wrong_field", {"field": "do"}),
    (f'{{"do": "{"fly" * 9}"}}', "no_such_command", {"command": "flyflyflyflyflyflyflyfl…"}),
    ('{"do": "fly\\u001b[2J"}', "no_such_command", {"command": "fly[2J"}),
    ('{"do": "bid", "stage": 0, "round": 0}', "missing_field", {"field": "card"}),
    ('{"do": "start", "now": true}', "unknown_field", {"field": "now"}),
    ('{"do": "remove", "seat": "2"}', "wrong_field", {"field": "seat"}),
    ('{"do": "remove", "seat": -1}', "wrong_field", {"field": "seat"}),
    ('{"do": "remove", "seat": true}', "wrong_field", {"field": "seat"}),
    ('{"do": "remove", "seat": 2.0}', "wrong_field", {"field": "seat"}),
    ('{"do": "new", "options": {"players": "3"}}', "wrong_field", {"field": "options.players"}),
    ('{"do": "new", "options": {"tables": 3}}', "wrong_field", {"field": "options"}),
    ('{"do": "private", "word": "\\u0000"}', "wrong_field", {"field": "word"}),
    ('{"do": "start", "id": {}}', "wrong_field", {"field": "id"}),
    ('{"do": "new", "options": {"edition": "\\ud800"}}', "wrong_field", {"field": "options"}),
    ('{"do": "new", "options": {"\\udfff": {"a": [1]}}}', "wrong_field", {"field": "options"}),
    ('{"do": "start", "id": "\\ud800"}', "wrong_field", {"field": "id"}),
    ('{"do": "start", "id": 99999999999999999999}', "wrong_field", {"field": "id"}),
    ("x" * (LONGEST + 1), "line_too_long", {"limit": LONGEST}),
]


@pytest.mark.parametrize(("line", "code", "details"), HOSTILE)
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_no_command(
    line: str | bytes, code: str, details: dict[str, int | str], language: str
) -> None:
    with pytest.raises(BadLine) as caught:
        read(line if isinstance(line, bytes) else line.encode())
    assert caught.value.code == code
    assert details.items() <= caught.value.details.items()
    assert "line" not in caught.value.details
    said = problem_in_words(caught.value, words_for(language))
    assert said.isprintable()
    assert "{" not in said
    assert all(str(each) in said for each in details.values() if each != "id")


def test_the_id_comes_back_where_it_can_be_read() -> None:
    for line in ('{"id": 5, "do": "fly"}', '{"id": 5, "do": "bid", "card": NaN}'):
        with pytest.raises(BadLine) as caught:
            read(line.encode())
        assert caught.value.id == 5


@given(OBJECTS | st.binary(max_size=60) | st.text(max_size=60).map(lambda t: t.encode("utf-8")))
def test_whatever_a_program_sends_is_read_or_refused_in_words(line: bytes) -> None:
    with suppress(BadLine):
        read(line)
        return
    with pytest.raises(BadLine) as caught:
        read(line)
    problem = caught.value
    assert problem.code in CODES
    assert all(str(each).isprintable() for each in problem.details.values())
    json.dumps([problem.id, problem.details]).encode()
    assert problem_in_words(problem, words_for("pt"))
