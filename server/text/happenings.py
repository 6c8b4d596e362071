"""Sentences about what happens at a table beside the cards, and about what the server announces."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from msgspec import structs

from server.cleaning import REPORT_WIDTH
from server.coordinator import messages as m
from server.coordinator.messages import Reply, ServerMessage
from server.i18n.lookup import Words, _, languages, p_, words_for
from server.text.refusals import refusal
from server.text.times import clock_span, day_in_words, moment_in_words
from server.text.tournaments import next_round_in_words


class Told(NamedTuple):
    """What is told of one kind of happening. Texts are to be translated."""

    text: str = ""
    """Empty where line mode's narration and the picture say it."""
    own: str | None = None
    """For whoever sits on that seat, where that is said otherwise."""


HAPPENINGS: Final[Mapping[type[m.Happening], Told]] = {
    m.Sat: Told(_("{name} sits down."), ""),
    m.Stood: Told(_("{name} gets up.")),
    m.Moved: Told(_("{name} is in seat {number} now."), _("You are in seat {number} now.")),
    m.SeatKept: Told(_("Seat {number} is kept for {name}.")),
    m.Privacy: Told(_("The table is private now: whoever comes needs the invitation word.")),
    m.OpenedInstead: Told(_("No open table fits, so this one is yours; it is in the list.")),
    m.Claimed: Told(_("{name} takes a bot's place when the next stage begins.")),
    m.TookOver: Told(
        _("{name} plays on for {bot} from here."), _("You play on for {bot} from here.")
    ),
    m.OptionsChanged: Told(_("The options of this table have been changed.")),
    m.NewOwner: Told(
        _("{name} now owns the table."), _("The table is yours now: you may change it and start.")
    ),
    m.GameStarted: Told(_("The game begins.")),
    m.SubstituteBid: Told(
        _("Time was up: a bot has bid for {name}."),
        _("Time was up: a bot has bid for you. Another card replaces it."),
    ),
    m.GameEnded: Told(_("The game has ended: nobody came back for it.")),
    m.WentAway: Told(
        _("{name} is away: a bot bids until {name} is back."),
        _("You are away: a bot bids for you until you press a key."),
    ),
    m.CameBack: Told(_("{name} is back."), _("You are back.")),
    m.Disconnected: Told(_("{name} lost the connection; the seat is kept.")),
    m.Reconnected: Told(_("{name} is connected again."), ""),
    m.LeftForGood: Told(_("{name} has left the game; a bot plays on.")),
    m.Skipped: Told(_("{name} wants to go on to the end of the stage."), ""),
    m.Paused: Told(_("The game is suspended until a player is back.")),
    m.Resumed: Told(_("The game goes on.")),
    m.Voted: Told(_("{name} votes to {motion}.")),
    m.Closing: Told(_("The server stays open, and new games may begin.")),
    m.Trouble: Told(_("The server is having trouble; it keeps trying. Nothing is lost.")),
    m.TroubleOver: Told(_("The trouble is over; the game goes on.")),
}
"""Others are not told in words."""


def happening_in_words(happening: m.Happening, table: m.TableSnapshot, words: Words) -> str:
    """What happened beside the cards, as a sentence for the viewer; empty for what needs none."""
    told = HAPPENINGS.get(type(happening))
    if told is None:
        return ""
    seat = getattr(happening, "seat", -1)
    match happening:
        case m.Voted(motion=motion, target=target):
            text = told.text if happening.agree else _("{name} no longer votes to {motion}.")
            called = table.info.seats[target].name if target >= 0 else ""
            said = motion_in_words(motion, called, words)
            here = [it for it in table.info.votes if (it.motion, it.seat) == (motion, target)]
            if happening.agree and here:
                agreed, needed = len(here[0].agreed), here[0].needed
                said += f" ({words.t('{agreed} of {needed}', agreed=agreed, needed=needed)})"
            return words.t(text, name=happening.name, motion=said)
        case m.Closing(math.inf):
            text = _("No new game begins here for now. Games in progress go on.")
        case m.Closing(when) if when:
            text = _("The server shuts down soon. This game is kept and goes on afterwards.")
        case m.Moved(other=other) if other:
            text = _("{name} and {other} have changed seats.")
        case m.SeatKept(name=""):
            text = _("Seat {number} is open to anybody now.")
        case m.Privacy(private=False):
            text = _("The table is open to everybody now.")
        case m.Paused(pause=m.Pause.VOTED):
            text = _("The game is paused: everybody agreed.")
        case m.Skipped() if seat == table.seat and (skip := table.info.skip) and not skip.agreed_on:
            text = _("The rest of the stage is skipped once the others who are out agree.")
        case m.GameEnded(ended=m.Ended.VOTED):
            text = _("The game has ended: everybody agreed.")
        case _:
            text = told.text
            if seat == table.seat >= 0 and told.own is not None:
                text = told.own
    said = words.t(text, number=seat + 1, **structs.asdict(happening)) if text else ""
    won = wins_in_words(table.info, words) if isinstance(happening, m.GameStarted) else ""
    return f"{said} {won}".rstrip()


