"""``tide tournament``: open and direct tournaments in a running server."""

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, get_args

import click

from engine.editions import MAX_PLAYERS
from server.cli.config import state_option
from server.cli.operate.admin import ask_server, carry_out
from server.cli.output import fail, finish, own_words
from server.coordinator.messages import PLAN_RANGES
from server.coordinator.messages import operator_orders as orders
from server.session.tournament_plan import PLAN, PlanOption, usual_plan

_SHORT: Final = 40
"""A line of the help has no room for choices of more characters: an error tells them."""
_HELP: Final = {
    "stages": "Stages a game; 0: as many as seats",
    "seconds": "Seconds for a bid",
    "call": "Seconds for everybody to come to a table",
    "pause": "Seconds between rounds; 0: start begins each",
}
"""What is said of some options in place of their label."""

_code = click.argument("code", help="As open and list show it.")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")

commands = click.Group(
    help="Open and direct tournaments in a running server (docs/tournaments.md)."
)


def _plan_options(function: Callable[..., None]) -> Callable[..., None]:
    """An option for everything that can be chosen."""
    for option in reversed(PLAN):
        function = _option(option)(function)
    return function


def _option(option: PlanOption) -> Callable[[Callable[..., None]], Callable[..., None]]:
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
@_plan_options
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
    """A command that has this done with a tournament."""

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
    from fractions import Fraction

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
