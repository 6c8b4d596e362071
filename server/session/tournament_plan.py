"""What whoever opens a tournament chooses, each thing declared once.

The form, line mode, the API, ``tide tournament`` and operators' orders are made from this. Bounds are in
``PLAN_RANGES``, and what is usual in ``TournamentPlan`` and ``TOURNAMENT``. And who may open and direct
one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, structs
from typing_extensions import override

from engine.bots import STRATEGIES
from server.coordinator import messages as m
from server.coordinator.messages import PLAN_RANGES, Refusal, Refused, TableOptions, TournamentPlan
from server.coordinator.messages import operator_orders as orders
from server.i18n.lookup import Words, _, p_
from server.session.preferences import TOURNAMENT
from server.text.refusals import refusal, refusal_of_order
from server.text.times import time_in_words
from server.viewmodels.table_options import (
    OPTIONS,
    FormOption,
    TableOption,
    number,
    read_options,
)

if TYPE_CHECKING:
    from server.session.client import SessionClient

InWords = Callable[[TournamentPlan, Words], str]
LONGEST_NAME: Final = 24


@dataclass(frozen=True, slots=True)
class PlanOption(FormOption[TournamentPlan]):
    """One of them. Any value in ``PLAN_RANGES`` can be typed."""

    of_tables: TableOption | None = None
    """What it is in ``TournamentPlan.options``, if it belongs there."""

    @override
    def of(self, chosen: TournamentPlan) -> Any:
        return self.of_tables.of(chosen.options) if self.of_tables else getattr(chosen, self.name)

    @override
    def changed(self, chosen: TournamentPlan, value: Any) -> TournamentPlan:
        return changed_plan(chosen, {self.name: value})


def _seconds_in_words(name: str, none: str) -> InWords:
    def said(plan: TournamentPlan, words: Words) -> str:
        seconds = getattr(plan, name)
        return time_in_words(seconds, words) if seconds else words.t(none)

    return said


def _hint(text: str) -> InWords:
    return lambda plan, words: words.t(text)


def _within(name: str) -> Any:
    allowed = PLAN_RANGES[name]
    return Annotated[int, Meta(ge=allowed[0], le=allowed[-1])]


def _of_tables(
    option: TableOption,
    label: str = "",
    hint: InWords | None = None,
    choices: Sequence[Any] = (),
    value: InWords | None = None,
) -> PlanOption:
    return PlanOption(
        option.name,
        label or option.label,
        hint or (lambda plan, words: option.hint(plan.options, words)),
        _within(option.name) if option.name in PLAN_RANGES else option.type,
        lambda plan: choices or option.choices(plan.options),
        value or (option.value and (lambda plan, words: option.value(plan.options, words))),
        option.typed,
        option,
    )


_TABLE: Final = {option.name: option for option in OPTIONS}

PLAN: Final = (
    PlanOption(
        "rounds",
        _("Rounds"),
        _hint(_("of one game each")),
        _within("rounds"),
        lambda _plan: (1, 2, 3, 4, 5, 6, 7, 8, 10, 12),
        lambda plan, _words: str(plan.rounds),
        {
            p_("table option", "round"): number("rounds"),
            p_("table option", "rounds"): number("rounds"),
        },
    ),
    _of_tables(_TABLE["edition"]),
    _of_tables(
        _TABLE["players"],
        _("Seats per table"),
        lambda plan, words: words.n(
            "{count} card each", "{count} cards each", plan.options.rules.hand_size
        ),
    ),
    _of_tables(_TABLE["stages"], hint=_hint(_("fewer make a shorter round"))),
    _of_tables(_TABLE["modified_drowning"]),
    _of_tables(_TABLE["assistance"]),
    _of_tables(_TABLE["bots"], _("Bots for free seats"), choices=STRATEGIES),
    _of_tables(
        _TABLE["seconds"],
        _("Time for a bid"),
        choices=(10, 15, 20, 30, 45, 60, 90, 120),
        value=lambda plan, words: time_in_words(plan.options.seconds, words),
    ),
    PlanOption(
        "call",
        _("Time to arrive"),
        _hint(_("then the round begins, with bots for whoever is missing")),
        _within("call"),
        lambda _plan: (0, 15, 30, 60, 120, 300),
        _seconds_in_words("call", _("none")),
        {p_("table option", "call"): number("call", 0)},
    ),
    PlanOption(
        "pause",
        _("Time between rounds"),
        lambda plan, words: words.t("the next round begins by itself") if plan.pause else "",
        _within("pause"),
        lambda _plan: (0, 30, 60, 120, 300, 600),
        _seconds_in_words("pause", _("until you begin it")),
        {p_("table option", "pause"): number("pause", 0)},
    ),
    PlanOption(
        "places",
        _("Places"),
        _hint(_("half of them for players from one address, if you do not allow more")),
        _within("places"),
        lambda _plan: (8, 12, 16, 24, 32, 48, 64, 100, 120, 160, 200),
        lambda plan, _words: str(plan.places),
        {p_("table option", "places"): number("places")},
    ),
)
"""In the order of the form."""

PlanChoices: Any = msgspec.defstruct(
    "PlanChoices",
    [(option.name, option.type | None, None) for option in PLAN],
    frozen=True,
    forbid_unknown_fields=True,
)
"""All of them as they may be given; ``None`` is as usual."""


def usual_plan(name: str) -> TournamentPlan:
    """What a new tournament is when nothing is chosen."""
    return TournamentPlan(name, TOURNAMENT)


def changed_plan(plan: TournamentPlan, chosen: Mapping[str, Any]) -> TournamentPlan:
    """``plan`` with these chosen anew, by name. Raises ``BadRules`` for a game that does not exist."""
    given = {name: value for name, value in chosen.items() if value is not None}
    own = {
        each.name: given.pop(each.name)
        for each in PLAN
        if not each.of_tables and each.name in given
    }
    options: TableOptions = plan.options.changed(**given)
    return structs.replace(plan, options=options, **own)


def planned(name: str, chosen: Mapping[str, Any]) -> TournamentPlan:
    """The plan that somebody else sent. Raises ``Refused`` and ``BadRules``."""
    try:
        checked: Struct = msgspec.convert(dict(chosen), PlanChoices)
    except msgspec.ValidationError as error:
        what = str(error).rpartition("$.")[2].rstrip("`") if "$." in str(error) else str(error)
        raise Refused(Refusal.TOURNAMENT_PLAN, {"what": what}) from None
    return changed_plan(usual_plan(name), structs.asdict(checked))


def choices_of(plan: TournamentPlan) -> dict[str, Any]:
    """What is chosen in ``plan`` otherwise than usual, by name, as ``planned`` takes it."""
    usual = usual_plan(plan.name)
    return {
        option.name: msgspec.to_builtins(option.of(plan))
        for option in PLAN
        if option.of(plan) != option.of(usual)
    }


def read_plan(text: str, words: Words) -> TournamentPlan:
    """The plan that is typed: a name, and after a colon what is chosen.

    Raises ``BadOption`` and ``BadRules``.
    """
    name, _colon, rest = text.partition(":")
    return changed_plan(usual_plan(name.strip()), read_options(rest, PLAN, words))


def plan_words(words: Words) -> str:
    """The words that ``read_plan`` understands, in the player's language, as they are typed."""
    said, usual = [], usual_plan("")
    for option in PLAN:
        kinds = option.typed or {}
        typed = [words.p("table option", word) for word in kinds]
        if all(choose(-1, True) for choose in kinds.values()):
            said += typed
        else:  # it wants a number; of several words the last one is for many
            said.append(f"{option.of(usual)} {typed[-1]}")
    return ", ".join(said)


