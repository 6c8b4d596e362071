"""The subcommands of ``tide``: where each is, and under which heading ``tide --help`` shows it."""

import importlib
from collections.abc import Iterable
from typing import Annotated, Final

import typer

from server.cli.typer_app import Root, add, group

COMMANDS: Final = {
    "play": ("Play", "play.play", "play"),
    "join": ("Play", "play.join", "join"),
    "arena": ("Play", "play.arena", "arena"),
    "serve": ("Host", "host.serve", "serve"),
    "config": ("Host", "host.config", "commands"),
    "keys": ("Host", "host.keys", "commands"),
    "password": ("Host", "host.password", "password"),
    "word": ("Host", "host.password", "password"),
    "database": ("Host", "host.database", "commands"),
    "backup": ("Host", "host.backup", "backup"),
    "admin": ("Operate", "operate.admin", "admin"),
    "tournament": ("Operate", "operate.tournament", "commands"),
    "nodes": ("Operate", "operate.nodes", "nodes"),
    "drain": ("Operate", "operate.nodes", "drain"),
    "forget": ("Operate", "operate.forget", "forget"),
    "records": ("Finished games", "games.records", "commands"),
    "replay": ("Finished games", "games.replay", "replay"),
    "review": ("Finished games", "games.review", "review"),
    "statistics": ("Finished games", "games.statistics", "statistics"),
    "verify": ("Finished games", "games.verify", "verify"),
    "referee": ("Finished games", "games.referee", "referee"),
}
"""Heading, module below ``server.cli`` (imported only when needed), and its function or ``typer.Typer``."""


def tide(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command with the subcommands of these ``names``, each a key of ``COMMANDS``."""
    helped = {"help_option_names": ["-h", "--help"]}
    app = group(_tide.__doc__, name="tide", cls=Root, context_settings=helped)
    app.callback()(_tide)
    for name in names:
        heading, module, attribute = COMMANDS[name]
        found = getattr(importlib.import_module(f"server.cli.{module}"), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name, rich_help_panel=heading)
        else:
            settings = {"ignore_unknown_options": name == "admin"}
            hidden = name == "word"  # an older spelling
            add(app, found, name, rich_help_panel=heading, hidden=hidden, context_settings=settings)
    return app


def _version(asked: bool) -> None:
    if asked:
        from server import version

        typer.echo(f"tide {version()}")
        raise typer.Exit


def _tide(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Turn the Tide, played over SSH and telnet from any terminal."""
