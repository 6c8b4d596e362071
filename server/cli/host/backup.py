"""``tide backup``: a consistent copy of the database, also while the server runs."""

from pathlib import Path

import click

from server.cli.output import fail, finish, progress
from server.cli.state_dir import PATH, settings_in_force, state_option


@click.command()
@click.argument("file", metavar="FILE", type=PATH, help="A new file; nothing is overwritten.")
@state_option
def backup(file: Path, state: Path | None) -> None:
    """Copy the server's database while it is running.

    The copy is consistent. It contains the hidden hands and sealed bids of running games: only you can read
    it (mode 0600), and it should stay that way.
    """
    from server.settings.addresses import database_url
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
