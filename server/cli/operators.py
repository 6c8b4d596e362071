"""``tide admin``, ``tide tournament`` and ``tide forget``, for operators on the server's machine."""

import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from enum import StrEnum
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, get_args

import click
import msgspec

from engine.editions import MAX_PLAYERS
from server.cli.commands import Decorator, counted, fail, finish, options, own_words
from server.cli.config import settings_in_force, state_option, with_database
from server.coordinator.messages import PLAN_RANGES
from server.coordinator.messages import operator_orders as orders
from server.session.tournament_plan import PLAN, PlanOption, usual_plan
from server.settings.settings import Settings
from server.storage import people
from server.text import operator_orders


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument(
    "order",
    metavar="[COMMAND]...",
    nargs=-1,
    help="people, tables, kick NAME, ban ...; all: tide admin help.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@state_option
def admin(order: tuple[str, ...], as_json: bool, state: Path | None) -> None:
    """Run an operator command in a running server.

    See who is connected, kick, ban, handle reports, make an announcement, stop new games, reload the
    settings, read the audit log. tide admin help lists all commands; each is recorded in the audit log.
    """
    words = own_words()
    if not order or order[0] == "help":
        finish(operator_orders.orders_lines(words, columns=True))
    try:
        action = operator_orders.parse_order(order)
    except operator_orders.BadOperatorCommand as problem:
        fail(problem.in_words(words), 2)
    carry_out(action, state=state, as_json=as_json)


def carry_out(*actions: orders.Action, state: Path | None, as_json: bool = False) -> NoReturn:
    """Carry out actions in a running server until one is refused, and write the answer to the last one."""
    lines = list[str]()
    for action in actions:
        told = ask_server(action, state, as_json=as_json)
        lines = operator_orders.told_lines(action, told, own_words())
    finish(lines)


def ask_server(
    action: orders.Action, state: Path | None, *, as_json: bool = False
) -> orders.OperatorReply:
    """Carry out an action in a running server, and return its answer. Raises ``NoServer``.

    Ends the command if it is refused, and with ``as_json`` once the answer is written.
    """
    from server.operators.admin_socket import ask

    told = ask(settings_in_force(state=state).state, action)
    if as_json:
        finish([msgspec.json.encode(told).decode()], int(not told.ok))
    if not told.ok:
        fail(operator_orders.told_lines(action, told, own_words())[0])
    return told


_SHORT: Final = 40
"""Maximum characters of the choices that the help lists."""
_HELP: Final = {
    "stages": "Stages a game; 0: as many as seats",
    "seconds": "Seconds for a bid",
    "call": "Seconds for everybody to come to a table",
    "pause": "Seconds between rounds; 0: start begins each",
}
"""Descriptions of options, if they are not the label."""

_code = click.argument("code", help="As open and list show it.")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")

commands = click.Group(
    help="Open and direct tournaments in a running server (docs/tournaments.md)."
)


def _option(option: PlanOption) -> Decorator:
    usual, spelled = option.of(usual_plan("")), f"--{option.name.replace('_', '-')}"
    shown, more = usual, dict[str, Any]()
    if isinstance(usual, bool):
        spelled, shown = f"{spelled}/--no-{spelled[2:]}", ("no", "yes")[usual]
    elif isinstance(usual, int):
        allowed = PLAN_RANGES.get(option.name, range(MAX_PLAYERS + 1))
        more = {"metavar": "N", "type": click.IntRange(allowed[0], allowed[-1])}
    else:
        choices = type(usual) if isinstance(usual, StrEnum) else get_args(option.type)
        names = list(map(str, choices))
        all_of_them = "|".join(names)
        shown_names = all_of_them if len(all_of_them) <= _SHORT else option.name.upper()
        more = {"metavar": shown_names, "type": click.Choice(names)}
    label = f"{_HELP.get(option.name, option.label)}.  [{shown}]"
    return click.option(spelled, option.name, default=None, help=label, **more)


@commands.command("open")
@click.argument("name", help="Of up to 24 characters.")
@options([_option(option) for option in PLAN])
@_json
@state_option
def open_(name: str, as_json: bool, state: Path | None, **chosen: Any) -> None:
    """Open a tournament: players register in the lobby."""
    given = {key: value for key, value in chosen.items() if value is not None}
    carry_out(orders.TournamentOrder(name, given), state=state, as_json=as_json)


@commands.command("list")
@_json
@state_option
def list_(as_json: bool, state: Path | None) -> None:
    """List the tournaments and their codes."""
    carry_out(orders.SeeTournaments(), state=state, as_json=as_json)


def _directing(name: str, what: str, told: str) -> None:
    """Add a command that directs a tournament."""

    @commands.command(name, help=told)
    @_code
    @state_option
    def direct(code: str, state: Path | None) -> None:
        carry_out(orders.DirectingOrder(code, what), state=state)


_directing("start", "begin", "Begin the next round now.")
_directing(
    "close",
    "close",
    "Close the round that goes on.\n\nGames that are not over are broken off, and count for nobody.",
)
_directing("end", "end", "End a tournament.\n\nA round that goes on counts for nothing.")


@commands.command()
@_code
@click.argument("names", metavar="[NAME]...", nargs=-1, help="Players, by their names.")
@click.option("--absent", is_flag=True, help="Remove all who are not connected.")
@state_option
def remove(code: str, names: tuple[str, ...], absent: bool, state: Path | None) -> None:
    """Remove players: they get no seat in further rounds.

    Whoever was removed may register again.
    """
    if absent == bool(names):
        fail("say whom to remove: either names or --absent", 2)
    removed = [orders.DirectingOrder(code, "remove", name) for name in names]
    carry_out(*removed or [orders.DirectingOrder(code, "remove_absent")], state=state)


_directing(
    "lift",
    "lift",
    "Let any number of players of one address register.\n\nOtherwise half of the places are for one"
    " address, unless it is of the local network.",
)


@commands.command()
@_code
@_json
@state_option
def standings(code: str, as_json: bool, state: Path | None) -> None:
    """Show the standings after the rounds that are closed."""
    from server.text.tournaments import standing_in_words

    record, words = _record(code, state), own_words()
    names = [player["name"] for player in record["players"]]
    rows = [
        {**row, "name": names[row["player"] - 1], "score": float(Fraction(row["total"]))}
        for row in record["standings"]
    ]
    if as_json:
        finish([json.dumps(rows)])
    finish(
        [standing_in_words(row["place"], row["name"], row["score"], words) for row in rows]
        or [words.t("Nobody has registered yet.")]
    )


@commands.command()
@_code
@state_option
def export(code: str, state: Path | None) -> None:
    """Write the record of a tournament.

    It is one JSON object, from which the standings can be worked out again.
    """
    finish([json.dumps(_record(code, state), separators=(",", ":"))])


def _record(code: str, state: Path | None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ask_server(orders.SeeRecord(code), state).document)
    return found


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
    from server.operators.admin_socket import NoServer, ask

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
        kick = orders.Kick(found.name, _WHY)
        with suppress(NoServer):
            ask(settings.state, kick)
    erase = partial(people.forget, found=found)
    if tables := with_database(settings, lambda it: it.change(erase)):
        _refuse(found.name, tables)
    click.echo(f"{found.name} has been erased.")


def _found(name: str, settings: Settings) -> people.Occurrences:
    """Find a person. Ends the command if there is none."""
    from server.cleaning import clean_text
    from server.coordinator.people.names import skeleton

    key = name if name.startswith("SHA256:") else ""
    alike = "" if key else skeleton(name)
    wanted = partial(people.find, skeleton=alike, name=name, key=key)
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


def _account(found: people.Occurrences) -> list[str]:
    """Return what would be erased, a line each."""
    games = counted(found.games, "finished game")
    if not found.person:
        will = f'{games} of a guest of that name will say "former".'
        return [f"Nobody is called {found.name} any more; {will}"]
    lines = [
        f"{found.name}, {'a guest' if found.guest else 'an account'}:",
        f"  {counted(len(found.names), 'name')}: {', '.join(found.names)}",
        f"  {counted(found.keys, 'key')}, and what was chosen in the settings",
    ]
    if found.rated:
        lines.append("  the rating")
    if found.reports:
        lines.append(f"  {counted(found.reports, 'report')} by or about {found.name}")
    lines.append(f'  {games} {_stay(found.games)}, with "former" in place of the name')
    if found.bans:
        bans = counted(found.bans, "ban")
        lines.append(f"  {bans} of a key or name {_stay(found.bans)}, until lifted")
    return lines


def _stay(count: int) -> str:
    return "stays" if count == 1 else "stay"
