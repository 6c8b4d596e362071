"""``tide forget``: a person who no longer wants to be known here."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from server.cli.problems import fail
from server.cli.state_dir import StateOption, state_directory, with_archive

if TYPE_CHECKING:
    from server.storage.erasure import Occurrences
    from server.storage.sql import Archive


def register(app: typer.Typer) -> None:
    """Add ``tide forget``."""
    app.command("forget")(forget)


def forget(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A name, or a key's fingerprint (SHA256:...)."),
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    state: StateOption = None,
) -> None:
    """Remove a person: names, keys, settings, rating, reports. Beside a running server, or without one.

    Games that others have played too stay, with "former" in place of the name. Whoever has a
    seat has to leave it first; whoever is connected is sent away. Backups made earlier still have everything.
    """
    found = _found(name, state)
    if found.tables:
        _refuse(found.name, found.tables)
    typer.echo("\n".join(_account(found)))
    if not yes:
        if not sys.stdin.isatty():
            fail("nothing has been removed: say --yes to do it without being asked", 2)
        if not typer.confirm("Remove all this for good?"):
            fail("nothing has been removed", 2)
    _remove(found, state)
    typer.echo(f"{found.name} has been forgotten.")


def _found(name: str, state: Path | None) -> "Occurrences":
    """Who is meant. Ends the command when there is nobody."""
    from server.coordinator.people.names import skeleton
    from server.storage.erasure import find
    from server.transport.access.sanitize import clean_text

    async def look(archive: "Archive") -> "Occurrences | None":
        key = name if name.startswith("SHA256:") else ""
        return await archive.read(
            lambda connection: find(
                connection, skeleton="" if key else skeleton(name), name=name, key=key
            )
        )

    found = with_archive(state, look)
    if found is None:
        fail(f"nobody here is called {clean_text(name, 60)}, and no finished game has that name")
    return found


def _remove(found: "Occurrences", state: Path | None) -> None:
    from server.storage.erasure import Seated, forget

    async def do(archive: "Archive") -> tuple[str, ...]:
        try:
            await archive.erase(lambda connection: forget(connection, found))
        except Seated as seated:
            return seated.tables
        return ()

    if found.person:
        _send_away(found.name, state)
    if tables := with_archive(state, do):
        _refuse(found.name, tables)


def _send_away(name: str, state: Path | None) -> None:
    """End the person's visit, if there is a server and the person is there."""
    from server.moderation.admin_socket import NoServer, ask
    from server.text.operator_commands import parse_order

    with suppress(NoServer):
        ask(state_directory(state), parse_order(["kick", name, "Your account is being removed."]))


def _refuse(name: str, tables: Iterable[str]) -> NoReturn:
    fail(
        f"{name} has a seat at {', '.join(tables)}: nothing has been removed. The seat has to be given up "
        "first, or the table to be gone"
    )


def _account(found: "Occurrences") -> list[str]:
    """What there is to remove, a line each."""
    games = _counted(found.games, "finished game")
    if not found.person:
        return [
            f"Nobody is called {found.name} any more; {games} of a guest of that name will say "
            '"former".'
        ]
    lines = [
        f"{found.name}, {'a guest' if found.guest else 'an account'}:",
        f"  {_counted(len(found.names), 'name')}: {', '.join(found.names)}",
        f"  {_counted(found.keys, 'key')}, and what was chosen in the settings",
    ]
    if found.rated:
        lines.append("  the rating")
    if found.reports:
        lines.append(f"  {_counted(found.reports, 'report')} by or about {found.name}")
    lines.append(f'  {games} stay, with "former" in place of the name')
    if found.bans:
        lines.append(
            f"  {_counted(found.bans, 'ban')} of a key or name stay, until they are lifted"
        )
    return lines


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
