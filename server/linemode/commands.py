"""What can be typed in line mode: every command, where it can be typed, what it does, and what help says."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, NamedTuple

from engine.bots import WANTED
from server.coordinator import messages as m
from server.i18n.lookup import Words, _
from server.linemode import finished_games, people
from server.linemode import table_commands as tables
from server.linemode.narration import LineContext
from server.linemode.tournaments import tournament
from server.session import table_in_sentences
from server.session.commands import (
    TABLE_ACTIONS,
    Said,
    Unclear,
    Verb,
    Where,
    actions_help,
    understand,
)
from server.session.learning import rules_sections
from server.text.bots import bot_in_words
from server.text.times import time_in_words
from server.viewmodels.table import seat_tag
from server.viewmodels.table_options import OPTIONS

Handler = Callable[[LineContext, str], None]
"""Carries out a command, given what follows its word."""


class LineCommand(NamedTuple):
    """What there is to know of a word."""

    does: Handler
    where: Where = Where.ANYWHERE
    in_replays: bool = False
    """Also while a game is told again: then it is about that one."""


def _tell(lines: Callable[[m.TableSnapshot, Words], Iterable[str]]) -> Handler:
    """Tells something of the table, or of the one of the replay."""
    return lambda session, _rest: session.say(*lines(session.seen, session.words))


def _nothing_asked(session: LineContext, _rest: str) -> None:
    session.say(session.words.t("There was no question."))


def _help(session: LineContext, rest: str) -> None:
    """The most important commands, or what there is to say of one."""
    operator = session.account.operator_actions is not None
    session.read(help_lines(rest, session.words, operator=operator))


def _rules(session: LineContext, _rest: str) -> None:
    """The rules, aware of what the table plays; without what only the full screen has."""
    table = session.replayed or session.table
    sections = rules_sections(table.info.options if table else None, session.words)
    told = [(heading, [text for text in texts if "\t" not in text]) for heading, texts in sections]
    session.read([f"{heading}: {' '.join(texts)}" for heading, texts in told if texts])


def _more(session: LineContext, _rest: str) -> None:
    if not session.read_on():
        session.say(session.words.t("There is no more."))


def _who(session: LineContext, rest: str, here: bool = True) -> None:
    words, table = session.words, session.table
    if session.lobby is not None:
        people, *tables = table_in_sentences.lobby_lines(session.lobby, words, rest)
        session.read([people, *(() if here else tables)])
    elif session.corresponds and not here:
        session.do(m.GoToLobby())
    elif table is not None and not here:
        session.say(
            words.t(
                'You are at a table; the list of tables is in the lobby. Type "leave" to go '
                'there, or "who" to see who is here.'
            )
        )
    elif table is not None:
        tagged = [(seat.name, seat_tag(seat, words)) for seat in table.info.seats if seat.name]
        names = ", ".join(f"{name} ({tag})" if tag else name for name, tag in tagged)
        session.say(words.t("Here: {names}.", names=names))
        if watching := ", ".join(table.info.watching):
            session.say(words.t("Watching: {names}.", names=watching))
        if (watch := table.info.spectators) > len(table.info.watching):
            session.say(words.n("{count} is watching.", "{count} are watching.", watch))


def _news(session: LineContext, _rest: str) -> None:
    lobby, words = session.lobby, session.words
    if lobby is None:
        told = words.t('The news is in the lobby: type "leave" to go there.')
        if session.corresponds:
            told = words.t('The news is in the lobby: type "lobby" to go there; your seat is kept.')
        session.say(told)
        return
    now, tournaments = session.clock.time(), session.tournaments
    session.read([*table_in_sentences.news_lines(lobby, session.news, tournaments, now, words)])


def _screen(session: LineContext, _rest: str) -> None:
    if session.abilities.cursor:
        session.wants_other = True
        session.set_abilities(lines=False)
        session.end()
    else:
        said = [session.words.t("Your terminal cannot show the full screen on this line.")]
        if session.facts().line == "ssh":
            said.append(session.words.t("If it understands what an xterm does: TERM=xterm ssh ..."))
        session.say(" ".join(said))


def leave_server(session: LineContext, _rest: str = "") -> None:
    """Ctrl-C, Ctrl-D or ``quit``: asks first in a running game, and when asked again goes."""
    words, table = session.words, session.table
    playing = table is not None and table.seat >= 0 and table.info.status is m.Status.PLAYING
    asks = playing and not session.corresponds
    if table is None or not asks or session.question == session.goodbye:
        session.goodbye()
        return
    session.say(words.t("Your game goes on, and your seat is kept."))
    if 0 < table.info.kept_for < m.DAY:
        time = time_in_words(round(table.info.kept_for), words)
        session.say(words.t("The game ends if nobody returns within {time}.", time=time))
    session.ask(words.t('Type "yes" to leave now.'), session.goodbye)


_AT_A_TABLE: Final[dict[str, Handler]] = {
    "start": tables.start,
    "add": tables.add,
    "options": tables.change_options,
    "leave": tables.leave,
    "bid": tables.bid,
    "hint": tables.hint,
    "guess": tables.guess,
    "vote": tables.vote,
    "again": tables.again,
}
"""Commands of ``TABLE_ACTIONS`` that ask first, are typed in more ways than one, or answer more than a
refusal.
"""

_QUOTED: Final = re.compile('["„]([^"„“]+)["“]')
"""Commands in a text."""

COMMANDS: Final[dict[str, LineCommand]] = {
    # At a table.
    **{
        action.word: LineCommand(
            _AT_A_TABLE.get(action.word) or partial(tables.act, action),
            action.where,
            in_replays=action.command is m.LeaveTable,
        )
        for action in TABLE_ACTIONS
    },
    Verb.HAND: LineCommand(_tell(table_in_sentences.hand_lines), Where.GAME, in_replays=True),
    Verb.TIDES: LineCommand(_tell(table_in_sentences.tides_lines), Where.GAME, in_replays=True),
    Verb.LOG: LineCommand(tables.log, Where.GAME, in_replays=True),
    Verb.PLAYED: LineCommand(_tell(table_in_sentences.played_lines), Where.GAME, in_replays=True),
    Verb.SCORES: LineCommand(_tell(table_in_sentences.scores_lines), Where.GAME, in_replays=True),
    # To a table.
    Verb.PLAY: LineCommand(tables.play),
    Verb.LEARN: LineCommand(tables.learn),
    Verb.LOBBY: LineCommand(lambda session, rest: _who(session, rest, here=False)),
    Verb.NEWS: LineCommand(_news),
    Verb.TODAY: LineCommand(finished_games.today),
    Verb.YESTERDAY: LineCommand(finished_games.yesterday),
    Verb.TURNS: LineCommand(tables.turns),
    Verb.DEAL: LineCommand(tables.deal, in_replays=True),
    Verb.ANY: LineCommand(lambda session, rest: tables.new(session, rest, m.QuickJoin)),
    Verb.NEW: LineCommand(tables.new),
    Verb.JOIN: LineCommand(tables.join),
    Verb.WATCH: LineCommand(tables.watch),
    Verb.TABLE: LineCommand(tables.look, Where.TABLE, in_replays=True),
    Verb.INVITE: LineCommand(tables.invite, Where.TABLE),
    # Chat.
    Verb.SAY: LineCommand(people.say_here),
    Verb.TELL: LineCommand(people.tell),
    Verb.REPLY: LineCommand(people.reply),
    Verb.SHOUT: LineCommand(lambda session, rest: people.say(session, m.Room.LOBBY, rest)),
    Verb.PHRASE: LineCommand(people.phrase),
    Verb.CHAT: LineCommand(people.history),
    Verb.MUTE: LineCommand(partial(people.shut_out, kind=m.Mute)),
    Verb.UNMUTE: LineCommand(partial(people.shut_out, kind=m.Mute, on=False)),
    Verb.BLOCK: LineCommand(partial(people.shut_out, kind=m.Block)),
    Verb.UNBLOCK: LineCommand(partial(people.shut_out, kind=m.Block, on=False)),
    # People.
    Verb.PROFILE: LineCommand(people.profile),
    Verb.FOLLOW: LineCommand(people.follow),
    Verb.UNFOLLOW: LineCommand(lambda session, rest: people.follow(session, rest, on=False)),
    Verb.REGROUP: LineCommand(lambda session, _rest: session.play_with_same(), Where.GAME),
    # Games that are over.
    Verb.GAMES: LineCommand(finished_games.tell_games),
    Verb.REPLAY: LineCommand(finished_games.begin_replay),
    Verb.REVEAL: LineCommand(finished_games.reveal),
    Verb.REVIEW: LineCommand(finished_games.review),
    Verb.PUZZLE: LineCommand(finished_games.puzzle),
    Verb.CONTINUE: LineCommand(finished_games.play_on, in_replays=True),
    Verb.SHARE: LineCommand(finished_games.share, in_replays=True),
    Verb.NEXT: LineCommand(finished_games.next_moment),
    Verb.BACK: LineCommand(finished_games.moment_before),
    Verb.GO: LineCommand(finished_games.go_to),
    Verb.VIEW: LineCommand(finished_games.look_through),
    Verb.RESULTS: LineCommand(finished_games.tell_results),
    Verb.STATISTICS: LineCommand(finished_games.tell_statistics),
    Verb.BEST: LineCommand(finished_games.tell_best),
    Verb.SEASON: LineCommand(finished_games.tell_season),
    Verb.TOURNAMENT: LineCommand(tournament),
    # The player, operators, and this program.
    Verb.NAME: LineCommand(people.change_name),
    Verb.ACCOUNT: LineCommand(people.tell_account),
    Verb.SET: LineCommand(people.set_something),
    Verb.REPORT: LineCommand(people.report),
    Verb.ADMIN: LineCommand(people.give_order),
    Verb.MORE: LineCommand(_more),
    Verb.WHO: LineCommand(_who),
    Verb.RULES: LineCommand(_rules),
    Verb.SCREEN: LineCommand(_screen),
    Verb.QUIT: LineCommand(leave_server),
    Verb.HELP: LineCommand(_help),
    Verb.YES: LineCommand(_nothing_asked),
    Verb.NO: LineCommand(_nothing_asked),
}

SUMMARY: Final = (
    _(
        'With a screen reader, type "set reader", and "set talkative" to hear more or "set quiet" to '
        "hear less."
    ),
    _('"learn": a first game with a guide. "play": a game against bots. "today": today\'s tide.'),
    _('"lobby": who is here, and the tables. "join CODE": sit down there. "watch CODE": watch.'),
    _('"any": any game with a free seat. "new": open a table of your own.'),
    _("In a game, type the number of a card to bid it."),
    _(
        '"hand", "tides", "table", "scores": how things stand. "hint": what the strongest bot would bid.'
    ),
    _('"say TEXT": to everybody here. "tell NAME TEXT": to one person.'),
    _(
        '"games": what you have played. "replay", "review": a game again. "results": how you have done.'
    ),
    _('"account": how you come back. "name NEW": another name. "set": your settings.'),
    _(
        '"rules": the rules. "leave": back to the lobby. "screen": the full screen. "quit": the end.'
    ),
    _('"help" and a command tells more about it, such as "help join".'),
    _(
        'By topic: "help play", "help lobby", "help table", "help bid", "help chat", "help games", '
        '"help set".'
    ),
)
"""What "help" alone says."""

HELP: Final[dict[str, tuple[str, ...]]] = {
    Verb.PLAY: (
        _(
            '"play": a game against bots, at once; "play tidal": against bots of that kind. Kinds:'
            " {bots}."
        ),
        _(
            '"today": one deal a day for everybody, against the same bots, with one '
            'try each, and the ranking; "yesterday": the last one, with every game to '
            'replay. "share today": your result, to tell others; "today commitment": '
            "what you can check the deal with."
        ),
        _(
            '"deal CODE": that deal again, against bots; "deal WORD": whoever uses the '
            'same word gets the same deal. "deal" alone, after a game or in a replay: '
            "its deal. Such games do not count."
        ),
        _('"learn": a first game of one stage, with a guide who explains it.'),
    ),
    Verb.LOBBY: (
        _(
            '"lobby": who is here, and the tables; "lobby free untimed": only such '
            'tables. "join CODE": sit down; a private table needs its word, too: "join '
            'CODE WORD". "watch CODE": watch that table; "watch" alone: always the '
            'busiest one; "watch other": a different one.'
        ),
        _(
            '"news": who has won lately, and how today\'s tide, tournaments and other '
            "tables are going."
        ),
        _(
            '"any": any game that has a seat free, or a new table. "any untimed": an '
            "untimed one, if possible."
        ),
        _(
            '"turns": your games by correspondence, in which a round may take a day; '
            '"turns next": to the next one that waits for you; "turns 2": to number 2. '
            '"lobby" leads back here.'
        ),
        _(
            '"new": open a table, with options such as "new gamewright 5 players 2 stages'
            ' untimed". Others: {others}.'
        ),
    ),
    Verb.TABLE: (
        *actions_help(Where.TABLE),
        _(
            'While you watch, "join": play for a bot from the next stage on; "watch": '
            'cancel that. After the game, "reveal": all hands.'
        ),
    ),
    "bid": (
        *actions_help(Where.GAME),
        _(
            '"regroup": when the game is over, a new table with a seat kept for everybody who has '
            "played it; if you have an account, they are invited."
        ),
        _('"learn": the guide comes to this table, or leaves.'),
    ),
    Verb.CHAT: (
        _(
            '"say TEXT": to everybody here. "tell NAME TEXT": to one person, wherever '
            'they are. "reply TEXT": to whoever wrote to you last. "shout TEXT": to '
            'the lobby, from a table. "phrase": sentences, shown in each reader\'s own '
            "language."
        ),
        _(
            '"chat": what has been said. "mute NAME": hear nothing more from somebody until you'
            ' leave. "block NAME": for good. "unmute NAME", "unblock NAME": hear them again.'
        ),
        _(
            '"profile NAME": who somebody is; "profile" alone: you, as others see you. "follow '
            'NAME": be told when somebody comes; "unfollow NAME": no longer; "follow" alone: whom '
            "you follow."
        ),
    ),
    Verb.GAMES: (
        _(
            '"games": yours that are over; "games all": everybody\'s. "replay 2": number 2 of them'
            ' again, step by step; "replay" alone: the last one; "replay CODE": one that was shared.'
            ' "reveal 2": all hands of number 2.'
        ),
        _(
            'In a replay: "next", "back", "next 4"; "go 3.7": stage 3, round 7; "go '
            'end". "view NAME": as that player saw it; "view all": as everybody did; '
            '"reveal": all hands. "hand", "table", "log" and others work there.'
        ),
        _(
            '"review 2": your bids in number 2 beside those of the strongest bot; '
            '"review" alone: those in the last game or, in a replay, those of the '
            "player from whose view you see it."
        ),
        _(
            '"puzzle": a bid of yours that cost much, to choose again; "puzzle 23": choose the 23. '
            '"continue", in a replay: play on from there, against bots.'
        ),
        _(
            '"share 2": a text about number 2 to copy for others; "share" alone: about the game'
            " that is over here, or the last one."
        ),
        _('"results": how you have done. "statistics": how you play. "best": the best players.'),
        _('"season": the best players of this month; "season 1": of the month before.'),
        _(
            '"tournament": the list; "tournament CODE": the standings; "tournament '
            'enter CODE": register; "tournament withdraw": withdraw; "tournament '
            'results": the cross-table. "tournament open NAME", "tournament begin", '
            '"tournament close", "tournament end": for directors.'
        ),
    ),
    Verb.SET: (
        _(
            '"set": every setting and its number; "set 5": the next value of number 5; "set 5'
            ' back": the one before. "set quiet", "set normal", "set talkative": how much is said.'
        ),
        _(
            '"set sure", "set bell": ask before a bid that reveals; sound when people wait for you.'
            ' "set language de": the language. "set notify": a notification, where your terminal'
            " shows one."
        ),
        _('"set reader": lines are not broken, for a screen reader.'),
        _('"name NEW": another name, in the lobby.'),
        _('"yes", "no": the answer to a question.'),
        _('"account": how you come back; "account code": a code for another device.'),
        _(
            '"report NAME TEXT": report somebody to the operators of this server; their answer'
            " reaches you."
        ),
        _('"more", or Enter: the rest of a long answer.'),
        _('"who", "rules", "screen" (the full screen), "quit". The beginning of a word is enough.'),
    ),
    Verb.ADMIN: (_('"admin": what operators do; "admin help" tells all of it.'),),
}
"""What help says by topic; each is a command as well."""


def help_lines(asked: str, words: Words, *, operator: bool = False) -> list[str]:
    """The most important commands; or all about the command, or the topic, that is ``asked`` for."""
    meant = understand(asked, words)
    verb = meant.verb if isinstance(meant, Said) else ""
    if meant is None or verb == Verb.HELP:
        return [words.t(text) for text in SUMMARY]
    topics = [topic for topic in HELP if operator or topic != Verb.ADMIN]
    if verb in topics:
        return _of_topic(verb, words)
    told = [line for topic in topics for line in _of_topic(topic, words)]
    return [line for line in told if _names(line, verb, words)] or [
        words.t('There is no command "{word}"; type "help".', word=asked)
    ]


def _of_topic(topic: str, words: Words) -> list[str]:
    typed = [words.p("typed option", text) for option in OPTIONS for text in option.typed_help]
    bots = ", ".join(bot_in_words(strategy, words) for strategy in WANTED)
    return [words.t(text, others=", ".join(typed), bots=bots) for text in HELP[topic]]


def _names(line: str, verb: str, words: Words) -> bool:
    """Whether a line of help has this command in quotation marks."""
    typed = [understand(each, words) for each in _QUOTED.findall(line)]
    return verb in [each.verb for each in typed if isinstance(each, Said)]


def obey(session: LineContext, line: str) -> None:
    """Carry out one line that was typed."""
    words = session.words
    question, session.question = session.question, None
    match understand(line, words):
        case None:  # Enter alone
            if not session.read_on() and session.replay is not None:
                finished_games.next_moment(session, "")
        case Unclear(word, (), more=True):
            session.say(
                words.t(
                    'There is no command "{word} ...". To say it to everybody, type "say" '
                    'before it; "help" lists the commands.',
                    word=word,
                )
            )
        case Unclear(word, ()):
            session.say(words.t('There is no command "{word}"; type "help".', word=word))
        case Unclear(word, could_be):
            choice = ", ".join(could_be)
            session.say(words.t('"{word}" could be: {words}.', word=word, words=choice))
        case Said(Verb.YES) if question is not None:
            question()
        case Said(Verb.NO) if question is not None:
            session.say(words.t("All right, nothing changed."))
        case Said(Verb.SAY, rest) if question is not None and people.is_answer(rest, words):
            session.question = question
            session.say(words.t('To answer the question, type "yes" or "no" alone.'))
        case Said(verb, rest):
            if refused := _not_here(session, COMMANDS[verb]):
                session.say(refused)
            else:
                COMMANDS[verb].does(session, rest)


def _not_here(session: LineContext, command: LineCommand) -> str:
    """Why it cannot be carried out where the player is; empty when it can."""
    words, here, replay = session.words, session.table, session.replay
    if command.where is Where.ANYWHERE or (replay is not None and command.in_replays):
        return ""
    if replay is not None and here is None:
        return words.t('This game is over; "leave" goes back to the lobby.')
    if replay is not None:
        return words.t('This game is over; "leave" goes back to your table.')
    if here is None:
        return words.t('You are not at a table; type "play", "join" or "new".')
    if command.where is Where.GAME and here.table is None:
        return words.t("The game has not begun yet.")
    return ""
