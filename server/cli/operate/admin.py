"""``tide admin``: operator commands, on the machine that the server runs on."""

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from server.cli.config import settings_in_force, state_option
from server.cli.output import fail, finish, own_words

if TYPE_CHECKING:
    from server.coordinator.messages.operator_orders import Action, OperatorReply


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
    from server.text import operator_orders

    words = own_words()
    if not order or order[0] == "help":
        finish(operator_orders.orders_lines(words, columns=True))
    try:
        action = operator_orders.parse_order(order)
    except operator_orders.BadOperatorCommand as problem:
        fail(problem.in_words(words), 2)
    carry_out(action, state=state, as_json=as_json)


def carry_out(*actions: "Action", state: Path | None, as_json: bool = False) -> NoReturn:
    """All of them in a running server, or those up to the first that is refused; what is told of the last
    one.
    """
    from server.text import operator_orders

    lines = list[str]()
    for action in actions:
        told = ask_server(action, state, as_json=as_json)
        lines = operator_orders.told_lines(action, told, own_words())
    finish(lines)


def ask_server(action: "Action", state: Path | None, *, as_json: bool = False) -> "OperatorReply":
    """What a running server answers that does it. Ends the command when it refuses, and once the answer has
    been written ``as_json``. Raises ``NoServer``.
    """
    from server.operators.admin_socket import ask
    from server.text import operator_orders

    told = ask(settings_in_force(state=state).state, action)
    if as_json:
        import msgspec

        finish([msgspec.json.encode(told).decode()], int(not told.ok))
    if not told.ok:
        fail(operator_orders.told_lines(action, told, own_words())[0])
    return told
