"""Coming together, in line mode: to a table, who may come to it, who sits where, and what is played."""

from typing import Any

from engine import bots
from engine.errors import BadRules
from server.coordinator.messages import (
    AddBot,
    ChangeOptions,
    CreateTable,
    FollowBusiest,
    HandOver,
    JoinTable,
    KeepSeat,
    MoveSeat,
    QuickGame,
    QuickJoin,
    RemoveSeat,
    Reply,
    SetWord,
    StartGame,
    Status,
    TableOptions,
    WatchTable,
)
from server.i18n.catalogues import Words, spellings
from server.i18n.catalogues import pgettext_noop as p_
from server.linemode.context import LineContext
from server.session.invite import code_and_word, invite_line
from server.session.presets import fill_and_start, new_table, solo_options
from server.text.rounds import refusal
from server.viewmodels.table_options import OPTIONS, options_in_words

_NO = p_("table option", "no")


class BadOption(ValueError):
    """A word that is no option; ``str()`` of it is the word."""


def parse_options(text: str, start: TableOptions, words: Words) -> TableOptions:
    """``start`` changed as ``text`` says. Raises ``BadOption`` or ``BadRules``.

    Each option has words of its own, in English and the player's language: some want a number before them,
    some can be switched off with "no" before them.
    """
    kinds = {word: kind for option in OPTIONS for word, kind in (option.typed or {}).items()}
    meant = {words.p("table option", word): word for word in (*kinds, _NO)}
    meant |= {word: word for word in (*kinds, _NO)}
    for option in OPTIONS:
        meant |= option.also_typed or {}
    meant |= {
        plain: word for typed, word in meant.items() for plain in spellings(typed, words.language)
    }
    text = text.casefold().replace(",", " ")
    for phrase, word in meant.items():
        if " " in phrase:
            text = text.replace(phrase, word)
    wanted: dict[str, Any] = {}
    number, on = 0, True
    for typed in text.split():
        word = meant.get(typed, typed)
        if word.isdecimal() and len(word) < 6:
            number = int(word)
        elif word == _NO:
            on = False
        else:
            chosen = kinds[word](number, on) if word in kinds else {}
            if not chosen:
                raise BadOption(word)
            wanted |= chosen
            number, on = 0, True
    if number:
        raise BadOption(str(number))
    return start.changed(**wanted)


# ------------------------------------------------------------------- to a table


def play(session: LineContext, rest: str) -> None:
    """Against bots, at once."""
    session.do(QuickGame(_options(session, rest, solo_options()) or solo_options()))


def learn(session: LineContext, _rest: str) -> None:
    """A first game with the guide; at a table it comes there, or goes."""
    words, table = session.words, session.table
    if table is None:
        session.learn()
    elif session.guide.here:
        session.guide.end()
        session.say(words.t("The guide goes."))
    elif table.seat < 0:
        session.say(words.t("The guide comes only to players."))
    else:
        session.say(words.t("The guide is here."))
        session.call_guide()


def new(session: LineContext, rest: str) -> None:
    """Open a table."""
    options = _options(session, rest, new_table())
    if options is not None:
        session.do(CreateTable(options))


def any_game(session: LineContext, rest: str) -> None:
    """Sit down at the open table that fits best, or at a new one."""
    options = _options(session, rest, new_table())
    if options is not None:
        session.do(QuickJoin(options))


def join(session: LineContext, rest: str) -> None:
    """Sit down where a code leads; who watches a game and gives none would play for a bot in it."""
    table = session.table
    if rest:
        code, word = code_and_word(rest)
        session.do(JoinTable(code, word=word))
    elif table is not None and table.seat < 0:
        session.do(JoinTable(table.info.id))
    else:
        session.say(session.words.t("Which one? Say lobby for the tables and their codes."))


def watch(session: LineContext, rest: str) -> None:
    """Watch the table with a code, or always the busiest one."""
    if rest:
        code, word = code_and_word(rest)
        session.do(WatchTable(code, word))
    elif session.table is not None and session.table.seat < 0:
        # Who waits for a bot's place only watches from now on.
        session.do(WatchTable(session.table.info.id))
    else:
        said = session.words.t("You are shown the busiest table from now on, until you leave it.")
        session.do(FollowBusiest(), lambda: session.say(said))


