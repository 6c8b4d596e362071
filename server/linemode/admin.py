"""Operators' orders and players' reports in line mode."""

from functools import partial

from server.coordinator.moderation.orders import (
    Action,
    BanSomebody,
    CloseTable,
    Drain,
    Kick,
    OperatorReply,
)
from server.linemode.context import LineContext
from server.text.operator_commands import BadOperatorCommand, parse_order
from server.text.operators import (
    bad_order_in_words,
    orders_lines,
    refusal_in_words,
    told_lines,
)
from server.text.server_messages import report_in_words


def give_order(session: LineContext, rest: str) -> None:
    """Carry out an operator's order; one that sends people away is asked for once more."""
    words = session.words
    if session.account.operator_actions is None:
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
    act = partial(_act, session, action)
    if isinstance(action, Kick | BanSomebody | CloseTable | Drain):
        session.ask(
            words.t("Say yes to do this: {order}.", order=" ".join(typed)),
            lambda: session.fetch(act),
        )
    else:
        session.fetch(act)


async def _act(session: LineContext, action: Action) -> None:
    operator_actions = session.account.operator_actions
    told = (
        await operator_actions.act(action)
        if operator_actions is not None
        else OperatorReply("not_operator")
    )
    session.read(told_lines(action, told, session.words))


def report(session: LineContext, rest: str) -> None:
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
