"""The harness's results as Markdown."""

from typing import Any, Final

from bench.load.figures import BY_CLIENTS, EARLIER, NOTHING, VERSION, Spread, table
from bench.load.processes import Shares
from bench.load.stage import DISTURBED, SERVER_LIMITS, SLOW_SYNC, Knock, Plan, Result, Round

_TOP: Final = 25
_PEERS: Final = {
    "echo": "asyncssh alone, echo to one session",
    "stock": "prompt_toolkit's contrib.ssh, 24 windows",
    EARLIER: f"version {VERSION}, with which the goals were set",
    "wish": "Go: wish and bubbletea, the same screen",
}


def marks(shares: Shares, disk: Spread = NOTHING) -> str:
    """What has to be known about a figure: who has limited or disturbed it."""
    found = []
    if shares.clients >= SERVER_LIMITS and shares.server < SERVER_LIMITS:
        found.append(BY_CLIENTS)
    if shares.others >= DISTURBED:
        found.append("disturbed")
    if disk.p99 >= SLOW_SYNC:
        found.append("slow disk")
    return ", ".join(found)


_TIMES: Final = ("key presses", "p50 ms", "p99 ms", "worst ms")


def load_table(results: list[Result]) -> str:
    """Delays, CPU and memory."""
    rows = [_load_row(result, result.honest) for result in results if result.honest is not None]
    costs = ("server", "clients", "others", "disk p99 ms", "ms a frame", "KB a session (PSS)")
    head = ("sessions", *_TIMES, *costs, "")
    looked = ", ".join(f"{result.screens} of {result.sessions:,}" for result in results)
    telnet = ", ".join(f"{result.telnet} of {result.sessions:,}" for result in results)
    return (
        f"{table(head, rows)}\n\nTimes are from a key press to the last byte of the change on all "
        "screens of the table, the bid's way to the disk included. Shares are of one core; the "
        "clients' are of all their cores together. The disk's is a sync of 4 KB beside the playing. "
        "Memory is what the server has grown by for each session, after playing. By telnet: "
        f"{telnet}. Screens compared with a repaint of themselves, cell by cell: {looked}."
    )


def _load_row(result: Result, played: Round) -> tuple[object, ...]:
    shares = played.shares
    return (
        f"{result.sessions:,}",
        *_times(played),
        f"{shares.server:.0%}",
        f"{shares.clients:.0%}",
        f"{shares.others:.0%}",
        f"{played.syncs.p99:.1f}",
        f"{played.frame_ms:.2f}",
        f"{result.kilobytes:.0f} ({result.pss:.0f})",
        marks(shares, played.syncs),
    )


def _times(played: Round) -> tuple[str, ...]:
    delays = played.delays
    return f"{delays.n:,}", f"{delays.p50:.1f}", f"{delays.p99:.1f}", f"{delays.worst:.0f}"


def nuisances_table(result: Result) -> str:
    """What honest players notice of others who are not."""
    rows = [
        (
            each.how,
            "tables of their own" if each.apart else "honest tables",
            *_times(each.beside),
            f"{each.quiet.delays.p99:.1f}",
            f"{each.ratio:.2f}",
            f"{each.quiet.shares.server:.0%}",
            f"{each.beside.shares.server:.0%}",
            each.beside.heard["torn"],
            each.lost,
            marks(each.beside.shares, each.beside.syncs),
        )
        for each in result.spoilt
    ]
    without = ("p99 ms without", "ratio", "server without", "server")
    head = ("1 % are", "at", *_TIMES, *without, "bids not on all screens", "let go", "")
    return table(head, rows) + (
        f"\n\nWith {result.sessions:,} sessions; the times are those of honest players. Each row is beside "
        "the rounds just before it, in which all were honest, and was measured again, up to three times, "
        "while others took the processor or the disk. The last but one column counts bids of honest "
        "players that some honest screen did not show within a second; each of them is in the times with "
        "what was waited for it. The last one counts nuisances that the server has disconnected."
    )