def _options(session: LineContext, text: str, start: TableOptions) -> TableOptions | None:
    """The options typed; ``None`` after saying what is wrong with them."""
    words = session.words
    try:
        return parse_options(text, start, words)
    except BadRules as error:
        session.say(refusal(Reply(error.code, error.details), words))
    except BadOption as error:
        session.say(words.t('"{word}" is no option of a table; say help.', word=str(error)))
    return None


# ------------------------------------------------------------------- at a table that is open


def change_options(session: LineContext, rest: str) -> None:
    """Change the options; alone it tells them."""
    now = session.here.info.options
    options = _options(session, rest, now) if rest else now
    if options is None:
        return

    def tell() -> None:
        words = session.words
        facts = ", ".join(options_in_words(options, words))
        session.say(words.t("Options: {facts}.", facts=facts))

    if rest:
        session.do(ChangeOptions(options), tell)
    else:
        tell()


def add(session: LineContext, rest: str) -> None:
    """A bot, so many of them, or of which kind: "2", "tidal", "2 tidal"."""
    number, strategy, words = 1, "", session.words
    for word in rest.casefold().split():
        if word.isdecimal() and len(word) < 3:
            number = int(word)
        elif word in bots.STRATEGIES:
            strategy = word
        else:
            known = ", ".join(bots.STRATEGIES)
            session.say(words.t('There is no bot "{word}", only: {names}.', word=word, names=known))
            return
    _add_bots(session, number, strategy)


def _add_bots(session: LineContext, number: int, strategy: str) -> None:
    if number:
        command = AddBot(strategy=strategy)
        session.do(command, lambda: _add_bots(session, number - 1, strategy))


def _seat(session: LineContext, text: str) -> int:
    """The seat typed, from 0; -1 after saying that none is."""
    number = int(text) if text.isdecimal() and len(text) < 3 else 0
    if not number:
        session.say(session.words.t("Which seat? They are numbered from 1."))
    return number - 1


def remove(session: LineContext, rest: str) -> None:
    """Free a seat."""
    if (seat := _seat(session, rest)) >= 0:
        session.do(RemoveSeat(seat))


def give(session: LineContext, rest: str) -> None:
    """Make somebody else the owner."""
    if (seat := _seat(session, rest)) >= 0:
        session.do(HandOver(seat))


def keep(session: LineContext, rest: str) -> None:
    """Keep a seat for somebody, or for nobody any more."""
    number, _, name = rest.partition(" ")
    if (seat := _seat(session, number)) >= 0:
        session.do(KeepSeat(seat, name.strip()))


def move(session: LineContext, rest: str) -> None:
    """Move who sits on one seat to another."""
    number, _, to = rest.partition(" ")
    if (seat := _seat(session, number)) < 0:
        return
    to = to.strip()
    if to.isdecimal() and len(to) < 3:
        session.do(MoveSeat(seat, int(to) - 1))
    else:
        session.say(session.words.t("To which seat? For example: move 2 4."))


def make_private(session: LineContext, rest: str) -> None:
    """Only who knows the word comes in."""
    if rest:
        session.do(SetWord(rest))
    else:
        session.say(session.words.t("With which word? For example: private otter."))


def invite(session: LineContext, _rest: str) -> None:
    """How others come to this table: the line that they type, alone in its line to be copied."""
    words, table = session.words, session.here
    line = invite_line(table, session.facts().way_in)
    lines = [words.t("The code that invites: {code}.", code=table.info.id)]
    if line:
        lines = [words.t("To sit down here, others type:"), line]
    if table.info.private and not table.word:
        lines.append(words.t("Private: friends need the invitation word, too."))
    session.say(*lines)


def start(session: LineContext, _rest: str) -> None:
    """Begin; seats that are still empty are not given to bots without asking."""
    words, table = session.words, session.here
    info, empty = table.info, any(not seat.name for seat in table.info.seats)
    may = table.seat == info.owner and info.status is Status.OPEN and not info.options.rated
    if not (empty and may):
        session.do(StartGame())
        return

    def fill() -> None:
        if session.table is not None and session.table.info.id == info.id:
            fill_and_start(session.table, session.do)

    kept = any(seat.kept for seat in info.seats)
    session.ask(
        words.t("Kept seats are empty. Shall bots take them, and the game begin? Say yes or no.")
        if kept
        else words.t("Seats are empty. Shall bots take them, and the game begin? Say yes or no."),
        fill,
    )
