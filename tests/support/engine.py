"""Builders: games in the situation that a test is about, and games played at random."""

import random
from collections.abc import Sequence

from engine.actions import Action, Bid, TurnTides
from engine.cards import WEATHER_CARDS
from engine.deal import deal_game
from engine.editions import Edition, Rules, player_range
from engine.events import Event, RoundResolved
from engine.results import RoundResult
from engine.rules import apply, legal_actions, new_game
from engine.state import GameState, Phase

ALL_RULES = tuple(
    Rules(edition, players, stages, modified)
    for edition in Edition
    for players in player_range(edition)
    for stages in range(1, players + 1)
    for modified in ((False, True) if edition is Edition.BGA else (False,))
)

NOBODY: tuple[int, ...] = ()


def random_generator(seed: object = 7) -> random.Random:
    """A generator that gives the same game every time."""
    return random.Random(str(seed))


def hands_with(bids: Sequence[int | None], rules: Rules) -> tuple[tuple[int, ...], ...]:
    """A deal in which each seat holds the card that it is to bid, and the lowest others there are."""
    spare = iter([card for card in WEATHER_CARDS if card not in bids])
    return tuple(
        tuple(
            ([] if bid is None else [bid])
            + [next(spare) for _ in range(rules.hand_size - (bid is not None))]
        )
        for bid in bids
    )


def in_the_middle(
    rules: Rules,
    bids: Sequence[int | None],
    levels: Sequence[int] | None = None,
    left: Sequence[int] | None = None,
) -> GameState:
    """A stage in progress in which everybody can make the ``bids``; who bids ``None`` is eliminated.

    ``levels`` are the tide levels now (all dry when not given), ``left`` the life preservers (3 each).
    """
    state, _ = new_game(rules, hands_with(bids, rules))
    out = tuple(bid is None for bid in bids)
    stage = state.stage._replace(
        levels=tuple(levels or (0,) * rules.players),
        life_preservers=tuple(left or (0 if gone else 3 for gone in out)),
        eliminated=out,
    )
    return state._replace(stage=stage, missing=out.count(False))


def act(state: GameState, *actions: Action) -> tuple[GameState, tuple[Event, ...]]:
    """The state after all ``actions``, and everything that happened."""
    happened: tuple[Event, ...] = ()
    for action in actions:
        state, events = apply(state, action)
        happened += events
    return state, happened


def play_round(
    state: GameState, offer: tuple[int, int], bids: Sequence[int | None]
) -> tuple[GameState, tuple[Event, ...]]:
    """Turn ``offer`` up and make all ``bids``, in seat order."""
    made = [Bid(seat, card) for seat, card in enumerate(bids) if card is not None]
    return act(state, TurnTides(*offer), *made)


def result_of(events: tuple[Event, ...]) -> RoundResult:
    """What the one round resolved in ``events`` came to."""
    (found,) = [event.result for event in events if isinstance(event, RoundResolved)]
    return found


class RandomGame:
    """A game that is dealt from a seed, with bids drawn from a generator."""

    def __init__(self, rules: Rules, rng: random.Random) -> None:
        self.rng = rng
        self.seed = rng.randbytes(32)
        self.deal = deal_game(self.seed, rules)
        self.state, self.events = new_game(rules, self.deal.hands)
        self.actions: list[Action] = []

    def next_action(self) -> Action:
        """Something legal: the next tides, or a random bid of a random seat that still owes one."""
        state = self.state
        if state.phase is Phase.TIDES:
            return TurnTides(*self.deal.offer(state.stage.number, len(state.stage.rounds)))
        owing = [
            seat
            for seat in range(state.rules.players)
            if not state.bids[seat] and not state.stage.eliminated[seat]
        ]
        return self.rng.choice(list(legal_actions(state, self.rng.choice(owing))))

    def step(self) -> tuple[Event, ...]:
        """One more action."""
        action = self.next_action()
        self.state, events = apply(self.state, action)
        self.actions.append(action)
        self.events += events
        return events

    def play(self, actions: int = 1 << 30) -> "RandomGame":
        """So many actions, or to the end."""
        while self.state.phase is not Phase.OVER and len(self.actions) < actions:
            self.step()
        return self
