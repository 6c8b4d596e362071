"""The harness's results as Markdown, and as figures for the table of targets."""

from collections.abc import Callable
from statistics import fmean, median
from typing import Any, Final

from bench.load.figures import table
from bench.load.measure import Result, Round
from bench.load.serve import BESIDE, REST, SUBJECTS

Figure = Callable[[Result, Round], float]
FIGURES: Final[dict[str, tuple[str, str, Figure]]] = {
    "p50": ("p50 ms", "{:.1f}", lambda _, played: played.heard.delays.p50),
    "p99": ("p99 ms", "{:.1f}", lambda _, played: played.heard.delays.p99),
    "server": ("server", "{:.0%}", lambda _, played: played.shares["server"]),
    "round_ms": ("CPU ms a player and round", "**{:.2f}**", lambda _, played: played.round_ms),
    "frame_ms": ("a frame", "{:.3f}", lambda _, played: played.frame_ms),
    "login_ms": ("a login", "{:.2f}", lambda result, _: result.login_ms),
    "kilobytes": ("KB", "{:.0f}", lambda result, _: result.kilobytes),
    "payload": ("bytes", "{:,.0f}", lambda _, played: played.payload),
}
"""By their name for the table of targets: how the column is called, how it is shown, where it is from."""
_WHERE: Final = ("honest tables", "tables of their own")


def load_figures(results: list[Result]) -> dict[str, Any]:
    """For the table of targets. What is measured alone, too, counts as it was beside the earlier version."""
    runs = dict[tuple[str, int], list[tuple[Result, Round]]]()
    for each in filter(lambda result: result.honest, results):
        runs.setdefault((each.who, each.sessions), [(each, played) for played in each.honest])
    mean = dict[str, Any].fromkeys(FIGURES, fmean) | {"p50": median, "p99": median}
    rows = [
        {"who": who, "sessions": sessions, "runs": len(played)}
        | {"marks": ", ".join(sorted({one.marks for _, one in played} - {""}))}
        | {key: mean[key](read(*one) for one in played) for key, (_, _, read) in FIGURES.items()}
        for (who, sessions), played in runs.items()
    ]
    return {"rows": rows}


def load_table(results: list[Result], seconds: float) -> str:
    """The same for people."""
    rows = [
        (
            f"{each['who']}, {each['sessions']:,}"
            + f" ({each['runs']} times)" * (each["runs"] > 1),
            *(form.format(each[name]) for name, (_, form, _) in FIGURES.items()),
            each["marks"],
        )
        for each in load_figures(results)["rows"]
    ]
    return table(("sessions", *(name for name, _, _ in FIGURES.values()), ""), rows) + (
        "\n\nOf several rounds, means; of p50 and p99, medians: from a key press to the last byte of the "
        "change on all screens of the table, the bid's way to the disk included. Shares are of one core. A "
        "login is a new player's, with an Ed25519 key and an account that is written, and the collection of "
        "what the session leaves. Memory is what a session has added after a round. Bytes are those of a "
        f"round of {seconds:g} s before SSH. wish has no reveal, no clock, no disk: compare frames."
    )


def nuisances_table(result: Result) -> str:
    """What honest players notice of others who are not."""
    rows = [
        (
            each.how,
            _WHERE[each.apart],
            f"{each.beside.heard.delays.p99:.1f}",
            ", ".join(f"{played.heard.delays.p99:.1f}" for played in each.quiet),
            f"{each.ratio:.2f}",
            *(f"{played.shares['server']:.0%}" for played in (each.quiet[0], each.beside)),
            each.beside.heard.torn,
            each.beside.marks,
        )
        for each in result.spoilt
    ]
    head = ("1% are", "at", "p99 ms", "p99 ms without", "ratio", "server without")
    return table((*head, "server", "bids not on all screens", ""), rows) + (
        f"\n\nWith {result.sessions:,} sessions; times of honest players, medians of rounds. Each row is "
        "beside the mean of those just before and after it, all honest. The last column counts honest bids "
        "that some honest screen did not show within two seconds; what was waited is in the times."
    )


def subjects_table(found: dict[str, float], whole: float, what: str) -> str:
    """Where ``whole`` milliseconds go: the same rows every time, which add up to it."""
    seconds = max(sum(found.values()), 1e-9)
    shares = {name: found.get(name, 0.0) / seconds for name in (*SUBJECTS, BESIDE, REST)}
    rows = [(name, f"{share * whole:.2f}", f"{share:.0%}") for name, share in shares.items()]
    return table(("in", "CPU ms", "of it"), [*rows, (f"**{what}**", f"**{whole:.2f}**", "")])


def nuisances_figures(result: Result) -> dict[str, Any]:
    """Of all kinds."""
    rows = [
        {"how": f"{each.how} at {_WHERE[each.apart]}", "sessions": result.sessions}
        | {"ratio": each.ratio, "marks": each.beside.marks}
        for each in result.spoilt
    ]
    return {"rows": rows}
