"""What operators type, in line mode after ``admin`` and on the command line after ``tide admin``.

The words of these orders are the same in every language, as operators read them in one documentation.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from server.coordinator.moderation import orders as asked
from server.coordinator.moderation.orders import FOR_EVER, Action
from server.i18n.catalogues import Words
from server.i18n.catalogues import gettext_noop as _


class BadOperatorCommand(Exception):
    """It was not understood: ``code`` is ``no_such_order``, ``no_time``, ``no_number``, or ``missing``
    (something that the order ``word`` needs).
    """

    def __init__(self, code: str, word: str = "") -> None:
        super().__init__(code)
        self.code: Final = code
        self.word: Final = word


class OperatorCommand(NamedTuple):
    """One order."""

    usage: str
    meaning: str
    """For the help; to be translated."""
    parse: Callable[[list[str]], Action]
    """What it asks for, given the words after the first. Raises ``BadOperatorCommand``."""


KINDS: Final = ("key", "name", "address", "network")
_SPAN: Final = re.compile(r"(\d{1,5})([smhdw])")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_EVER: Final = "ever"


def _mute(rest: list[str]) -> Action:
    who = _first(rest, "mute")
    return asked.MutePerson(who, span(rest[1:2]), " ".join(rest[2:]))


def _ban(rest: list[str]) -> Action:
    if len(rest) < 2:
        raise BadOperatorCommand("missing", "ban")
    kind, value = rest[0].lower(), rest[1]
    return asked.BanSomebody(kind, value, span(rest[2:3], ever=True), " ".join(rest[3:]))


def _close(rest: list[str]) -> Action:
    """A report has a number, a table a code of letters."""
    if rest and rest[0].isalpha():
        return asked.CloseTable(rest[0].lower())
    return asked.CloseReport(_number(rest))


def _first(rest: Sequence[str], word: str) -> str:
    if not rest:
        raise BadOperatorCommand("missing", word)
    return rest[0]


def _number(rest: Sequence[str]) -> int:
    if not rest or not rest[0].isdecimal() or len(rest[0]) > 12:
        raise BadOperatorCommand("no_number")
    return int(rest[0])


def span(typed: Sequence[str], *, ever: bool = False) -> float:
    """A time such as 30m, 2h, 7d or 4w in seconds; with ``ever`` also that. Raises ``BadOperatorCommand``."""
    word = typed[0].lower() if typed else ""
    if ever and word == _EVER:
        return FOR_EVER
    found = _SPAN.fullmatch(word)
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < seconds <= asked.LONGEST:
        raise BadOperatorCommand("no_time")
    return float(seconds)


ORDERS: Final = (
    OperatorCommand(
        "people", _("who is connected, from where, since when"), lambda _: asked.SeePeople()
    ),
    OperatorCommand("tables", _("the tables; never a card or a bid"), lambda _: asked.SeeTables()),
    OperatorCommand(
        "kick NAME [REASON]",
        _("end a connection; the seat stays"),
        lambda rest: asked.Kick(_first(rest, "kick"), " ".join(rest[1:])),
    ),
    OperatorCommand("mute NAME TIME [REASON]", _("nobody hears what this person says"), _mute),
    OperatorCommand(
        "unmute NAME",
        _("this person may speak again"),
        lambda rest: asked.UnmutePerson(_first(rest, "unmute")),
    ),
    OperatorCommand(
        "vouch NAME",
        _("list this account among the best players, whoever it has played with"),
        lambda rest: asked.Vouch(_first(rest, "vouch")),
    ),
    OperatorCommand(
        "unvouch NAME",
        _("take that back"),
        lambda rest: asked.Unvouch(_first(rest, "unvouch")),
    ),
    OperatorCommand(
        "ban KIND WHO TIME [REASON]",
        _("let somebody in no more; KIND is key, name, address or network"),
        _ban,
    ),
    OperatorCommand("unban NUMBER", _("lift a ban"), lambda rest: asked.Unban(_number(rest))),
    OperatorCommand("bans", _("the bans and silences in force"), lambda _: asked.SeeBans()),
    OperatorCommand(
        "reports [all]",
        _("what players report; all of them, or those that are open"),
        lambda rest: asked.SeeReports(rest[:1] == ["all"]),
    ),
    OperatorCommand(
        "answer NUMBER TEXT",
        _("close a report, and tell its author this"),
        lambda rest: asked.AnswerReport(_number(rest), " ".join(rest[1:])),
    ),
    OperatorCommand("close NUMBER", _("close a report without a word"), _close),
    OperatorCommand(
        "close CODE",
        _("close a table: its game is broken off, its people are in the lobby"),
        _close,
    ),
    OperatorCommand(
        "say TEXT",
        _("tell everybody something, as the server"),
        lambda rest: asked.Broadcast(" ".join(rest)),
    ),
    OperatorCommand(
        "drain [stop]",
        _("no new games; with stop, the server stops when none is left"),
        lambda rest: asked.Drain(rest[:1] == ["stop"]),
    ),
    OperatorCommand("undrain", _("new games again"), lambda _: asked.Undrain()),
    OperatorCommand("reload", _("read the settings again"), lambda _: asked.Reload()),
    OperatorCommand(
        "audit [NUMBER]",
        _("what operators have done; before that entry"),
        lambda rest: asked.SeeAudit(_number(rest) if rest else 0),
    ),
)
"""All of them."""

_PARSERS: Final = {each.usage.split()[0]: each.parse for each in ORDERS}


def orders(words: Words) -> tuple[OperatorCommand, ...]:
    """All of them, and what they do, in ``words``."""
    return tuple(each._replace(meaning=words.t(each.meaning)) for each in ORDERS)


def parse_order(typed: Sequence[str]) -> Action:
    """The action meant. Raises ``BadOperatorCommand``."""
    parse = _PARSERS.get(typed[0].lower()) if typed else None
    if parse is None:
        raise BadOperatorCommand("no_such_order", *typed[:1])
    return parse(list(typed[1:]))
