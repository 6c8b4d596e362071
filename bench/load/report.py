"""The harness's results as Markdown, and as figures for the table of targets."""

from typing import Any

from bench.load.figures import table
from bench.load.measure import Result, Round
from bench.load.serve import BESIDE, REST, SUBJECTS

_TIMES = ("key presses", "p50 ms", "p99 ms", "worst ms")


def load_table(results: list[Result], seconds: float) -> str:
    """Delays, CPU and memory."""
    rows = [
        (
            f"{each.who}, {each.sessions:,}",
            *_times(played),
            *(f"{played.shares[who]:.0%}" for who in ("server", "clients", "others")),
            f"{played.sync:.1f}",
            f"**{played.round_ms:.2f}**",
            f"{played.frame_ms:.2f}",
            f"{each.login_ms:.2f}",
            f"{each.logins:,.0f}",
            f"{each.kilobytes:.0f}",
            f"{played.payload:,.0f}",
            played.marks,
        )
        for each in results
        if (played := each.honest) is not None
    ]
    head = ("sessions", *_TIMES, "server", "clients", "others", "disk p99 ms")
    costs = (
        "CPU ms a player and round",
        "a frame",
        "a login",
        "logins a second",
        "KB",
        "bytes",
        "",
    )
    return table((*head, *costs), rows) + (
        "\n\nTimes are from a key press to the last byte of the change on all screens of the table, the "
        "bid's way to the disk included. Shares are of one core. The disk's is a sync of 4 KB beside the "
        "playing. Who logs in is new and has an Ed25519 key: an account is written to the disk. Memory is "
        "what the server has grown by for each session, after playing. Bytes are those of a round, in "
        f"80x24 and sixteen colours, before SSH; a round takes {seconds:g} s. wish has no reveal, no clock "
        "and no disk: a frame is what can be compared with it."
    )


def _times(played: Round) -> tuple[str, ...]:
    delays = played.heard.delays
    return f"{delays.n:,}", f"{delays.p50:.1f}", f"{delays.p99:.1f}", f"{delays.worst:.0f}"


def nuisances_table(result: Result) -> str:
    """What honest players notice of others who are not."""
    rows = [
        (
            each.how,
            "tables of their own" if each.apart else "honest tables",
            *_times(each.beside),
            f"{each.quiet.heard.delays.p99:.1f}",
            f"{each.ratio:.2f}",
            *(f"{played.shares['server']:.0%}" for played in (each.quiet, each.beside)),
            each.beside.heard.torn,
            each.lost,
            each.beside.marks,
        )
        for each in result.spoilt
    ]
    more = ("p99 ms without", "ratio", "server without", "server", "bids not on all screens")
    return table(("1 % are", "at", *_TIMES, *more, "let go", ""), rows) + (
        f"\n\nWith {result.sessions:,} sessions; the times are those of honest players. Each row is beside "
        "the rounds just before it, in which all were honest, and was measured again, up to three times, "
        "while others took the processor or the disk. The last but one column counts bids of honest "
        "players that some honest screen did not show within a second; each of them is in the times with "
        "what was waited for it. The last one counts nuisances that the server has disconnected."
    )


def subjects_table(found: dict[str, float], whole: float, what: str) -> str:
    """Where ``whole`` milliseconds go: the same rows every time, which add up to it."""
    seconds = max(sum(found.values()), 1e-9)
    shares = {name: found.get(name, 0.0) / seconds for name in (*SUBJECTS, BESIDE, REST)}
    rows = [(name, f"{share * whole:.2f}", f"{share:.0%}") for name, share in shares.items()]
    return table(("in", "CPU ms", "of it"), [*rows, (f"**{what}**", f"**{whole:.2f}**", "")])


def load_figures(results: list[Result]) -> dict[str, Any]:
    """For the table of targets, and for the next run, which may cover less."""
    rows = [
        {
            "who": each.who,
            "sessions": each.sessions,
            "p99": played.heard.delays.p99,
            "server": played.shares["server"],
            "round_ms": played.round_ms,
            "frame_ms": played.frame_ms,
            "login_ms": each.login_ms,
            "logins": each.logins,
            "kilobytes": each.kilobytes,
            "marks": played.marks,
        }
        for each in results
        if (played := each.honest) is not None
    ]
    return {"covers": [f"{each['who']}, {each['sessions']}" for each in rows], "rows": rows}


def nuisances_figures(result: Result) -> dict[str, Any]:
    """Of all kinds."""
    rows = [
        {
            "how": f"{each.how} {'at tables of their own' if each.apart else 'at honest tables'}",
            "sessions": result.sessions,
            "ratio": each.ratio,
            "marks": each.beside.marks,
        }
        for each in result.spoilt
    ]
    return {"covers": [each["how"] for each in rows], "rows": rows}
