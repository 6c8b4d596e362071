"""The ``tide`` command: its subcommands, their help, and what they write."""

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click
from click.exceptions import Exit
from typing_extensions import override

from server import Problem
from server.cli import importing

if TYPE_CHECKING:
    from server.i18n.lookup import Words


INTERRUPTED: Final = 130
"""Exit status after Ctrl-C, as a shell reports it."""

_ERROR_WIDTH: Final = 600
_LINE_GONE: Final = "\x1b[A\x1b[2K"
"""The line above."""
_OVER_BAR: Final = "\r\x1b[2K"
_bars: Final[list[str]] = []
"""Labels of the progress bars that are shown now."""


class OutputLost(Exception):
    """Standard output cannot be written; without a message if its reader has gone (``| head``)."""


def own_words() -> "Words":
    """Return the catalogue of the user's language."""
    from server.i18n.lookup import words_for

    asked = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return words_for(next(filter(None, asked), ""))


def say(line: str) -> None:
    """Write one line to standard output at once. Raises ``OutputLost``.

    A character that the terminal's encoding lacks becomes a question mark.
    """
    stream = sys.stdout
    if stream is None:
        raise OutputLost("standard output is closed")
    encoding = stream.encoding or "utf-8"
    try:
        print(line.encode(encoding, "replace").decode(encoding), file=stream, flush=True)
    except BrokenPipeError:
        raise OutputLost from None
    except OSError as error:
        raise OutputLost(f"standard output: {error.strerror}") from None


def complain(message: object) -> None:
    """Write an error to standard error, as one clean line."""
    hint(f"tide: {message}")


def hint(line: str) -> None:
    """Write one line to standard error that is neither a result nor an error."""
    if sys.stderr is None:
        return
    from server.cleaning import clean_text

    with suppress(OSError):  # standard error is gone, too
        over = _OVER_BAR if _bars else ""
        print(f"{over}{clean_text(line, _ERROR_WIDTH)}", file=sys.stderr, flush=True)


def fail(message: object, status: int = 1) -> NoReturn:
    """Write an error, and end the command with ``status``."""
    complain(message)
    raise Exit(status)


def finish(lines: Iterable[str], status: int = 0) -> NoReturn:
    """Write ``lines``, and end the command with ``status`` unless the output is lost."""

    def write() -> int:
        for line in lines:
            say(line)
        return status

    raise Exit(run(write))


def run(command: Callable[[], int]) -> int:
    """Return the exit status of ``command``, also if its output is lost or it is interrupted."""
    try:
        return command()
    except OutputLost as lost:
        if str(lost):
            complain(lost)
        # The interpreter would try to write what is still buffered when it ends.
        if sys.stdout is not None:
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def counted(count: int, what: str) -> str:
    """Return a number of things in English."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def write_new(file: Path, parts: Iterable[str]) -> None:
    """Write a new file. Ends the command if that fails."""
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.writelines(parts)
    except OSError as problem:
        fail(f"{file}: {problem.strerror}")


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show a progress bar on standard error, if it is a terminal that can erase it afterwards.

    Yields a function to call for each of ``total`` steps; without a total, the bar only moves.
    """
    stream = sys.stderr
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda: None
        return
    steps = repeat(None) if total is None else range(total)
    bar = click.progressbar(steps, label=what, file=stream, show_pos=total is not None, width=0)
    _bars.append(what)
    try:
        with bar:
            yield lambda: bar.update(1)
    finally:
        _bars.pop()
        stream.write(_LINE_GONE)
        stream.flush()


class Root(click.Group):
    """The ``tide`` command: imports subcommands when needed, and prints a ``Problem`` as one line."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        _, module, attribute = COMMANDS[cmd_name]
        with importing():
            found = getattr(importlib.import_module(f"server.cli.{module}"), attribute)
        assert isinstance(found, click.Command)
        return found

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = list[tuple[str, tuple[str, str]]]()
        for name, (heading, *_) in COMMANDS.items():
            if command := self.get_command(ctx, name):
                rows.append((heading, (name, command.get_short_help_str(formatter.width))))
        _write_sections(formatter, rows)

    @override
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Problem as problem:
            fail(problem, problem.status)


Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def options(made: Sequence[Decorator]) -> Decorator:
    """Return a decorator that adds all these options to a command, in their order."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(made):
            command = option(command)
        return command

    return decorate


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
    "keys": ("Host", "config", "key_commands"),
    "password": ("Host", "config", "password"),
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


@click.group(
    cls=Root,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(package_name="turn-the-tide", message="%(prog)s %(version)s")
def tide() -> None:
    """Turn the Tide, played over SSH and telnet from any terminal."""
