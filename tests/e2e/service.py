"""For how long tables were without service, and people without their seats, while things were broken."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from tests.e2e.card_programs import Return
from tests.e2e.cluster import Cluster, Fault

_NEAR: Final = 0.5
"""Seconds: what is acknowledged so shortly after a fault has begun was on its way."""
_KILLED: Final = "node killed"
_LONG: Final = 10.0
"""A table without service for longer is named."""


class Gap(NamedTuple):
    """Nothing was acknowledged at a table between these times."""

    began: float
    ended: float
    seconds: float
    """Since PostgreSQL was there again, and a node was started."""


@dataclass
class Times:
    """In seconds, unless it is said otherwise."""

    by_kind: dict[str, list[float]] = field(default_factory=dict)
    """For each fault, the table that was without service for longest because it had begun or ended."""
    long: list[str] = field(default_factory=list)
    returns: list[Return] = field(default_factory=list)
    """Of everybody who was disconnected; times."""
    kills: list[float] = field(default_factory=list)
    """When a node was killed; times."""


def without_service(cluster: Cluster, tables: Sequence[Sequence[float]]) -> Times:
    """``tables``: when something was acknowledged at each of them."""
    gaps = [it for served in tables for it in _gaps(served, cluster.dark)]
    longest: dict[Fault, Gap] = {}
    for gap in sorted(gaps, key=lambda it: it.seconds):
        if fault := _cause(gap, cluster.faults):
            longest[fault] = gap
    found: defaultdict[str, list[float]] = defaultdict(list)
    for fault, gap in sorted(longest.items()):
        found[fault.kind].append(gap.seconds)
    long = [
        f"{gap.seconds:.1f} s without service: "
        + ", ".join(
            f"{it.kind} {it.began - gap.began:+.1f} to {it.ended - gap.began:+.1f}"
            for it in sorted(cluster.faults, key=lambda it: it.began)
            if it.began < gap.ended and it.ended > gap.began
        )
        for gap in longest.values()
        if gap.seconds > _LONG
    ]
    kills = [it.began for it in cluster.faults if it.kind == _KILLED]
    return Times(dict(found), long, kills=kills)


def _gaps(served: Sequence[float], dark: Sequence[tuple[float, float]]) -> Iterator[Gap]:
    for before, after in pairwise(served):
        light = [ended for began, ended in dark if began < after and before < ended < after]
        yield Gap(before, after, after - max([before, *light]))


def _cause(gap: Gap, faults: Sequence[Fault]) -> Fault | None:
    """What began first of all that did; if nothing began, what ended first."""
    begun = [it for it in faults if gap.began - _NEAR < it.began < gap.ended]
    ended = [it for it in faults if gap.began - _NEAR < it.ended < gap.ended]
    return min(begun, key=lambda it: it.began, default=None) or min(
        ended, key=lambda it: it.ended, default=None
    )


def quantile(values: Sequence[float], part: float) -> float:
    """The smallest value that so large a part does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def told_of(times: Times) -> list[str]:
    """In some lines."""
    lines = ["table without service: median, worst, all"]
    everything = [it for seconds in times.by_kind.values() for it in seconds]
    lines += [
        f"{len(seconds):4} {kind}: {quantile(seconds, 0.5):.1f} s, {max(seconds):.1f} s: "
        + " ".join(f"{it:.1f}" for it in sorted(seconds))
        for kind, seconds in {**times.by_kind, "of all kinds": everything}.items()
        if seconds
    ]
    lines += times.long
    back = [it for it in times.returns if any(0 <= it.lost - at < 1.0 for at in times.kills)]
    for what, seconds in (
        ("let in again", [it.let_in - it.lost for it in back]),
        ("on the seat", [it.seated - it.lost for it in back]),
    ):
        if seconds:
            lines.append(
                f"{what} after a kill: median {quantile(seconds, 0.5):.1f} s, nine in ten "
                f"{quantile(seconds, 0.9):.1f} s, worst {max(seconds):.1f} s ({len(seconds)} people)"
            )
    return lines