def may_open(client: "SessionClient") -> bool:
    """Whether this player may open a tournament here."""
    return client.account.opens_tournaments or client.account.operator_actions is not None


def may_direct(client: "SessionClient", info: m.TournamentInfo | None) -> bool:
    """Whether this player directs that tournament."""
    return info is not None and (info.directs or client.account.operator_actions is not None)


async def open_tournament(client: "SessionClient", plan: m.TournamentPlan) -> str:
    """Open one, an operators' one as an operator; why not, in words, empty when it is open."""
    if client.account.operator_actions is not None:
        return await _order(client, orders.TournamentOrder(plan.name, choices_of(plan)))
    return await _submit(client, m.OpenTournament(plan))


async def direct(
    client: "SessionClient", info: m.TournamentInfo, what: m.Directing, name: str = ""
) -> str:
    """Have it done, with the player of that name; why not, in words, empty when it is done."""
    if client.account.operator_actions is not None and not info.directs:
        return await _order(client, orders.DirectingOrder(info.id, what.value, name))
    return await _submit(client, m.DirectTournament(info.id, what, name))


async def _submit(client: "SessionClient", command: m.TournamentCommand) -> str:
    reply = await client.submit(command)
    return "" if reply.ok else refusal(reply, client.words)


async def _order(client: "SessionClient", order: orders.AboutTournaments) -> str:
    actions = client.account.operator_actions
    if actions is None:
        return refusal(m.Reply(m.Refusal.NO_DIRECTOR), client.words)
    told = await actions.act(order)
    return "" if told.ok else refusal_of_order(told, client.words)
