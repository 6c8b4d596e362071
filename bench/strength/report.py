"""Write `bench/strength.md`: `python -m bench.strength.report [--help]`.

Every bot against three of every other at four players, neighbours at three, five and six, all of them
against opponents that they do not know, what best responses gain, and times. Each match gets as many deals,
up to 200, as fit in about `--seconds` of one core; with 40 seconds it all takes half an hour on two cores.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from bench.strength.__main__ import SEED, deal_of
from bench.strength.exploit import Gain, gains
from bench.strength.matches import DealResult, Figures, figures
from engine.bots import STRATEGIES
from engine.editions import Edition, Rules

TARGET: Final = Path(__file__).parent.with_name("strength.md")
_SECONDS: Final = 40
_MOST: Final = 200
_FEWEST: Final = 4
_MILLISECONDS: Final = {
    "random": 0.05,
    "cautious": 0.05,
    "greedy": 0.1,
    "tidal": 0.5,
    "expert": 6.0,
    "master": 70.0,
}
"""A bid, roughly: how many deals fit in a match."""
_EXPLOITED: Final = ("tidal", "expert", "master")
_STEPS: Final = 300


class Match(NamedTuple):
    """One bot against copies of another, or against held-out opponents (an empty name)."""

    players: int
    bot: str
    rival: str


def main(arguments: Sequence[str] | None = None) -> None:
    """Play everything and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.report", description=__doc__)
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="of one core for a match")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--target", type=Path, default=TARGET)
    chosen = parser.parse_args(arguments)
    began = perf_counter()
    with get_context("spawn").Pool(chosen.jobs) as pool:
        later = [pool.apply_async(_exploited, (name, chosen.seconds)) for name in _EXPLOITED]
        played: dict[Match, Figures] = {}
        for match in matches():
            deals = range(deals_of(match, chosen.seconds))
            played[match] = figures(pool.map(partial(_deal, match), deals, chunksize=1))
            print(match, f"{played[match].points:.3f} ± {played[match].error:.3f}", flush=True)
        exploited = [one.get() for one in later]
    lines = [_HEAD, *_tables(played, exploited)]
    lines.append(
        f"Written in {(perf_counter() - began) / 60:.0f} minutes with `--seconds {chosen.seconds:g} "
        f"--jobs {chosen.jobs}`."
    )
    chosen.target.write_text("\n".join(lines) + "\n")


def matches() -> list[Match]:
    """All that is played, without the best responses."""
    return [
        *(Match(4, one, other) for one in STRATEGIES for other in STRATEGIES),
        *(
            Match(players, one, other)
            for players in (3, 5, 6)
            for pair in pairwise(STRATEGIES)
            for one, other in (pair, pair[::-1])
        ),
        *(Match(players, one, "") for players in (3, 4, 5) for one in STRATEGIES),
    ]


def deals_of(match: Match, seconds: float) -> int:
    """How many deals are played."""
    each = _MILLISECONDS[match.bot] + (match.players - 1) * _MILLISECONDS.get(match.rival, 0.1)
    rules = _rules(match.players)
    cost = each * rules.players * rules.stages * rules.hand_size / 1000
    return min(max(round(seconds / cost), _FEWEST), _MOST)


def _rules(players: int) -> Rules:
    return Rules(Edition.BGA if players > 5 else Edition.AMIGO, players)


def _deal(match: Match, number: int) -> DealResult:
    rivals = (match.rival,) * (match.players - 1) if match.rival else ()
    return deal_of(match.bot, _rules(match.players), rivals, SEED, number)


def _exploited(name: str, seconds: float) -> tuple[int, float, list[Gain]]:
    match = Match(4, name, name)
    # Two responses, each as slow as the strongest bot or nearly.
    deals = max(deals_of(match, 2 * seconds), _FEWEST)
    deals = min(deals, deals_of(Match(4, "master", name), 4 * seconds))
    return (deals, *gains(name, 4, deals, _STEPS))


_HEAD: Final = """# Strength

Points a stage in whole games, every deal played once from every seat. ± is one standard error, deals counted
as independent; about nine tenths of what a stage brings is luck. Times are processor time on one core. Six
players play the edition `bga`, fewer `amigo`. Written by

```sh
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python -m bench.strength.report
```
"""


def _tables(
    played: dict[Match, Figures], exploited: list[tuple[int, float, list[Gain]]]
) -> Iterator[str]:
    yield "## Every bot against three of every other, four players"
    yield ""
    yield "A row each for the bot, a column for its rivals; the number of deals is in brackets."
    yield ""
    yield "| | " + " | ".join(f"3 × `{other}`" for other in STRATEGIES) + " |"
    yield "|---" * (len(STRATEGIES) + 1) + "|"
    for name in STRATEGIES:
        cells = [_cell(played[Match(4, name, other)]) for other in STRATEGIES]
        yield f"| `{name}` | " + " | ".join(cells) + " |"
    yield ""
    yield "## Neighbours at other tables"
    yield ""
    yield "| one | all others | 3 players | 5 players | 6 players |"
    yield "|---|---|---|---|---|"
    for pair in pairwise(STRATEGIES):
        for one, other in (pair, pair[::-1]):
            cells = [_cell(played[Match(players, one, other)]) for players in (3, 5, 6)]
            yield f"| `{one}` | `{other}` | " + " | ".join(cells) + " |"
    yield ""
    yield "## Against opponents that they do not know"
    yield ""
    yield "Rules of thumb (`bench/strength/heldout.py`), drawn at random for each deal."
    yield ""
    yield (
        "| players | bot | deals | points a stage | games won | in each stage | ms a bid, median | 99 % "
        "| most |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for players in (3, 4, 5):
        for name in STRATEGIES:
            met = played[Match(players, name, "")]
            stages = " ".join(f"{points:.2f}" for points in met.stages)
            yield (
                f"| {players} | `{name}` | {met.deals} | {met.points:.2f} ± {met.error:.2f} "
                f"| {met.wins:.2f} ± {met.wins_error:.2f} | {stages} | {met.median:.2f} "
                f"| {met.p99:.2f} | {met.longest:.0f} |"
            )
    yield ""
    yield "## What a best response gains from three copies, four players"
    yield ""
    yield "How it is found is told in `bench/strength/exploit.py`. The gains are lower bounds."
    yield ""
    yield "| copies of | deals | a copy gets | the response | gets | gains | games won |"
    yield "|---|---|---|---|---|---|---|"
    for name, (deals, copies, found) in zip(_EXPLOITED, exploited, strict=True):
        for gain in found:
            yield (
                f"| `{name}` | {deals} | {copies:.2f} | {gain.name} | {gain.points:.2f} ± {gain.error:.2f} "
                f"| {gain.gain:.2f} ± {gain.gain_error:.2f} | {gain.wins:.2f} |"
            )
    yield ""


def _cell(one: Figures) -> str:
    return f"{one.points:.2f} ± {one.error:.2f} ({one.deals})"


if __name__ == "__main__":
    main()
