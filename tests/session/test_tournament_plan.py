"""What can be chosen for a tournament is declared once, and the same everywhere."""

from typing import get_type_hints

import msgspec
import pytest

from engine.editions import Edition
from server.coordinator.messages import PLAN_RANGES, Refused
from server.coordinator.messages.operator_orders import TournamentOrder
from server.coordinator.tournaments.tournament import checked_plan
from server.i18n.lookup import words_for
from server.jsonapi.requests import REQUESTS
from server.session.tournament_plan import (
    PLAN,
    changed_plan,
    choices_of,
    planned,
    read_plan,
    usual_plan,
)
from server.text.operator_orders import parse_order


def test_whatever_the_form_offers_can_be_held_and_is_sent_whole() -> None:
    for option in PLAN:
        plan = usual_plan("cup")
        if not option.choices(plan):
            plan = changed_plan(plan, {"edition": Edition.BGA})
        seen = set()
        for _ in option.choices(plan):
            plan = option.stepped(plan, 1)
            seen.add(option.of(plan))
            checked_plan(plan)
            assert planned("cup", choices_of(plan)) == plan
        assert seen == set(option.choices(plan))


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", "Friday cup: 3 rounds, bga, 6 players 2 stages, 45 seconds, 0 pause, 10 call, expert"),
        ("de", "Friday cup: 3 runden, bga, 6 spieler 2 durchgänge, 45 sekunden, 0 pause, 10 aufruf, expert"),
        ("pt", "Friday cup: 3 etapas bga 6 jogadores 2 rodadas 45 segundos 0 pausa 10 chamada expert"),
    ],
)  # fmt: skip
def test_all_of_it_can_be_typed(language: str, typed: str) -> None:
    plan = read_plan(typed, words_for(language))
    rules, options = plan.options.rules, plan.options
    assert (plan.name, plan.rounds, plan.pause, plan.call) == ("Friday cup", 3, 0, 10)
    assert (rules.edition, rules.players, rules.stages) == (Edition.BGA, 6, 2)
    assert (options.seconds, options.bots) == (45, "expert")


def test_operators_type_the_same_names() -> None:
    order = parse_order(["tournament", "Friday cup", "rounds=3", "edition=bga", "players=6"])
    assert order == TournamentOrder("Friday cup", {"rounds": 3, "edition": "bga", "players": 6})
    assert planned(order.name, order.chosen).options.rules.players == 6
    for wrong in ({"sails": 1}, {"rounds": 0}, {"rounds": 21}, {"edition": "uno"}, {"bots": "x"}):
        with pytest.raises(Refused) as refused:
            planned("cup", dict[str, str | int | bool](wrong))
        assert refused.value.reply.code == "tournament_plan"


def test_programs_have_the_same_bounds() -> None:
    for name in ("rounds", "call", "pause", "places"):
        allowed = PLAN_RANGES[name]
        kind = get_type_hints(REQUESTS["open"], include_extras=True)[name]
        assert msgspec.convert(allowed[-1], kind) == allowed[-1]
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(allowed[-1] + 1, kind)
