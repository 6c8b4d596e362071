"""``tide database`` and ``tide backup``: copy everything, to another database or to a file."""

from pathlib import Path

import click

from server.cli.commands import fail, finish, progress
from server.cli.config import PATH, settings_in_force, state_option
from server.settings.loading import database_url, without_password
from server.settings.settings import Settings

_SETTINGS = "@"
_PLACE = (
    "a state directory, a file, postgresql://..., or @ for the database in the settings "
    "(TIDE_DATABASE_URL)."
)


commands = click.Group(help="Copy what a server keeps to PostgreSQL, and back.")


@commands.command()
@click.argument("origin", metavar="FROM", help=f"What is copied: {_PLACE}")
@click.argument("goal", metavar="TO", help=f"Something empty: {_PLACE}")
def copy(origin: str, goal: str) -> None:
    """Copy everything that a server keeps from one database to another.

    No server may use either of them meanwhile. The original stays as it is.
    """
    from server.storage import statedir
    from server.storage.statedir import KEY, backend_of, bring_key

    settings = settings_in_force()
    first, second = _place(origin, settings), _place(goal, settings)
    try:
        for place in (first, second):
            if isinstance(place, str):
                backend_of(
                    settings.state, place
                ).close()  # or there is a line about what is missing
        with progress("Copying"), statedir.source(first) as ours, statedir.target(second) as theirs:
            rows = sum(statedir.copy_rows(ours, theirs).values())
    except OSError as problem:
        fail(f"{goal}: {problem.strerror}")
    # The key for marks of addresses is not in the database.
    old, new = (_keys_of(place, settings) for place in (first, second))
    lines = [f"Copied {rows} rows from {_shown(origin)} to {_shown(goal)}."]
    if old and new:
        try:
            if file := bring_key(old, new):
                lines.append(f"The key with which addresses are marked has been copied to {file}.")
        except OSError as problem:
            lines.append(
                f"Copy {old / KEY} to {new}, with which addresses are marked: {problem.strerror}."
            )
    finish([*lines, "The original is as it was. Go on with one of them only."])


def _place(given: str, settings: Settings) -> Path | str:
    if given == _SETTINGS:
        return database_url(settings) or fail(
            "the settings name no database: TIDE_DATABASE_URL or the setting database_file does", 2
        )
    if "://" not in given:
        return Path(given)
    if given != without_password(given):
        fail(
            "everybody on this machine can see a password on the command line (`ps`): put the URL into "
            f"TIDE_DATABASE_URL and write {_SETTINGS} here, or the password into ~/.pgpass",
            2,
        )
    return given


def _keys_of(place: Path | str, settings: Settings) -> Path | None:
    """Return the directory with the key that belongs to a database; ``None`` for a file alone."""
    from server.storage.databases.sqlite import NAME
    from server.storage.statedir import file_at

    if isinstance(place, str):
        return settings.state
    file = file_at(place)
    return file.parent if file.name == NAME else None


def _shown(given: str) -> str:
    return "the database in the settings" if given == _SETTINGS else given


@click.command()
@click.argument("file", metavar="FILE", type=PATH, help="A new file; nothing is overwritten.")
@state_option
def backup(file: Path, state: Path | None) -> None:
    """Copy the server's database while it is running.

    The copy is consistent. It contains the hidden hands and sealed bids of running games: only you can read
    it (mode 0600), and it should stay that way.
    """
    from server.storage.statedir import back_up

    settings = settings_in_force(state=state)
    if database_url(settings):
        fail("the database is PostgreSQL's: copy it with pg_dump (docs/hosting.md)")
    directory = settings.state
    try:
        with progress("Copying"):
            source = back_up(directory, file)
    except FileExistsError:
        fail(f"{file} already exists; nothing has been overwritten")
    except OSError as problem:
        fail(f"{file}: {problem.strerror}")

    finish(
        [
            f"Copied {source} to {file}, which only you can read (mode 0600).",
            "It contains hidden hands and sealed bids of running games: keep it secret.",
        ]
    )
