"""A round at the table: bids are sealed here until all are in, and then the rules resolve them.

What follows without anybody choosing is done at once: the tides are turned up whenever the rules wait for
them, and the last card of every hand is bid.
"""

from collections.abc import Iterable
from typing import NamedTuple

from engine.deal import GameDeal
from engine.editions import Rules
from engine.rules import check_bid, legal_actions, new_game, reveal, turn_tides
from engine.state import GameState, Phase
from server.coordinator.messages import BidSealed, BidsPlayed, GameEvent, game_events

Bids = tuple[int | None, ...]
"""The sealed bid of each seat; ``None`` where there is none."""


class Tides(NamedTuple):
    """Two tide cards were turned up, as they lay in the deck."""

    first: int
    second: int


class Bid(NamedTuple):
    """``seat`` bids ``card``, also in place of the card that it bid before."""

    seat: int
    card: int
    substitute: bool = False
    """A bot chose it for an absent player, who may replace it."""


Action = Tides | Bid
"""What the store keeps of a game: the rest follows from it."""


class Played(NamedTuple):
    """Where a game has got to, and how."""

    game: GameState
    bids: Bids
    actions: tuple[Action, ...]
    """What was done, in order."""
    events: tuple[GameEvent, ...]


def start(rules: Rules, deal: GameDeal) -> Played:
    """A new game; the first tides are on offer."""
    game = new_game(rules, deal.hands)
    played = play(game, no_bids(game), deal)
    return played._replace(events=(*game_events(game), *played.events))


def start_after(rules: Rules, deal: GameDeal, stages: BidsPlayed) -> Played:
    """A new game in which these bids have been made, without their events. Raises ``IllegalAction``."""
    played = start(rules, deal)
    actions = played.actions
    for stage, rounds in enumerate(stages):
        for number, bids in enumerate(rounds):
            here = played.game.stage
            # The last cards of a stage have been bid by themselves.
            if (here.number, len(here.rounds)) == (stage, number) and not played.game.over:
                new = [Bid(seat, card) for seat, card in enumerate(bids) if card]
                played = play(played.game, played.bids, deal, new)
                actions += played.actions
    return played._replace(actions=actions, events=())


def play(game: GameState, bids: Bids, deal: GameDeal, new: Iterable[Bid] = ()) -> Played:
    """Seal ``new`` bids and do everything that follows. Raises ``IllegalAction``; then nothing was done."""
    actions: list[Action] = []
    events: list[GameEvent] = []
    while True:
        for bid in new:
            before, others = game, bids
            game, bids = seal(game, bids, bid.seat, bid.card)
            actions.append(bid)
            if not others[bid.seat]:  # nobody may see that a bid is replaced
                events.append(BidSealed(bid.seat))
            if game is not before:
                events += game_events(game)
        if game.phase is not Phase.TIDES:
            return Played(game, bids, tuple(actions), tuple(events))
        tides = Tides(*deal.offer(game.stage.number, len(game.stage.rounds)))
        game = turn_tides(game, tides)
        actions.append(tides)
        events += game_events(game)
        new = last_cards(game)


def seal(game: GameState, bids: Bids, seat: int, card: int) -> tuple[GameState, Bids]:
    """Seal one bid, or replace it; the last one of a round reveals them all. Raises ``IllegalAction``."""
    check_bid(game, seat, card)
    bids = (*bids[:seat], card, *bids[seat + 1 :])
    if len(bids) - bids.count(None) < game.stage.inside:
        return game, bids
    return reveal(game, bids), no_bids(game)


def no_bids(game: GameState) -> Bids:
    """Nobody has bid."""
    return (None,) * game.rules.players


def last_cards(game: GameState) -> list[Bid]:
    """The bids that nobody has to choose: the last card of every hand (rules.md, "A round", 2)."""
    hands = [legal_actions(game, seat) for seat in range(game.rules.players)]
    return [Bid(seat, hand[0]) for seat, hand in enumerate(hands) if len(hand) == 1]
