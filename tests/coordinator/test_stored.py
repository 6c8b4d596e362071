"""A game's actions as the store keeps them, and the game again."""

import random
from collections.abc import Callable

import pytest

from engine.actions import Action, Bid, SubstituteBid
from engine.deal import deal_game
from engine.editions import Edition, Rules
from engine.rules import forced_bids, legal_actions
from engine.state import GameState, Phase
from server.coordinator.messages import TableOptions
from server.coordinator.table.model import EMPTY, TableState
from server.coordinator.table.play import play, start
from server.coordinator.table.stored import Unreadable, from_stored, to_entries, to_row
from server.storage.store import Entry, StoredTable

SEED = bytes(range(32))


def folded(rules: Rules, entries: list[Entry]) -> GameState:
    """The game that a table with these entries has after a restart."""
    table = TableState(
        id="t1",
        title="Harbour",
        options=TableOptions(rules),
        created=0.0,
        seats=(EMPTY,) * rules.players,
        number=1,
        seed=SEED,
    )
    state, _ = from_stored(StoredTable("t1", to_row(table), 1, tuple(entries)))
    assert state.game is not None
    return state.game


def test_who_played_the_last_game_is_known_after_a_restart() -> None:
    table = TableState(
        id="t1",
        title="Harbour",
        options=TableOptions(Rules(players=3)),
        created=0.0,
        seats=(EMPTY,) * 3,
        played_by=("ada", "bo", "Puffin"),
    )
    row = to_row(table)
    state, _ = from_stored(StoredTable("t1", row, 0, ()))
    assert state.played_by == table.played_by
    earlier = {key: value for key, value in row.items() if key != "played_by"}
    state, _ = from_stored(StoredTable("t1", earlier, 0, ()))
    assert state.played_by == ()


def action_of(state: GameState, rng: random.Random) -> Action:
    """A bid of any seat, by its owner or by a bot; now and then in place of the one that lies there."""
    seats = [seat for seat, cards in enumerate(state.choices) if cards]
    legal = list(legal_actions(state, rng.choice(seats)))
    bid = rng.choice([action for action in legal if isinstance(action, Bid)])
    return SubstituteBid(*bid) if rng.random() < 0.3 else bid


@pytest.mark.parametrize(
    "rules",
    [Rules(players=3), Rules(players=5, stages=2), Rules(Edition.BGA, 6, 2, True)],
    ids=str,
)
def test_a_game_comes_back_from_its_entries_as_it_was_after_every_step(rules: Rules) -> None:
    rng = random.Random(str(rules))
    deal = deal_game(SEED, rules)
    step = play(start(rules, deal).state, deal, ())
    entries = to_entries(step.actions, 1.0)
    steps = 0
    while step.state.phase is not Phase.OVER:
        assert steps % 7 or folded(rules, entries) == step.state
        step = play(step.state, deal, (action_of(step.state, rng),))
        entries += to_entries(step.actions, 1.0)
        steps += 1
    assert not forced_bids(step.state)
    assert folded(rules, entries) == step.state


def of_round(change: Callable[[list[Entry]], object]) -> list[Entry]:
    """The first round of three players, and the second one's tides, with a ``change``."""
    rules = Rules(players=3)
    deal = deal_game(SEED, rules)
    step = play(start(rules, deal).state, deal, ())
    bids = [Bid(seat, step.state.choices[seat][0]) for seat in range(3)]
    entries = to_entries((*step.actions, *play(step.state, deal, bids).actions), 1.0)
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
    assert folded(Rules(players=3), of_round(lambda _: None)).stage.rounds
    with pytest.raises(Unreadable):
        folded(Rules(players=3), of_round(change))
