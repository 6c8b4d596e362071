"""The subcommands of ``tide``: where each is, and under which heading ``tide --help`` shows it."""

import importlib
from typing import Final

import click

from server.cli.click_hooks import Root
from server.cli.importing import importing

COMMANDS: Final = {
    "play": ("Play", "play", "play"),
    "join": ("Play", "join", "join"),
    "arena": ("Play", "play", "arena"),
    "serve": ("Host", "serve", "serve"),
    "config": ("Host", "config", "commands"),
    "keys": ("Host", "keys", "commands"),
    "password": ("Host", "keys", "password"),
    "database": ("Host", "database", "commands"),
    "backup": ("Host", "database", "backup"),
    "admin": ("Operate", "operators", "admin"),
    "doors": ("Operate", "doors", "doors"),
    "upgrade": ("Operate", "doors", "upgrade"),
    "tournament": ("Operate", "operators", "commands"),
    "forget": ("Operate", "operators", "forget"),
    "records": ("Finished games", "records", "commands"),
    "replay": ("Finished games", "replay", "replay"),
    "review": ("Finished games", "analysis", "review"),
    "statistics": ("Finished games", "analysis", "statistics"),
    "verify": ("Finished games", "referee", "verify"),
    "referee": ("Finished games", "referee", "referee"),
}
"""Heading, module below ``server.cli`` (imported only when needed), and its ``click.Command``."""


def _command(name: str) -> click.Command | None:
    if name not in COMMANDS:
        return None
    _, module, attribute = COMMANDS[name]
    with importing():
        found = getattr(importlib.import_module(f"server.cli.{module}"), attribute)
    assert isinstance(found, click.Command)
    return found


@click.group(
    cls=Root,
    headings={name: heading for name, (heading, *_) in COMMANDS.items()},
    get=_command,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(package_name="turn-the-tide", message="%(prog)s %(version)s")
def tide() -> None:
    """Turn the Tide, played over SSH and telnet from any terminal."""
