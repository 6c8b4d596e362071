"""Every edition, number of players and option with every bot: whole games, watched at every step."""

import random

import pytest

from engine.bots import BOTS, choose, master
from engine.editions import Rules
from engine.records.outcome import resolve
from engine.records.record_format import parse, record_of, write
from engine.records.replay import check_seed, fold
from engine.rules import legal_actions, reveal
from engine.state import GameState, Phase
from engine.views import history_of, seat_view, table_view
from tests.support.bots import EVERY_STRATEGY
from tests.support.engine import ALL_RULES, RandomGame


@pytest.fixture(autouse=True)
def _few_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest bot thinks less than it does in a game, in the same way."""
    monkeypatch.setattr(master, "ROLLOUTS", 60)


WHOLE = [rules for rules in ALL_RULES if rules.stages in (2, rules.players)]


def bids_of_bots(state: GameState, strategy: str, rngs: list[random.Random]) -> list[int | None]:
    """What each seat's bot bids; it sees its seat's view and nothing else."""
    table = table_view(state)
    return [
        choose(strategy, seat_view(state, seat, table), history_of(state, seat), rngs[seat])
        if hand
        else None
        for seat, hand in enumerate(state.stage.hands)
    ]


def check(state: GameState) -> None:
    """No card is lost or doubled, and nobody has less than nothing."""
    stage = state.stage
    held = [card for hand in stage.hands for card in hand]
    played = [card for told in stage.rounds for card in told.bids if card is not None]
    dealt = [card for hand in state.deal for card in hand]
    assert len({*held, *played}) == len(held + played)
    assert set(held + played) <= set(dealt)
    assert any(stage.eliminated) or len(held + played) == len(dealt)
    assert min(stage.life_preservers) >= 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "strategy"),
    # Of those that think, short games of the strongest: whole ones take a minute each.
    [
        (rules, name)
        for name, row in BOTS.items()
        for rules in WHOLE
        if not row.thinks or (rules.stages == 2 and not row.slips)
    ],
    ids=lambda value: (
        value
        if isinstance(value, str)
        else f"{value.edition.value}-{value.players}-{value.stages}"
        f"{'-modified' * value.modified_drowning}"
    ),
)
def test_whole_games(rules: Rules, strategy: str) -> None:
    game = RandomGame(rules, random.Random(f"{rules} {strategy}"))
    rngs = [random.Random(f"{seat}") for seat in range(rules.players)]
    while game.state.phase is not Phase.OVER:
        game.step()
        state = game.state
        bids = bids_of_bots(state, strategy, rngs)
        for seat, card in enumerate(bids):
            assert card is None or card in legal_actions(state, seat)
        game.state = reveal(state, bids)
        check(game.state)
    names = tuple(f"{strategy} {seat}" for seat in range(rules.players))
    record = record_of(game.state, names, seed=game.seed)
    assert parse(write(record)) == record
    assert fold(record).last == game.state
    assert check_seed(record) == ()
    report = resolve(record)
    assert report.complete
    assert report.scores == game.state.scores
    assert report.winners == game.state.winners


@pytest.mark.parametrize("strategy", EVERY_STRATEGY)
def test_the_same_view_and_generator_give_the_same_bid(strategy: str) -> None:
    game = RandomGame(Rules(), random.Random("same")).play(3 * 2 + 1)
    for seat in range(4):
        view = seat_view(game.state, seat)
        history = history_of(game.state, seat)
        first, again = (choose(strategy, view, history, random.Random(1)) for _ in range(2))
        assert first == again
