"""RESULTS.md: what was measured last, on which machine, and how it compares with what was wanted."""

import json
import os
import platform
import re
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from bench.load.figures import BY_CLIENTS, EARLIER, REFERENCE, VERSION, table

LIBRARIES: Final = ("asyncssh", "cryptography", "prompt_toolkit", "SQLAlchemy")
TITLES: Final = {
    "load": "Under load",
    "rounds": "A round in bytes",
    "frame": "A frame",
    "engine": "The rules",
    "recovery": "Back after a crash",
}
"""In the order of the page."""
FENCED: Final = frozenset({"frame", "recovery"})
HOW: Final = {
    "load": (
        "`python -m bench load`: scripted players over real connections, nine in ten by SSH and one by "
        "telnet, from processes pinned away from the server's core, four to a source address in 127.0.0.0/8, "
        "at tables of five; every table plays a round in 15 s. The server is `tide serve` as it comes, every "
        'limit in force, its state on the disk. "Deaf" clients read nothing and ask for whole screens ten '
        "times a second; flooding ones type 5,600 bytes a second; resizing ones change their size fifty "
        "times a second."
    ),
    "rounds": (
        "`python -m bench rounds`: five people play whole stages in one process, without network and disk, "
        "by a clock that is moved. A round is five bids, the moves before them, the reveal with its "
        "animation, the next tides and the countdown. The bytes are the same on every machine."
    ),
    "frame": "`python -m bench frame`: our renderer beside prompt_toolkit's, with one table-like screen.",
    "engine": "`python -m bench engine`: whole random five-player games, a round at a time.",
    "recovery": "`python -m bench recovery`: from a cold start to every running table folded.",
}


class Section(NamedTuple):
    """What one measurement said: for people, and (JSON) for the table of targets."""

    text: str
    figures: str


class Results:
    """The page."""

    def __init__(self) -> None:
        self._sections: Final[dict[str, Section]] = {}
        self._machines: Final[dict[str, str]] = {}

    @classmethod
    def read(cls, path: Path) -> Self:
        """As it was written last; empty when there is none."""
        found = cls()
        if path.exists():
            for name, machine, figures, text in _SECTION.findall(path.read_text(encoding="utf-8")):
                found._sections[name] = Section(text.strip(), figures)
                found._machines[name] = machine
        return found

    def put(self, name: str, section: Section) -> None:
        """Newly measured, on this machine, now."""
        text = f"```\n{section.text}\n```" if name in FENCED else section.text
        self._sections[name] = Section(text, section.figures)
        self._machines[name] = machine()

    def write(self, path: Path) -> None:
        """Write the page."""
        parts = [_HEAD, _targets(self._sections)]
        for name, title in TITLES.items():
            if name in self._sections:
                section = self._sections[name]
                parts += [f"## {title}", HOW[name], self._machines[name]]
                parts.append(_marked(name, self._machines[name], section))
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_HEAD: Final = (
    "# Results\n\n"
    "Written by `make bench`; do not edit. Only ratios mean something on another machine. A figure is marked "
    "when the clients limited it, and as disturbed when other programs took a tenth or more of the "
    "server's core."
)
_SECTION: Final = re.compile(
    r"<!-- (\w+) \| ([^\n]*) \| (\{[^\n]*\}) -->\n(.*?)\n<!-- end -->", re.DOTALL
)


def _marked(name: str, where: str, section: Section) -> str:
    return f"<!-- {name} | {where} | {section.figures} -->\n{section.text}\n<!-- end -->"


def machine() -> str:
    """Where and with what this was measured."""
    found = "unknown processor"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = re.findall(r"model name\s*: (.*)", cpuinfo.read_text())
        found = names[0] if names else found
    libraries = []
    for name in LIBRARIES:
        try:
            libraries.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    return (
        f"Measured {when} UTC on {found}, {os.cpu_count()} cores, {platform.system()} "
        f"{platform.release().split('-')[0]}, Python {sys.version.split()[0]}, {', '.join(libraries)}."
    )


# ------------------------------------------------------------------------------- what was wanted

Figures = dict[str, dict[str, Any]]


Found = tuple[str, str, str]
"""What is shown, the verdict, and a remark."""


