"""``tide tournament``: open and direct tournaments in a running server."""

import inspect
import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from server.cli.output import fail, finish, own_words
from server.cli.state_dir import StateOption, settings_in_force
from server.cli.typer_app import add, group
from server.coordinator.messages import PLAN_RANGES
from server.session.tournament_plan import PLAN, PlanOption, usual_plan

if TYPE_CHECKING:
    from server.coordinator.moderation.orders import Action, OperatorReply

_HELP: Final = {
    "stages": "Stages a game; 0: as many as seats",
    "seconds": "Seconds for a bid",
    "call": "Seconds for everybody to come to a table",
    "pause": "Seconds between rounds; 0: start begins each",
}
"""What is said of some options in place of their label."""

_Code = Annotated[str, typer.Argument(metavar="CODE", help="As open and list show it.")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def open_(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of up to 24 characters.")],
    *,
    as_json: _Json = False,
    state: StateOption = None,
    **chosen: Any,
) -> None:
    """Open a tournament: players register in the lobby."""
    from server.coordinator.moderation import orders

    given = {key: value for key, value in chosen.items() if value is not None}
    _order(orders.TournamentOrder(name, given), state=state, as_json=as_json)


def _option(option: PlanOption) -> inspect.Parameter:
    allowed, usual = PLAN_RANGES.get(option.name), option.of(usual_plan(""))
    name = f"--{option.name.replace('_', '-')}"
    typed, more = option.type, dict[str, Any]()
    if isinstance(usual, bool):
        name = f"{name}/--no-{name[2:]}"
    elif isinstance(usual, StrEnum):
        typed = Literal.__getitem__(tuple(each.value for each in type(usual)))
    elif isinstance(usual, int):
        least, most = (allowed[0], allowed[-1]) if allowed else (0, 6)
        typed, more = int, {"metavar": "N", "min": least, "max": most}
    shown = ("no", "yes")[usual] if isinstance(usual, bool) else usual
    label = f"{_HELP.get(option.name, option.label)}.  [{shown}]"
    made = typer.Option(name, help=label, show_default=False, **more)
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[typed | None, made],
    )


_given = inspect.signature(open_).parameters
# An option for everything that can be chosen, in place of the keyword arguments.
open_.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [_given["name"], *map(_option, PLAN), _given["as_json"], _given["state"]]
)


def list_(as_json: _Json = False, state: StateOption = None) -> None:
    """List the tournaments and their codes."""
    from server.coordinator.moderation import orders

    _order(orders.SeeTournaments(), state=state, as_json=as_json)


def start(code: _Code, state: StateOption = None) -> None:
    """Begin the next round now."""
    _direct(code, "begin", state)


def close(code: _Code, state: StateOption = None) -> None:
    """Close the round that goes on.

    Games that are not over are broken off, and count for nobody.
    """
    _direct(code, "close", state)


def end(code: _Code, state: StateOption = None) -> None:
    """End a tournament.

    A round that goes on counts for nothing.
    """
    _direct(code, "end", state)


def remove(
    code: _Code,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Players, by their names.")
    ] = None,
    absent: Annotated[
        bool, typer.Option("--absent", help="Remove all who are not connected.")
    ] = False,
    state: StateOption = None,
) -> None:
    """Remove players: they get no seat in further rounds.

    Whoever was removed may register again.
    """
    from server.coordinator.moderation import orders

    if absent == bool(names):
        fail("say whom to remove: either names or --absent", 2)
    removed = [orders.DirectingOrder(code, "remove", name) for name in names or ()]
    _order(*removed or [orders.DirectingOrder(code, "remove_absent")], state=state)


def lift(code: _Code, state: StateOption = None) -> None:
    """Let any number of players of one address register.

    Otherwise half of the places are for one address, unless it is of the local network.
    """
    _direct(code, "lift", state)


def standings(code: _Code, as_json: _Json = False, state: StateOption = None) -> None:
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


def export(code: _Code, state: StateOption = None) -> None:
    """Write the record of a tournament.

    It is one JSON object, from which the standings can be worked out again.
    """
    finish([json.dumps(_record(code, state), separators=(",", ":"))])


def _direct(code: str, what: str, state: Path | None) -> None:
    from server.coordinator.moderation import orders

    _order(orders.DirectingOrder(code, what), state=state)


def _ask(action: "Action", state: Path | None) -> "OperatorReply":
    from server.moderation.admin_socket import NoServer, ask

    try:
        return ask(settings_in_force(state=state).state, action)
    except NoServer as problem:
        fail(problem)


def _order(*actions: "Action", state: Path | None, as_json: bool = False) -> None:
    """All of them, or those up to the first that is refused; what is told of the last one."""
    from server.text import operators

    lines = list[str]()
    for action in actions:
        told = _ask(action, state)
        if as_json:
            import msgspec

            finish([msgspec.json.encode(told).decode()], int(not told.ok))
        lines = operators.told_lines(action, told, own_words())
        if not told.ok:
            fail(lines[0])
    finish(lines)


def _record(code: str, state: Path | None) -> dict[str, Any]:
    from server.coordinator.moderation import orders
    from server.text import operators

    action = orders.SeeRecord(code)
    told = _ask(action, state)
    if not told.ok:
        fail(operators.told_lines(action, told, own_words())[0])
    found: dict[str, Any] = json.loads(told.document)
    return found


commands = group("Open and direct tournaments in a running server (docs/tournaments.md).")
add(commands, open_, "open")
add(commands, list_, "list")
add(commands, start, "start")
add(commands, close, "close")
add(commands, end, "end")
add(commands, remove, "remove")
add(commands, lift, "lift")
add(commands, standings, "standings")
add(commands, export, "export")
