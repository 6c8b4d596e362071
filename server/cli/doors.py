"""``tide doors`` and ``tide upgrade``: the processes of a server with doors."""

import os
import signal
from pathlib import Path
from typing import Final

import click

from server.cli.config import settings_in_force, state_option

_NONE: Final = (
    "no server with doors is running on {state}; start one with `tide serve --doors 2`, or name its state "
    "directory with --state"
)


@click.command("doors")
@state_option
def doors(state: Path | None) -> None:
    """List the processes of a server with doors.

    For each: its process number, how many sessions it has, its memory, and the processor time that it has
    used.
    """
    import asyncio

    from server.cli.output import fail
    from server.runtime.figures import figures_from, processes_in, sample_of
    from server.storage.statedir import parent_of

    kept = settings_in_force(state=state).state
    if parent_of(kept) is None:
        fail(_NONE.format(state=kept))
    click.echo(f"{'process':<14}{'pid':>8}{'sessions':>10}{'memory':>10}{'cpu':>10}")
    for process in processes_in(kept):
        found = asyncio.run(figures_from(kept, process))
        if found is None:
            click.echo(f"{process:<14}  does not answer")
            continue
        sessions = sample_of(found, "tide_sessions")
        memory = sample_of(found, "process_resident_memory_bytes") / 2**20
        cpu = sample_of(found, "process_cpu_seconds_total")
        click.echo(f"{process:<14}{found.pid:>8}{sessions:>10.0f}{memory:>7.0f} MB{cpu:>8.1f} s")


@click.command("upgrade")
@state_option
def upgrade(state: Path | None) -> None:
    """Replace the processes of a running server with doors.

    They run what is installed by now. Nobody's connection ends: the coordinator is away for a moment, and a
    door ends when nobody is left in it.
    """
    from server.cli.output import fail
    from server.storage.statedir import parent_of

    kept = settings_in_force(state=state).state
    parent = parent_of(kept)
    if parent is None:
        fail(_NONE.format(state=kept))
    os.kill(parent, signal.SIGUSR1)
    click.echo("The coordinator is being replaced, then the doors as they empty: see tide doors.")
