"""A game's actions as the store keeps them, and the game again."""

from collections.abc import Callable

import pytest

from engine.deal import deal_game
from engine.editions import Rules
from engine.state import GameState
from server.coordinator.messages import TableOptions
from server.coordinator.table.play import Bid, Bids, play, start
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
