"""Tournaments in line mode: the list, one of them, registering, directing; and what is news there."""

from collections.abc import Callable, Coroutine
from typing import Any, Final

from engine.errors import BadRules
from server.coordinator import messages as m
from server.i18n.lookup import Words, _, p_, vocabulary
from server.linemode.finished_games import tell_shared
from server.linemode.narration import LineContext
from server.session.commands import Verb, full_word
from server.session.sharing import shared_tournament
from server.session.tournament_plan import (
    direct,
    may_direct,
    may_open,
    open_tournament,
    plan_words,
    read_plan,
)
from server.text.refusals import refusal
from server.text.tournaments import (
    cross_table_lines,
    just_over,
    row_in_words,
    tournament_in_words,
    view_lines,
    won_in_words,
)
from server.viewmodels.table_options import BadOption

_FIRST: Final = 3
"""Number of leaders that are named when a round is over."""


def tournament(session: LineContext, rest: str) -> None:
    """``tournament``, perhaps with what is to be done, and a code."""
    first, _, more = rest.partition(" ")
    known = vocabulary("tournament command", _COMMANDS, session.words, _ALSO)
    joins = full_word(first, session.words) == Verb.JOIN
    command = _COMMANDS.get("enter" if joins else known.get(first.casefold(), ""))
    if command is not None:
        command(session, more.strip())
    elif rest:
        session.fetch(_tell_all(session, rest.strip()))
    else:
        _list(session)


def _meant(session: LineContext, code: str) -> str:
    """The tournament with this code; without one, the newest that is not over."""
    going_on = [each for each in session.tournaments if each.phase is not m.TournamentPhase.OVER]
    return code.strip().casefold() or (going_on[0].id if going_on else "")


def _list(session: LineContext) -> None:
    words, now = session.words, session.clock.time()
    lines = [f"{tournament_in_words(each, now, words)}." for each in session.tournaments]
    if not lines:
        said = [words.t("There is no tournament.")]
        if may_open(session):
            said.append(words.t('You can open one: type "tournament open NAME".'))
        session.say(*said)
        return
    how = words.t(
        '"tournament CODE": the standings; "tournament results": the cross-table. '
        '"tournament enter CODE": register; "tournament withdraw": withdraw.'
    )
    session.read([*lines, how])


async def _tell_all(session: LineContext, which: str) -> None:
    await _tell(session, which, lambda view, words: view_lines(view, session.clock.time(), words))


async def _tell(
    session: LineContext, which: str, lines: Callable[[m.TournamentView, Words], list[str]]
) -> None:
    if view := await _asked(session, which):
        session.read(lines(view, session.words))


async def _asked(session: LineContext, which: str) -> m.TournamentView | None:
    """A tournament, or ``None`` after saying why not."""
    reply = await session.submit(m.AskTournament(which))
    if reply.tournament is None:
        session.say(refusal(reply, session.words))
    return reply.tournament


async def _share(session: LineContext, which: str) -> None:
    """A text to copy about one that is over."""
    view, words = await _asked(session, which), session.words
    if view is not None and view.info.phase is not m.TournamentPhase.OVER:
        session.say(words.t("There will be something to share when the tournament is over."))
    elif view is not None:
        tell_shared(session, shared_tournament(session, view))


def _enter(session: LineContext, which: str) -> None:
    code = _meant(session, which)
    name = next((each.plan.name for each in session.tournaments if each.id == code), code)
    said = _("You are registered for {name}. Your seat comes with the next round.")
    session.do(m.EnterTournament(code), lambda: session.say(session.words.t(said, name=name)))


def _withdraw(session: LineContext, which: str) -> None:
    said = _("You have withdrawn: you get no seat in further rounds.")
    command = m.WithdrawFromTournament(_meant(session, which))
    session.do(command, lambda: session.say(session.words.t(said)))


def _open(session: LineContext, typed: str) -> None:
    """``NAME``, or ``NAME: OPTIONS``."""
    words = session.words
    if not typed.partition(":")[0]:
        said = words.t(
            'What is its name? For example: "tournament open NAME: 5 rounds, 4 players, 30'
            ' seconds".'
        )
        session.say(said, words.t("Other options: {options}.", options=plan_words(words)))
        return
    try:
        plan = read_plan(typed, words)
    except BadRules as error:
        session.say(refusal(m.Reply(error.code, error.details), words))
    except BadOption as error:
        said = words.t('"{word}" is not an option of a tournament.', word=str(error))
        session.say(said, words.t("Options: {options}.", options=plan_words(words)))
    else:
        _carry_out(
            session,
            open_tournament(session, plan),
            words.t("The tournament is open: players can register."),
        )


