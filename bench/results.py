"""RESULTS.md: what was measured last, on which machine, and how it compares with what was wanted."""

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from bench.load.figures import BY_CLIENTS, EARLIER, VERSION, table

LIBRARIES: Final = ("asyncssh", "cryptography", "prompt_toolkit", "SQLAlchemy")
TITLES: Final = {
    "load": "Under load",
    "nuisances": "Beside deaf, resizing and flooding clients",
    "logins": "Coming in",
    "yardsticks": "Yardsticks in the same run",
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
        "limit in force, its state in the directory whose syncs are told below."
    ),
    "nuisances": (
        '`python -m bench load`, too. "Deaf" clients read nothing and ask for whole screens ten times a '
        "second; flooding ones type 5,600 bytes a second; resizing ones change their size fifty times a "
        "second."
    ),
    "logins": "`python -m bench load`, too: people who connect, 32 at a time.",
    "yardsticks": (
        "`python -m bench load`, too: other programs, and an earlier version with `--earlier CHECKOUT`."
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

    def put(self, name: str, section: Section, *, replace: bool = False) -> list[str]:
        """Newly measured, on this machine, now. A section that covers more than this one stays, unless it
        is to be replaced all the same; returned is what it covers besides.
        """
        old = self._sections.get(name)
        more = sorted(_covers(old) - _covers(section)) if old and not replace else []
        if not more:
            text = f"```\n{section.text}\n```" if name in FENCED else section.text
            self._sections[name] = Section(text, section.figures)
            self._machines[name] = machine()
        return more

    def write(self, path: Path) -> None:
        """Write the page."""
        parts = [_HEAD, _targets(self._sections, self._machines)]
        for name, title in TITLES.items():
            if name in self._sections:
                section = self._sections[name]
                parts += [f"## {title}", HOW[name], self._machines[name]]
                parts.append(_marked(name, self._machines[name], section))
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_HEAD: Final = (
    "# Results\n\n"
    "Written by `make bench`; do not edit. Each verdict compares what was measured, as it is, with the value "
    f"to reach; what the earlier version {VERSION} took in the same run is said beside it. On another "
    "machine only such ratios mean something. A figure is marked when the clients limited it, and as "
    "disturbed when other programs took a tenth or more of the server's core."
)
_SECTION: Final = re.compile(
    r"<!-- (\w+) \| ([^\n]*) \| (\{[^\n]*\}) -->\n(.*?)\n<!-- end -->", re.DOTALL
)


def _covers(section: Section) -> set[str]:
    return set(json.loads(section.figures).get("covers", ()))


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
        f"Measured {when} UTC at {commit()} on {found}, {os.cpu_count()} cores, {platform.system()} "
        f"{platform.release().split('-')[0]}, Python {sys.version.split()[0]}, {', '.join(libraries)}."
    )


def commit() -> str:
    """What was measured."""

    def said(*arguments: str) -> str:
        command = ("git", "-C", str(Path(__file__).parent), *arguments)
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        found = f"commit {said('rev-parse', '--short=8', 'HEAD')}"
        if said("status", "--porcelain", "--untracked-files=no", ":/engine", ":/server"):
            found += " with uncommitted changes"
    except (OSError, subprocess.CalledProcessError):
        return "an unknown commit"
    return found


# ------------------------------------------------------------------------------- what was wanted

Figures = dict[str, dict[str, Any]]


Found = tuple[str, str, str]
"""What is shown, the verdict, and a remark."""


class Target(NamedTuple):
    """One line: its section, what, the value to reach, the one to aim for, and how it is read from the
    figures; ``read`` returns ``None`` when it was not measured.
    """

    section: str
    what: str
    reach: str
    aim: str
    read: Callable[[Figures], Found | None]


_GOAL: Final = 3000
"""Seated sessions with a p99 below ``_PROMPT``."""
_PROMPT: Final = 25.0
_NOT: Final = "not measured"


def _verdict(value: float, most: float) -> str:
    return "yes" if value <= most else "**no**"


def _beside(value: float, theirs: float, form: str) -> str:
    return f"{form.format(theirs)} in {VERSION} in the same run, {value / theirs:.2f} times"


def _sessions(figures: Figures) -> Found | None:
    sizes: list[dict[str, Any]] = figures.get("load", {}).get("sizes", [])
    if not sizes:
        return None
    good = [size for size in sizes if size["p99"] < _PROMPT and BY_CLIENTS not in size["marks"]]
    # Where it breaks first says more than how it looks long after.
    last = next((size for size in sizes if size not in good), sizes[-1])
    remark = f"p99 {last['p99']:.0f} ms with {last['sessions']:,} at {last['server']:.0%} of a core"
    if last["marks"]:
        remark += f" ({last['marks']})"
    most = good[-1]["sessions"] if good else 0
    return f"{most:,}", "yes" if most >= _GOAL else "**no**", remark