def wins_in_words(info: m.TablePublic, words: Words) -> str:
    """Return how many games each player has won at this table; empty before the second."""
    if sum(count for _, count in info.wins) < 2:
        return ""
    won = words.listed(tuple([f"{name} {count}" for name, count in info.wins]))
    return words.t("Games won at this table: {won}.", won=won)


def info_before(info: m.TablePublic, happenings: Sequence[m.Happening]) -> m.TablePublic:
    """``info`` as it was before people played on for bots: what is told of earlier rounds was the bots'."""
    seats = list(info.seats)
    for each in happenings:
        if isinstance(each, m.TookOver):
            bot = structs.replace(seats[each.seat], name=each.bot, occupant=m.Occupant.BOT)
            seats[each.seat] = bot
    if tuple(seats) == info.seats:
        return info
    return structs.replace(info, seats=tuple(seats), played_by=())


_SENT_BACK: Final = {
    "removed": _("You have been removed from table {title}."),
    "closed": _("An operator has closed table {title}."),
    "deserted": _("Table {title} has been closed: nobody was there."),
    "day_over": _("The tide of {title} is over: your game had to end with it."),
    "went_on": _("At table {title} the others went on to another game while you were away."),
    "no_spectators": _("Table {title} takes no spectators any more."),
}


def return_in_words(happenings: Sequence[m.Happening], words: Words) -> str:
    """Why somebody is in the lobby who has not asked for it; empty without such a reason."""
    for happening in happenings:
        if isinstance(happening, m.SentBack):
            title = happening.title
            # A table of today's tide is called after its day.
            if happening.code == "day_over":
                title = day_in_words(title, words)
            return words.t(_SENT_BACK[happening.code], title=title)
    return ""


class MotionWords(NamedTuple):
    """What is said of a motion."""

    typed: str
    """After the line command "vote"; the motion's name on the wire."""
    meaning: str


MOTIONS: Final[Mapping[m.Motion, MotionWords]] = {
    m.Motion.REPLACE: MotionWords(p_("vote", "replace"), _("let a bot bid for {name}")),
    m.Motion.PAUSE: MotionWords(p_("vote", "pause"), _("pause the game")),
    m.Motion.END: MotionWords(p_("vote", "end"), _("end the game")),
}
"""In the order in which they are offered; what is about a seat comes first."""


def motion_in_words(motion: m.Motion, target: str, words: Words) -> str:
    """What a vote is about."""
    return words.t(MOTIONS[motion].meaning, name=target)


def open_votes(info: m.TablePublic) -> list[m.VoteInfo]:
    """The votes in progress; first the one that lacks least."""
    return sorted(info.votes, key=lambda vote: vote.needed - len(vote.agreed))


def vote_in_words(vote: m.VoteInfo, info: m.TablePublic, words: Words) -> str:
    """How far a vote is, what it is about, and who is for it."""
    target = info.seats[vote.seat].name if vote.seat >= 0 else ""
    return words.t(
        "Vote {count}: {motion} ({names})",
        count=votes_counted(vote),
        motion=motion_in_words(vote.motion, target, words),
        names=", ".join(info.seats[seat].name for seat in vote.agreed),
    )


def votes_counted(vote: m.VoteInfo) -> str:
    """How far a vote is: ``2/3``."""
    return f"{len(vote.agreed)}/{vote.needed}"


FULL: Final = _("This server is full, or you connect too often. Please try again in a minute.")
SHUTDOWN: Final = _(
    "The server is shutting down. Running games are kept: come back later to go on."
)
LOST: Final = _(
    "The server cannot rely on its database any more and has to stop: come back later to go on."
)
ENDINGS: Final = {
    "flood": _("You sent more than anybody can type, so this connection ends."),
    "shell": _("This is a card game and no shell."),
}
"""Why a connection is ended, by a reason without words."""


def _with_reason(said: str, reason: str, words: Words) -> str:
    return f"{said} {words.t('The reason: {reason}', reason=reason)}" if reason else said


