"""What ``tide`` understands. Subcommands register themselves, and import what is heavy when they run."""

import importlib
import importlib.util
from typing import Final

import typer

app = typer.Typer(
    name="tide",
    help="Turn the Tide, played over SSH and telnet from any terminal.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def tide() -> None:
    """Turn the Tide, played over SSH and telnet from any terminal."""
    # With a callback, one command alone is a subcommand as well.


COMMANDS: Final = (
    "serve",
    "play",
    "join",
    "records",
    "replay",
    "verify",
    "referee",
    "arena",
    "backup",
    "word",
    "forget",
    "keys",
    "admin",
)


def _register() -> None:
    for name in COMMANDS:
        if importlib.util.find_spec(f"server.cli.{name}"):
            importlib.import_module(f"server.cli.{name}").register(app)


_register()
