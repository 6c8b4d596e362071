"""What the server says to one player: on arrival, about reports and bans, and at the end."""

import math
from functools import cache
from typing import Final

from server.cleaning import REPORT_WIDTH
from server.coordinator.messages import Reply, ServerMessage
from server.i18n.lookup import Words, _, languages, words_for
from server.text.refusals import refusal
from server.text.times import clock_span, moment_in_words
from server.text.tournaments import next_round_in_words

ARRIVAL: Final = {
    "unknown_suffix": _('"+{word}" is not an option here.'),
    "called": _("That name is taken: here you are {name}. {how}"),
    "name_kept": _("This key keeps its name. {how}"),
    "machine_name": _("You are {name} because your machine says so. {how}"),
    "altered": _("You are {name}: a name has at most {most} letters and digits. {how}"),
    "domain": _(
        "You are {name}: what stands before the + was taken for the domain of your machine. {how}"
    ),
    "nothing_to_watch": _("There is no table to watch yet: the first one will be shown here."),
    "standings": _("A tournament is going on: these are the standings."),
    "code_unknown": _("That code is invalid or has expired: you are a new guest."),
    "code_wait": _(
        "Too many wrong codes have come from your address: for a minute, no code adds a key. A "
        "valid rejoin code still works at once."
    ),
    "linked": _("This key now opens your account, too."),
    "link_needs_key": _(
        "That code adds an SSH key to an account, and you have come without a key."
    ),
    "link_seated": _(
        "The account that this key has opened until now is still connected or has a seat: leave "
        "with it first."
    ),
    "many_accounts": _("Too many new players have come from your address: today you are a guest."),
}
"""Notices to somebody who has just come in, by code."""
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
