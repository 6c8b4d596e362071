"""Write `bench/strength.md`: `python -m bench.strength.report [--help]`.

The bot of each level against three of every other at four players, neighbours at three, five and six, all of
them against opponents that they do not know, what best responses gain, and times. Each match gets as many
deals, up to 200, as fit in about `--seconds` of one core, but two at least; those for which that takes more
than three times as long are left out. It is `--closer` times as many seconds where `master` meets three of
`expert`, and for best responses. Against those that they do not know, `expert` and `master` play
`--pairs` deals at three, four and five players. With `--keep`, a report that was stopped goes on with the
deals that were played.
"""

import argparse
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

from bench.strength.deals import SEED, deal_of
from bench.strength.exploit import Gain, gains
from bench.strength.matches import DealResult, Figures, figures
from engine.bots import BOTS, LADDER
from engine.editions import Edition, Rules

TARGET: Final = Path(__file__).parent.with_name("strength.md")
_SECONDS: Final = 60
_MOST: Final = 200
_FEWEST: Final = 2
_PATIENCE: Final = 3
"""A match may take so many times as long as it should."""
_MILLISECONDS: Final = {"forgetful": 0.5, "tidal": 0.5, "expert": 4.0, "master": 60.0}
"""A bid, roughly: how many deals fit in a match. Another bot is as slow as the slowest of its kind."""
_COMPARED: Final = ("master", "expert"), ("expert", "tidal")
_EXPLOITED: Final = "expert", "master"
"""Bots against which best responses are sought."""
_STEPS: Final = 300
_CLOSER: Final = 20
_PAIRS: Final = 140, 140, 36

Result = TypeVar("Result")


class Match(NamedTuple):
    """One bot against copies of another, or against held-out opponents (an empty name)."""

    players: int
    bot: str
    rival: str

    @property
    def paired(self) -> bool:
        """Whether its deals are those of ``--pairs``."""
        return self.bot in _EXPLOITED and not self.rival