def ban_in_words(reason: str, until: float, words: Words) -> str:
    """What somebody is told who may not come in; ``until`` 0 is for ever."""
    said = words.t("You are banned from this server.")
    if until:
        said = words.t(
            "You are banned from this server until {when}.", when=moment_in_words(until, words)
        )
    return _with_reason(said, reason, words)


def ban_in_all_languages(reason: str, until: float) -> str:
    """Announce a ban before the language is known: a line in each."""
    return "".join(
        f"{ban_in_words(reason, until, words_for(language))}\r\n" for language in languages()
    )


@cache
def in_all_languages(text: str) -> str:
    """Return ``text`` in every language, a line each, for who has not told theirs."""
    return "".join(f"{words_for(language).t(text)}\r\n" for language in languages())


def word_in_words(word: ServerMessage, now: float, words: Words, *, lines: bool) -> str:
    """What the server says, in line mode (``lines``) or on a full screen."""
    text, when = word.text, moment_in_words(word.until, words)
    match word.kind:
        case "kicked":
            said = words.t("An operator has ended your connection; your seat is kept.")
            return _with_reason(said, text, words)
        case "muted":
            said = words.t("An operator has muted you until {when}.", when=when)
            return _with_reason(said, text, words)
        case "banned":
            return ban_in_words(text, word.until, words)
        case "not_kept":
            return refusal(Reply(word.kind), words)
        case "answer":
            said = words.t("Thank you for your report about {name}.", name=word.about)
            return f"{said} {words.t('The answer: {text}', text=text)}"
        case "tournament_round":
            return next_round_in_words(text, word.until - now, words)
        case "tournament_table":
            said = words.t("The others are waiting for you at a table of {name}.", name=text)
            way = _("To go there, press e in the lobby, Enter at the tournament, and Enter again.")
            if lines:
                way = _('The table\'s code is {code}: "join {code}"')
            return f"{said} {words.t(way, code=word.about)}"
        case "operator":
            said = words.t('You are an operator here: press ! or, in line mode, type "admin".')
            reports = int(text or 0)
            waiting = words.n("{count} report is open.", "{count} reports are open.", reports)
            return f"{said} {waiting}" if reports else said
    said = _SAID.get(word.kind, _("From the server: {text}"))
    name = word.about if word.kind in _ABOUT_PEOPLE else text
    return words.t(said, text=text, title=text, code=word.about, name=name)


_SAID: Final = {
    "cut": _("That was too long: only {text} columns of it were sent."),
    "unmuted": _("You may speak again."),
    "one_moment": _("One moment: the tables are away, and your seat is kept."),
    "here_again": _("The tables are back: go on."),
    "tournament_removed": _("The director has removed you from {name}."),
    "tournament_stuck": _(
        "{name} cannot go on because of an error in the server, which tries again; its log says more."
    ),
    "your_turn": _("It is your turn at {title} ({code})."),
    "came": _("{name} is here."),
    "invited": _("{name} keeps a seat for you at a table: {code}."),
    "report": _("A report about {name}: {text}"),
}
_ABOUT_PEOPLE: Final = ("came", "report")


_REPORTED: Final = {
    "ok": _("Reported: operators will see it, and their answer reaches you here."),
    "cut": _("Reported, but only the first {columns} columns: the rest was too long."),
    "nobody_called": _('Nobody is called "{name}".'),
    "own_name": _("That is you."),
    "bot_called": _("That is one of the server's bots."),
    "no_text": _("Write what has happened."),
    "report_wait": _("That is enough for now: you can report again in a few minutes."),
    "no_operators": _("There are no operators here."),
}


def report_in_words(code: str, name: str, words: Words) -> str:
    """What became of a report about somebody (``Account.report``)."""
    otherwise = _("Your report could not be recorded: try again later.")
    return words.t(_REPORTED.get(code, otherwise), name=name[:24], columns=REPORT_WIDTH)


def closing_forms(left: float, words: Words, thin: bool) -> tuple[str, ...]:
    """``left`` seconds before the server goes down, in fewer and fewer words.

    Infinite while it only lets no game begin.
    """
    if math.isinf(left):
        said, more = (
            words.t("No new game begins here for now."),
            words.t("Games in progress go on."),
        )
    else:
        time = clock_span(left, words, thin)[1] if left > 0 else ""
        said = words.t("The server shuts down now.")
        if time:
            said = words.t("The server shuts down in {time}.", time=time)
        more = words.t("Games are kept.")
    return f"{said} {more}", said
