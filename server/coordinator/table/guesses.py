"""Who is out of a stage guesses each round who takes the higher tide card, for a score of its own.

Guesses are seen by nobody until the round is revealed, and are not kept in the store.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.table.dispatch import By, check_round, command
from server.coordinator.table.state import Table
from server.coordinator.table.steps import Env, Step


@command(m.Guess)
def guess(table: Table, by: By, guessed: m.Guess, env: Env) -> Step:
    """A player who is out guesses, or guesses otherwise."""
    check_round(table, guessed)
    table.existing(guessed.seat)
    assert table.game is not None
    out = table.game.stage.eliminated
    m.refuse_if(not out[by.seat] or out[guessed.seat], m.Refusal.NO_GUESS)
    return Step(replace(table, guesses={**table.guesses, by.seat: guessed.seat}))


def scored(table: Table, events: Sequence[m.Happening]) -> Table:
    """The same once a round has been revealed, if ``events`` say so: right is who took a tide card as high as
    the higher one.
    """
    result = next((each.result for each in events if isinstance(each, m.RoundResolved)), None)
    if result is None or not table.guesses:
        return table
    low, high = result.offer
    right = result.takers if low == high else result.takers[1:]
    guessed = dict(table.guessed)
    for number, seat in table.guesses.items():
        before, made = guessed.get(number, (0, 0))
        guessed[number] = (before + (seat in right), made + 1)
    return replace(table, guesses={}, guessed=guessed)