def _bad(figures: Figures) -> Found | None:
    rows: list[dict[str, Any]] = figures.get("nuisances", {}).get("rows", [])
    if not rows:
        return None
    worst = max(rows, key=lambda row: float(row["ratio"]))
    where = "at tables of their own" if worst["apart"] else "at honest tables"
    remark = f"1 % {worst['how']} {where}, with {worst['sessions']:,} sessions"
    if worst["marks"]:
        remark += f" ({worst['marks']})"
    return f"{worst['ratio']:.2f}", _verdict(worst["ratio"], 1.5), remark


def _with_many(key: str, most: float, form: str) -> Callable[[Figures], Found | None]:
    """At the size at which the earlier version was measured in the same run, or else at the largest one."""

    def read(figures: Figures) -> Found | None:
        load = figures.get("load", {})
        sizes: dict[int, dict[str, Any]] = {
            each["sessions"]: each for each in load.get("sizes", [])
        }
        if not sizes:
            return None
        earlier = load.get(EARLIER)
        size = sizes[earlier["sessions"] if earlier else max(sizes)]
        remark = f"with {size['sessions']:,} sessions"
        if earlier:
            remark += f"; {_beside(size[key], earlier[key], form)}"
        return form.format(size[key]), _verdict(size[key], most), remark

    return read


def _connects(figures: Figures) -> Found | None:
    come: list[dict[str, Any]] = figures.get("logins", {}).get("connects", [])
    by = {each["who"]: each for each in reversed(come)}  # the first of each counts
    if "ours" not in by:
        return None
    ours = by["ours"]
    remark = f"{ours['ms']:.1f} ms of CPU time each"
    if ours["marks"]:
        remark += f" ({ours['marks']})"
    if alone := by.get("asyncssh alone"):
        remark += f"; of these asyncssh alone takes {alone['ms']:.1f}"
    if earlier := by.get(EARLIER):
        remark += f"; {_beside(ours['ms'], earlier['ms'], '{:.1f}')}"
    limited = BY_CLIENTS in ours["marks"]
    return f"{ours['rate']:,.0f}", "**no**" if limited else _verdict(550, ours["rate"]), remark


def _bytes(kind: str, most: float) -> Callable[[Figures], Found | None]:
    def read(figures: Figures) -> Found | None:
        found = figures.get("rounds", {}).get(kind)
        return None if found is None else (f"{found:,.0f}", _verdict(found, most), "")

    return read


def _games(figures: Figures) -> Found | None:
    found = figures.get("engine", {}).get("a round at a time")
    return None if found is None else (f"{found:,.0f}", _verdict(2250, found), "")


def _recovery(figures: Figures) -> Found | None:
    found = figures.get("recovery", {})
    if "spread" not in found:
        return None
    last = f"all in their last round: {found['last round']:.2f} s"
    return f"{found['spread']:.2f} s", _verdict(found["spread"], 1.5), last


TARGETS: Final = (
    Target("load", "seated TUI sessions with p99 under 25 ms", "3,000", "more", _sessions),
    Target(
        "load", "ms from a bid to the last screen, p99", "15", "10", _with_many("p99", 15, "{:.1f}")
    ),
    Target("load", "of a core", "70%", "60%", _with_many("server", 0.7, "{:.1%}")),
    Target(
        "load", "KB of memory per seated session", "80", "60", _with_many("kilobytes", 80, "{:.1f}")
    ),
    Target(
        "load",
        "ms of CPU per frame, all in",
        "0.25",
        "0.15",
        _with_many("frame_ms", 0.25, "{:.3f}"),
    ),
    Target("logins", "connect, authenticate, first frame, a second", "550", "900", _connects),
    Target(
        "rounds",
        "bytes of a round, 80x24, 16 colours",
        "1,300",
        "900",
        _bytes("sixteen colours", 1300),
    ),
    Target(
        "rounds",
        "the same in the low-bandwidth setting",
        "500",
        "300",
        _bytes("low bandwidth", 500),
    ),
    Target("rounds", "the same in line mode", "300", "200", _bytes("lines", 300)),
    Target("nuisances", "honest p99 with bad clients, to without", "1.5", "1.1", _bad),
    Target("engine", "random games a second, one core", "2,250", "4,500", _games),
    Target("recovery", "1,000 tables back after kill -9", "1.5 s", "1 s", _recovery),
)


def _targets(sections: dict[str, Section], machines: dict[str, str]) -> str:
    figures = {name: json.loads(section.figures) for name, section in sections.items()}
    rows = []
    for target in TARGETS:
        shown, verdict, remark = target.read(figures) or (_NOT, "", "")
        where = _COMMIT.search(machines.get(target.section, ""))
        at = (where[1] if where else "unknown") if shown != _NOT else ""
        rows.append((target.what, target.reach, target.aim, shown, verdict, at, remark))
    head = ("figure", "reach", "aim", "measured", "reached?", "at commit", "remark")
    return table(head, rows)


_COMMIT: Final = re.compile(r" at commit (.*?) on ")
