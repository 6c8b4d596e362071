"""The parts of the trained bots: policies, what bids tell, rollouts."""

import random
from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
import pytest

from engine.bots.evidence import evidence, past_evidence, posterior_of
from engine.bots.hands import knowledge, sample
from engine.bots.master import Particles, best_card, chances_now, guesses
from engine.bots.master import choose as master
from engine.bots.policies import (
    BASIS,
    CONTEXT,
    bases,
    chances,
    coefficients,
    contexts,
    noise,
    policies,
    ranks,
    scores,
)
from engine.bots.shown import now_of
from engine.bots.simulator import Bytes, Floats, Stages, play, start
from engine.editions import Rules
from engine.rules import reveal, turn_tides
from engine.state import Cards, GameState
from engine.views import history_of, seat_view
from tests.support.bots import seat, view_of
from tests.support.engine import RandomGame


def two_rounds_in(players: int = 4, n: int = 3) -> tuple[Stages, Bytes]:
    """Some stages after two rounds with any bids, and the next tides."""
    rng = np.random.default_rng(players)
    rules = Rules(players=players)
    cards = rng.permuted(np.tile(np.arange(1, 61), (n, 1)), axis=1)[:, : players * 12]
    hands = np.sort(cards.reshape(n, players, 12), axis=2).transpose(2, 1, 0)
    stages = start(rules, hands, np.full((players, n), 2))
    for offer in ((3, 9), (5, 6)):
        tides = np.repeat(np.array(offer, np.int8)[:, None], n, axis=1)
        stages = play(stages, tides, rng.integers(0, stages.left, (players, n)))
    return stages, np.repeat(np.array((4, 11), np.int8)[:, None], n, axis=1)


# ------------------------------------------------------------------------------------ policies


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_there_are_policies_for_all_players(players: int) -> None:
    known = policies(players)
    shape = (len(CONTEXT), len(BASIS))
    assert known.types.shape[1:] == shape
    assert known.prior.shape == known.types.shape[:1]
    assert known.prior.sum() == pytest.approx(1)
    assert known.informed.shape == known.typical.shape == shape
    for each in (known.types, known.prior, known.informed, known.typical):
        assert np.isfinite(each).all()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_features_are_in_their_range(players: int) -> None:
    stages, offer = two_rounds_in(players)
    context, basis = contexts(stages, offer), bases(stages)
    assert context.shape == (len(CONTEXT), players, 3)
    assert basis.shape == (len(BASIS), 10, players, 3)
    for values in (context, basis):
        assert values.min() >= 0
        assert values.max() <= 1.01


def test_the_chances_of_ranks_count_every_way_to_bid() -> None:
    stages, _ = two_rounds_in(n=1)
    score = np.random.default_rng(1).normal(size=(10, 4, 1)).astype(np.float32)
    chance = chances(score)[:, :, 0]
    assert chance.sum(axis=0) == pytest.approx(np.ones(4))
    first, second = ranks(stages, score, 0)
    hands = stages.hands[:, :, 0]
    expected = np.zeros((10, 2))
    for slots in product(range(10), repeat=3):
        weight = np.prod([chance[slot, rival] for rival, slot in enumerate(slots, 1)])
        bids = [hands[slot, rival] for rival, slot in enumerate(slots, 1)]
        for place, card in enumerate(hands[:, 0]):
            above = sum(bid > card for bid in bids)
            if above < 2:
                expected[place, above] += weight
    assert first[:, 0] == pytest.approx(expected[:, 0], abs=1e-5)
    assert second[:, 0] == pytest.approx(expected[:, 1], abs=1e-5)


def test_noise_draws_cards_by_their_chances() -> None:
    score = np.array([0.0, 1.0, -1.0], np.float32)
    drawn = (score[:, None] + noise(np.random.default_rng(1), (3, 20_000))).argmax(axis=0)
    shares = np.bincount(drawn) / 20_000
    assert shares == pytest.approx(chances(score[:, None])[:, 0], abs=0.015)


# ------------------------------------------------------------------------------------ evidence


def played_by(bid: Callable[[Cards, GameState, int], int], stages: int) -> GameState:
    """The beginning of stage ``stages`` of a game in which everybody bids like this."""
    game = RandomGame(Rules(players=4), random.Random(3))
    state = game.state
    while state.stage.number < stages or len(state.stage.rounds) < 2:
        state = turn_tides(state, game.deal.offer(state.stage.number, len(state.stage.rounds)))
        bids: list[int | None] = []
        for number, hand in enumerate(state.stage.hands):
            bids.append(bid(hand, state, number) if hand else None)
        state = reveal(state, bids)
    return turn_tides(state, game.deal.offer(state.stage.number, len(state.stage.rounds)))


def bid_by(
    policy: Floats, rng: np.random.Generator, hand: Cards, state: GameState, number: int
) -> int:
    shown = {bid for told in state.stage.rounds for bid in told.bids}
    hands = np.repeat(np.array(hand, np.int8)[:, None, None], 4, axis=1)
    below = np.array([len(set(range(1, card)) - shown) for card in hand], np.int8)
    stages = Stages(
        state.rules,
        hands,
        np.repeat(below[:, None, None], 4, axis=1),
        np.array([[-1 if level is None else level] for level in state.stage.levels], np.int8),
        np.array([[left] for left in state.stage.life_preservers], np.int8),
    )
    assert state.offer is not None
    context = contexts(stages, np.array(state.offer, np.int8)[:, None])
    score = scores(bases(stages), coefficients(policy[:, :, None, None], context[:, None]))
    return hand[int((score[:, number, 0] + noise(rng, (len(hand),))).argmax())]


