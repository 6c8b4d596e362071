"""Coming together, in line mode: any game, who may come to a table, and who sits where at it."""

from typing import TYPE_CHECKING, Final

from server.coordinator.messages import (
    FollowBusiest,
    JoinTable,
    KeepSeat,
    MoveSeat,
    QuickJoin,
    SetWord,
    TableOptions,
    TableSnapshot,
    WatchTable,
)
from server.session.command_words import Verb
from server.session.invite import code_and_word, invite_line

if TYPE_CHECKING:
    from server.linemode.session import LineSession

VERBS: Final = frozenset({Verb.KEEP, Verb.MOVE, Verb.PRIVATE, Verb.PUBLIC, Verb.INVITE})
"""What can be said at a table."""


def any_game(session: "LineSession", options: TableOptions) -> None:
    """Sit down at the open table that fits best, or at a new one."""
    session.submit(QuickJoin(options))


def join(session: "LineSession", rest: str) -> None:
    """Sit down where a code leads; who watches a game and gives none would play for a bot in it."""
    words, table = session.words, session.table
    if rest:
        code, word = code_and_word(rest)
        session.submit(JoinTable(code, word=word))
    elif table is not None and table.seat < 0:
        session.submit(JoinTable(table.info.id))
    else:
        session.say(words.t("Which one? Say lobby for the tables and their codes."))


def watch(session: "LineSession", rest: str) -> None:
    """Watch the table with a code, or always the busiest one."""
    if rest:
        code, word = code_and_word(rest)
        session.submit(WatchTable(code, word))
    elif session.table is not None and session.table.seat < 0:
        # Who waits for a bot's place only watches from now on.
        session.submit(WatchTable(session.table.info.id))
    else:
        said = session.words.t("You are shown the busiest table from now on, until you leave it.")
        session.submit(FollowBusiest(), lambda: session.say(said))


def gather(session: "LineSession", verb: Verb, rest: str, table: TableSnapshot) -> None:
    """Carry out one of ``VERBS``."""
    words = session.words
    first, _, more = rest.partition(" ")
    number = int(first) if first.isdecimal() and len(first) < 3 else 0
    match verb:
        case Verb.PRIVATE if not rest:
            session.say(words.t("With which word? For example: private otter."))
        case Verb.PRIVATE:
            session.submit(SetWord(rest))
        case Verb.PUBLIC:
            session.submit(SetWord(""))
        case Verb.INVITE:
            session.say(*invite_lines(session, table))
        case _ if not number:
            session.say(words.t("Which seat? They are numbered from 1."))
        case Verb.KEEP:
            session.submit(KeepSeat(number - 1, more.strip()))
        case Verb.MOVE:
            to = more.strip()
            if to.isdecimal() and len(to) < 3:
                session.submit(MoveSeat(number - 1, int(to) - 1))
            else:
                session.say(words.t("To which seat? For example: move 2 4."))


def invite_lines(session: "LineSession", table: TableSnapshot) -> list[str]:
    """How others come to this table: the line that they type, alone in its line to be copied."""
    words = session.words
    line = invite_line(table, session.facts().way_in)
    lines = [words.t("The code that invites: {code}.", code=table.info.id)]
    if line:
        lines = [words.t("To sit down here, others type:"), line]
    if table.info.private and not table.word:
        lines.append(words.t("Private: friends need the invitation word, too."))
    return lines
