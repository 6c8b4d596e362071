"""The load harness: ``python -m bench.load [--sizes 200,1900]``.

Prints Markdown, and how far it is on the standard error. Needs Linux; of several cores the server has one.
"""

import argparse
import json
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from bench.load import report
from bench.load.measure import Cores, Result, as_clients, measure, run
from bench.load.player import NUISANCES
from bench.load.server import bare, wish, with_doors
from bench.load.wish import available

SIZES: Final = "200,1000,1900"
WANTED: Final = 1900  # the nearest size is looked into beside nuisances
PEER_SIZE: Final = 200


async def _measure(wanted: argparse.Namespace, cores: Cores) -> None:
    seconds, results = wanted.seconds, list[Result]()
    looked_into = min(wanted.sizes, key=lambda size: abs(size - WANTED))
    if available():
        results.append(await measure("wish", PEER_SIZE, seconds, cores, wish))
    results.append(await measure("asyncssh", PEER_SIZE, seconds, cores, bare))
    for size in wanted.sizes:
        bad = tuple(NUISANCES) if size == looked_into else ()
        ours = partial(measure, "ours", size, seconds, cores)
        if wanted.doors:
            results.append(await ours(partial(with_doors, wanted.doors)))
        else:
            results.append(await ours(nuisances=bad, profiled=True))
    figures = report.load_figures(results)
    parts = [report.load_table(results, seconds)]
    for each in results:
        whole = {row["sessions"]: row for row in figures["rows"] if row["who"] == each.who}
        for key, found, what in (
            ("round_ms", each.profile, "a player and round"),
            ("login_ms", each.login_profile, "a login"),
        ):
            if found:
                parts.append(f"### Where {what} goes, {each.sessions:,} sessions")
                parts.append(report.subjects_table(found, whole[each.sessions][key], what))
    problems = [f"- {each.who}: {what}" for each in results for what in each.problems]
    parts += ["### Problems", "\n".join(problems) or "None."]
    _tell("load", parts, figures)
    for each in results:
        if each.spoilt:
            _tell("nuisances", [report.nuisances_table(each)], report.nuisances_figures(each))


def _tell(section: str, parts: list[str], figures: Mapping[str, Any]) -> None:
    """As ``bench`` reads it."""
    print("\n\n".join(parts), f"\nfigures {section} {json.dumps(figures)}", sep="\n", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    add = parser.add_argument
    add(
        "--sizes",
        type=lambda text: [5 * max(1, int(part) // 5) for part in text.split(",")],
        default=SIZES,
        help=f"numbers of seated sessions [{SIZES}]",
    )
    add("--seconds", type=float, default=15.0, help="for a round [15]")
    add("--doors", type=int, default=0, help="of the server, on its core [all in one process]")
    wanted = parser.parse_args()
    with as_clients() as cores:
        run(_measure(wanted, cores))


if __name__ == "__main__":
    main()
