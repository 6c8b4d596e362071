"""Reading records strictly, writing them as they were, and the records that we write."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deal import commitment
from engine.editions import Edition, Rules
from engine.errors import RecordError
from engine.records.json_text import MAX_BYTES, MAX_DEPTH
from engine.records.outcome import bot_bids_of
from engine.records.record_format import Record, parse, record_of, write
from tests.engine.oracle import play_game
from tests.support.engine import RandomGame, random_generator


def example(**changes: Any) -> dict[str, Any]:
    """A whole game of three in one stage, as JSON."""
    record, _ = play_game("amigo", 3, 1, False, random_generator("record"))
    return record | changes


def text(value: object) -> str:
    return json.dumps(value)


def error(data: str | bytes | dict[str, Any]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        parse(text(data) if isinstance(data, dict) else data)
    return caught.value


def place(found: RecordError) -> tuple[int | None, int | None, int | None]:
    return found.stage, found.round, found.seat


# -------------------------------------------------------------------------------------- reading


def test_a_record_means_what_it_says() -> None:
    record = parse(
        text(
            example(
                rules={"edition": "bga", "modified_drowning": True, "stages": 2},
                players=["ada", "bo", "cem"],
            )
        )
    )
    assert record.rules == Rules(Edition.BGA, 3, 2, True)
    assert record.players == ("ada", "bo", "cem")
    assert [sorted(hand) for hand in record.deal] == [sorted(hand) for hand in example()["deal"]]
    assert [list(map(list, stage.tides)) for stage in record.stages] == [
        stage["tides"] for stage in example()["stages"]
    ]
    assert [list(map(list, stage.bids)) for stage in record.stages] == [
        stage["bids"] for stage in example()["stages"]
    ]


def test_what_may_be_left_out() -> None:
    rules = parse(text(example(rules={"edition": "gamewright"}))).rules
    assert rules == Rules(Edition.GAMEWRIGHT, 3)
    assert rules.stages == 3


def test_modified_drowning_may_be_denied_in_any_edition() -> None:
    rules = parse(text(example(rules={"edition": "amigo", "modified_drowning": False}))).rules
    assert rules == Rules(Edition.AMIGO, 3)


@pytest.mark.parametrize("encoded", [True, False], ids=["bytes", "text"])
def test_a_byte_order_mark_and_other_line_ends_are_fine(encoded: bool) -> None:
    pretty = "\ufeff" + json.dumps(example(), indent=2).replace("\n", "\r\n") + "\r\n"
    assert parse(pretty.encode() if encoded else pretty) == parse(text(example()))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"{", "json"),
        (b"{} {}", "json"),
        (b"{'format': 1}", "json"),
        (b"nonsense", "json"),
        (b"\x00\x01\x02", "json"),
        (b'{"a": "\x01"}', "json"),
        (b"\xff\xfe\x00\x80", "utf8"),
        (b'{"format": "\xc3\x28"}', "utf8"),
        (b"[" * 100_000, "nesting"),
        (b"[" * 500, "nesting"),
        (b'["' + b"[" * 500, "json"),
        (b'["a\\"[[", ' * 20, "json"),
        (b'{"a":' * 100_000, "nesting"),
        (b" " * (MAX_BYTES + 1), "too_large"),
        (b"[]", "not_an_object"),
        (b"42", "not_an_object"),
        (b"null", "not_an_object"),
        (b"NaN", "not_a_number"),
        (b'{"format": "turn-the-tide", "format": "turn-the-tide"}', "duplicate_key"),
        (b"{}", "format"),
        (b'{"format": "chess"}', "format"),
        (b'{"format": ["turn-the-tide"]}', "format"),
    ],
)
def test_what_is_no_record_at_all(data: bytes, code: str) -> None:
    assert error(data).code == code
    try:
        assert error(data.decode()).code == code
    except UnicodeDecodeError:
        assert code == "utf8"


def test_where_the_json_is_broken() -> None:
    found = error('{\n  "format": \n}')
    assert (found.code, found.details["line"], found.details["column"]) == ("json", 3, 1)


@pytest.mark.parametrize(
    ("version", "code"),
    [
        (2, "version"),
        (0, "version"),
        (-1, "version"),
        (None, "not_an_integer"),
        (True, "not_an_integer"),
        (1.0, "not_an_integer"),
        ("1", "not_an_integer"),
        (10**30, "number_too_large"),
    ],
)
def test_a_foreign_version_is_named_first(version: object, code: str) -> None:
    found = error({"format": "turn-the-tide", "version": version, "rules": "quite different"})
    assert found.code == code
    if code == "version":
        assert found.details == {"found": version, "wanted": 1}


@pytest.mark.parametrize("field", ["version", "rules", "players", "deal", "stages"])
def test_a_missing_field(field: str) -> None:
    record = example()
    del record[field]
    found = error(record)
    assert (found.code, found.details) == ("missing_field", {"field": field})


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"rules": []}, "not_an_object"),
        ({"rules": {}}, "missing_field"),
        ({"rules": {"edition": "chess"}}, "edition"),
        ({"rules": {"edition": 5}}, "not_a_string"),
        ({"rules": {"edition": ["amigo"]}}, "not_a_string"),
        ({"rules": {"edition": "amigo", "modified_drowning": True}}, "modified_drowning"),
        ({"rules": {"edition": "gamewright", "modified_drowning": True}}, "modified_drowning"),
        ({"rules": {"edition": "bga", "modified_drowning": 1}}, "not_a_boolean"),
        ({"rules": {"edition": "bga", "modified_drowning": None}}, "not_a_boolean"),
        ({"rules": {"edition": "amigo", "stages": 0}}, "stages"),
        ({"rules": {"edition": "amigo", "stages": -1}}, "stages"),
        ({"rules": {"edition": "amigo", "stages": 4}}, "stages"),
        ({"rules": {"edition": "amigo", "stages": None}}, "not_an_integer"),
        ({"rules": {"edition": "amigo", "stages": True}}, "not_an_integer"),
        ({"rules": {"edition": "amigo", "stages": 1.0}}, "not_an_integer"),
        ({"players": "ada"}, "not_a_list"),
        ({"players": {"ada": 1}}, "not_a_list"),
        ({"players": []}, "players"),
        ({"players": ["a", "b"]}, "players"),
        ({"players": list("abcdef")}, "players"),
        ({"players": ["a", 5, "c"]}, "not_a_string"),
        ({"deal": None}, "not_a_list"),
        ({"deal": [1, 2, 3]}, "not_a_list"),
        ({"deal": [["1"]]}, "not_an_integer"),
        ({"deal": [[True]]}, "not_an_integer"),
        ({"deal": [[44.0]]}, "not_an_integer"),
        ({"deal": [[10**12]]}, "number_too_large"),
        ({"deal": [[float("nan")]]}, "not_a_number"),
        ({"deal": [[float("-inf")]]}, "not_a_number"),
        ({"stages": {}}, "not_a_list"),
        ({"stages": [[]]}, "not_an_object"),
        ({"stages": [{"tides": []}]}, "missing_field"),
        ({"stages": [{"bids": []}]}, "missing_field"),
        ({"stages": [{"tides": [4, 7], "bids": []}]}, "not_a_list"),
        ({"stages": [{"tides": [[4]], "bids": []}]}, "tide_pair"),
        ({"stages": [{"tides": [[4, 7, 1]], "bids": []}]}, "tide_pair"),
        ({"stages": [{"tides": [[4, None]], "bids": []}]}, "not_an_integer"),
        ({"stages": [{"tides": [[4, 7]], "bids": [[1, 2]]}]}, "bids_of_round"),
        ({"stages": [{"tides": [[4, 7]], "bids": [[1, 2, 3, 4]]}]}, "bids_of_round"),
        ({"stages": [{"tides": [[4, 7]], "bids": [[1, 2, False]]}]}, "not_an_integer"),
        ({"note": float("inf")}, "not_a_number"),
        ({"note": {"deep": [float("nan")]}}, "not_a_number"),
        ({"note": "\ud800"}, "text"),
        ({"players": ["a", "\udfff", "c"]}, "text"),
    ],
)
def test_what_is_not_of_the_format(changes: dict[str, Any], code: str) -> None:
    assert error(example(**changes)).code == code


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" * 5000])
def test_a_number_beyond_all_bounds_in_a_field_that_nobody_knows(number: str) -> None:
    data = text(example(note=0)).replace('"note": 0', f'"note": {number}')
    assert error(data).code == "number_too_large"


@pytest.mark.parametrize(
    ("before", "after", "code", "where"),
    [
        (
            '"edition": "amigo"',
            '"edition": "amigo", "edition": "amigo"',
            "duplicate_key",
            (None, None, None),
        ),
        ('"tides":', '"tides": [], "tides":', "duplicate_key", (0, None, None)),
        ('"tides":', '"note": {"a": 1, "a": 1}, "tides":', "duplicate_key", (0, None, None)),
    ],
)
def test_a_key_that_stands_twice(
    before: str, after: str, code: str, where: tuple[int | None, int | None, int | None]
) -> None:
    found = error(text(example()).replace(before, after, 1))
    assert (found.code, place(found)) == (code, where)


def test_where_a_number_is_none() -> None:
    record = example()
    record["stages"][0]["bids"][1][2] = 44.5
    assert place(error(record)) == (0, 1, 2)
    record = example()
    record["stages"][0]["tides"][3][0] = "7"
    assert place(error(record)) == (0, 3, None)
    record = example()
    record["deal"][1][0] = None
    assert place(error(record)) == (None, None, 1)
    record = example()
    record["players"][2] = None
    assert place(error(record)) == (None, None, 2)


def nested(levels: int) -> object:
    value: object = 0
    for _ in range(levels):
        value = [value]
    return value


def test_how_deep_unknown_fields_may_go() -> None:
    kept = example(note=nested(MAX_DEPTH - 1))
    assert parse(text(kept)).fields() == kept
    assert error(example(note=nested(MAX_DEPTH))).code == "nesting"


# -------------------------------------------------------------------------------- writing again


UNKNOWN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    whole=UNKNOWN,
    in_rules=UNKNOWN,
    in_stage=UNKNOWN,
    names=st.lists(st.text(), min_size=3, max_size=3),
)
def test_unknown_fields_are_kept_on_every_level(
    whole: object, in_rules: object, in_stage: object, names: list[str]
) -> None:
    fields = example(players=names, note=whole)
    fields["rules"]["note"] = in_rules
    fields["stages"][0]["note"] = in_stage
    record = parse(text(fields))
    assert json.loads(write(record)) == fields
    assert record.fields() == fields
    assert parse(write(record)) == record
    assert write(parse(write(record))) == write(record)


def test_nothing_is_put_in_order_or_filled_in() -> None:
    fields = example(rules={"edition": "bga", "modified_drowning": False, "stages": 1})
    fields["stages"][0]["tides"][0].sort(reverse=True)
    fields["deal"][0].sort(reverse=True)
    assert json.loads(write(parse(text(fields)))) == fields
    assert list(json.loads(write(parse(text(fields))))) == list(fields)


def test_what_is_written_is_one_line_of_ascii() -> None:
    written = write(parse(text(example(players=["José", "\u2028\x9b31m", "b\no"]))))
    assert written.isascii()
    assert written.isprintable()
    assert json.loads(written)["players"] == ["José", "\u2028\x9b31m", "b\no"]


# ------------------------------------------------------------------------------ our own records


def finished(rules: Rules) -> tuple[RandomGame, Record]:
    game = RandomGame(rules, random_generator()).play()
    names = tuple(f"player {seat}" for seat in range(rules.players))
    return game, record_of(game.state, names, seed=game.seed)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(Edition.BGA, 6, 2, True),
        Rules(Edition.GAMEWRIGHT, 3, 1, assistance=True),
    ],
    ids=lambda rules: rules.edition.value,
)
def test_the_record_of_a_finished_game(rules: Rules) -> None:
    game, record = finished(rules)
    assert record.rules == rules
    assert record.deal == game.deal.hands
    fields = record.fields()
    assert fields["seed"] == game.seed.hex()
    assert fields["commitment"] == commitment(game.seed, rules)
    assert fields["algorithm"] == 1
    assert ("stages" in fields["rules"]) == (rules.stages < rules.players)
    assert ("modified_drowning" in fields["rules"]) == rules.modified_drowning
    assert ("assistance" in fields) == rules.assistance


def test_further_fields_are_written_as_they_are_and_may_not_replace_ours() -> None:
    game, _ = finished(Rules())
    names = ("a", "b", "c", "d")
    more = {"times": {"started": "2025-11-21T19:30:00Z"}, "seats": [{"kind": "human"}]}
    assert record_of(game.state, names, more=more).fields().items() >= more.items()
    with pytest.raises(ValueError, match="players"):
        record_of(game.state, names, more={"players": []})


def test_a_running_game_has_no_record() -> None:
    game = RandomGame(Rules(), random_generator()).play(8)
    with pytest.raises(ValueError, match="running"):
        record_of(game.state, ("a", "b", "c", "d"))


def test_the_record_of_a_game_that_ended_early_has_the_tides_of_its_last_round() -> None:
    game = RandomGame(Rules(), random_generator()).play(2 + 2 + 1)
    (stage,) = record_of(game.state, ("a", "b", "c", "d"), ended_early=True).stages
    assert len(stage.bids) == 2
    assert len(stage.tides) == 3
    assert stage.tides[2] == game.state.offer


@pytest.mark.parametrize(
    "seats",
    [
        None,
        "x",
        [],
        [{}],
        [None, 1, "bot"],
        [{"bot_bids": 1}, {"bot_bids": [1, [1], [1, "2"]]}, {}],
    ],
)
def test_bot_bids_that_are_none_are_none(seats: object) -> None:
    assert bot_bids_of({"seats": seats}, 3) == [(), (), ()]


def test_bot_bids_count_from_0() -> None:
    seats = [{"bot_bids": [[1, 1], [3, 12]]}, {"kind": "bot"}, {}]
    assert bot_bids_of({"seats": seats}, 3) == [((0, 0), (2, 11)), (), ()]
