"""The seed, the commitment and the shuffles, against docs/fairness.md."""

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import deal
from engine.deal import bots_chance, commitment, deal_game, verify
from engine.editions import Edition, Rules, player_range

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "fairness.md").read_text()
VECTORS: list[dict[str, Any]] = json.loads((DOCS / "deal-vectors.json").read_text())


def rules_of(vector: dict[str, Any]) -> Rules:
    given = vector["rules"]
    return Rules(
        Edition(given["edition"]),
        given["players"],
        given["stages"],
        given["modified_drowning"],
        given["assistance"],
    )


# ------------------------------------------- a second implementation, from the page's text alone


def page_stream(seed: bytes, domain: str, length: int) -> bytes:
    out = b""
    n = 0
    while len(out) < length:
        out += hashlib.sha256(seed + domain.encode() + bytes([10, 0, 0, n >> 8, n & 255])).digest()
        n += 1
    return out[:length]


def page_shuffle(deck: list[int], stream: bytes) -> list[int]:
    position = 0
    for i in reversed(range(1, len(deck))):
        b = i + 1
        while stream[position] >= 256 - (256 % b):
            position += 1
        j = stream[position] % b
        position += 1
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def page_deal(seed: bytes, players: int, stages: int) -> tuple[list[list[int]], list[list[int]]]:
    size, top = (10, 10) if players == 6 else (12, 12)
    weather = page_shuffle(list(range(1, 61)), page_stream(seed, "weather", 1000))
    hands = [sorted(weather[seat * size :][:size]) for seat in range(players)]
    tides = [
        page_shuffle(
            sorted([*range(1, top + 1), *range(1, top + 1)]),
            page_stream(seed, f"tides/{stage}", 1000),
        )
        for stage in range(stages)
    ]
    return hands, tides


# --------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:8])
def test_the_vectors_of_the_page_hold(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    rules = rules_of(vector)
    deal = deal_game(seed, rules)
    assert [list(hand) for hand in deal.hands] == vector["hands"]
    assert [list(deck) for deck in deal.tides] == vector["tides"]
    assert commitment(seed, rules) == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:8])
def test_the_page_is_enough_to_write_it_again(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    rules = vector["rules"]
    hands, tides = page_deal(seed, rules["players"], rules["stages"])
    assert hands == vector["hands"]
    assert tides == vector["tides"]
    for domain in ("weather", "tides/1"):
        shown = bytes.fromhex(vector[f"{domain} stream"])
        assert page_stream(seed, domain, len(shown)) == shown


def test_the_lines_shown_on_the_page_hash_to_the_first_vector() -> None:
    block = re.search(r"```\n(turn-the-tide commitment\n.*?)```", PAGE, re.DOTALL)
    assert block
    assert hashlib.sha256(block[1].encode()).hexdigest() == VECTORS[0]["commitment"]


SEEDS = st.binary(min_size=32, max_size=32)
RULES = st.sampled_from(
    [Rules(edition, players) for edition in Edition for players in player_range(edition)]
)


@given(seed=SEEDS, rules=RULES)
def test_every_deal_is_a_deal_and_agrees_with_the_page(seed: bytes, rules: Rules) -> None:
    deal = deal_game(seed, rules)
    cards = [card for hand in deal.hands for card in hand]
    assert len(set(cards)) == len(cards) == rules.players * rules.hand_size
    assert set(cards) <= set(range(1, 61))
    for deck in deal.tides:
        assert sorted(deck) == sorted([*range(1, rules.highest_tide + 1)] * 2)
    hands, tides = page_deal(seed, rules.players, rules.stages)
    assert deal.hands == tuple(map(tuple, hands))
    assert deal.tides == tuple(map(tuple, tides))


def test_offers_run_through_the_whole_tide_deck() -> None:
    rules = Rules()
    deal = deal_game(bytes(32), rules)
    for stage in range(rules.stages):
        turned = [tide for number in range(rules.rounds) for tide in deal.offer(stage, number)]
        assert tuple(turned) == deal.tides[stage]


@given(seed=SEEDS, bit=st.integers(0, 255))
def test_a_commitment_binds_every_bit_of_the_seed(seed: bytes, bit: int) -> None:
    rules = Rules()
    published = commitment(seed, rules)
    assert verify(published, seed, rules)
    assert verify(published.upper(), seed, rules)
    other = bytearray(seed)
    other[bit // 8] ^= 1 << bit % 8
    assert not verify(published, bytes(other), rules)


def test_a_commitment_binds_edition_players_and_every_option() -> None:
    seed = bytes(32)
    variants = [
        Rules(Edition.BGA, 4),
        Rules(Edition.AMIGO, 4),
        Rules(Edition.GAMEWRIGHT, 4),
        Rules(Edition.BGA, 5),
        Rules(Edition.BGA, 4, 3),
        Rules(Edition.BGA, 4, 0, True),
        Rules(Edition.BGA, 4, 0, False, True),
    ]
    assert len({commitment(seed, rules) for rules in variants}) == len(variants)
    assert commitment(seed, Rules(stages=4)) == commitment(seed, Rules(stages=0))


def test_the_chance_of_bots_comes_from_a_part_of_the_seed_that_deals_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used: list[str] = []
    stream = deal._stream

    def noted(seed: bytes, domain: str) -> Iterator[int]:
        used.append(domain)
        return stream(seed, domain)

    monkeypatch.setattr(deal, "_stream", noted)
    deal_game(bytes(32), Rules(players=5))
    dealt = {used.pop() for _ in used[:]}
    chances = {bots_chance(bytes(32), *which) for which in product(range(5), range(12), range(5))}
    assert len(chances) == len(used) == len(set(used)), "each round's is its own"
    assert not dealt & set(used)


def test_rules_that_do_not_bear_on_chance_do_not_change_the_cards() -> None:
    assert deal_game(bytes(32), Rules(Edition.AMIGO, 4)) == deal_game(
        bytes(32), Rules(Edition.GAMEWRIGHT, 4)
    )


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_seed_has_32_bytes(length: int) -> None:
    for use in (deal_game, commitment):
        with pytest.raises(ValueError, match="32 bytes"):
            use(bytes(length), Rules())


def test_a_deal_shows_nothing_in_a_log() -> None:
    assert not re.search(r"\d", repr(deal_game(bytes(32), Rules())))
