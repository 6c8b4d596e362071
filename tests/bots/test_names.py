"""The names of bots at a table."""

from engine.bots.manners import NAMES
from engine.editions import MAX_PLAYERS


def test_there_are_enough_that_differ_and_fit_everywhere() -> None:
    assert len({name.casefold() for name in NAMES}) == len(NAMES) >= 2 * MAX_PLAYERS
    assert all(name.isascii() and name.isalpha() and len(name) <= 8 for name in NAMES)
