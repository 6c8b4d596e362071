"""What weaker bots forget, overlook and cannot resist; on what is left they bid as the bot they are."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from engine.bots import BOTS, LADDER, bot
from engine.bots.manners import MANNERS, Slips, slipping
from engine.deal import deal_game
from engine.rules import new_game, reveal, turn_tides
from engine.views import NOTHING, History, OwnHand, PastStage, SeatView, history_of, seat_view
from tests.support.bots import KINDS, seat, view_of

BEFORE = History((PastStage((5, 5, 5), (), (3, 2, 1)),), ((1, 2, 3),))
VIEW = view_of(
    [seat(played=[10]), seat(3, played=[20], earlier=[30]), seat(played=[40])],
    (2, 9),
    [5, 6, 50],
    own_earlier=[OwnHand(1, (7, 8))],
)


@dataclass
class Noting:
    """Bids its lowest card, and keeps what it was asked about."""

    asked: list[tuple[SeatView, History]] = field(default_factory=list)

    def __call__(
        self, view: SeatView, history: History, _rng: random.Random, _manner: str = ""
    ) -> int:
        self.asked.append((view, history))
        return view.hand[0]


def believed(slips: Slips, view: SeatView = VIEW) -> tuple[SeatView, History]:
    """What the bot is asked about."""
    note = Noting()
    assert slipping(note, slips)(view, BEFORE, random.Random(1)) == view.hand[0]
    (asked,) = note.asked
    return asked


def test_without_slips_a_bot_sees_all_there_is() -> None:
    assert believed(Slips()) == (VIEW, BEFORE)


def test_who_forgets_earlier_stages_knows_no_hand_from_them() -> None:
    view, history = believed(Slips(hands=1.0))
    assert history == NOTHING
    assert view.own_earlier == ()
    assert [seat.earlier for seat in view.table.seats] == [(), (), ()]
    assert [seat.played for seat in view.table.seats] == [(10,), (20,), (40,)]


def test_who_forgets_cards_takes_them_for_unseen() -> None:
    view, _ = believed(Slips(hands=1.0, cards=1.0))
    assert [seat.played for seat in view.table.seats] == [(), (), ()]
    assert (view.hand, view.dealt) == (VIEW.hand, VIEW.dealt)


def test_who_remembers_a_hand_forgets_none_of_its_cards() -> None:
    assert believed(Slips(cards=1.0)) == (VIEW, BEFORE)


def test_an_overlooked_tide_is_taken_for_the_other_one_but_not_at_the_end() -> None:
    view, _ = believed(Slips(tide=1.0))
    assert view.table.offer == (2, 2)
    last = VIEW._replace(hand=(5, 6))
    assert believed(Slips(tide=1.0), last) == (last, BEFORE)


def test_who_is_tempted_bids_the_highest_card_for_a_low_tide_and_does_not_think() -> None:
    note = Noting()
    player = slipping(note, Slips(tempted=1.0, tempting=2))
    assert player(VIEW, BEFORE, random.Random(1)) == 50
    assert not note.asked
    higher = VIEW._replace(table=VIEW.table._replace(offer=(3, 9)))
    assert player(higher, BEFORE, random.Random(1)) == 5


def test_slips_happen_as_often_as_they_say() -> None:
    note = Noting()
    player, chance = slipping(note, Slips(tempted=0.25)), random.Random(7)
    tempted = sum(player(VIEW, BEFORE, chance) == 50 for _ in range(4_000))
    assert 900 < tempted < 1_100


def positions(chance: random.Random) -> Iterator[tuple[SeatView, History]]:
    """One choice of each game, at any time in it, where everybody has bid any card."""
    while True:
        rules = replace(chance.choice(KINDS), assistance=chance.random() < 0.5)
        deal = deal_game(chance.randbytes(32), rules)
        state = new_game(rules, deal.hands)
        seen = []
        while not state.over:
            stage = state.stage
            state = turn_tides(state, deal.offer(stage.number, len(stage.rounds)))
            bids = [chance.choice(hand) if hand else None for hand in state.stage.hands]
            seen += [(state, seat) for seat, hand in enumerate(state.stage.hands) if len(hand) > 1]
            state = reveal(state, bids)
        before, number = chance.choice(seen)
        yield seat_view(before, number), history_of(before, number)


@pytest.mark.parametrize(("strategy", "count"), [("tidal", 150), ("expert", 60), ("master", 20)])
def test_whatever_slips_and_whatever_the_manner_the_card_is_one_of_the_hand(
    strategy: str, count: int
) -> None:
    chance = random.Random(strategy)
    for (view, history), _ in zip(positions(chance), range(count), strict=False):
        hands, cards, tide, tempted = [chance.choice((0.0, 0.5, 1.0)) for _ in range(4)]
        slips = Slips(hands, cards if strategy == "tidal" else 0.0, tide, tempted)
        manner = chance.choice(["", *MANNERS])
        assert slipping(bot(strategy), slips)(view, history, chance, manner) in view.hand


def test_the_best_of_the_ladder_makes_no_slips() -> None:
    assert BOTS[LADDER[-1]].slips is None
