"""Codes of deals: what is printed, read out and typed again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deal import LONGEST_WORD, BadDealCode, deal_code, is_deal_code, read_deal
from engine.editions import Edition, Rules

SEEDS = st.binary(min_size=32, max_size=32)
RULES = st.sampled_from(
    [
        Rules(),
        Rules(Edition.GAMEWRIGHT, 3, 1),
        Rules(Edition.BGA, 6, 2, modified_drowning=True),
        Rules(Edition.BGA, 4, 4, modified_drowning=True, assistance=True),
        Rules(players=5, assistance=True),
    ]
)
CODE = deal_code(bytes(range(32)), Rules())


def test_a_code_that_must_not_change() -> None:
    assert CODE == "a44-000g40r4-0m30e209-185gr38e-1w8124gk-2gahc5rr-34d1p70x-3rfvbf34"


@given(SEEDS, RULES)
def test_a_code_says_what_it_was_made_of(seed: bytes, rules: Rules) -> None:
    code = deal_code(seed, rules)
    assert read_deal(code) == (seed, rules)
    assert len(code) <= 72
    assert is_deal_code(code)


@given(SEEDS, RULES)
def test_it_may_be_typed_in_any_way(seed: bytes, rules: Rules) -> None:
    code = deal_code(seed, rules)
    header, _, rest = code.partition("-")
    for typed in (
        code.upper(),
        f"  {header}-{rest.replace('-', '')} ",
        f"{header}-{rest.replace('-', ' ')}",
    ):
        assert read_deal(typed) == (seed, rules)
    assert read_deal(f"{header}-{rest.replace('0', 'O').replace('1', 'l')}") == (seed, rules)


@given(SEEDS, RULES, st.integers(4, 65), st.sampled_from("0123456789abcdefghjkmnpqrstvwxyz"))
def test_a_slip_is_noticed(seed: bytes, rules: Rules, place: int, other: str) -> None:
    code = deal_code(seed, rules)
    if code[place] in ("-", other):
        return
    wrong = code[:place] + other + code[place + 1 :]
    if read_or_none(wrong) is not None:
        # One in sixteen million: the check would have to be the same.
        raise AssertionError(wrong)


def read_or_none(text: str) -> object:
    try:
        return read_deal(text)
    except BadDealCode:
        return None


@pytest.mark.parametrize(
    "text",
    ["", "  ", CODE[:-1], CODE + "0", "x44" + CODE[3:], "a66" + CODE[3:], "!", "\0", "w" * 41],
)
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(BadDealCode):
        read_deal(text)


@given(st.text(max_size=100))
def test_whatever_is_typed_nothing_else_is_raised(text: str) -> None:
    read_or_none(text)
    is_deal_code(text)


def test_a_word_makes_a_deal_for_everybody_who_types_it() -> None:
    friday = read_deal("Club  Friday")
    assert friday == read_deal("club friday")
    assert friday.rules is None
    assert friday.seed != read_deal("club-friday").seed
    assert len(friday.seed) == 32
    assert not is_deal_code("club friday")
    assert read_deal("w" * LONGEST_WORD)