_ASKED: Final = {
    m.Directing.CLOSE: _('Games that are not over are cancelled. Type "yes" to confirm.'),
    m.Directing.END: _('Games that are not over are cancelled. Type "yes" to confirm.'),
    m.Directing.REMOVE_ABSENT: _(
        'Everybody who is not connected loses their place. Type "yes" to confirm.'
    ),
    m.Directing.LIFT: _(
        'One address can then take all places, and this cannot be undone. Type "yes" to confirm.'
    ),
}
"""What is not done before somebody has said yes."""


def _remove(session: LineContext, rest: str) -> None:
    name, _, code = rest.partition(" ")
    what = m.Directing.REMOVE if name else m.Directing.REMOVE_ABSENT
    _direct(session, _meant(session, code), what, name)


def _direct(session: LineContext, which: str, what: m.Directing, name: str = "") -> None:
    words = session.words
    info = next((each for each in session.tournaments if each.id == which), None)
    if info is None:
        session.say(words.t("There is no such tournament."))
    elif what not in _ASKED or not may_direct(session, info):
        _carry_out(session, direct(session, info, what, name), words.t("Done."))
    else:
        session.ask(
            words.t(_ASKED[what]),
            lambda: _carry_out(session, direct(session, info, what, name), words.t("Done.")),
        )


def _carry_out(session: LineContext, work: Coroutine[Any, Any, str], done: str) -> None:
    async def tell() -> None:
        session.say(await work or done)

    session.fetch(tell())


def _directs(what: m.Directing) -> Callable[[LineContext, str], None]:
    return lambda session, which: _direct(session, _meant(session, which), what)


_COMMANDS: Final[dict[str, Callable[[LineContext, str], None]]] = {
    p_("tournament command", "enter"): _enter,
    p_("tournament command", "withdraw"): _withdraw,
    p_("tournament command", "results"): lambda session, which: session.fetch(
        _tell(session, _meant(session, which), cross_table_lines)
    ),
    p_("tournament command", "share"): lambda session, which: session.fetch(
        _share(session, _meant(session, which))
    ),
    p_("tournament command", "open"): _open,
    p_("tournament command", "begin"): _directs(m.Directing.BEGIN),
    p_("tournament command", "close"): _directs(m.Directing.CLOSE),
    p_("tournament command", "end"): _directs(m.Directing.END),
    p_("tournament command", "remove"): _remove,
    p_("tournament command", "lift"): _directs(m.Directing.LIFT),
}
_ALSO: Final = {"register": "enter"}
"""What our texts call it."""


def news(
    session: LineContext, before: tuple[m.TournamentInfo, ...]
) -> list[Coroutine[Any, Any, None]]:
    """What there is to fetch and tell: of each round that has just been closed, who is ahead.

    Who has won is told to everybody in the lobby.
    """
    for cup in just_over(before, session.tournaments):
        if session.table is None or cup.entered:
            session.say(won_in_words(cup, session.words))
    known = {each.id: each for each in before}
    closed = [
        each.id
        for each in session.tournaments
        if each.id in known
        and known[each.id].phase is m.TournamentPhase.PLAYING
        and each.phase in (m.TournamentPhase.BREAK, m.TournamentPhase.OVER)
        and (each.entered or session.standings is not None)
    ]
    return [_tell_round(session, which) for which in closed]


async def _tell_round(session: LineContext, which: str) -> None:
    reply = await session.submit(m.AskTournament(which))
    view, words = reply.tournament, session.words
    if view is None or not view.info.round:
        return
    shown = len(view.rows) if session.standings is not None else _FIRST
    rows = [row for number, row in enumerate(view.rows) if number < shown or row.you]
    over = view.info.phase is m.TournamentPhase.OVER
    said = _("{name} is over.") if over else _("Round {round} of {name} is over.")
    session.say(
        words.t(said, round=view.info.round, name=view.info.plan.name),
        *(row_in_words(row, words) for row in rows),
        words.t('"tournament share {code}": a text about it to share.', code=view.info.id)
        if over
        else "",
    )
