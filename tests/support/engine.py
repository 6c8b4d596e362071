"""Builders: games in the situation that a test is about, and games played at random."""

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from engine.deal import deal_game
from engine.editions import WEATHER_CARDS, Edition, Rules, player_range
from engine.rules import (
    Event,
    RoundResolved,
    dealt_hand_of,
    events_of,
    legal_actions,
    new_game,
    reveal,
    turn_tides,
)
from engine.state import Cards, GameState, Phase, RoundResult

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
    state = new_game(rules, hands_with(bids, rules))
    out = [bid is None for bid in bids]
    water = zip(out, levels or (0,) * rules.players, strict=True)
    stage = state.stage._replace(
        hands=tuple(
            () if gone else hand for gone, hand in zip(out, state.stage.hands, strict=True)
        ),
        levels=tuple(None if gone else level for gone, level in water),
        life_preservers=tuple(left or (0 if gone else 3 for gone in out)),
    )
    return state._replace(stage=stage)


def play_round(
    state: GameState, offer: tuple[int, int], bids: Sequence[int | None]
) -> tuple[GameState, tuple[Event, ...]]:
    """Turn ``offer`` up and reveal ``bids``: the state afterwards, and everything that happened."""
    turned = turn_tides(state, offer)
    resolved = reveal(turned, bids)
    return resolved, events_of(turned) + events_of(resolved)


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
        self.state = new_game(rules, self.deal.hands)
        self.events = events_of(self.state)
        self.steps = 0
        """How often tides were turned up or bids revealed."""

    def any_bids(self) -> tuple[int | None, ...]:
        """A card of everybody who is still in."""
        hands = [legal_actions(self.state, seat) for seat in range(self.state.rules.players)]
        return tuple(self.rng.choice(hand) if hand else None for hand in hands)

    def step(self) -> tuple[Event, ...]:
        """The next tides, or everybody's bids."""
        stage = self.state.stage
        if self.state.phase is Phase.TIDES:
            offer = self.deal.offer(stage.number, len(stage.rounds))
            self.state = turn_tides(self.state, offer)
        else:
            self.state = reveal(self.state, self.any_bids())
        self.steps += 1
        events = events_of(self.state)
        self.events += events
        return events

    def play(self, steps: int = 1 << 30) -> "RandomGame":
        """So many steps, two a round, or to the end."""
        while self.state.phase is not Phase.OVER and self.steps < steps:
            self.step()
        return self


SPECTATOR = -1


def cards_known_to(state: GameState, viewer: int) -> set[int]:
    """Every card of which ``viewer`` may know in whose hand it is."""
    players = state.rules.players
    now = state.stage.number
    known = {card for result in state.stage.rounds for card in result.bids if card is not None}
    if viewer != SPECTATOR:
        known.update(state.deal[dealt_hand_of(viewer, now, players)])
    if state.rules.assistance:
        for number in range(now):
            if viewer != SPECTATOR:
                known.update(state.deal[dealt_hand_of(viewer, number, players)])
            for result in state.finished[number].rounds:
                known.update(card for card in result.bids if card is not None)
    return known


def otherwise_hidden(state: GameState, viewer: int, rng: random.Random) -> GameState:
    """The same game as far as ``viewer`` may know it, and different in everything else."""
    players = state.rules.players
    stage = state.stage
    known = cards_known_to(state, viewer)
    free = [card for card in range(1, 61) if card not in known]
    rng.shuffle(free)
    hands: list[Cards] = []
    deal = list(state.deal)
    for seat, hand in enumerate(stage.hands):
        if seat == viewer:
            hands.append(hand)
            continue
        played = [card for result in stage.rounds if (card := result.bids[seat]) is not None]
        number = dealt_hand_of(seat, stage.number, players)
        # Of who is eliminated these have been put away.
        unplayed = [card for card in deal[number] if card not in played]
        kept = [card for card in unplayed if card in known]
        new = tuple(sorted([*kept, *(free.pop() for _ in range(len(unplayed) - len(kept)))]))
        hands.append(new if hand else ())
        deal[number] = tuple(sorted([*played, *new]))
    # Without assistance not even the revealed cards of earlier stages are shown.
    finished = state.finished
    if not state.rules.assistance:
        finished = tuple(result._replace(rounds=result.rounds[:1]) for result in finished)
    return state._replace(
        deal=tuple(deal),
        finished=finished,
        stage=stage._replace(hands=tuple(hands)),
    )


@st.composite
def games_under_way(draw: st.DrawFn, most: int = 300) -> tuple[GameState, random.Random]:
    """A game after ``most`` steps at most that is not over, and a generator for what else is random."""
    rng = random_generator(draw(st.integers(0, 1 << 20)))
    rules = replace(draw(st.sampled_from(ALL_RULES)), assistance=draw(st.booleans()))
    state = RandomGame(rules, rng).play(draw(st.integers(0, most))).state
    assume(state.phase is not Phase.OVER)
    return state, rng
