"""The harness's results as Markdown."""

from typing import Any, Final, NamedTuple

from bench.load.figures import Spread, table
from bench.load.processes import Shares
from bench.load.stage import SERVER_LIMITS, Plan, Result, Round

DISTURBED: Final = 0.1
"""From this share of the server's core on, others have disturbed a measurement."""
_TOP: Final = 25


class Knock(NamedTuple):
    """A burst of people who come in."""

    who: str
    kex: str
    rate: float
    first_frames: Spread
    shares: Shares
    server_ms: float


def marks(shares: Shares) -> str:
    """What has to be known about a figure: who has limited or disturbed it."""
    found = []
    if shares.clients >= SERVER_LIMITS and shares.server < SERVER_LIMITS:
        found.append("limited by the clients")
    if shares.others >= DISTURBED:
        found.append("disturbed")
    return ", ".join(found)


def load_table(results: list[Result]) -> str:
    """Delays, CPU and memory."""
    rows = []
    for result in results:
        for name, played in result.rounds.items():
            rows.append(_load_row(result, name, played))
    head = ("sessions", "with", "key presses", "p50 ms", "p99 ms", "worst ms", "server", "clients")
    text = table((*head, "others", "ms a frame", "KB a session (PSS)", ""), rows)
    looked = ", ".join(f"{result.screens} of {result.sessions}" for result in results)
    return (
        f"{text}\n\nTimes are from a key press to the last byte of the change on all honest screens of "
        "the table, the bid's way to the disk included. Shares are of one core. Memory is what the server "
        "has grown by for each session, after playing. Screens compared with a repaint of themselves, "
        f"cell by cell: {looked}."
    )


def _load_row(result: Result, name: str, played: Round) -> tuple[object, ...]:
    delays, shares = played.delays, played.shares
    memory = f"{result.kilobytes:.0f} ({result.pss:.0f})" if name == "all honest" else ""
    return (
        f"{result.sessions:,}",
        name,
        f"{delays.n:,}",
        f"{delays.p50:.1f}",
        f"{delays.p99:.1f}",
        f"{delays.worst:.0f}",
        f"{shares.server:.0%}",
        f"{shares.clients:.0%}",
        f"{shares.others:.0%}",
        f"{played.frame_ms:.2f}",
        memory,
        marks(shares),
    )


def rounds_table(result: Result, plan: Plan) -> str:
    """What a player is sent."""
    played = result.rounds["all honest"]
    rows: list[tuple[object, ...]] = [
        (kind, f"{frames:.1f}", f"{count:,.0f}", f"{count / max(frames, 0.001):.0f}")
        for kind, (count, frames) in played.kinds.items()
    ]
    rows.append(("all of it", _frames(played), f"{played.payload:,.0f}", ""))
    rows.append(("on the wire (SSH over TCP)", "", f"{played.wire:,.0f}", ""))
    return table(("kind", "frames", "bytes", "bytes a frame"), rows) + (
        f"\n\nMeans over {result.sessions} sessions of 80x24 in sixteen colours; "
        f"a round takes {plan.seconds:g} s."
    )


def _frames(played: Round) -> str:
    return f"{sum(count for _, count in played.kinds.values()):.1f}"


def connects(knocks: list[Knock]) -> str:
    """Connect, authenticate with a new key, first frame."""
    rows = [
        (
            each.who,
            each.kex,
            f"{each.rate:,.0f}",
            f"{each.first_frames.p50:.0f}",
            f"{each.first_frames.p99:.0f}",
            f"{each.shares.server:.0%}",
            f"{each.shares.clients:.0%}",
            f"{each.server_ms:.2f}",
            f"{1000 / each.server_ms:,.0f}" if each.server_ms else "",
            marks(each.shares),
        )
        for each in knocks
    ]
    head = ("", "key exchange", "a second", "first frame p50 ms", "p99 ms", "server", "clients")
    return table((*head, "server CPU ms each", "a core could take", ""), rows) + (
        "\n\nEverybody is new here and has an Ed25519 key: an account is written to the disk for each. "
        "32 at a time."
    )


def yardsticks(results: list[Result], peers: dict[str, Result]) -> str:
    """Ours beside others."""
    names = {
        "echo": "asyncssh alone, echo to one session",
        "stock": "prompt_toolkit's contrib.ssh, 24 windows",
    }
    shown = [("this server, to the disk and back", results[0])]
    shown += [(names[kind], result) for kind, result in peers.items()]
    ours = results[0].rounds["all honest"]
    rows = []
    for name, result in shown:
        played = result.rounds["all honest"]
        rows.append(
            (
                name,
                result.sessions,
                f"{played.delays.p50:.1f}",
                f"{played.delays.p99:.1f}",
                f"{played.frame_ms:.2f}",
                f"{played.frame_ms / ours.frame_ms:.1f}" if ours.frame_ms else "",
                f"{result.kilobytes:.0f}",
                f"{result.kilobytes / results[0].kilobytes:.1f}" if results[0].kilobytes else "",
                marks(played.shares),
            )
        )
    head = ("", "sessions", "p50 ms", "p99 ms", "CPU ms a frame", "ratio", "KB a session", "ratio")
    return table((*head, ""), rows)


def profile_table(result: Result) -> str:
    """Samples of the main thread by function."""
    found: dict[str, Any] = result.profile
    samples = max(1, found["samples"])

    def top(kind: str) -> list[tuple[str, int]]:
        return sorted(found[kind].items(), key=lambda item: -item[1])

    everywhere = 0.95 * samples  # the way from the program's start to its event loop
    under = [item for item in top("all") if item[1] < everywhere]
    rows = [
        (f"{own[1] / samples:.1%}", f"`{own[0]}`", f"{whole[1] / samples:.1%}", f"`{whole[0]}`")
        for own, whole in zip(top("own")[:_TOP], under[:_TOP], strict=False)
    ]
    return table(("itself", "function", "with all it calls", "function"), rows) + (
        f"\n\n{samples} samples, one every few milliseconds of CPU time. "
        "While another thread writes, the main one is seen where it waits."
    )
