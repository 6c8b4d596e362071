"""``tide backup``: a consistent copy of everything, also while the server runs."""

from pathlib import Path
from typing import Annotated

import typer

from server.cli.problems import fail
from server.cli.state_dir import StateOption, state_directory


def register(app: typer.Typer) -> None:
    """Add ``tide backup``."""
    app.command("backup", short_help="Copy the server's database while everybody plays on.")(backup)


def backup(
    file: Annotated[Path, typer.Argument(help="A new file; nothing is ever overwritten.")],
    state: StateOption = None,
) -> None:
    """Copy the server's database to FILE, as it is at one moment, while everybody plays on.

    The copy holds the hidden hands and sealed bids of running games: only you can read it (mode 0600), and
    that is how it should stay.
    """
    import sqlite3

    from server.cli.output import run, say
    from server.storage.sqlite import NAME, SqliteFile

    source = state_directory(state) / NAME
    if not source.is_file() or not source.stat().st_size:
        fail(f"there is no database in {source.parent}; --state names another directory")
    database = SqliteFile(source)
    try:
        database.copy_to(file)
    except FileExistsError:
        fail(f"{file} is there already: nothing has been overwritten")
    except OSError as problem:
        fail(f"{file}: {problem.strerror}")
    except sqlite3.Error as problem:
        fail(f"{source} could not be copied to {file}: {problem}")

    def tell() -> int:
        say(f"Copied {source} to {file}, which only you can read (mode 0600).")
        say("It holds hidden hands and sealed bids of games in play: keep it to yourself.")
        return 0

    raise typer.Exit(run(tell))
