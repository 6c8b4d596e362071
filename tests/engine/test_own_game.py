"""A finished game as one of its players knows it, while the deal is secret."""

import json

import pytest

from engine.bots.review import decisions
from engine.deal import deal_game
from engine.editions import Edition, Rules
from engine.errors import RecordError
from engine.records.outcome import own_game, own_replay
from engine.records.record_format import parse, record_of, write
from engine.records.replay import Replay, fold, moments_of
from engine.rules import dealt_hand_of, legal_actions, new_game, reveal, turn_tides
from engine.state import Phase
from engine.views import seat_view, table_view

SEED = bytes(range(32))


def played(rules: Rules, seed: bytes = SEED, *, rounds: int = 1000) -> Replay:
    """A game in which everybody bids the lowest card; broken off after so many rounds."""
    deal = deal_game(seed, rules)
    state = new_game(rules, deal.hands)
    while state.phase is not Phase.OVER:
        state = turn_tides(state, deal.offer(state.stage.number, len(state.stage.rounds)))
        if not rounds:
            break
        rounds -= 1
        hands = [legal_actions(state, seat) for seat in range(rules.players)]
        state = reveal(state, tuple(hand[0] if hand else None for hand in hands))
    more = {
        "table": "Bay",
        "seats": [{"kind": "human", "hints": [[1, 1]]}, *[{"kind": "bot"}] * (rules.players - 1)],
        "secret": "of a later version",
    }
    names = tuple("abcdef"[: rules.players])
    early = state.phase is not Phase.OVER
    return fold(record_of(state, names, seed=seed, more=more, ended_early=early))


@pytest.mark.parametrize("rules", [Rules(Edition.AMIGO, 4, 1), Rules(Edition.AMIGO, 5, 2)])
@pytest.mark.parametrize("rounds", [1, 3, 8])
def test_cards_that_never_were_seen_are_nowhere(rules: Rules, rounds: int) -> None:
    whole = played(rules, rounds=rounds)
    for seat in range(rules.players):
        seen = own_replay(whole, seat)
        known = {bid for stage in whole.record.stages for bids in stage.bids for bid in bids}
        stages = range(whole.last.stage.number + 1)
        known |= {
            card for n in stages for card in whole.last.deal[dealt_hand_of(seat, n, rules.players)]
        }
        unseen = {card for hand in whole.last.deal for card in hand} - known
        assert unseen
        hands = {card for step in seen.steps for hand in step.state.stage.hands for card in hand}
        hands |= {card for hand in (*seen.last.deal, *seen.record.deal) for card in hand}
        assert not unseen & hands
        for number, step in enumerate(seen.steps):
            before = whole.steps[number]
            assert step.events == before.events
            others = [hand for n, hand in enumerate(step.state.stage.hands) if n != seat]
            assert not any(map(any, others))


def test_neither_seed_nor_fields_of_others_are_in_it() -> None:
    whole = played(Rules(Edition.AMIGO, 4))
    seen = own_replay(whole, 1)
    assert SEED.hex() in whole.record.text
    assert SEED.hex() not in write(seen.record)
    fields = json.loads(seen.record.text)
    assert fields.keys() == {"table", "commitment", "seats"}
    assert fields["seats"] == ["human", "bot", "bot", "bot"]
    with pytest.raises(RecordError):
        parse(write(seen.record))


@pytest.mark.parametrize("assistance", [False, True])
def test_the_player_sees_the_same_as_in_playing(assistance: bool) -> None:
    rules = Rules(Edition.AMIGO, 4, 3, assistance=assistance)
    whole = played(rules)
    for seat in range(4):
        seen = own_replay(whole, seat)
        for now, then in zip(moments_of(seen), moments_of(whole), strict=True):
            assert (now.event, now.stage, now.round, now.result) == (
                *then[:3],
                then.result,
            )
            hidden = table_view(then.state)._replace(deal=())
            assert table_view(now.state)._replace(deal=()) == hidden
            mine, played_then = (
                seat_view(now.state, seat, hidden),
                seat_view(then.state, seat, hidden),
            )
            assert mine == played_then


def test_what_cannot_be_known_changes_nothing() -> None:
    """Two hands that exchange a card which neither has played, and the player never held."""
    rules = Rules(Edition.AMIGO, 4, 1)
    whole = played(rules, rounds=3)
    bids = {bid for stage in whole.record.stages for row in stage.bids for bid in row}
    hands = [list(hand) for hand in whole.record.deal]
    for one in hands[2]:
        for other in hands[3]:
            changed = [list(hand) for hand in hands]
            changed[2][changed[2].index(one)], changed[3][changed[3].index(other)] = other, one
            deal = tuple(tuple(sorted(hand)) for hand in changed)
            if {one, other} & bids:
                continue
            text = json.loads(whole.record.text) | {"deal": [list(hand) for hand in deal]}
            swapped = fold(parse(json.dumps(text)))
            if swapped.last.stage.start == whole.last.stage.start:
                assert own_replay(swapped, 0) == own_replay(whole, 0)
                assert swapped != whole
                return
    raise AssertionError("no such cards")


def test_the_own_hands_and_the_public_cards() -> None:
    whole = played(Rules(Edition.AMIGO, 4))
    own = own_game(own_replay(whole, 1), 1)
    assert own.hands == tuple(whole.last.deal[n] for n in (1, 0, 3, 2))
    assert own.stages == whole.record.stages
    assert own_replay(whole, 1).record.players == whole.record.players


@pytest.mark.parametrize("rules", [Rules(Edition.AMIGO, 4), Rules(Edition.BGA, 6, 2)])
def test_what_a_player_knew_at_each_bid_is_all_there(rules: Rules) -> None:
    whole = played(rules)
    for seat in range(rules.players):
        assert list(decisions(own_replay(whole, seat), seat)) == list(decisions(whole, seat))