class Exploited(NamedTuple):
    """What best responses got from copies of a bot."""

    name: str
    deals: int
    copies: float
    """What a copy gets among copies: points a stage."""
    gains: list[Gain]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play everything and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.report", description=__doc__)
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="of one core for a match")
    parser.add_argument("--closer", type=float, default=_CLOSER, help="times, for some matches")
    parser.add_argument(
        "--pairs", type=int, nargs=3, default=_PAIRS, help="deals at three, four and five players"
    )
    parser.add_argument(
        "--keep", type=Path, help="a folder for what was played by today's versions"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--target", type=Path, default=TARGET)
    chosen = parser.parse_args(arguments)
    began, closer = perf_counter(), chosen.closer * chosen.seconds
    with get_context("spawn").Pool(chosen.jobs) as pool:
        later = [pool.apply_async(_exploited, (chosen.keep, name, closer)) for name in _EXPLOITED]
        played: dict[Match, Figures] = {}
        for match in matches():
            close = match == (4, "master", "expert")
            count = deals_of(match, closer if close else chosen.seconds)
            deals = range(chosen.pairs[match.players - 3] if match.paired else count)
            if deals:
                play = partial(played_deal, chosen.keep, match)
                played[match] = figures(pool.map(play, deals, chunksize=1))
                print(match, f"{played[match].points:.3f} ± {played[match].error:.3f}", flush=True)
        exploited = [one.get() for one in later]
    newer = [f"`{name}` {BOTS[name].version}" for name in LADDER if BOTS[name].version > 1]
    lines = [_HEAD.format(newer=", ".join(newer)), *tables(played, exploited)]
    time = "pieces" if chosen.keep else f"{(perf_counter() - began) / 60:.0f} minutes"
    lines.append(
        f"Written in {time} with `--seconds {chosen.seconds:g} "
        f"--closer {chosen.closer:g} --pairs {' '.join(map(str, chosen.pairs))} --jobs {chosen.jobs}`."
    )
    chosen.target.write_text("\n".join(lines) + "\n")


def matches() -> list[Match]:
    """Return all that is played, without the best responses."""
    return [
        *(Match(4, one, other) for one in LADDER for other in LADDER),
        *(
            Match(players, one, other)
            for players in (3, 5, 6)
            for pair in pairwise(LADDER)
            for one, other in (pair, pair[::-1])
        ),
        *(Match(players, one, "") for players in (3, 4, 5) for one in LADDER),
    ]


def deals_of(match: Match, seconds: float) -> int:
    """Return how many deals are played, 0 if it would take too long."""
    each = _milliseconds(match.bot) + (match.players - 1) * _milliseconds(match.rival)
    rules = _rules(match.players)
    cost = each * rules.players * rules.stages * rules.hand_size / 1000
    deals = min(max(round(seconds / cost), _FEWEST), _MOST)
    return deals if deals * cost <= _PATIENCE * seconds else 0


def _milliseconds(bot: str) -> float:
    return _MILLISECONDS.get(
        bot, _MILLISECONDS["master"] if bot in BOTS and BOTS[bot].thinks else 0.1
    )


def _rules(players: int) -> Rules:
    return Rules(Edition.BGA if players > 5 else Edition.AMIGO, players)


def played_deal(keep: Path | None, match: Match, number: int) -> DealResult:
    """Return what comes of the deal of that number; from the folder ``keep``, if it was played before."""
    rivals = (match.rival,) * (match.players - 1) if match.rival else ()
    play = partial(deal_of, match.bot, _rules(match.players), rivals, SEED, number)
    names = [f"{name}{BOTS[name].version}" for name in (match.bot, *rivals[:1])]
    return _kept(keep, f"{match.players}-{'-'.join(names)}-{number}", play)


def _exploited(keep: Path | None, name: str, seconds: float) -> Exploited | None:
    # A response that searches takes as long as the strongest bot.
    deals = deals_of(Match(4, "master", name), seconds)
    if not deals:
        return None
    play = partial(gains, name, 4, deals, _STEPS)
    return Exploited(name, deals, *_kept(keep, f"{name}{BOTS[name].version}-{deals}", play))


def _kept(keep: Path | None, name: str, play: Callable[[], Result]) -> Result:
    """Return what comes of ``play``, or came of it when it was last called by that name."""
    if keep is None:
        return play()
    keep.mkdir(parents=True, exist_ok=True)
    place = keep / f"{name}.pickle"
    if place.exists():
        kept: Result = pickle.loads(place.read_bytes())
        return kept
    result = play()
    written = place.with_suffix(f".{os.getpid()}")
    written.write_bytes(pickle.dumps(result))
    written.replace(place)
    return result


_HEAD: Final = """# Strength

Points a stage in whole games, every deal played once from every seat. ± is one standard error, deals counted
as independent; about nine tenths of what a stage brings is luck. Times are processor time on one core. Six
players play the edition `bga`, fewer `amigo`. All bots are of version 1, but for
{newer}: newer ones are compared with these in
[strength/README.md](strength/README.md). Written by

```sh
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python -m bench.strength.report
```
"""


def tables(played: dict[Match, Figures], exploited: Sequence[Exploited | None]) -> Iterator[str]:
    """Return all of them, with what they say."""
    yield "## Every level against three of every other, four players"
    yield ""
    yield "A row each for the bot, a column for its rivals; the deals are in brackets. –: not played."
    yield ""
    yield "| | " + " | ".join(f"3 × `{other}`" for other in LADDER) + " |"
    yield "|---" * (len(LADDER) + 1) + "|"
    for name in LADDER:
        cells = [_cell(played.get(Match(4, name, other))) for other in LADDER]
        yield f"| `{name}` | " + " | ".join(cells) + " |"
    yield ""
    yield "## Neighbours at other tables"
    yield ""
    yield "| one | all others | 3 players | 5 players | 6 players |"
    yield "|---|---|---|---|---|"
    for pair in pairwise(LADDER):
        for one, other in (pair, pair[::-1]):
            cells = [_cell(played.get(Match(players, one, other))) for players in (3, 5, 6)]
            yield f"| `{one}` | `{other}` | " + " | ".join(cells) + " |"
    yield ""
    yield "## Against opponents that they do not know"
    yield ""
    yield "Rules of thumb (`bench/strength/heldout.py`), drawn at random for each deal."
    yield ""
    yield (
        "| players | bot | deals | points a stage | games won | in each stage | ms a bid, median | 99% "
        "| most |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for players in (3, 4, 5):
        for name in LADDER:
            met = played.get(Match(players, name, ""))
            if met is None:
                continue
            stages = " ".join(f"{points:.2f}" for points in met.stages)
            yield (
                f"| {players} | `{name}` | {met.deals} | {met.points:.2f} ± {met.error:.2f} "
                f"| {met.wins:.2f} ± {met.wins_error:.2f} | {stages} | {met.median:.2f} "
                f"| {met.p99:.2f} | {met.longest:.0f} |"
            )
    yield ""
    yield "## Differences on the same deals"
    yield ""
    yield "Of points a stage, against these same opponents, with the standard error over deals."
    yield ""
    yield "| players | bot | less | deals | difference |"
    yield "|---|---|---|---|---|"
    for players in (3, 4, 5):
        for one, other in _COMPARED:
            met, same = (played.get(Match(players, name, "")) for name in (one, other))
            if met and same:
                deals, points, error = met.less(same)
                yield f"| {players} | `{one}` | `{other}` | {deals} | {points:.2f} ± {error:.2f} |"
    yield ""
    yield "## What a best response gains from three copies, four players"
    yield ""
    yield "How it is found is told in `bench/strength/exploit.py`. The gains are lower bounds."
    yield ""
    yield "| copies of | deals | a copy gets | the response | gets | gains | games won |"
    yield "|---|---|---|---|---|---|---|"
    for found in filter(None, exploited):
        for gain in found.gains:
            yield (
                f"| `{found.name}` | {found.deals} | {found.copies:.2f} | {gain.name} "
                f"| {gain.points:.2f} ± {gain.error:.2f} "
                f"| {gain.gain:.2f} ± {gain.gain_error:.2f} | {gain.wins:.2f} |"
            )
    yield ""


def _cell(one: Figures | None) -> str:
    return "–" if one is None else f"{one.points:.2f} ± {one.error:.2f} ({one.deals})"


if __name__ == "__main__":
    main()
