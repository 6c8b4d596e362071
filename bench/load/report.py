"""The harness's results as Markdown, and as figures for the table of targets."""

from collections.abc import Callable
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
    """For the table of targets: a row for each server and size that was measured."""
    rows = [
        {"who": each.who, "sessions": each.sessions, "marks": each.honest.marks}
        | {key: read(each, each.honest) for key, (_, _, read) in FIGURES.items()}
        for each in results
        if each.honest
    ]
    return {"rows": rows}


def load_table(results: list[Result], seconds: float) -> str:
    """Format the figures of every server and size for people."""
    rows = [
        (
            f"{each['who']}, {each['sessions']:,}",
            *(form.format(each[name]) for name, (_, form, _) in FIGURES.items()),
            each["marks"],
        )
        for each in load_figures(results)["rows"]
    ]
    return table(("sessions", *(name for name, _, _ in FIGURES.values()), ""), rows) + (
        "\n\np50 and p99 are from a key press to the last byte of the change on all screens of the table, "
        "the bid's way to the disk included. Shares are of one core. A login is a new player's, with an "
        "Ed25519 key and an account that is written, and the collection of what the session leaves. Memory "
        "is what a session has added after a round. Bytes are those of a round of "
        f"{seconds:g} s before SSH. wish and asyncssh alone have no reveal, no clock, no limits, no disk: "
        "compare frames and logins."
    )


def nuisances_table(result: Result) -> str:
    """Return what honest players notice of others who are not."""
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
    """Return where ``whole`` milliseconds go: the same rows every time, which add up to it."""
    seconds = max(sum(found.values()), 1e-9)
    shares = {name: found.get(name, 0.0) / seconds for name in (*SUBJECTS, BESIDE, REST)}
    rows = [(name, f"{share * whole:.2f}", f"{share:.0%}") for name, share in shares.items()]
    return table(("in", "CPU ms", "of it"), [*rows, (f"**{what}**", f"**{whole:.2f}**", "")])


def nuisances_figures(result: Result) -> dict[str, Any]:
    """Return the figures of all kinds of nuisances."""
    rows = [
        {"how": f"{each.how} at {_WHERE[each.apart]}", "sessions": result.sessions}
        | {"ratio": each.ratio, "marks": each.beside.marks}
        for each in result.spoilt
    ]
    return {"rows": rows}
