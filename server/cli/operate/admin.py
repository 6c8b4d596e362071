"""``tide admin``: operator commands, on the machine that the server runs on."""

from pathlib import Path

import click

from server.cli.output import fail, finish, own_words
from server.cli.state_dir import settings_in_force, state_option


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
    from server.operators.admin_socket import ask
    from server.text import operators

    words = own_words()
    if order in [(), ("help",)]:
        finish(operators.orders_lines(words))
    try:
        action = operators.parse_order(order)
    except operators.BadOperatorCommand as problem:
        fail(problem.in_words(words), 2)
    told = ask(settings_in_force(state=state).state, action)
    if as_json:
        import msgspec

        finish([msgspec.json.encode(told).decode()], int(not told.ok))
    lines = operators.told_lines(action, told, words)
    if not told.ok:
        fail(lines[0])
    finish(lines)