class Target(NamedTuple):
    """One line: what, the value to reach, the one to aim for, and how it is read from the figures; ``read``
    returns ``None`` when it was not measured.
    """

    what: str
    reach: str
    aim: str
    read: Callable[[Figures], Found | None]


_GOAL: Final = 3000
"""Seated sessions that the goals speak of."""
_CONNECTS: Final = 550
_GAMES: Final = 2250
_NEARLY: Final = 1.15
"""Where simple code misses a value by less than this, the simple code stays."""
_TURNS: Final = 25.3
"""Million turns of a plain loop a second on the machine that the values to reach are meant for."""
_RATE: Final = 708
"""Connects a second of the earlier version there."""


def _verdict(value: float, most: float) -> str:
    if value <= most:
        return "yes"
    return "nearly" if value <= _NEARLY * most else "**no**"


def _slower(figures: Figures) -> float:
    """How many times slower this machine is than the one that the values are meant for; 1 when not known."""
    turns = float(figures.get("engine", {}).get("yardstick", 0.0))
    return _TURNS / turns if turns else 1.0


def _joined(*remarks: str) -> str:
    """Those that there are."""
    return "; ".join(filter(None, remarks))


def _by_ratio(shown: str, slower: float) -> str:
    return f"{shown} by the ratio of the yardstick, {slower:.2f}" if slower != 1.0 else ""


def _beside_earlier(
    figures: Figures, key: str, form: str, most: float
) -> tuple[str, str, str] | None:
    """The figure at the size at which the earlier version was measured in the same run, judged by what it had
    to be there.
    """
    load = figures.get("load", {})
    earlier = load.get(EARLIER)
    sizes = [
        size
        for size in load.get("sizes", [])
        if size["sessions"] == (earlier or {}).get("sessions")
    ]
    if not earlier or not sizes:
        return None
    ours, theirs = sizes[0][key], earlier[key]
    there = ours / theirs * REFERENCE[key]
    remark = (
        f"with {earlier['sessions']:,} sessions, {form.format(theirs)} in {VERSION} in the same run"
    )
    remark += f": {form.format(there)} where that has {form.format(REFERENCE[key])}"
    return form.format(ours), _verdict(there, most), remark


def _wanted(figures: Figures) -> dict[str, Any] | None:
    """The size nearest to that which the goals speak of."""
    sizes: list[dict[str, Any]] = figures.get("load", {}).get("sizes", [])
    return min(sizes, key=lambda size: abs(size["sessions"] - _GOAL)) if sizes else None


def _sessions(figures: Figures) -> Found | None:
    sizes: list[dict[str, Any]] = figures.get("load", {}).get("sizes", [])
    good = [size for size in sizes if size["p99"] < 25 and BY_CLIENTS not in size["marks"]]
    if not sizes:
        return None
    # Where it breaks first says more than how it looks long after.
    last = next((size for size in sizes if size not in good), sizes[-1])
    remark = f"p99 {last['p99']:.0f} ms with {last['sessions']:,} at {last['server']:.0%} of a core"
    if last["marks"]:
        remark += f" ({last['marks']})"
    most = good[-1]["sessions"] if good else 0
    return f"{most:,}", "yes" if most >= _GOAL else "**no**", remark


def _bad(figures: Figures) -> Found | None:
    """The worst at any size up to that of the goal which is served well otherwise: beside a crowd nobody
    notices a nuisance. What becomes of it beyond that is said, too.
    """
    sizes: list[dict[str, Any]] = figures.get("load", {}).get("sizes", [])
    tried = [size for size in sizes if size["bad"]]
    within = [size for size in tried if size["sessions"] <= _GOAL]
    served = [size for size in within if size["p99"] < 25] or within or tried
    if not served:
        return None
    size = max(served, key=lambda size: float(size["bad"]))
    remark = f"{size['beside']}, with {size['sessions']:,} sessions"
    if size["marks"]:
        remark += f" ({size['marks']})"
    for more in tried:
        if more["sessions"] > _GOAL and more is not size:
            remark += f"; {more['bad']:.2f} with {more['sessions']:,}, {more['beside']},"
            remark += f" at {more['server']:.0%} of a core without"
    return f"{size['bad']:.2f}", _verdict(size["bad"], 1.5), remark


