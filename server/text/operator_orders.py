"""Operators' orders as they are typed, and the answers in words, for all frontends and ``tide admin``.

The orders themselves are English in every language, as in their documentation.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite, isinf
from types import UnionType
from typing import Any, Final, NamedTuple

from engine.editions import called
from server.cleaning import shortened
from server.coordinator.messages import operator_orders as asked
from server.i18n.lookup import Plural, Words, _, n_, p_
from server.storage.moderation import AuditRow, BanRow, MuteRow, ReportRow
from server.text.refusals import refusal_of_order
from server.text.times import moment_in_words, span_in_words
from server.text.tournaments import PHASES


class BadOperatorCommand(Exception):
    """An order that cannot be parsed: ``text`` says why, with these ``values`` in it."""

    def __init__(self, text: str, **values: str) -> None:
        super().__init__(text)
        self.text: Final = text
        self.values: Final = values

    def in_words(self, words: Words) -> str:
        return words.t(self.text, **self.values)


class OrderKey(NamedTuple):
    """A key of the operators' page that gives an order. Texts are to be translated."""

    name: str
    footer: str
    """What it does."""
    row: type[asked.Row] | UnionType | None = None
    """The kind of rows it applies to; ``None`` for a key of the server's menu."""
    ask: str = ""
    """The prompt for the rest of the order; empty if there is no more to type."""
    more: str = ""
    """Arguments before that."""
    hint: str = ""
    """Its description in the menu, if that is not the order's meaning."""
    when: Callable[[Any], bool] = lambda _: True
    """Whether it applies to a row, or in the server's menu to the time when the server goes down."""


class Order(NamedTuple):
    """One order. Texts are to be translated."""

    usage: str
    """The word, and the arguments in the order of the action's fields."""
    meaning: str
    """For the help."""
    action: Callable[..., asked.Action]
    done: str | Plural
    """The answer when it has been carried out, or to a list without rows."""
    asks_first: bool = False
    """Whether it has to be confirmed when typed."""
    keys: tuple[OrderKey, ...] = ()


_SPAN: Final = re.compile(r"(\d{1,5})([smhdw])")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}


def _first(rest: Sequence[str], usage: str) -> str:
    if not rest:
        raise BadOperatorCommand(_("Like this: {usage}"), usage=usage)
    return rest[0]


def _number(rest: Sequence[str]) -> int:
    if not rest or not rest[0].isdecimal() or len(rest[0]) > 12:
        raise BadOperatorCommand(_("Which number?"))
    return int(rest[0])


def span(typed: Sequence[str], *, ever: bool = False) -> float:
    """Return the seconds of a time such as 30m, 2h, 7d or 4w, or ``ever``. Raises ``BadOperatorCommand``."""
    word = typed[0].lower() if typed else ""
    if ever and word == "ever":
        return asked.FOR_EVER
    found = _SPAN.fullmatch(word)
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < seconds <= asked.LONGEST:
        raise BadOperatorCommand(_('How long? 30m, 2h, 7d or 4w; for a ban also "ever".'))
    return float(seconds)


