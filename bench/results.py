"""RESULTS.md: what was measured last, on which machine, and how it compares with what was wanted."""

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from bench.load.figures import BY_CLIENTS, table

MEASURED: Final = (":/engine", ":/server")
LIBRARIES: Final = ("asyncssh", "cryptography", "prompt_toolkit")
SECTIONS: Final = {
    "load": (
        "Under load",
        "`python -m bench load`: scripted players over SSH, from a process pinned away from the server's "
        "core, four to a source address in 127.0.0.0/8, at tables of five; every table plays a round in 15"
        " s. The server is `tide serve` as it comes, every limit in force.",
    ),
    "nuisances": (
        "Beside deaf, resizing and flooding clients",
        '`python -m bench load`, too. "Deaf" clients read nothing and ask for whole screens ten times a '
        "second; flooding ones type 5,600 bytes a second; resizing ones change their size fifty times a "
        "second.",
    ),
    "rounds": (
        "A round in bytes",
        "`python -m bench rounds`: five people play whole stages in one process, without network and disk,"
        " by a clock that is moved. A round is five bids, the moves before them, the reveal with its "
        "animation, the next tides and the countdown. The bytes are the same on every machine.",
    ),
    "lobby": (
        "A minute in the lobby",
        "`python -m bench lobby`: fifty people play against bots, by a clock that is moved; others look.",
    ),
    "engine": ("The rules", "`python -m bench engine`: whole random five-player games."),
    "recovery": (
        "Back after a crash",
        "`python -m bench recovery`: from a cold start to every running table folded.",
    ),
}
"""In the order of the page: their titles, and how each is measured."""


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
        """Read the results as they were written last; none when there is no file."""
        found = cls()
        if path.exists():
            for name, machine, figures, text in _SECTION.findall(path.read_text(encoding="utf-8")):
                found._sections[name] = Section(text.strip(), figures)
                found._machines[name] = machine
        return found

    def put(self, name: str, section: Section) -> None:
        """Put what was newly measured, on this machine, now."""
        self._sections[name] = section
        self._machines[name] = machine()

    def write(self, path: Path) -> None:
        """Write the page."""
        parts = [_HEAD, _targets(self._sections, self._machines)]
        for name, (title, how) in SECTIONS.items():
            if (section := self._sections.get(name)) is not None:
                where = self._machines[name]
                parts += [f"## {title}", how, where]
                parts.append(
                    f"<!-- {name} | {where} | {section.figures} -->\n{section.text}\n<!-- end -->"
                )
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_HEAD: Final = (
    "# Results\n\n"
    "Written by `make bench`; do not edit. Each verdict compares a measured figure with the value to reach. "
    "Where that is a peer's, the peer was measured in the same run; on another machine only such ratios "
    "mean something. A figure is marked when the clients limited it, and as disturbed when other programs "
    "took a tenth or more of the server's core."
)
_SECTION: Final = re.compile(
    r"<!-- (\w+) \| ([^\n]*) \| (\{[^\n]*\}) -->\n(.*?)\n<!-- end -->", re.DOTALL
)


def machine() -> str:
    """Return where and with what this was measured."""
    names = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    libraries = [f"{name} {version(name)}" for name in LIBRARIES]
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    system = f"{platform.system()} {platform.release().split('-')[0]}"
    return (
        f"Measured {when} UTC at {commit()} on {[*names, 'unknown'][0]}, {os.cpu_count()} cores, "
        f"{system}, Python {sys.version.split()[0]}, {', '.join(libraries)}."
    )


def commit() -> str:
    """Return what was measured."""
    git = ["git", "-C", str(Path(__file__).parent)]
    asked = ("rev-parse", "--short=8", "HEAD"), ("diff", "--quiet", "HEAD", "--", *MEASURED)
    head, changed = (
        subprocess.run([*git, *how], check=False, capture_output=True, text=True) for how in asked
    )
    changes = " with uncommitted changes" if changed.returncode else ""
    return "an unknown commit" if head.returncode else f"commit {head.stdout.strip()}{changes}"


Figures = dict[str, Any]
"""By section, what its JSON says."""
Found = tuple[float, float, str]
"""What was measured, what it may be at most (or must be at least), and a remark."""


def _rows(figures: Figures, who: str = "ours") -> list[dict[str, Any]]:
    found = [each for each in figures["load"]["rows"] if each["who"] == who]
    if who == "ours" and not found:
        raise KeyError(who)
    return sorted(found, key=lambda each: int(each["sessions"]))


