"""What operators type, in line mode after ``admin`` and on the command line after ``tide admin``.

The words of these orders are the same in every language, as operators read them in one documentation.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from server.coordinator.moderation import orders as asked
from server.coordinator.moderation.orders import FOR_EVER, Action
from server.i18n.catalogues import Words


class BadOperatorCommand(Exception):
    """It was not understood: ``code`` is ``no_such_order``, ``no_time``, ``no_number``, or ``missing``
    (something that the order ``word`` needs).
    """

    def __init__(self, code: str, word: str = "") -> None:
        super().__init__(code)
        self.code: Final = code
        self.word: Final = word


class OperatorCommand(NamedTuple):
    """One order, for the help."""

    usage: str
    meaning: str


KINDS: Final = ("key", "name", "address", "network")
_SPAN: Final = re.compile(r"(\d{1,5})([smhdw])")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_EVER: Final = "ever"


def orders(words: Words) -> tuple[OperatorCommand, ...]:
    """All of them, and what they do."""
    return (
        OperatorCommand("people", words.t("who is connected, from where, since when")),
        OperatorCommand("tables", words.t("the tables; never a card or a bid")),
        OperatorCommand("kick NAME [REASON]", words.t("end a connection; the seat stays")),
        OperatorCommand("mute NAME TIME [REASON]", words.t("nobody hears what this person says")),
        OperatorCommand("unmute NAME", words.t("this person may speak again")),
        OperatorCommand(
            "vouch NAME",
            words.t("list this account among the best players, whoever it has played with"),
        ),
        OperatorCommand("unvouch NAME", words.t("take that back")),
        OperatorCommand(
            "ban KIND WHO TIME [REASON]",
            words.t("let somebody in no more; KIND is key, name, address or network"),
        ),
        OperatorCommand("unban NUMBER", words.t("lift a ban")),
        OperatorCommand("bans", words.t("the bans and silences in force")),
        OperatorCommand(
            "reports [all]", words.t("what players report; all of them, or those that are open")
        ),
        OperatorCommand("answer NUMBER TEXT", words.t("close a report, and tell its author this")),
        OperatorCommand("close NUMBER", words.t("close a report without a word")),
        OperatorCommand(
            "close CODE",
            words.t("close a table: its game is broken off, its people are in the lobby"),
        ),
        OperatorCommand("say TEXT", words.t("tell everybody something, as the server")),
        OperatorCommand(
            "drain [stop]", words.t("no new games; with stop, the server stops when none is left")
        ),
        OperatorCommand("undrain", words.t("new games again")),
        OperatorCommand("reload", words.t("read the settings again")),
        OperatorCommand("audit [NUMBER]", words.t("what operators have done; before that entry")),
    )


def parse_order(typed: Sequence[str]) -> Action:
    """The action meant. Raises ``BadOperatorCommand``."""
    if not typed:
        raise BadOperatorCommand("no_such_order")
    word, rest = typed[0].lower(), list(typed[1:])
    simple: dict[str, Action] = {
        "people": asked.SeePeople(),
        "tables": asked.SeeTables(),
        "bans": asked.SeeBans(),
        "undrain": asked.Undrain(),
        "reload": asked.Reload(),
    }
    parsers: dict[str, Callable[[list[str]], Action]] = {
        "reports": lambda rest: asked.SeeReports(rest[:1] == ["all"]),
        "drain": lambda rest: asked.Drain(rest[:1] == ["stop"]),
        "audit": lambda rest: asked.SeeAudit(_number(rest) if rest else 0),
        "kick": lambda rest: asked.Kick(_first(rest, word), " ".join(rest[1:])),
        "mute": _mute,
        "unmute": lambda rest: asked.UnmutePerson(_first(rest, word)),
        "vouch": lambda rest: asked.Vouch(_first(rest, word)),
        "unvouch": lambda rest: asked.Unvouch(_first(rest, word)),
        "ban": _ban,
        "unban": lambda rest: asked.Unban(_number(rest)),
        "answer": lambda rest: asked.AnswerReport(_number(rest), " ".join(rest[1:])),
        "close": _close,
        "say": lambda rest: asked.Broadcast(" ".join(rest)),
    }
    if word in simple:
        return simple[word]
    if word not in parsers:
        raise BadOperatorCommand("no_such_order", typed[0])
    return parsers[word](rest)


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
