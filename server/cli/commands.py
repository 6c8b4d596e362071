"""The subcommands of ``tide``: where each is, and under which heading ``tide --help`` shows it."""

import importlib
from collections.abc import Iterable
from typing import Annotated, Final, NamedTuple

import typer

from server.cli.typer_app import Root, add, group

_PLAY: Final = "Play"
_HOST: Final = "Host"
_OPERATE: Final = "Operate"
_GAMES: Final = "Finished games"


class CommandPlace(NamedTuple):
    """Where a subcommand is."""

    heading: str
    module: str
    """Below ``server.cli``; imported only when needed. It has a function, or a ``typer.Typer``."""
    attribute: str
    hidden: bool = False
    """An older spelling."""


COMMANDS: Final = {
    "play": CommandPlace(_PLAY, "play.play", "play"),
    "join": CommandPlace(_PLAY, "play.join", "join"),
    "arena": CommandPlace(_PLAY, "play.arena", "arena"),
    "serve": CommandPlace(_HOST, "host.serve", "serve"),
    "config": CommandPlace(_HOST, "host.config", "commands"),
    "keys": CommandPlace(_HOST, "host.keys", "commands"),
    "password": CommandPlace(_HOST, "host.password", "password"),
    "word": CommandPlace(_HOST, "host.password", "password", hidden=True),
    "backup": CommandPlace(_HOST, "host.backup", "backup"),
    "admin": CommandPlace(_OPERATE, "operate.admin", "admin"),
    "forget": CommandPlace(_OPERATE, "operate.forget", "forget"),
    "records": CommandPlace(_GAMES, "games.records", "commands"),
    "replay": CommandPlace(_GAMES, "games.replay", "replay"),
    "verify": CommandPlace(_GAMES, "games.verify", "verify"),
    "referee": CommandPlace(_GAMES, "games.referee", "referee"),
}


def tide(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command with the subcommands of these ``names``, each a key of ``COMMANDS``."""
    about = "Turn the Tide, played over SSH and telnet from any terminal."
    app = group(about, add_completion=True, cls=Root, name="tide")
    app.callback()(_tide)
    for name in names:
        place = COMMANDS[name]
        found = getattr(importlib.import_module(f"server.cli.{place.module}"), place.attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name, rich_help_panel=place.heading)
        else:
            settings = {"ignore_unknown_options": True} if name == "admin" else {}
            add(
                app,
                found,
                name,
                rich_help_panel=place.heading,
                hidden=place.hidden,
                context_settings=settings,
            )
    return app


def _version(asked: bool) -> None:
    if asked:
        from server.version import version

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