ORDERS: Final = (
    Order(
        "people",
        _("who is connected, from where, since when"),
        asked.SeePeople,
        _("Nobody is here."),
    ),
    Order(
        "tables", _("the tables; never a card or a bid"), asked.SeeTables, _("There is no table.")
    ),
    Order(
        "mute NAME TIME [REASON]",
        _("nobody hears what this person says"),
        asked.MutePerson,
        _("{name} is muted until {when}."),
        asks_first=True,
        keys=(OrderKey("m", _("mute"), asked.PersonRow, _("How long, and why? (2h shouting)")),),
    ),
    Order(
        "unmute NAME",
        _("this person may speak again"),
        asked.UnmutePerson,
        _("{name} may speak again."),
        keys=(OrderKey("u", _("unmute"), asked.PersonRow | MuteRow),),
    ),
    Order(
        "kick NAME [REASON]",
        _("end a connection; the seat stays"),
        asked.Kick,
        _("{name} has been kicked."),
        asks_first=True,
        keys=(OrderKey("x", _("kick"), asked.PersonRow, _("Why? The player is told.")),),
    ),
    Order(
        "vouch NAME",
        _("list this account among the best players, whoever it has played with"),
        asked.Vouch,
        _("{name} is listed among the best players, once there is a rating."),
        keys=(OrderKey("v", _("vouch"), asked.PersonRow, when=lambda it: not it.guest),),
    ),
    Order(
        "unvouch NAME",
        _("take that back"),
        asked.Unvouch,
        _(
            "{name} is listed among the best players only after enough games with people from"
            " elsewhere."
        ),
        keys=(
            OrderKey("w", _("withdraw vouching"), asked.PersonRow, when=lambda it: not it.guest),
        ),
    ),
    Order(
        "ban KIND WHO TIME [REASON]",
        _("keep somebody out; KIND is key, name, address or network"),
        asked.BanSomebody,
        _("Ban {number}: {what}, {end}."),
        asks_first=True,
        keys=(
            OrderKey(
                "b",
                _("ban"),
                ask=_("key, name, address or network; which; how long; why:"),
                hint=_("somebody who is not here"),
            ),
        ),
    ),
    Order(
        "unban NUMBER",
        _("lift a ban"),
        asked.Unban,
        _("{what} may come in again."),
        keys=(OrderKey("u", _("lift"), BanRow),),
    ),
    Order(
        "bans",
        _("the bans in force, and who is muted"),
        asked.SeeBans,
        _("Nobody is banned or muted."),
    ),
    Order(
        "reports [all]",
        _("what players report; all of them, or those that are open"),
        asked.SeeReports,
        _("No report is open."),
    ),
    Order(
        "answer NUMBER TEXT",
        _("close a report, and tell its author this"),
        asked.AnswerReport,
        _("Report {number} is closed."),
        keys=(OrderKey("a", _("answer"), ReportRow, _("Answer to the person who reported it:")),),
    ),
    Order(
        "close NUMBER",
        _("close a report without a word"),
        asked.CloseReport,
        _("Report {number} is closed."),
        keys=(OrderKey("c", _("close"), ReportRow),),
    ),
    Order(
        "close CODE",
        _("close a table: its game is abandoned, its people return to the lobby"),
        asked.CloseTable,
        _("Table {code} is closed."),
        asks_first=True,
        keys=(OrderKey("c", _("close the table"), asked.TableFacts),),
    ),
    Order(
        "tournaments",
        _("the tournaments and their codes"),
        asked.SeeTournaments,
        _("There is no tournament."),
    ),
    Order(
        "tournament NAME [OPTIONS]",
        _("open a tournament, with options such as rounds=5 players=3 (tide tournament open -h)"),
        asked.TournamentOrder,
        _("Tournament {code} is open: players can register."),
    ),
    Order(
        "direct CODE WHAT [NAME]",
        _(
            "begin: start the next round of a tournament; close: close the current "
            "one; end: end the tournament; remove NAME, remove_absent: take players "
            "out; lift: lift the limit for one address"
        ),
        asked.DirectingOrder,
        _("Done, in tournament {code}."),
    ),
    Order(
        "say TEXT",
        _("tell everybody something, as the server"),
        asked.Broadcast,
        n_("Told {count} person.", "Told {count} people."),
        keys=(OrderKey("s", _("say something"), ask=_("To everybody:")),),
    ),
    Order(
        "drain [stop]",
        _("no new games; with stop, the server stops when none is left"),
        asked.Drain,
        _("No new game begins."),
        asks_first=True,
        keys=(
            OrderKey("d", _("no new games"), hint=_("those in progress go on"), when=isfinite),
            OrderKey(
                "e",
                _("finish and stop"),
                more="stop",
                hint=_("no new games; when none is left, the server stops"),
            ),
        ),
    ),
    Order(
        "undrain",
        _("new games again"),
        asked.Undrain,
        _("New games may begin again."),
        keys=(OrderKey("d", _("new games again"), when=isinf),),
    ),
    Order(
        "reload",
        _("read the settings again"),
        asked.Reload,
        _("The settings are as they were."),
        keys=(OrderKey("l", _("settings")),),
    ),
    Order(
        "audit [NUMBER]",
        _("what operators have done; before that entry"),
        asked.SeeAudit,
        _("Nothing has been done yet."),
    ),
)
"""All orders."""
_OF_ACTION: Final[Mapping[object, Order]] = {order.action: order for order in ORDERS}


def parse_order(typed: Sequence[str]) -> asked.Action:
    """Parse a typed order. Raises ``BadOperatorCommand``."""
    if not typed:
        raise BadOperatorCommand(_('Type "help" for the commands.'))
    word, *rest = typed
    meant = [order for order in ORDERS if order.usage.split()[0] == word.lower()]
    if not meant:
        raise BadOperatorCommand(
            _('There is no command "{word}"; type "help".'), word=shortened(word)
        )
    # A report has a number, a table a code of letters.
    order = meant[-1 if rest and rest[0].isalpha() else 0]
    return order.action(*_arguments(order.usage, rest))


def asks_first(action: asked.Action) -> bool:
    """Return whether this order has to be confirmed when typed."""
    return _OF_ACTION[type(action)].asks_first


