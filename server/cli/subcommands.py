"""The subcommands of ``tide``: where each is, and under which heading ``tide --help`` shows it."""

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import click
from typing_extensions import override

from server import Problem
from server.cli import importing
from server.cli.output import fail


class Root(click.Group):
    """The ``tide`` command.

    Lists subcommands below headings, imports each when it is needed, and prints a ``Problem`` as one
    line.
    """

    def __init__(
        self,
        *args: Any,
        headings: Mapping[str, str],
        get: Callable[[str], click.Command | None],
        **settings: Any,
    ) -> None:
        """``headings`` has the heading of each subcommand."""
        super().__init__(*args, **settings)
        self._headings, self._get = headings, get

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._headings)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self._get(cmd_name)

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = list[tuple[str, tuple[str, str]]]()
        for name, heading in self._headings.items():
            if command := self._get(name):
                rows.append((heading, (name, command.get_short_help_str(formatter.width))))
        _write_sections(formatter, rows)

    @override
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Problem as problem:
            fail(problem, problem.status)


class Sectioned(click.Command):
    """A command whose options stand below headings."""

    def __init__(self, *args: Any, headings: Mapping[str, str], **settings: Any) -> None:
        """``headings`` has those of some options, by the names of their parameters."""
        super().__init__(*args, **settings)
        self._headings = headings

    @override
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        records = ((one.name or "", one.get_help_record(ctx)) for one in options)
        _write_sections(
            formatter,
            (
                (self._headings.get(name, "Options"), row)
                for name, row in records
                if row is not None
            ),
        )


def _write_sections(
    formatter: click.HelpFormatter, rows: Iterable[tuple[str, tuple[str, str]]]
) -> None:
    """Write each row below its heading; headings in the order in which they come."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for heading, row in rows:
        sections.setdefault(heading, []).append(row)
    for heading, found in sections.items():
        with formatter.section(heading):
            formatter.write_dl(found)


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
    "doors": ("Operate", "serve", "doors"),
    "upgrade": ("Operate", "serve", "upgrade"),
    "tournament": ("Operate", "operators", "commands"),
    "forget": ("Operate", "operators", "forget"),
    "records": ("Finished games", "records", "commands"),
    "replay": ("Finished games", "replay", "replay"),
    "review": ("Finished games", "analysis", "review"),
    "statistics": ("Finished games", "analysis", "statistics"),
    "verify": ("Finished games", "analysis", "verify"),
    "referee": ("Finished games", "analysis", "referee"),
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
