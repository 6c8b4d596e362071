"""What a player is sent in a round stays small: the bytes are the same on every machine."""

import pytest

from bench.rounds import KINDS, SEATS, SIXTEEN, measure
from bench.stock import OwnContainer


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        ("sixteen colours", 1420),
        ("true colour", 2150),
        ("ASCII, no colours", 1100),
        ("low bandwidth", 300),
        ("lines", 200),
    ],
)
def test_a_round_fits_a_thin_line(kind: str, most: int) -> None:
    # One game; more of them come to a little less (`python -m bench.rounds`).
    tally = measure(KINDS[kind], games=1)
    assert tally.rounds > 5
    assert sum(tally.frames.values()) > SEATS * tally.rounds
    assert 0 < tally.per_round <= most


def test_the_bytes_are_the_same_every_time() -> None:
    first, second = (measure(KINDS["low bandwidth"], games=1) for _ in range(2))
    assert first.bytes == second.bytes


@pytest.mark.slow
def test_ours_sends_less_than_prompt_toolkits_renderer() -> None:
    ours = measure(SIXTEEN, games=1)
    theirs = measure(SIXTEEN, games=1, drawn=OwnContainer)
    assert ours.per_round < theirs.per_round
