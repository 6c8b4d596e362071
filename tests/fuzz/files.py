"""What comes in as a file: records, settings, and tables from a store that somebody has been at."""

import copy
import json
import random
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from engine.errors import RecordError
from engine.records.outcome import resolve_text, to_json
from engine.records.record_format import parse, write
from engine.records.replay import check_seed
from server.cli.records import account
from server.coordinator.messages import Player, Status, TableOptions
from server.coordinator.table.state import EMPTY, Table, human
from server.coordinator.table.stored import Unreadable, from_stored, to_row
from server.i18n.lookup import words_for
from server.settings.loading import load
from server.settings.settings import ConfigError, ServerLimits, Settings
from server.storage.table_store import StoredTable
from tests.engine.oracle import play_game
from tests.fuzz.harness import Harness
from tests.fuzz.inputs import NASTY, text
from tests.fuzz.ours import strange_in

_RECORD: dict[str, Any] = play_game("amigo", 3, 2, False, random.Random("fuzz"), 8)[0]
_WORDS = words_for("en")


def check_record(data: bytes) -> None:
    """A record is read or refused with a ``RecordError``; nothing else comes of it. One that is read is
    written as it was, says the same in JSON, and what is said of it in words holds nothing that a
    terminal obeys.
    """
    try:
        report = resolve_text(data)
    except RecordError:
        return
    check_seed(report.record)
    assert write(parse(write(report.record))) == write(report.record)
    json.dumps(to_json(report), allow_nan=False)
    for line in account(report, "a game", _WORDS):
        assert not strange_in(line)
        assert "\r" not in line


def check_settings(raw: str) -> None:
    """A file of settings, or the environment, is understood or refused with one line for the operator;
    limits are numbers that can be counted to.
    """
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "tide.toml"
        file.write_text(raw, "utf-8", "replace")
        values = raw.replace("\0", "").encode("utf-8", "replace").decode()
        for environ, config in (
            ({}, file),
            ({"TIDE_LIMITS_SESSIONS": values, "TIDE_STATE": place}, None),
            ({"TIDE_TIMING_REVEAL": values, "TIDE_STATE": place}, None),
            ({"TIDE_LOG": values, "TIDE_STATE": place}, None),
        ):
            try:
                settings = load(environ=environ, config=config)
            except ConfigError:
                continue
            assert isinstance(settings, Settings)
            for name in ServerLimits.__struct_fields__:
                assert 0 <= getattr(settings.limits, name) < float("inf")


def check_stored(change: tuple[tuple[str, ...], Any, list[Any]]) -> None:
    """A stored table in which something is not as a server writes it is taken up, or found
    ``Unreadable``; nothing else comes of it, and what is said does not name a card.
    """
    path, value, entries = change
    row = copy.deepcopy(_ROW)
    inside: Any = row
    for key in path[:-1]:
        inside = inside[key if isinstance(inside, dict) else int(key)]
    if path:
        inside[path[-1]] = value
    said = ""
    try:
        from_stored(StoredTable("key", row, 1, tuple(entries), 1))
    except Unreadable as problem:
        said = str(problem)
    assert not said or said.isidentifier()


def _row() -> dict[str, Any]:
    options = TableOptions()
    state = Table(
        id="bade",
        title="River",
        options=options,
        created=1.0,
        seats=(human(Player("id", "ada", False)), *[EMPTY] * (options.rules.players - 1)),
        status=Status.PLAYING,
        number=1,
        seed=bytes(range(32)),
    )
    row: dict[str, Any] = json.loads(json.dumps(to_row(state)))
    return row


_ROW = _row()
_PATHS: list[tuple[str, ...]] = [
    (),
    *((key,) for key in _ROW),
    *(("options", key) for key in _ROW["options"]),
    *(("options", "rules", key) for key in _ROW["options"]["rules"]),
    *(("seats", str(seat), key) for seat in (0, 1) for key in _ROW["seats"][0]),
    *(("seats", "0", "player", key) for key in _ROW["seats"][0]["player"]),
]
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text(12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text(6), inner, max_size=3),
    max_leaves=8,
)
_ENTRY = (
    st.tuples(
        st.sampled_from(["tides", "bid", "substitute", "x"]),
        st.integers(-1, 61),
        st.integers(-1, 61),
        st.floats(0, 10),
    ).map(list)
    | _ANYTHING
)


@st.composite
def _records(draw: st.DrawFn) -> bytes:
    """A good record with one thing changed, or anything else."""
    record = copy.deepcopy(_RECORD)
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return draw(st.binary(max_size=200))
    if kind == 1:
        record[draw(st.sampled_from(sorted(record)))] = draw(_ANYTHING)
    if kind == 2:
        record["players"] = draw(st.lists(text(40), min_size=3, max_size=3))
    if kind == 3:
        record |= draw(st.dictionaries(text(10), _ANYTHING, max_size=3))
    data = json.dumps(record).encode()
    if kind == 4:
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.binary(max_size=8)) + data[at + draw(st.integers(0, 30)) :]
    return data


def _named(name: str) -> bytes:
    return json.dumps(_RECORD | {"players": [name, "bo", "cem"]}).encode()


RECORD = Harness(
    "record",
    _records(),
    check_record,
    (b"[" * 100_000, b'{"a":' * 50_000, b"9" * 100_000, b"\xff" * 100, *map(_named, NASTY)),
    lambda data: data,
)
SETTINGS = Harness(
    "settings",
    st.builds(
        lambda section, key, value: f"{section}\n{key} = {value}\n",
        st.sampled_from(["", "[limits]", "[timing]", "[tables]", "[[limits]]"]) | text(10),
        st.sampled_from(["sessions", "host", "reveal", "tables", "log", "state"]) | text(10),
        text(20) | st.integers().map(str) | st.floats().map(str),
    )
    | text(100),
    check_settings,
    (
        "[" * 5000,
        "a=" + "[" * 5000,
        'host = "\\u0000"',
        "limits = 3",
        "[limits]\nkeys = 1e400",
        "ssh_port = " + "9" * 5000,
    ),
    lambda data: data.decode("utf-8", "replace"),
    examples=40,
)
STORED = Harness(
    "stored",
    st.tuples(st.sampled_from(_PATHS), _ANYTHING, st.lists(_ENTRY, max_size=4)),
    check_stored,
    (((), None, []), (("seed",), "zz", []), (("seats",), [{}], [])),
)
