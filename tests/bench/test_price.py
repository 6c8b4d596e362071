"""The price of a change is told from pairs, whatever the machine does meanwhile."""

import random
from pathlib import Path
from typing import Any

import pytest

from bench import price
from bench.price import LEAST, Cost, main, prices


def pair(chance: random.Random, dearer: float, noise: float = 0.01) -> tuple[Cost, Cost]:
    """A busy machine makes both dearer by up to half, and one of them by some ``noise``."""
    busy = chance.uniform(1.0, 1.5)
    before = (4.0 * busy, 2.0 * busy, 60.0)
    return before, tuple(cost * dearer * chance.gauss(1.0, noise) for cost in before)


def test_ten_percent_are_found_and_two_are_not() -> None:
    chance = random.Random(1)
    for dearer, low, high in ((1.1, 7.5, 12.5), (1.02, -0.5, 4.5), (0.8, -22.0, -18.0)):
        for it in prices([pair(chance, dearer) for _ in range(10)]):
            assert low < it.low < it.high < high


@pytest.mark.parametrize(
    ("dearer", "noise", "limit", "status", "rounds"),
    [
        (1.1, 0.001, 5.0, 1, LEAST),
        (1.1, 0.001, 15.0, 0, LEAST),
        (1.0, 0.001, 5.0, 0, LEAST),
        (1.0, 0.2, 5.0, 0, 6),
    ],
)
def test_it_goes_on_until_it_is_known(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    dearer: float,
    noise: float,
    limit: float,
    status: int,
    rounds: int,
) -> None:
    chance, measured = random.Random(3), []

    async def measure(checkouts: list[Path], number: int) -> Any:
        assert checkouts == [Path("before"), Path("now")]
        measured.append(number)
        return pair(chance, dearer, noise)

    commits = {"HEAD~3^{commit}": "before", "HEAD^{commit}": "now"}
    monkeypatch.setattr(price, "git", lambda *words: commits[words[-1]])
    monkeypatch.setattr(price, "environment", Path)
    monkeypatch.setattr(price, "pair", measure)
    assert main(["HEAD~3", "--limit", str(limit), "--pairs", "6"]) == status
    assert measured == list(range(rounds))
    assert f"{rounds} pairs\n" in capsys.readouterr().out
