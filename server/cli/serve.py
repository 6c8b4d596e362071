"""``tide serve``, ``tide doors`` and ``tide upgrade``: run a server, and see and replace its processes."""

import gc
import os
import signal
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from server import StoreError
from server.cli.commands import Decorator, Sectioned, fail, finish, options, own_words
from server.cli.config import config_option, settings_in_force, state_option
from server.settings.loading import default_places, in_checkout, load
from server.settings.settings import Setting, declared

_METAVARS: Final = {
    msgspec.inspect.IntType: "N",
    msgspec.inspect.FloatType: "SECONDS",
    msgspec.inspect.StrType: "TEXT",
    msgspec.inspect.CustomType: "PATH",
}


def _name(setting: Setting) -> str:
    return setting.key.replace(".", "_")


def _option(setting: Setting) -> Decorator:
    kind, spelled = setting.kind, setting.option
    more: dict[str, Any] = {}
    if isinstance(kind, msgspec.inspect.BoolType):
        spelled = f"{spelled}/--no-{spelled.removeprefix('--')}"
    elif setting.choices:
        more = {"type": click.Choice(setting.choices), "metavar": "|".join(setting.choices)}
    else:
        one = kind.types[0] if isinstance(kind, msgspec.inspect.UnionType) else kind
        more = {"metavar": _METAVARS[type(one)]}
    default = _default(setting)
    text = f"{setting.description}  [{default}]" if default else setting.description
    return click.option(spelled, _name(setting), default=None, help=text, **more)


def _default(setting: Setting) -> str:
    """Return the default as the help shows it."""
    if setting.key in {"state", "keys"}:
        places = dict(zip(("state", "keys"), default_places(), strict=True))
        return f"{setting.key}/" if in_checkout() else str(places[setting.key])
    if isinstance(setting.default, bool):
        return "yes" if setting.default else "no"
    if isinstance(setting.default, float):
        return f"{setting.default:.10g}"
    return "" if setting.default is None else str(setting.default)


@click.command(
    cls=Sectioned,
    headings={_name(one): one.section for one in declared().values() if one.section},
)
@click.option("--part", nargs=3, type=(str, int, str), hidden=True)
@config_option
@options([_option(setting) for setting in declared().values()])
def serve(config: Path | None, part: tuple[str, int, str] | None, **given: Any) -> None:
    """Run a server.

    Every option can also be set in the environment (--ssh-port is TIDE_SSH_PORT, --limits-sessions is
    TIDE_LIMITS_SESSIONS) and in a file (ssh_port; sessions in the section limits). Options take precedence
    over the environment, and the environment over the file. tide config show prints the settings in force.
    """
    # The default action for SIGHUP, until the server handles it, would end the process.
    hung_up: list[int] = []
    signal.signal(signal.SIGHUP, lambda number, _: hung_up.append(number))
    # Starting makes no garbage, and collecting would take half the time in which a thousand tables are
    # recovered. `server.runtime.gc_policy` takes over when the server is up.
    gc.disable()

    from server.runtime.start import ProcessRole, run
    from server.storage.statedir import IsFile

    flags = {key: given[_name(one)] for key, one in declared().items()}
    try:
        status = run(lambda: load(flags, config=config), hung_up, part and ProcessRole(*part))
    except IsFile as problem:
        words = own_words()
        text = words.t("{state} is a file. Choose a directory with --state.", state=problem.state)
        fail(text)
    except StoreError as problem:
        fail(
            f"The database was lost while the server started ({problem.code}): see whether it runs, and "
            "start the server again."
        )
    finish([], status)


_PATIENCE: Final = 5.0
"""Seconds in which the parent process has to answer."""


@click.command("doors")
@state_option
def doors(state: Path | None) -> None:
    """List the processes of a server with doors.

    For each: its process number, how many sessions it has, its memory, and the processor time that it has
    used. A door with its number in its name has been replaced, and ends when nobody is left in it.
    """
    import asyncio

    from server.runtime.figures import ProcessReport, ask

    kept, parent = _running(state)
    click.echo(f"{'process':<16}{'pid':>8}{'sessions':>10}{'memory':>10}{'cpu':>10}")
    for told in asyncio.run(ask(kept, parent, list[ProcessReport], _PATIENCE)) or ():
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
    _, parent = _running(state)
    os.kill(parent, signal.SIGUSR1)
    click.echo("The coordinator is being replaced, then the doors as they empty: see tide doors.")


def _running(state: Path | None) -> tuple[Path, int]:
    """Return state directory and parent process of a running server with doors, or end the command."""
    from server.storage.statedir import parent_of

    kept = settings_in_force(state=state).state
    return kept, parent_of(kept) or fail(
        f"no server with doors is running on {kept}; start one with `tide serve --doors 2`, or name its "
        "state directory with --state"
    )
