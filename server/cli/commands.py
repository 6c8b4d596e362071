"""What ``tide`` understands. Subcommands register themselves, and import what is heavy when they run."""

import importlib
from collections.abc import Iterable
from typing import Final

import typer

COMMANDS: Final = {
    "serve": "host.serve",
    "play": "play.play",
    "join": "play.join",
    "records": "games.records",
    "replay": "games.replay",
    "verify": "games.verify",
    "referee": "games.referee",
    "arena": "play.arena",
    "backup": "host.backup",
    "word": "host.password",
    "forget": "operate.forget",
    "keys": "host.keys",
    "admin": "operate.admin",
}
"""Each subcommand and its module."""


def tide(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command with the subcommands of these ``names``, each a key of ``COMMANDS``."""
    app = typer.Typer(
        name="tide",
        help="Turn the Tide, played over SSH and telnet from any terminal.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    # With a callback, one command alone is a subcommand as well.
    app.callback()(_tide)
    for name in names:
        importlib.import_module(f"server.cli.{COMMANDS[name]}").register(app)
    return app


def _tide() -> None:
    """Turn the Tide, played over SSH and telnet from any terminal."""