def _of_most(key: str, limit: float) -> Callable[..., Found]:
    """At the largest size."""

    def read(figures: Figures) -> Found:
        most = _rows(figures)[-1]
        return most[key], limit, f"with {most['sessions']:,} sessions{_marks(most)}"

    return read


def _beside(peer: str, key: str, part: float) -> Callable[..., Found]:
    """Beside a peer with as many sessions in the same run: at most ``part`` of what that takes."""

    def read(figures: Figures) -> Found:
        (theirs,) = _rows(figures, peer) or [{}]
        ours = next(each for each in _rows(figures) if each["sessions"] == theirs["sessions"])
        remark = (
            f"{peer} takes {theirs[key]:.2f} in the same run: {ours[key] / theirs[key]:.2f} times"
        )
        return ours[key], part * theirs[key], remark + _marks(ours)

    return read


def _stock(key: str, part: float) -> Callable[..., Found]:
    """Drawing in one process, beside prompt_toolkit's own renderer: at most ``part`` of what that takes."""

    def read(figures: Figures) -> Found:
        ours, theirs = figures["rounds"][key], figures["rounds"][f"{key}, stock"]
        return ours, part * theirs, f"prompt_toolkit's renderer takes {theirs:,.3g} in the same run"

    return read


def _bad(figures: Figures) -> Found:
    worst = max(figures["nuisances"]["rows"], key=lambda row: float(row["ratio"]))
    return worst["ratio"], 1.5, f"1% {worst['how']}, with {worst['sessions']:,}{_marks(worst)}"


def _figure(section: str, key: str, limit: float) -> Callable[..., Found]:
    return lambda figures: (figures[section][key], limit, "")


def _marks(figure: dict[str, Any]) -> str:
    return f" ({figure['marks']})" if figure["marks"] else ""


_CPU, _MS, _MANY, _SHARE = "{:.2f}", "{:.1f}", "{:,.0f}", "{:.0%}"
_COMMIT: Final = re.compile(r" at commit (.*?) on ")
TARGETS: Final[tuple[tuple[str, str, str, str, Callable[[Figures], Found]], ...]] = (
    ("load", "share of a core", "65%", _SHARE, _of_most("server", 0.65)),
    ("load", "ms from a bid to the last screen, p99", "40", _MS, _of_most("p99", 40)),
    ("load", "KB of memory per seated session", "84", _MS, _of_most("kilobytes", 84)),
    ("load", "CPU ms a frame", "0.6 of wish's", _CPU, _beside("wish", "frame_ms", 0.6)),
    ("load", "CPU ms of a login", "4 times asyncssh's alone", _CPU, _beside("asyncssh", "login_ms", 4)),
    ("rounds", "CPU ms a frame, in one process", "half of prompt_toolkit's", "{:.3f}",
     _stock("frame_ms", 0.5)),
    ("rounds", "bytes of a round, 80x24, 16 colours", "1,400", _MANY,
     _figure("rounds", "sixteen colours", 1400)),
    ("rounds", "bytes of a round on a slow line", "300", _MANY, _figure("rounds", "low bandwidth", 300)),
    ("rounds", "bytes of a round in line mode", "200", _MANY, _figure("rounds", "lines", 200)),
    ("lobby", "bytes a minute to who looks at fifty games, 120x40", "8,000", _MANY,
     _figure("lobby", "120x40", 8000)),
    ("nuisances", "honest p99 with bad clients, to without", "1.5", _CPU, _bad),
    ("engine", "random games a second, to ffcb53b6's (states alone)", "1.65", _CPU,
     lambda figures: (figures["engine"]["ratio"], 1.65, figures["engine"]["told"])),
    ("recovery", "1,000 tables back after kill -9, s", "1.5", _CPU, _figure("recovery", "spread", 1.5)),
)  # fmt: skip
"""A line each: its section, what, the value to reach, how it is shown, and how it is read from the figures;
that raises ``KeyError`` when it was not measured."""


def _targets(sections: dict[str, Section], machines: dict[str, str]) -> str:
    figures = {name: json.loads(section.figures) for name, section in sections.items()}
    rows = []
    for section, what, reach, form, read in TARGETS:
        try:
            value, limit, remark = read(figures)
        except KeyError:
            rows.append((what, reach, "not measured", "", "", ""))
            continue
        reached = value >= limit if section == "engine" else value <= limit
        verdict = "yes" if reached and BY_CLIENTS not in remark else "**no**"
        where = _COMMIT.search(machines.get(section, ""))
        at = where[1] if where else "unknown"
        rows.append((what, reach, form.format(value), verdict, at, remark))
    head = ("figure", "reach", "measured", "reached?", "at commit", "remark")
    return table(head, rows)
