"""Tournaments in line mode: the list, one of them, registering, directing; and what is news there."""

from collections.abc import Callable, Coroutine
from typing import Any, Final

from server.coordinator import messages as m
from server.coordinator.moderation import orders
from server.i18n.catalogues import Words, vocabulary
from server.i18n.catalogues import pgettext_noop as p_
from server.linemode.context import LineContext
from server.session.tables import TOURNAMENT
from server.text.operators import refusal_in_words
from server.text.rounds import refusal
from server.text.tournaments import (
    cross_table_lines,
    row_in_words,
    tournament_in_words,
    view_lines,
)

_WORDS: Final = (
    p_("tournament command", "enter"),
    p_("tournament command", "withdraw"),
    p_("tournament command", "results"),
    p_("tournament command", "open"),
    p_("tournament command", "begin"),
    p_("tournament command", "close"),
    p_("tournament command", "end"),
)
_FIRST: Final = 3
"""So many of the best are told when a round is over."""


def tournament(session: LineContext, rest: str) -> None:
    """``tournament``, perhaps with what is to be done, and a code."""
    first, _, more = rest.partition(" ")
    known = vocabulary("tournament command", _WORDS, session.words)
    match known.get(first.casefold(), ""):
        case "enter":
            _do(session, m.EnterTournament(_meant(session, more)), _entered)
        case "withdraw":
            _do(session, m.WithdrawFromTournament(_meant(session, more)), _withdrawn)
        case "results":
            session.fetch(lambda: _tell(session, _meant(session, more), cross_table_lines))
        case "open":
            _open(session, more.strip())
        case "begin" | "close" | "end" as what:
            _direct(session, _meant(session, more), m.Directing(what))
        case _ if rest:
            session.fetch(lambda: _tell_all(session, rest.strip()))
        case _:
            _list(session)


def _meant(session: LineContext, code: str) -> str:
    """The tournament with this code; without one, the newest that is not over."""
    going_on = [each for each in session.tournaments if each.phase is not m.TournamentPhase.OVER]
    return code.strip().casefold() or (going_on[0].id if going_on else "")


def _list(session: LineContext) -> None:
    words, now = session.words, session.clock.time()
    lines = [f"{tournament_in_words(each, now, words)}." for each in session.tournaments]
    if not lines:
        session.say(words.t("There is no tournament."))
        return
    how = words.t(
        "tournament CODE: the standings. tournament enter CODE: register; withdraw, results likewise."
    )
    session.read([*lines, how])


async def _tell_all(session: LineContext, which: str) -> None:
    await _tell(session, which, lambda view, words: view_lines(view, session.clock.time(), words))


async def _tell(
    session: LineContext, which: str, lines: Callable[[m.TournamentView, Words], list[str]]
) -> None:
    reply = await session.submit(m.AskTournament(which))
    if reply.tournament is None:
        session.say(refusal(reply, session.words))
    else:
        session.read(lines(reply.tournament, session.words))


def _do(session: LineContext, command: m.TournamentCommand, said: Callable[[Words], str]) -> None:
    session.do(command, lambda: session.say(said(session.words)))


def _entered(words: Words) -> str:
    return words.t("You are registered. Your seat comes with the next round.")


def _withdrawn(words: Words) -> str:
    return words.t("You have withdrawn: you get no seat in further rounds.")


def _opened(words: Words) -> str:
    return words.t("The tournament is open: players can register.")


def _done(words: Words) -> str:
    return words.t("Done.")


def _open(session: LineContext, name: str) -> None:
    words = session.words
    if not name:
        session.say(words.t("What is its name? tournament open NAME"))
    elif session.account.operator_actions is not None:
        session.fetch(lambda: _order(session, orders.TournamentOrder(name), _opened))
    else:
        _do(session, m.OpenTournament(m.TournamentPlan(name, TOURNAMENT)), _opened)


def _direct(session: LineContext, which: str, what: m.Directing) -> None:
    info = next((each for each in session.tournaments if each.id == which), None)
    operator = session.account.operator_actions is not None and not (info and info.directs)

    def do() -> None:
        if operator:
            session.fetch(lambda: _order(session, orders.DirectingOrder(which, what.value), _done))
        else:
            _do(session, m.DirectTournament(which, what), _done)

    if what is m.Directing.BEGIN:
        do()
    else:
        session.ask(
            session.words.t("Games that are not over are broken off. Say yes to do it."), do
        )


async def _order(
    session: LineContext, action: orders.AboutTournaments, said: Callable[[Words], str]
) -> None:
    actions = session.account.operator_actions
    assert actions is not None
    told = await actions.act(action)
    session.say(said(session.words) if told.ok else refusal_in_words(told, session.words))


def news(
    session: LineContext, before: tuple[m.TournamentInfo, ...]
) -> list[Coroutine[Any, Any, None]]:
    """What there is to fetch and tell: of each round that has just been closed, who is ahead."""
    known = {each.id: each for each in before}
    closed = [
        each.id
        for each in session.tournaments
        if each.id in known
        and known[each.id].phase is m.TournamentPhase.PLAYING
        and each.phase in (m.TournamentPhase.BREAK, m.TournamentPhase.OVER)
        and (each.entered or session.watches_standings)
    ]
    return [_tell_round(session, which) for which in closed]


async def _tell_round(session: LineContext, which: str) -> None:
    reply = await session.submit(m.AskTournament(which))
    view, words = reply.tournament, session.words
    if view is None or not view.info.round:
        return
    shown = len(view.rows) if session.watches_standings else _FIRST
    rows = [row for number, row in enumerate(view.rows) if number < shown or row.you]
    session.say(
        words.t(
            "Round {round} of {name} is over.",
            round=view.info.round,
            name=view.info.plan.name,
        ),
        *(row_in_words(row, words) for row in rows),
    )
