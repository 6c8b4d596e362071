"""Whatever comes in as a record, nothing but ``RecordError`` comes out; and no bad record gets through."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import RecordError
from engine.records.outcome import Report, resolve_text, to_json
from engine.records.record_format import parse, write
from engine.records.replay import check_seed, fold
from tests.engine.oracle import play_game

RECORDS = [
    play_game(edition, players, 2, modified, random.Random(f"fuzz {edition} {players}"), stop)[0]
    for edition, players, modified, stop in (
        ("amigo", 3, False, None),
        ("amigo", 5, False, 14),
        ("gamewright", 4, False, None),
        ("bga", 6, True, 3),
    )
]
TEXTS = [json.dumps(record).encode() for record in RECORDS]


def judged(data: bytes | str) -> Report | None:
    """The report, or nothing if the record is bad; anything else that is raised fails the test."""
    try:
        report = resolve_text(data)
    except RecordError:
        return None
    check_seed(report.record)
    assert write(parse(write(report.record))) == write(report.record)
    assert json.loads(json.dumps(to_json(report), allow_nan=False))
    return report


@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf\xff")
@example(b"\x80" * 300)
def test_random_bytes(data: bytes) -> None:
    assert judged(data) is None


@given(st.text(max_size=300))
@example("\ud800")
@example("9" * 10_000)
@example("-" * 300)
def test_random_text(data: str) -> None:
    assert judged(data) is None


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(0, 60)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["turn-the-tide", "amigo", "bga", "\ud800", 10**40, -0.0, 1e308]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["tides", "bids", "edition", "stages", "format", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(RECORDS[0], ANYTHING)))
def test_random_json_with_the_fields_of_a_record(fields: dict[str, Any]) -> None:
    judged(json.dumps(fields))
    judged(json.dumps(RECORDS[0] | fields))


# ------------------------------------------------------------------ good records, with one flaw


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a JSON value."""
    inside: list[tuple[Any, ...]] = [path] if path else []
    if isinstance(value, dict):
        for key, inner in value.items():
            inside += places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            inside += places(inner, (*path, index))
    return inside


def changed(
    record: dict[str, Any], path: tuple[Any, ...], change: Callable[[Any, Any], None]
) -> str:
    copy = json.loads(json.dumps(record))
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    change(inside, path[-1])
    return json.dumps(copy)


def delete(container: Any, key: Any) -> None:
    del container[key]


def double(container: Any, key: Any) -> None:
    if isinstance(container, list):
        container.insert(key, container[key])
    else:
        container["again"] = container[key]


@pytest.mark.slow
@settings(max_examples=300)
@given(data=st.data(), record=st.sampled_from(RECORDS), value=ANYTHING)
def test_a_good_record_in_which_something_is_put_in_place_of_another(
    data: st.DataObject, record: dict[str, Any], value: object
) -> None:
    def replace(container: Any, key: Any) -> None:
        container[key] = value

    judged(changed(record, data.draw(st.sampled_from(places(record))), replace))


@given(data=st.data(), record=st.sampled_from(RECORDS), change=st.sampled_from([delete, double]))
def test_a_good_record_in_which_something_is_missing_or_doubled(
    data: st.DataObject, record: dict[str, Any], change: Callable[[Any, Any], None]
) -> None:
    judged(changed(record, data.draw(st.sampled_from(places(record))), change))


@settings(max_examples=300)
@given(data=st.data(), text=st.sampled_from(TEXTS), junk=st.binary(max_size=6))
def test_a_good_record_with_bytes_cut_out_and_others_put_in(
    data: st.DataObject, text: bytes, junk: bytes
) -> None:
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 40))
    judged(text[:start] + junk + text[start + length :])


@given(text=st.sampled_from(TEXTS), end=st.integers(0, 10_000))
def test_a_record_that_is_cut_off_is_always_bad(text: bytes, end: int) -> None:
    assert judged(text[: end % len(text)]) is None


@given(data=st.data(), record=st.sampled_from(RECORDS))
def test_a_card_that_is_exchanged_for_another_is_noticed_or_legal(
    data: st.DataObject, record: dict[str, Any]
) -> None:
    """No record gets through in which somebody plays a card twice or one of another hand."""
    bids = [path for path in places(record["stages"]) if len(path) == 4 and path[1] == "bids"]
    stage, field, round_, seat = data.draw(st.sampled_from(bids))
    card = data.draw(st.integers(1, 60))

    def exchange(container: Any, key: Any) -> None:
        container[key] = card

    text = changed(record, ("stages", stage, field, round_, seat), exchange)
    report = judged(text)
    played = [row[seat] for row in json.loads(text)["stages"][stage]["bids"] if row[seat]]
    hand = record["deal"][(seat - stage) % len(record["players"])]
    if report is not None:
        assert len(set(played)) == len(played)
        assert set(played) <= set(hand)
        assert fold(report.record).last.deal == tuple(
            tuple(sorted(hand)) for hand in record["deal"]
        )
