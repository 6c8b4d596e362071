"""Which cards the others may hold: what a seat knows for certain, and random hands that agree with it.

A dealt hand passes from seat to seat, so what is known of it from one stage holds in the next. A seat knows
its own hand, the hands it has held, every card that was revealed, and from the life preservers at the start
of a stage the sum of the halves on each hand, up to one half (rules.md, "Components").
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots.counting import known_hands
from engine.bots.simulator import Bytes, Ints
from engine.editions import WEATHER_CARDS, half_preservers
from engine.views import History, SeatView

_HALVES: Final = np.array([0, *map(half_preservers, WEATHER_CARDS)])
_KINDS: Final = 3
"""Cards with no, one and two halves."""
_BINOMIALS: Final = len(WEATHER_CARDS) + 1


class Knowledge(NamedTuple):
    """What a seat knows of the hands as they were dealt, by the seat that holds them in this stage."""

    known: tuple[frozenset[int], ...]
    """Cards of each seat's hand."""
    start: tuple[int, ...]
    """Life preservers of each hand."""
    pool: tuple[int, ...]
    """Cards that may be in any hand not known in full, or in the box; ascending."""
    size: int
    """Cards in a dealt hand."""

    @property
    def certain(self) -> bool:
        """Whether every hand is known in full."""
        return all(len(cards) == self.size for cards in self.known)


def knowledge(view: SeatView, history: History) -> Knowledge:
    """Return what the player with this view and history knows."""
    known = known_hands(view, history)
    taken = set().union(*known)
    return Knowledge(
        tuple(map(frozenset, known)),
        tuple([seat.start for seat in view.table.seats]),
        tuple([card for card in WEATHER_CARDS if card not in taken]),
        view.table.rules.hand_size,
    )


def sample(about: Knowledge, n: int, rng: np.random.Generator) -> Bytes:
    """Return [hand_size, players, n]: dealt hands drawn at random from all that agree with what is known,
    each as likely as the others; the cards of a hand ascend.
    """
    known = [np.array(sorted(cards), np.int8) for cards in about.known]
    if about.certain:
        hands = np.array(known).T
        return np.repeat(hands[:, :, None], n, axis=2)
    missing = [about.size - len(cards) for cards in known]
    halves = [
        2 * life - int(_HALVES[cards].sum()) for life, cards in zip(about.start, known, strict=True)
    ]
    pool = np.array(about.pool, np.int8)
    kinds = [pool[_HALVES[pool] == kind] for kind in range(_KINDS)]
    counts = _counts([len(cards) for cards in kinds], missing, halves, n, rng)
    out = np.empty((about.size, len(known), n), np.int8)
    for seat, cards in enumerate(known):
        out[: len(cards), seat] = cards[:, None]
        out[len(cards) :, seat] = 0
    filled = [len(cards) for cards in known]
    # Every kind is shuffled; the first cards go to the first seat, and so on.
    owners = np.zeros((n, len(pool)), np.int8)
    cards = np.empty((n, len(pool)), np.int8)
    column = 0
    for kind, those in enumerate(kinds):
        if not len(those):
            continue
        order = rng.random((n, len(those)), np.float32).argsort(axis=1)
        cards[:, column : column + len(those)] = those[order]
        ends = counts[kind].cumsum(axis=0)
        place = np.arange(len(those))
        owner = (place[None, :, None] >= ends.T[:, None, :]).sum(axis=2)
        owners[:, column : column + len(those)] = owner
        column += len(those)
    for seat, need in enumerate(missing):
        if need:
            mine = owners == seat
            out[filled[seat] :, seat] = cards[mine].reshape(n, need).T
    out.sort(axis=0)
    return out


def _counts(
    kinds: list[int], missing: list[int], halves: list[int], n: int, rng: np.random.Generator
) -> Ints:
    """Return [kind, players, n]: how many of the missing cards of each hand are of each kind.

    ``kinds``: cards of the pool of each kind. A hand misses ``missing`` cards with ``halves`` or one more.
    The chances are those of a random deal that agrees with all hands (a forward pass over the seats,
    weighted with the number of ways to fill the hands after them).
    """
    total = sum(kinds)
    options = [_options(need, sum_) for need, sum_ in zip(missing, halves, strict=True)]
    ways = _ways(kinds, missing, options)
    if not ways[0][kinds[1], kinds[2]]:
        # No deal agrees with the life preservers: they were not counted from these hands.
        options = [_options(need, None) for need in missing]
        ways = _ways(kinds, missing, options)
    out = np.zeros((_KINDS, len(missing), n), np.intp)
    ones = np.full(n, kinds[1])
    twos = np.full(n, kinds[2])
    left = total
    for seat, need in enumerate(missing):
        weights = np.array(
            [
                _choices(left, ones, twos, option)
                * ways[seat + 1][ones - option[1], twos - option[2]]
                for option in options[seat]
            ]
        )
        sums = weights.cumsum(axis=0)
        pick = (rng.random(n) * sums[-1] >= sums).sum(axis=0).clip(max=len(sums) - 1)
        out[:, seat] = np.array(options[seat]).T[:, pick]
        ones = ones - out[1, seat]
        twos = twos - out[2, seat]
        left -= need
    return out


@cache
def _options(need: int, halves: int | None) -> tuple[tuple[int, int, int], ...]:
    """Counts of the three kinds among ``need`` cards with ``halves`` in all, or one more; any sum if
    None.
    """
    found = [
        (need - ones - twos, ones, twos)
        for ones in range(need + 1)
        for twos in range(need - ones + 1)
        if halves is None or ones + 2 * twos in (halves, halves + 1)
    ]
    return tuple(found) or ((need, 0, 0),)


@cache
def _binomials() -> npt.NDArray[np.float64]:
    table = np.zeros((_BINOMIALS, _BINOMIALS))
    table[:, 0] = 1
    for row in range(1, _BINOMIALS):
        table[row, 1:] = table[row - 1, 1:] + table[row - 1, :-1]
    return table


def _choices(
    left: int, ones: npt.NDArray[np.intp], twos: npt.NDArray[np.intp], option: tuple[int, int, int]
) -> npt.NDArray[np.float64]:
    """Return the number of ways to draw the cards of ``option`` from ``left`` cards of these kinds."""
    zeros = np.maximum(left - ones - twos, 0)
    table = _binomials()
    return np.asarray(table[zeros, option[0]] * table[ones, option[1]] * table[twos, option[2]])


def _ways(
    kinds: list[int], missing: list[int], options: list[tuple[tuple[int, int, int], ...]]
) -> list[npt.NDArray[np.float64]]:
    """Return for each seat, and after the last: by the cards left with one and two halves, the ways to fill
    the hands from this seat on. The row and column at the end (index -1, -2, ...) are zero: they are what a
    negative number of cards looks up.
    """
    margin = max(missing) + 1
    ones, twos = np.meshgrid(np.arange(kinds[1] + 1), np.arange(kinds[2] + 1), indexing="ij")
    shape = (kinds[1] + 1 + margin, kinds[2] + 1 + margin)
    inner = (slice(0, kinds[1] + 1), slice(0, kinds[2] + 1))
    last = np.zeros(shape)
    last[inner] = 1
    tables = [last]
    left = sum(kinds) - sum(missing)
    for need, some in zip(reversed(missing), reversed(options), strict=True):
        left += need
        table = np.zeros(shape)
        for option in some:
            table[inner] += (
                _choices(left, ones, twos, option) * tables[-1][ones - option[1], twos - option[2]]
            )
        table[inner][ones + twos > left] = 0
        tables.append(table)
    return tables[::-1]
