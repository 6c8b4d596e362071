"""``tide forget``: erase a person's data."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from server.cli.config import settings_in_force, state_option, with_database
from server.cli.output import fail
from server.settings.settings import Settings

if TYPE_CHECKING:
    from server.storage.erasure import Occurrences

_WHY: Final = "Your account is being removed."


@click.command()
@click.argument("name", help="Name, or fingerprint of a key (SHA256:...).")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@state_option
def forget(name: str, yes: bool, state: Path | None) -> None:
    """Erase a person: names, keys, settings, rating, reports.

    This works with the server running or stopped. Finished games stay, with "former" in place of the name.
    Anyone with a seat, or in a tournament, must leave it first; anyone connected is disconnected. Earlier
    backups still contain everything.
    """
    from server.coordinator.messages.operator_orders import Kick
    from server.operators.admin_socket import NoServer, ask
    from server.storage import erasure

    settings = settings_in_force(state=state)
    found = _found(name, settings)
    if found.tables:
        _refuse(found.name, found.tables)
    click.echo("\n".join(_account(found)))
    if not yes:
        if not sys.stdin.isatty():
            fail("nothing has been removed; --yes removes without asking", 2)
        if not click.confirm("Erase all this permanently?"):
            fail("nothing has been removed", 2)
    if found.person:
        kick = Kick(found.name, _WHY)
        with suppress(NoServer):
            ask(settings.state, kick)
    erase = partial(erasure.forget, found=found)
    if tables := with_database(settings, lambda it: it.change(erase)):
        _refuse(found.name, tables)
    click.echo(f"{found.name} has been erased.")


def _found(name: str, settings: Settings) -> "Occurrences":
    """The person. Ends the command when there is none."""
    from server.cleaning import clean_text
    from server.coordinator.people.names import skeleton
    from server.storage.erasure import find

    key = name if name.startswith("SHA256:") else ""
    alike = "" if key else skeleton(name)
    wanted = partial(find, skeleton=alike, name=name, key=key)
    found = with_database(settings, lambda it: it.read(wanted))
    if found is None:
        fail(f"there is no player {clean_text(name, 60)}, and no finished game has that name")
    return found


def _refuse(name: str, tables: Iterable[str]) -> NoReturn:
    fail(
        f"{name} is needed at {', '.join(tables)}; nothing has been removed. The player must leave the seat "
        "first, or the table must be closed; a tournament must be over, but whoever has had no seat there "
        "yet can be taken off with `tide tournament remove`"
    )


def _account(found: "Occurrences") -> list[str]:
    """What there is to remove, a line each."""
    games = _counted(found.games, "finished game")
    if not found.person:
        will = f'{games} of a guest of that name will say "former".'
        return [f"Nobody is called {found.name} any more; {will}"]
    lines = [
        f"{found.name}, {'a guest' if found.guest else 'an account'}:",
        f"  {_counted(len(found.names), 'name')}: {', '.join(found.names)}",
        f"  {_counted(found.keys, 'key')}, and what was chosen in the settings",
    ]
    if found.rated:
        lines.append("  the rating")
    if found.reports:
        lines.append(f"  {_counted(found.reports, 'report')} by or about {found.name}")
    lines.append(f'  {games} {_stay(found.games)}, with "former" in place of the name')
    if found.bans:
        bans = _counted(found.bans, "ban")
        lines.append(f"  {bans} of a key or name {_stay(found.bans)}, until lifted")
    return lines


def _stay(count: int) -> str:
    return "stays" if count == 1 else "stay"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