def _with_many(
    key: str, most: float, form: str, *, compared: bool = False
) -> Callable[[Figures], Found | None]:
    def read(figures: Figures) -> Found | None:
        if compared and (found := _beside_earlier(figures, key, form, most)):
            return found
        size = _wanted(figures)
        if size is None:
            return None
        remark = f"with {size['sessions']:,} sessions"
        return form.format(size[key]), _verdict(size[key], most), remark

    return read


def _connects(figures: Figures) -> Found | None:
    come: list[dict[str, Any]] = figures.get("load", {}).get("connects", [])
    by = {each["who"]: each for each in reversed(come)}  # the first of each counts
    if "ours" not in by:
        return None
    ours, rate = by["ours"], by["ours"]["rate"]
    remarks = [f"{ours['ms']:.1f} ms of CPU time each"]
    if alone := by.get("asyncssh alone"):
        remarks.append(f"of these asyncssh alone takes {alone['ms']:.1f}")
    if earlier := by.get(EARLIER):
        rate = _RATE * earlier["ms"] / ours["ms"]
        remarks.append(f"{earlier['ms']:.1f} in {VERSION}: {rate:,.0f} where that has {_RATE}")
    limited = BY_CLIENTS in ours["marks"]
    if ours["marks"]:
        remarks[0] += f" ({ours['marks']})"
    missed = 1 - rate / _CONNECTS
    verdict = "**no**" if limited else _verdict(1 + missed, 1)
    return f"{ours['rate']:,.0f}", verdict, _joined(*remarks)


def _bytes(kind: str, most: float) -> Callable[[Figures], Found | None]:
    def read(figures: Figures) -> Found | None:
        found = figures.get("rounds", {}).get(kind)
        return None if found is None else (f"{found:,.0f}", _verdict(found, most), "")

    return read


def _games(figures: Figures) -> Found | None:
    found = figures.get("engine", {}).get("a round at a time")
    if found is None:
        return None
    slower = _slower(figures)
    remark = _by_ratio(f"{found * slower:,.0f}", slower)
    return f"{found:,.0f}", _verdict(_GAMES, found * slower), remark


def _recovery(figures: Figures) -> Found | None:
    found = figures.get("recovery", {})
    if "spread" not in found:
        return None
    slower = _slower(figures)
    seconds = found["spread"] / slower
    last = f"all in their last round: {found['last round']:.1f} s"
    remark = _joined(last, _by_ratio(f"{seconds:.1f} s", slower))
    return f"{found['spread']:.1f} s", _verdict(seconds, 1.5), remark


TARGETS: Final = (
    Target("seated TUI sessions with p99 under 25 ms", "3,000", "more", _sessions),
    Target(
        "ms from a bid to the last screen, p99",
        "15",
        "10",
        _with_many("p99", 15, "{:.1f}", compared=True),
    ),
    Target("of a core", "70%", "60%", _with_many("server", 0.7, "{:.0%}", compared=True)),
    Target("KB of memory per seated session", "80", "60", _with_many("kilobytes", 80, "{:.0f}")),
    Target(
        "ms of CPU per frame, all in",
        "0.25",
        "0.15",
        _with_many("frame_ms", 0.25, "{:.2f}", compared=True),
    ),
    Target("connect, authenticate, first frame, a second", "550", "900", _connects),
    Target("bytes of a round, 80x24, 16 colours", "1,300", "900", _bytes("sixteen colours", 1300)),
    Target("the same in the low-bandwidth setting", "500", "300", _bytes("low bandwidth", 500)),
    Target("the same in line mode", "300", "200", _bytes("lines", 300)),
    Target("honest p99 with bad clients, to without", "1.5", "1.1", _bad),
    Target("random games a second, one core", "2,250", "4,500", _games),
    Target("1,000 tables back after kill -9", "1.5 s", "1 s", _recovery),
)


def _targets(sections: dict[str, Section]) -> str:
    figures = {name: json.loads(section.figures) for name, section in sections.items()}
    rows = []
    for target in TARGETS:
        found = target.read(figures)
        if found is not None:
            shown, verdict, remark = found
            rows.append((target.what, target.reach, target.aim, shown, verdict, remark))
    return table(("figure", "reach", "aim", "measured", "reached?", "remark"), rows)
