"""A game's actions as the store keeps them, and the game again."""

import random
from collections.abc import Callable

import pytest

from engine.deal import deal_game
from engine.editions import Edition, Rules
from engine.state import GameState
from server.coordinator.messages import TableOptions
from server.coordinator.table.play import Bid, Bids, last_cards, play, start
from server.coordinator.table.state import EMPTY, Table
from server.coordinator.table.stored import Unreadable, from_stored, to_entries, to_row
from server.storage.table_store import Entry, StoredTable

SEED = bytes(range(32))


def folded(rules: Rules, entries: list[Entry]) -> tuple[GameState, Bids]:
    """The game, and the sealed bids, that a table with these entries has after a restart."""
    table = Table(
        id="t1",
        title="Harbour",
        options=TableOptions(rules),
        created=0.0,
        seats=(EMPTY,) * rules.players,
        number=1,
        seed=SEED,
    )
    state = from_stored(StoredTable("t1", to_row(table), 1, tuple(entries), 1))
    assert state.game is not None
    return state.game, state.bids


def bid_of(state: GameState, rng: random.Random) -> Bid:
    """A bid of any seat, by its owner or by a bot; now and then in place of the one that lies there."""
    seat = rng.choice([seat for seat, hand in enumerate(state.stage.hands) if hand])
    return Bid(seat, rng.choice(state.stage.hands[seat]), substitute=rng.random() < 0.3)


@pytest.mark.parametrize(
    "rules",
    [Rules(players=3), Rules(players=5, stages=2), Rules(Edition.BGA, 6, 2, True)],
    ids=str,
)
def test_a_game_comes_back_from_its_entries_as_it_was_after_every_step(rules: Rules) -> None:
    rng = random.Random(str(rules))
    deal = deal_game(SEED, rules)
    step = start(rules, deal)
    entries = to_entries(step.actions, 1.0)
    steps = 0
    while not step.game.over:
        assert steps % 7 or folded(rules, entries) == (step.game, step.bids)
        step = play(step.game, step.bids, deal, [bid_of(step.game, rng)])
        entries += to_entries(step.actions, 1.0)
        steps += 1
    assert not last_cards(step.game)
    assert folded(rules, entries) == (step.game, step.bids)


def of_round(change: Callable[[list[Entry]], object]) -> list[Entry]:
    """The first round of three players, and the second one's tides, with a ``change``."""
    rules = Rules(players=3)
    deal = deal_game(SEED, rules)
    step = start(rules, deal)
    bids = [Bid(seat, step.game.stage.hands[seat][0]) for seat in range(3)]
    played = play(step.game, step.bids, deal, bids)
    entries = to_entries((*step.actions, *played.actions), 1.0)
    assert [entry[0] for entry in entries] == ["tides", "bid", "bid", "bid", "tides"]
    change(entries)
    return entries


@pytest.mark.parametrize(
    "change",
    [
        lambda entries: entries.pop(2),
        lambda entries: entries.pop(0),
        lambda entries: entries.pop(),
        lambda entries: entries.insert(2, ["bid", 0, 61, 1.0]),
        lambda entries: entries.insert(2, ["bid", 3, 1, 1.0]),
        lambda entries: entries.insert(4, entries[3]),
        lambda entries: entries[1].__setitem__(0, "bet"),
        lambda entries: entries[1].__setitem__(1, -3),
        lambda entries: entries[1].__setitem__(1, [0]),
        lambda entries: entries[1].__setitem__(2, entries[2][2]),
        lambda entries: entries[1].append(0),
    ],
)
def test_a_round_that_cannot_have_been_played_is_found_out(
    change: Callable[[list[Entry]], object],
) -> None:
    assert folded(Rules(players=3), of_round(lambda _: None))[0].stage.rounds
    with pytest.raises(Unreadable):
        folded(Rules(players=3), of_round(change))
