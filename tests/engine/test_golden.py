"""What seeded games of every kind came to when the rules were first tested, in one number.

A change that only makes the rules faster or clearer leaves it as it is. The games' shuffles and choices rest
on SHA-256 and on ``random.random``, which Python promises to keep. At that time each bid was an action of its
own, which said ``(seat,)``; the last of a round was followed by what it came to.
"""

import hashlib
import json
import random

from engine.deal import deal_game
from engine.editions import Rules
from engine.rules import events_of, legal_actions, new_game, reveal, turn_tides
from engine.state import Phase
from tests.support.engine import ALL_RULES

GAMES_OF_EACH = 5
DIGEST = "8113f09b0ac19fd45c3ca90512f723fcb6e74e9cd1ae6a58ea850d1a406e242a"


def game(rules: Rules, number: int) -> list[tuple[object, ...]]:
    """Everything that happened in a game of random bids, in seat order from a random seat on."""
    chance = random.Random(number)
    deal = deal_game(number.to_bytes(32, "big"), rules)
    state = new_game(rules, deal.hands)
    happened: list[tuple[object, ...]] = [events_of(state)]
    while state.phase is not Phase.OVER:
        offer = deal.offer(state.stage.number, len(state.stage.rounds))
        state = turn_tides(state, offer)
        happened.append(events_of(state))
        first = int(chance.random() * rules.players)
        bids: list[int | None] = [None] * rules.players
        for place in range(rules.players):
            seat = (first + place) % rules.players
            cards = legal_actions(state, seat)
            if cards:
                bids[seat] = cards[int(chance.random() * len(cards))]
                happened.append(((seat,),))
        state = reveal(state, bids)
        happened[-1] += events_of(state)
    return happened


def test_the_games_are_still_the_same() -> None:
    digest = hashlib.sha256()
    for number, rules in enumerate(ALL_RULES):
        for turn in range(GAMES_OF_EACH):
            events = game(rules, number * GAMES_OF_EACH + turn)
            digest.update(json.dumps(events).encode())
    assert digest.hexdigest() == DIGEST
