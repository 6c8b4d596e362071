"""Bids under seal: in any order, replaced, and revealed with the last one."""

from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.deal import deal_game
from engine.editions import Edition, Rules
from engine.rules import legal_actions
from engine.state import Phase
from server.coordinator.messages import BidSealed, GameEvent, RoundResolved
from server.coordinator.table.play import Bid, last_cards, no_bids, play, start
from tests.support.engine import ALL_RULES, RandomGame, random_generator


@st.composite
def bidding_games(draw: st.DrawFn) -> RandomGame:
    """A game in which bids are awaited, in any round but the last of a stage."""
    rules = draw(st.sampled_from(ALL_RULES))
    game = RandomGame(rules, random_generator(draw(st.integers(0, 1 << 20))))
    game.play(draw(st.integers(0, rules.stages * rules.rounds * 2)))
    assume(game.state.phase is not Phase.OVER)
    if game.state.phase is Phase.TIDES:
        game.step()
    assume(not last_cards(game.state))
    return game


def bids_in(game: RandomGame) -> list[Bid]:
    return [Bid(seat, card) for seat, card in enumerate(game.any_bids()) if card is not None]


def beside_seals(events: tuple[GameEvent, ...]) -> list[GameEvent]:
    return [event for event in events if not isinstance(event, BidSealed)]


@given(bidding_games())
def test_the_order_of_the_bids_changes_nothing(game: RandomGame) -> None:
    state, bids = game.state, bids_in(game)
    expected = play(state, no_bids(state), game.deal, bids)
    assert expected.game != state
    for order in list(permutations(bids))[::7]:
        played = play(state, no_bids(state), game.deal, order)
        assert (played.game, played.bids) == (expected.game, expected.bids)
        assert beside_seals(played.events) == beside_seals(expected.events)


@given(bidding_games())
def test_replacing_a_bid_leaves_nothing_behind(game: RandomGame) -> None:
    state, seat = game.state, bids_in(game)[0].seat
    cards = legal_actions(state, seat)
    direct = play(state, no_bids(state), game.deal, [Bid(seat, cards[-1])])
    replaced = play(state, no_bids(state), game.deal, [Bid(seat, card) for card in cards])
    assert (replaced.game, replaced.bids) == (direct.game, direct.bids)
    assert replaced.game is state
    assert replaced.events == direct.events == (BidSealed(seat),)


@pytest.mark.parametrize("rules", [Rules(players=5), Rules(Edition.BGA, 6, 3)], ids=str)
def test_the_last_card_of_every_hand_is_bid_for_its_player(rules: Rules) -> None:
    chance = random_generator(rules)
    deal = deal_game(chance.randbytes(32), rules)
    played = start(rules, deal)
    full = 0
    while played.game.phase is not Phase.OVER:
        hands = [legal_actions(played.game, seat) for seat in range(rules.players)]
        assert not last_cards(played.game), "these have been bid already"
        bids = [Bid(seat, chance.choice(hand)) for seat, hand in enumerate(hands) if hand]
        played = play(played.game, played.bids, deal, bids)
        resolved = [event for event in played.events if isinstance(event, RoundResolved)]
        if len(resolved) == 2:
            full += 1
            assert resolved[1].round == rules.rounds - 1
            own = [bid for bid in played.actions if isinstance(bid, Bid)][len(bids) :]
            assert {bid.card for bid in own} == {*resolved[1].result.bids} - {None}
    assert full