@pytest.mark.parametrize("kind", [2, 60])
def test_bids_tell_the_type(kind: int) -> None:
    known = policies(4)
    rng = np.random.default_rng(1)
    state = played_by(partial(bid_by, known.types[kind], rng), stages=1)
    view, history = seat_view(state, 0), history_of(state, 0)
    about = knowledge(view, history)
    quick = posterior_of(view, history, [1, 2, 3], known, sample(about, 4, rng))
    assert quick[kind].mean() > 2 * known.prior[kind]
    told = evidence(view.table.rules, history, about, [1, 2, 3], known, [])
    assert told.posterior.shape == (len(known.types) + 1, 3)
    assert told.posterior.sum(axis=0) == pytest.approx(np.ones(3))
    assert (told.posterior[kind] > 2 * known.prior[kind]).all()
    assert told.fitted is not None
    assert np.isfinite(told.fitted).all()


def by_the_lower_tide(hand: Cards, state: GameState, _seat: int) -> int:
    assert state.offer is not None
    return hand[-1 if state.offer[0] <= 4 else 0]


def test_a_rule_of_thumb_is_found_out() -> None:
    """After two stages, the next bids are as good as known."""
    state = played_by(by_the_lower_tide, stages=2)
    view, history = seat_view(state, 0), history_of(state, 0)
    known, rivals = policies(4), [1, 2, 3]
    told = evidence(view.table.rules, history, knowledge(view, history), rivals, known, [])
    assert (told.posterior[-1] > 0.95).all()
    particles = guesses(view, history, known, np.random.default_rng(1))
    chance = chances_now(view, particles)
    for rival in rivals:
        bid = by_the_lower_tide(state.stage.hands[rival], state, rival)
        here = chance[:, rival] * (particles.stages.hands[:, rival] == bid)
        assert here.sum(axis=0).mean() > 0.7


def test_nothing_was_shown_yet() -> None:
    known = policies(4)
    game = RandomGame(Rules(), random.Random(1)).play(1)
    view, history = seat_view(game.state, 0), history_of(game.state, 0)
    about = knowledge(view, history)
    told = evidence(view.table.rules, history, about, [1, 2, 3], known, [])
    assert told.fitted is None
    for rival in range(3):
        *types, rule = told.posterior[:, rival]
        assert types == pytest.approx(known.prior, rel=1e-4)
        assert not rule


@pytest.mark.parametrize("number", range(4))
def test_the_stage_as_it_stands_is_the_one_that_was_played(number: int) -> None:
    rules = Rules(players=4)
    game = RandomGame(rules, random.Random(number)).play(2 * (3 + 4 * number) + 1)
    view, history = seat_view(game.state, 0), history_of(game.state, 0)
    now = now_of(view, sample(knowledge(view, history), 5, np.random.default_rng(1)))
    stage = game.state.stage
    for place, level in enumerate(stage.levels):
        assert (now.levels[place] == (-1 if level is None else level)).all()
        assert (now.life_preservers[place] == stage.life_preservers[place]).all()
    if view.hand:
        shown = {bid for told in view.table.rounds for bid in told.bids}
        assert (now.hands[:, 0] == np.array(view.hand)[:, None]).all()
        below = [len(set(range(1, card)) - shown) for card in view.hand]
        assert (now.below[:, 0] == np.array(below)[:, None]).all()


def test_what_finished_stages_say_is_kept_without_changing_a_card() -> None:
    """Two tables at once, with a memory that is warm, and each bid again with an empty one."""
    tables = []
    for number in range(2):
        game = RandomGame(Rules(players=3), random.Random(number)).play(2 * 14 + 1)
        tables.append((seat_view(game.state, 0), history_of(game.state, 0)))
    past_evidence.cache_clear()
    warm = [master(*table, random.Random(4)) for table in (*tables, *tables)]
    assert past_evidence.cache_info().hits
    assert past_evidence.cache_info().maxsize
    cold = []
    for table in tables:
        past_evidence.cache_clear()
        cold.append(master(*table, random.Random(4)))
    assert warm == cold * 2


# ------------------------------------------------------------------------------------ choices


@pytest.mark.parametrize("number", range(5))
def test_rollouts_find_the_card_that_avoids_an_elimination(number: int) -> None:
    """With the 60 one takes a 1; with any other card one stays highest, without a life preserver."""
    n = 40
    hands = np.array([(2, 30, 60), (3, 31, 59), (4, 32, 58), (5, 33, 57)], np.int8).T
    stages = Stages(
        Rules(players=4),
        np.repeat(hands[:, :, None], n, axis=2),
        np.repeat(hands[:, :, None] - np.int8(1), n, axis=2),
        np.repeat(np.array([[12], [2], [3], [4]], np.int8), n, axis=1),
        np.repeat(np.array([[0], [3], [3], [3]], np.int8), n, axis=1),
    )
    weights = np.zeros((len(CONTEXT), len(BASIS), 4, n), np.float32)
    view = view_of([seat(12, 0), seat(2), seat(3), seat(4)], (1, 6), [2, 30, 60])
    rng = np.random.default_rng(number)
    particles = Particles(stages, weights, np.arange(n))
    assert best_card(view, particles, rng, 600) == 60
