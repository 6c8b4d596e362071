"""Operators' orders and players' reports in line mode."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from server.coordinator.moderation.orders import (
    Action,
    BanSomebody,
    CloseTable,
    Drain,
    Kick,
    OperatorReply,
)
from server.text.operator_commands import BadOperatorCommand, parse_order
from server.text.operators import (
    bad_order_in_words,
    orders_lines,
    refusal_in_words,
    told_lines,
)
from server.text.server_messages import report_in_words

if TYPE_CHECKING:
    from server.linemode.session import LineSession

Ask = Callable[[str, Callable[[], None]], None]
"""Ask something, and do that if it is answered with yes."""


def give_order(session: "LineSession", rest: str, ask: Ask) -> None:
    """Carry out an operator's order; one that sends people away is asked for once more."""
    words = session.words
    if session.account.office is None:
        session.say(refusal_in_words(OperatorReply("not_operator"), words))
        return
    typed = rest.split()
    if not typed or typed == ["help"]:
        session.read(orders_lines(words))
        return
    try:
        action = parse_order(typed)
    except BadOperatorCommand as problem:
        session.say(bad_order_in_words(problem, words))
        return
    if isinstance(action, Kick | BanSomebody | CloseTable | Drain):
        ask(
            words.t("Say yes to do this: {order}.", order=" ".join(typed)),
            lambda: _do(session, action),
        )
    else:
        _do(session, action)


def _do(session: "LineSession", action: Action) -> None:
    async def work() -> None:
        office = session.account.office
        told = await office.act(action) if office is not None else OperatorReply("not_operator")
        session.read(told_lines(action, told, session.words))

    session.fetch(work)


def report(session: "LineSession", rest: str) -> None:
    """Tell operators about somebody."""
    name, _, text = rest.partition(" ")
    if not text.strip():
        session.say(
            session.words.t("Whom, and what? For example: report NAME shouts at everybody.")
        )
        return

    async def work() -> None:
        code = await session.account.report(name, text.strip())
        session.say(report_in_words(code, name, session.words))

    session.fetch(work)
