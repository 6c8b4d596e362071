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

_PATIENCE: Final = 5.0
"""Seconds in which the parent has to tell of all others."""


@click.command("doors")
@state_option
def doors(state: Path | None) -> None:
    """List the processes of a server with doors.

    For each: its process number, how many sessions it has, its memory, and the processor time that it has
    used. A door with its number in its name has been replaced, and ends when nobody is left in it.
    """
    import asyncio

    from server.cli.output import fail
    from server.runtime.figures import Told, ask
    from server.storage.statedir import parent_of

    kept = settings_in_force(state=state).state
    if (parent := parent_of(kept)) is None:
        fail(_NONE.format(state=kept))
    click.echo(f"{'process':<16}{'pid':>8}{'sessions':>10}{'memory':>10}{'cpu':>10}")
    for told in asyncio.run(ask(kept, parent, list[Told], _PATIENCE)) or ():
        if told.figures is None:
            click.echo(f"{told.process:<16}{told.pid:>8}  does not answer")
            continue
        sessions = told.sum_of("tide_sessions")
        memory = told.sum_of("process_resident_memory_bytes") / 2**20
        cpu = told.sum_of("process_cpu_seconds_total")
        click.echo(
            f"{told.process:<16}{told.pid:>8}{sessions:>10.0f}{memory:>7.0f} MB{cpu:>8.1f} s"
        )


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
