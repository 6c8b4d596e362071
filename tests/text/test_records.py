"""Every code that a record's error can have has its words."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import RecordError
from engine.records.outcome import resolve_text
from engine.records.replay import Doubt, Finding
from server.i18n.lookup import words_for
from server.text import history
from server.text.history import doubt_in_words, record_error_in_words
from tests.engine.oracle import play_game
from tests.support.engine import random_generator

ENGINE = Path(__file__).resolve().parents[2] / "engine"
WORDS = words_for("en")

# Refusals that a live table gives; folding a record asks in the right order.
NEVER_IN_A_RECORD = {"no_tides", "tides_on_offer", "no_such_seat", "seats", "bids_sealed"}


def codes() -> Iterator[str]:
    for name in (
        "records/json_text",
        "records/record_format",
        "records/replay",
        "rules",
        "editions",
    ):
        source = (ENGINE / f"{name}.py").read_text()
        raised = r'(?:error|RecordError|IllegalAction|BadDeal|BadRules|_Flaw)\(\s*"(\w+)"'
        yield from re.findall(raised, source)


def test_every_code_has_its_words() -> None:
    found = set(codes()) - NEVER_IN_A_RECORD
    assert len(found) > 30
    assert found == set(history._SENTENCES)


@pytest.mark.parametrize("doubt", Doubt)
def test_every_doubt_has_its_words(doubt: Doubt) -> None:
    assert doubt_in_words(Finding(doubt), WORDS)
    told = doubt_in_words(Finding(doubt, stage=0, round=2, seat=1), WORDS)
    assert told.startswith("stage 1, round 3, seat 2: ")


RECORD = json.dumps(play_game("amigo", 3, 1, False, random_generator())[0])


@given(start=st.integers(0, len(RECORD)), length=st.integers(0, 30), junk=st.text(max_size=8))
def test_whatever_is_wrong_can_be_said(start: int, length: int, junk: str) -> None:
    try:
        resolve_text(RECORD[:start] + junk + RECORD[start + length :])
    except RecordError as error:
        told = record_error_in_words(error, WORDS)
    else:
        told = "all is well"
    assert told