def rounds_table(result: Result, plan: Plan) -> str:
    """What a player is sent."""
    played = result.honest
    assert played is not None
    rows: list[tuple[object, ...]] = [
        (
            name,
            f"{kind.frames:.1f}",
            f"{kind.payload:,.0f}",
            f"{kind.wire:,.0f}",
            f"{kind.payload / max(kind.frames, 0.001):.0f}",
        )
        for name, kind in played.kinds.items()
    ]
    frames = sum(kind.frames for kind in played.kinds.values())
    rows.append(("all of it", f"{frames:.1f}", f"{played.payload:,.0f}", f"{played.wire:,.0f}", ""))
    head = ("kind", "frames", "payload", "wire (SSH over TCP)", "payload a frame")
    return table(head, rows) + (
        f"\n\nBytes; means over {result.sessions:,} sessions of 80x24 in sixteen colours; "
        f"a round takes {plan.seconds:g} s."
    )


def seating_table(results: list[Result]) -> str:
    """Coming in, opening or joining a table."""
    rows = [
        (
            f"{each.sessions:,}",
            f"{each.sessions / each.seated_seconds:,.0f}" if each.seated_seconds else "",
            f"{each.first_frames.p50:.0f}",
            f"{each.first_frames.p99:.0f}",
            f"{each.seating.server:.0%}",
            f"{each.seating.clients:.0%}",
            f"{each.descriptors:.2f}",
            marks(each.seating),
        )
        for each in results
    ]
    head = ("sessions", "seated a second", "first frame p50 ms", "p99 ms", "server", "clients")
    return table((*head, "descriptors a session", ""), rows)


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
    """Ours beside others, each beside ours of its size."""
    shown = [("this server, to the disk and back", results[0])]
    shown += [(_PEERS[kind], result) for kind, result in peers.items()]
    rows = []
    for name, result in shown:
        ours = min(results, key=lambda ours: abs(ours.sessions - result.sessions))
        base, played = ours.honest, result.honest
        if played is None:
            continue
        frame = base.frame_ms if base is not None else 0.0
        rows.append(
            (
                name,
                result.sessions,
                f"{played.delays.p50:.1f}",
                f"{played.delays.p99:.1f}",
                f"{played.frame_ms:.2f}",
                f"{played.frame_ms / frame:.1f}" if frame else "",
                f"{result.kilobytes:.0f}",
                f"{result.kilobytes / ours.kilobytes:.1f}" if ours.kilobytes else "",
                f"{sum(played.heard['payload'].values()) / max(1, played.frames):,.0f}",
                marks(played.shares),
            )
        )
    head = ("", "sessions", "p50 ms", "p99 ms", "CPU ms a frame", "ratio", "KB a session", "ratio")
    text = table((*head, "payload a frame", ""), rows)
    return text if "wish" in peers else f"{text}\n\nDebian's Go packages are not installed here."


def profile_table(found: dict[str, Any]) -> str:
    """Samples of the main thread, by what it was in and by function."""
    samples = max(1, found["samples"])

    def top(kind: str) -> list[tuple[str, int]]:
        return sorted(found[kind].items(), key=lambda item: -item[1])

    layers = [(name, f"{count / samples:.0%}") for name, count in top("layers")]
    everywhere = 0.95 * samples  # the way from the program's start to its event loop
    under = [item for item in top("all") if item[1] < everywhere]
    rows = [
        (f"{own[1] / samples:.1%}", f"`{own[0]}`", f"{whole[1] / samples:.1%}", f"`{whole[0]}`")
        for own, whole in zip(top("own")[:_TOP], under[:_TOP], strict=False)
    ]
    return (
        f"{table(('in', 'of the time'), layers)}\n\n"
        f"{table(('itself', 'function', 'with all it calls', 'function'), rows)}\n\n"
        f"{samples:,} samples, one every few milliseconds of CPU time. "
        "While another thread writes, the main one is seen where it waits."
    )
