"""``tide admin``: operator commands, on the machine that the server runs on."""

from typing import Annotated

import typer

from server.cli.output import fail, finish, own_words
from server.cli.state_dir import StateOption, settings_in_force


def admin(
    order: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND", help="people, tables, kick NAME, ban ...; all: tide admin help."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    state: StateOption = None,
) -> None:
    """Run an operator command in a running server.

    See who is connected, kick, ban, handle reports, make an announcement, stop new games, reload the
    settings, read the audit log. tide admin help lists all commands; each is recorded in the audit log.
    """
    from server.moderation.admin_socket import NoServer, ask
    from server.text import operators

    words = own_words()
    if not order or order == ["help"]:
        finish(operators.orders_lines(words))
    try:
        action = operators.parse_order(order)
    except operators.BadOperatorCommand as problem:
        fail(problem.in_words(words), 2)
    try:
        told = ask(settings_in_force(state=state).state, action)
    except NoServer as problem:
        fail(problem)

    if as_json:
        import msgspec

        finish([msgspec.json.encode(told).decode()], int(not told.ok))
    lines = operators.told_lines(action, told, words)
    if not told.ok:
        fail(lines[0])
    finish(lines)