def _option(typed: str) -> tuple[str, str | int | bool]:
    name, is_one, value = typed.replace("-", "_").partition("=")
    if not is_one or not name or not value:
        raise BadOperatorCommand(_("Like this: {usage}"), usage="rounds=5 players=3")
    plain = {"yes": True, "no": False}.get(value)
    return name.lower(), int(value) if value.isdecimal() else value if plain is None else plain


def _unquoted(rest: Sequence[str]) -> Sequence[str]:
    """Join a name in quotation marks, which may have several words, into one piece."""
    mark = rest[0][:1] if rest else ""
    for end in range(1, len(rest) + 1) if mark in ("'", '"') else ():
        name = " ".join(rest[:end])
        if len(name) > 2 and name[-1] == mark:
            return [name[1:-1], *rest[end:]]
    return rest


def _arguments(
    usage: str, rest: Sequence[str]
) -> Iterator[str | float | bool | dict[str, str | int | bool]]:
    order, *wanted = usage.split()
    if "[OPTIONS]" in wanted:
        rest = _unquoted(rest)
    for each in wanted:
        match each.strip("[]"):
            case "REASON" | "TEXT":
                yield " ".join(rest)
                return
            case "NAME" | "WHO":
                yield "" if each == "[NAME]" and not rest else _first(rest, usage)
            case "KIND" | "CODE" | "WHAT":
                yield _first(rest, usage).lower()
            case "OPTIONS":
                yield dict(_option(word) for word in rest)
                return
            case "TIME":
                yield span(rest[:1], ever=order == "ban")
            case "NUMBER":
                yield 0 if each == "[NUMBER]" and not rest else _number(rest)
            case switch if rest and rest[0] != switch:
                break
            case _:
                yield bool(rest)
        rest = rest[1:]
    if rest:
        raise BadOperatorCommand(_("Like this: {usage}"), usage=usage)


def told_lines(action: asked.Action, told: asked.OperatorReply, words: Words) -> list[str]:
    """Return the answer to an action as sentences, one for each row."""
    if not told.ok:
        return [refusal_of_order(told, words)]
    if not isinstance(action, asked.Seeing):
        return [done_in_words(action, told, words)]
    lines = [row_in_words(row, words) for row in told.rows]
    if told.left_out and isinstance(told.rows[-1], AuditRow):
        lines.append(words.t('There is more: "audit {number}"', number=told.rows[-1].id))
    elif told.left_out:
        lines.append(words.n("and {count} more", "and {count} more", told.left_out))
    return lines or [nothing_in_words(action, words)]


def nothing_in_words(action: asked.Action, words: Words) -> str:
    """Return the answer to a list without rows."""
    return words.fill(_OF_ACTION[type(action)].done)


def row_in_words(row: asked.Row, words: Words) -> str:
    """Return all that a row says."""
    match row:
        case asked.PersonRow():
            return _person(row, words)
        case asked.TableFacts():
            names = ", ".join(filter(None, row.names)) or words.t("nobody")
            title = f"{row.title} ({row.code})" if row.code else row.title
            return f"{title}: {status_in_words(row, words)}, {called(row.edition)}, {names}"
        case asked.TournamentFacts():
            return _tournament(row, words)
        case ReportRow():
            return _report(row, words)
        case AuditRow():
            return _entry(row, words)
        case BanRow():
            kind, end = kind_in_words(row.kind, words), end_in_words(row.until, words)
            text = _("{number}: {kind} {what}, {end}, by {who}")
            said = words.t(text, number=row.id, kind=kind, what=row.shown, end=end, who=row.made_by)
            return f"{said}: {row.reason}" if row.reason else said
        case MuteRow():
            text = _("{name} is muted until {when}, by {who}")
            until = moment_in_words(row.until, words)
            said = words.t(text, name=row.name, when=until, who=row.made_by)
            return f"{said}: {row.reason}" if row.reason else said


def _person(row: asked.PersonRow, words: Words) -> str:
    facts = (
        words.t("guest") if row.guest else words.t("account"),
        words.t("operator") if row.operator else "",
        words.t("muted for {time}", time=span_in_words(row.muted, words)) if row.muted else "",
        place_in_words(row, words),
        f"{row.line} {row.address}",
        words.t("for {time}", time=span_in_words(row.seconds, words)),
        row.key,
    )
    return f"{row.name}: {', '.join(filter(None, facts))}"


def place_in_words(row: asked.PersonRow, words: Words) -> str:
    """Return where a person is."""
    if not row.table:
        return words.t("in the lobby")
    if row.watching:
        return words.t("watches {table}", table=row.table)
    return words.t("at {table}", table=row.table)


