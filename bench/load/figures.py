"""What is made of measurements: the middle, the slow end, an interval, and the tables that show them."""

from collections.abc import Iterable, Sequence
from math import ceil, sqrt
from statistics import NormalDist, fmean, median, stdev
from typing import Final, NamedTuple

BY_CLIENTS: Final = "limited by the clients"  # says nothing about the server: not reached


class Spread(NamedTuple):
    """Median and 99th percentile of many times, in the same unit."""

    n: int
    p50: float
    p99: float


NOTHING: Final = Spread(0, 0.0, 0.0)


def spread(values: Iterable[float], unit: float = 1000.0) -> Spread:
    """Return the middle and the 99th percentile of ``values`` times ``unit`` (seconds to ms)."""
    ordered = sorted(value * unit for value in values)
    return Spread(len(ordered), median(ordered), percentile(ordered, 0.99)) if ordered else NOTHING


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the least of ascending values that ``share`` of them do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return where the mean of such values is, with 95% confidence (Student's t; at least three values)."""
    more, z = len(values) - 1, NormalDist().inv_cdf(0.975)
    # Abramowitz and Stegun, 26.7.5.
    t = z + (z**3 + z) / (4 * more) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * more**2)
    t += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * more**3)
    half = t * stdev(values) / sqrt(len(values))
    return fmean(values) - half, fmean(values) + half


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Format a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
