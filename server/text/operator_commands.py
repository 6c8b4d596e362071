"""What operators type, in line mode after ``admin`` and on the command line after ``tide admin``.

The words of these orders are the same in every language, as operators read them in one documentation.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from server.coordinator.moderation import orders as asked
from server.coordinator.moderation.orders import FOR_EVER, Action
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
    """What is typed: the word, and what follows it in the order of the action's fields."""
    meaning: str
    """For the help; to be translated."""
    action: Callable[..., Action]

    @property
    def word(self) -> str:
        """What it begins with."""
        return self.usage.split()[0]


_SPAN: Final = re.compile(r"(\d{1,5})([smhdw])")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_EVER: Final = "ever"


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
    OperatorCommand("people", _("who is connected, from where, since when"), asked.SeePeople),
    OperatorCommand("tables", _("the tables; never a card or a bid"), asked.SeeTables),
    OperatorCommand("kick NAME [REASON]", _("end a connection; the seat stays"), asked.Kick),
    OperatorCommand(
        "mute NAME TIME [REASON]", _("nobody hears what this person says"), asked.MutePerson
    ),
    OperatorCommand("unmute NAME", _("this person may speak again"), asked.UnmutePerson),
    OperatorCommand(
        "vouch NAME",
        _("list this account among the best players, whoever it has played with"),
        asked.Vouch,
    ),
    OperatorCommand("unvouch NAME", _("take that back"), asked.Unvouch),
    OperatorCommand(
        "ban KIND WHO TIME [REASON]",
        _("let somebody in no more; KIND is key, name, address or network"),
        asked.BanSomebody,
    ),
    OperatorCommand("unban NUMBER", _("lift a ban"), asked.Unban),
    OperatorCommand("bans", _("the bans and silences in force"), asked.SeeBans),
    OperatorCommand(
        "reports [all]",
        _("what players report; all of them, or those that are open"),
        asked.SeeReports,
    ),
    OperatorCommand(
        "answer NUMBER TEXT", _("close a report, and tell its author this"), asked.AnswerReport
    ),
    OperatorCommand("close NUMBER", _("close a report without a word"), asked.CloseReport),
    OperatorCommand(
        "close CODE",
        _("close a table: its game is broken off, its people are in the lobby"),
        asked.CloseTable,
    ),
    OperatorCommand("say TEXT", _("tell everybody something, as the server"), asked.Broadcast),
    OperatorCommand(
        "drain [stop]",
        _("no new games; with stop, the server stops when none is left"),
        asked.Drain,
    ),
    OperatorCommand("undrain", _("new games again"), asked.Undrain),
    OperatorCommand("reload", _("read the settings again"), asked.Reload),
    OperatorCommand(
        "audit [NUMBER]", _("what operators have done; before that entry"), asked.SeeAudit
    ),
)
"""All of them."""


def parse_order(typed: Sequence[str]) -> Action:
    """The action meant. Raises ``BadOperatorCommand``."""
    word, rest = (typed[0].lower(), typed[1:]) if typed else ("", ())
    meant = [order for order in ORDERS if order.word == word]
    if not meant:
        raise BadOperatorCommand("no_such_order", *typed[:1])
    # A report has a number, a table a code of letters.
    order = meant[-1 if rest and rest[0].isalpha() else 0]
    return order.action(*_arguments(order.usage, rest))


def _arguments(usage: str, rest: Sequence[str]) -> Iterator[str | float | bool]:
    order, *wanted = usage.split()
    for each in wanted:
        match each.strip("[]"):
            case "REASON" | "TEXT":
                yield " ".join(rest)
            case "NAME" | "WHO":
                yield _first(rest, order)
            case "KIND" | "CODE":
                yield _first(rest, order).lower()
            case "TIME":
                yield span(rest[:1], ever=order == "ban")
            case "NUMBER":
                yield 0 if each == "[NUMBER]" and not rest else _number(rest)
            case switch:
                yield switch in rest[:1]
        rest = rest[1:]