def status_in_words(row: asked.TableFacts, words: Words) -> str:
    """Return how far a table's game is, and how many people watch."""
    if row.status == "open":
        said = words.p("table", "open")
    elif row.status == "over":
        said = words.p("table", "over")
    else:
        said = words.t(
            "stage {stage} of {stages}, round {round}",
            stage=row.stage,
            stages=row.stages,
            round=row.round,
        )
    if row.spectators:
        said += ", " + words.n("{count} watching", "{count} watching", row.spectators)
    return said


def _tournament(row: asked.TournamentFacts, words: Words) -> str:
    phase = words.p("tournament", "over")
    if row.phase != "over":
        phase = words.t(
            PHASES[row.phase],
            round=row.round,
            rounds=row.rounds,
            playing=row.playing,
            tables=row.tables,
        )
    players = words.n("{count} player", "{count} players", row.players)
    facts = [f"{row.name} ({row.code})", phase, players]
    if row.stuck:
        facts.append(words.t("an error in the server holds it up; the server tries again"))
    if row.begins:
        when = moment_in_words(row.begins, words)
        facts.append(words.t("the next round at {when}", when=when))
    if row.director:
        facts.append(words.t("directed by {name}", name=row.director))
    return ", ".join(facts)


def _report(row: ReportRow, words: Words) -> str:
    where = words.t("at {table}", table=row.place) if row.place else words.t("in the lobby")
    said = words.t(
        "{number}: {reporter} about {about}, {where}, {when}: {text}",
        number=row.id,
        reporter=row.reporter,
        about=row.about,
        where=where,
        when=moment_in_words(row.made, words),
        text=row.text,
    )
    if row.closed:
        closed = words.t("closed by {who}", who=row.closed_by)
        said += f" ({closed}{f': {row.answer}' if row.answer else ''})"
    return said


_KINDS: Final = (p_("ban", "key"), p_("ban", "name"), p_("ban", "address"), p_("ban", "network"))


def kind_in_words(kind: str, words: Words) -> str:
    """Return the kind of a ban's object."""
    return words.p("ban", kind) if kind in _KINDS else kind


def end_in_words(until: float, words: Words) -> str:
    """Return how long a ban lasts."""
    return (
        words.t("until {when}", when=moment_in_words(until, words))
        if until
        else words.t("for ever")
    )


def _entry(row: AuditRow, words: Words) -> str:
    who = f"{row.name} ({row.who})" if row.name else row.who
    details = ", ".join(
        f"{key} {moment_in_words(value, words) if key == 'until' else value}"
        for key, value in row.details.items()
        if value
    )
    facts = (moment_in_words(row.made, words), who, f"{row.action} {row.about}".strip(), details)
    return f"{row.id}: {', '.join(filter(None, facts))}: {outcome_in_words(row.outcome, words)}"


def outcome_in_words(outcome: str, words: Words) -> str:
    """Return the outcome of an action in the audit log."""
    if outcome == "ok":
        return words.t("done")
    return (
        refusal_of_order(asked.OperatorReply(outcome), words) if outcome else words.t("unfinished")
    )


def done_in_words(action: asked.Action, told: asked.OperatorReply, words: Words) -> str:
    """Return the answer to an action that was carried out."""
    facts, until = told.facts, float(told.facts.get("until", 0))
    changed, late = facts.get("changed"), facts.get("late")
    values = {
        "code": getattr(action, "code", ""),
        **facts,
        "when": moment_in_words(until, words),
        "end": end_in_words(until, words),
        "number": facts.get("id"),
        "what": facts.get("shown"),
        "count": facts.get("people"),
        "names": changed,
    }
    text = _("Settings applied: {names}.") if changed else _OF_ACTION[type(action)].done
    said = [words.fill(text, **values)]
    if ended := int(facts.get("ended", 0)):
        said.append(words.n("{count} connection ended.", "{count} connections ended.", ended))
    if "games" in facts:
        games = int(facts["games"])
        said.append(
            words.n("{count} game is in progress.", "{count} games are in progress.", games)
        )
    if facts.get("stop"):
        said.append(words.t("When none is left, the server stops."))
    if late:
        said.append(words.t("These need a restart: {names}.", names=late))
    return " ".join(said)


def orders_lines(words: Words, *, columns: bool = False) -> list[str]:
    """Return the help: all orders, as sentences or in ``columns``."""
    width = max(len(order.usage) for order in ORDERS)
    usages = [f"{each.usage:<{width}}  " if columns else f"{each.usage}: " for each in ORDERS]
    return [
        *(f"{usage}{words.t(it.meaning)}" for usage, it in zip(usages, ORDERS, strict=True)),
        words.t(
            "WHO is a fingerprint, a name, an address, a network, or the name of somebody who is"
            " here."
        ),
        words.t("TIME is 30m, 2h, 7d or 4w; for a ban also ever."),
    ]
