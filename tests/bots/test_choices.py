"""What every bot promises: a legal card, from what its seat may see, and the same one each time."""

import ast
import json
import random
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import engine.bots
from engine.bots import (
    BOTS,
    DEFAULT_STRATEGY,
    LADDER,
    STRATEGIES,
    SUBSTITUTE_STRATEGY,
    NoSuchStrategy,
    bot,
    choose,
)
from engine.deal import deal_game
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.state import Phase
from engine.views import NOTHING, History, SeatView, history_of, seat_view, table_view
from tests.support.bots import EVERY_STRATEGY, KINDS, seat, view_of


def views(rules: Rules, strategy: str) -> list[tuple[SeatView, History]]:
    """Everything that the bots of one game saw when they had to choose; they chose legal cards only."""
    chance = random.Random(f"{rules} {strategy}")
    deal = deal_game(chance.randbytes(32), rules)
    state = new_game(rules, deal.hands)
    seen: list[tuple[SeatView, History]] = []
    while state.phase is not Phase.OVER:
        state = turn_tides(state, deal.offer(state.stage.number, len(state.stage.rounds)))
        table = table_view(state)
        cards: list[int | None] = []
        for number in range(rules.players):
            view = seat_view(state, number, table)
            if not view.hand:
                cards.append(None)
                continue
            history = history_of(state, number)
            seen.append((view, history))
            cards.append(choose(strategy, view, history, chance))
            assert cards[-1] in view.hand
        state = reveal(state, cards)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("strategy", EVERY_STRATEGY)
@pytest.mark.parametrize("rules", KINDS, ids=str)
def test_every_choice_is_legal_whatever_is_played(rules: Rules, strategy: str) -> None:
    """Bots that think play one stage, in which assistance shows nothing."""
    kinds = (
        [replace(rules, stages=1)]
        if BOTS[strategy].thinks
        else [replace(rules, assistance=assistance) for assistance in (False, True)]
    )
    for kind in kinds:
        assert views(kind, strategy)


@pytest.mark.parametrize("strategy", EVERY_STRATEGY)
def test_a_view_that_came_over_a_line_is_as_good(strategy: str) -> None:
    seen = views(Rules(players=4, stages=2, assistance=True), strategy)
    for number, (view, history) in enumerate(seen[::5]):
        text = json.dumps(msgspec.to_builtins((view, history)))
        copies = msgspec.json.decode(text, type=tuple[SeatView, History])
        assert copies == (view, history)
        mine, its = random.Random(number), random.Random(number)
        assert choose(strategy, *copies, its) == choose(strategy, view, history, mine)
        assert mine.getstate() == its.getstate()


@pytest.mark.parametrize("strategy", EVERY_STRATEGY)
def test_a_bot_does_not_look_at_its_own_earlier_bid(strategy: str) -> None:
    for number, (view, history) in enumerate(views(Rules(players=3, stages=1), strategy)[::3]):
        again = view._replace(bid=view.hand[-1])
        assert choose(strategy, again, history, random.Random(number)) == choose(
            strategy, view, history, random.Random(number)
        )


@pytest.mark.parametrize("strategy", EVERY_STRATEGY)
def test_the_last_card_needs_no_thought(strategy: str) -> None:
    chance = random.Random(1)
    before = chance.getstate()
    view = view_of([seat(), seat(), seat()], (3, 9), [17])
    assert choose(strategy, view, NOTHING, chance) == 17
    assert chance.getstate() == before


@pytest.mark.parametrize("strategy", EVERY_STRATEGY)
def test_nothing_to_choose(strategy: str) -> None:
    view = view_of([seat(), seat(), seat()], (3, 9), [17, 20])
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(strategy, view._replace(hand=()), NOTHING, random.Random(1))
    unturned = view._replace(table=view.table._replace(offer=None))
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(strategy, unturned, NOTHING, random.Random(1))


def test_a_strategy_that_nobody_wrote() -> None:
    with pytest.raises(NoSuchStrategy) as caught:
        bot("clairvoyant")
    assert (caught.value.code, caught.value.details) == (
        "no_such_strategy",
        {"strategy": "clairvoyant"},
    )


def test_the_house_has_its_favourites() -> None:
    assert DEFAULT_STRATEGY in STRATEGIES
    assert SUBSTITUTE_STRATEGY in STRATEGIES


def test_every_level_has_a_bot_and_the_weakest_are_first() -> None:
    levels = [row.level for row in BOTS.values()]
    assert levels == sorted(levels)
    assert [BOTS[name].level for name in LADDER] == list(range(1, max(levels) + 1))


FORBIDDEN = ("engine.state", "engine.rules", "engine.deal")


def test_bots_know_views_and_no_states() -> None:
    """The types keep hidden cards away from them, as long as they import nothing that has any. Two modules
    are no bots: the package asks bots what they bid in a game, ``matches`` deals games between them.
    """
    paths = sorted(Path(engine.bots.__file__).parent.glob("*.py"))
    paths = [path for path in paths if path.stem not in ("matches", "__init__")]
    assert len(paths) > len(BOTS)
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                harmless = {name.name for name in node.names} <= {"RoundResult", "settle_loss"}
                assert harmless or node.module not in FORBIDDEN, path
            elif isinstance(node, ast.Import):
                assert not any(name.name.startswith("engine") for name in node.names), path
