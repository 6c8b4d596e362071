"""An outside yardstick: OpenSpiel's information-set MCTS at our table, and our bots at the same table.

`python -m bench.strength.openspiel [--help]`; it needs `pip install open_spiel`, which nothing else does.

A stage is a game for OpenSpiel: the cards are dealt and the tides turned by chance, and everybody bids in
turn without seeing the bids before. Its states are those of ``engine.rules``. Its search (``ISMCTSBot``, the
version for games written in Python) gets hands that agree with all that its seat knows, as ``master`` does,
and evaluates by random bids to the end of the stage. The simulations are as many as fit in the time of a bid.
"""

import argparse
import random
from collections.abc import Sequence
from functools import partial
from math import comb
from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from bench.strength.deals import held_out
from bench.strength.matches import figures, play_deal
from engine.bots import bot
from engine.bots.hands import knowledge, sample
from engine.editions import TIDE_COPIES, WEATHER_CARDS, Rules
from engine.rules import legal_actions, legal_tides, new_game, reveal, turn_tides
from engine.state import Cards, GameState
from engine.views import History, SeatView

_EXPLORATION: Final = 2.0
"""The factor of UCT: points of a stage spread about as widely."""
_TIDES: Final = 13
_SEED_BITS: Final = 32

_TYPE: Final = pyspiel.GameType(
    short_name="python_turn_the_tide",
    long_name="Turn the Tide, one stage",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=3,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"players": 4},
)


class TurnTheTide(pyspiel.Game):
    """One stage (edition ``amigo``)."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        players = (params or {}).get("players", 4)
        self.rules = Rules(players=players, stages=1)
        bids = self.rules.hand_size * players
        info = pyspiel.GameInfo(
            num_distinct_actions=WEATHER_CARDS[-1] + 1,
            max_chance_outcomes=_TIDES * _TIDES,
            num_players=players,
            min_utility=-1.0,
            max_utility=float(self.rules.hand_size + 1),
            utility_sum=None,
            max_game_length=bids,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> "StageOfTheTide":
        """Return the state before the first card is dealt."""
        return StageOfTheTide(self)


class StageOfTheTide(pyspiel.State):
    """A state of ``engine.rules`` and the bids that are not revealed yet."""

    def __init__(self, game: TurnTheTide) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._cards: list[int] = []
        self._state: GameState | None = None
        self._bids: list[int | None] = []

    def begin(self, state: GameState) -> None:
        """Go on from there."""
        self._state, self._bids = state, []
        self._pass_over_the_eliminated()

    def current_player(self) -> int:
        """Return whose turn it is."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self._state is None or self._state.offer is None:
            return int(pyspiel.PlayerId.CHANCE)
        return len(self._bids)

    def is_terminal(self) -> bool:
        """Whether the stage is over."""
        return self._state is not None and self._state.over

    def _legal_actions(self, player: int) -> list[int]:
        assert self._state is not None
        return list(legal_actions(self._state, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return a card of those not dealt yet, or a pair of tides (lower * 13 + higher)."""
        if self._state is None:
            left = [card for card in WEATHER_CARDS if card not in self._cards]
            return [(card, 1 / len(left)) for card in left]
        turned = self._state.turned
        ways = {}
        for low, high in legal_tides(self._state):
            first, second = TIDE_COPIES - turned[low], TIDE_COPIES - turned[high]
            ways[low * _TIDES + high] = comb(first, 2) if low == high else first * second
        total = sum(ways.values())
        return [(pair, count / total) for pair, count in ways.items()]

    def _apply_action(self, action: int) -> None:
        if self._state is None:
            self._cards.append(action)
            size, players = self._rules.hand_size, self._rules.players
            if len(self._cards) == size * players:
                deal = [self._cards[size * seat : size * (seat + 1)] for seat in range(players)]
                self._state = new_game(self._rules, tuple(map(tuple, deal)))
        elif self._state.offer is None:
            self._state = turn_tides(self._state, divmod(action, _TIDES))
            self._bids = []
            self._pass_over_the_eliminated()
        else:
            self._bids.append(action)
            self._pass_over_the_eliminated()

    def _pass_over_the_eliminated(self) -> None:
        state = self._state
        assert state is not None
        if state.offer is None:
            return
        while len(self._bids) < self._rules.players and not state.stage.hands[len(self._bids)]:
            self._bids.append(None)
        if len(self._bids) == self._rules.players:
            self._state = reveal(state, self._bids)
            self._bids = []

    def finish(self, chance: random.Random) -> None:
        """Play to the end with random bids and tides, past OpenSpiel, which takes many times as long."""
        state, bids = self._state, self._bids
        assert state is not None
        tides = range(1, self._rules.highest_tide + 1)
        deck = [t for t in tides for _ in range(TIDE_COPIES - state.turned[t])]
        chance.shuffle(deck)
        while not state.over:
            if state.offer is None:
                state = turn_tides(state, (deck.pop(), deck.pop()))
                bids = []
            rest = state.stage.hands[len(bids) :]
            state = reveal(
                state, [*bids, *(chance.choice(hand) if hand else None for hand in rest)]
            )
        self._state, self._bids = state, []

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE or self._state is None:
            return str(action)
        return "tides {} and {}".format(*divmod(action, _TIDES))

    def information_state_string(self, player: int | None = None) -> str:
        """Return what a player knows: the own hand and bid, and all that was revealed."""
        seat = self.current_player() if player is None else player
        state = self._state
        if state is None:
            return ""
        shown = [(told.offer, told.bids) for told in state.stage.rounds]
        own = self._bids[seat] if seat < len(self._bids) else None
        return f"{seat} {state.deal[seat]} {state.stage.start} {shown} {state.offer} {own}"

    def returns(self) -> list[float]:
        """Return points of the stage."""
        if self._state is None or not self._state.over:
            return [0.0] * self._rules.players
        return [float(score) for score in self._state.scores]

    def __str__(self) -> str:
        return f"{self._state} {self._bids}"


pyspiel.register_game(_TYPE, TurnTheTide)


class _RandomBids:
    """Evaluates a state by playing on from it with random bids and tides."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def prior(self, state: StageOfTheTide) -> list[tuple[int, float]]:
        """All cards alike."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]

    def evaluate(self, state: StageOfTheTide) -> list[float]:
        """Return everybody's points. ``state`` was made for one simulation, so that it need not be copied."""
        state.finish(self._chance)
        return state.returns()


def ismcts(simulations: int, view: SeatView, history: History, chance: random.Random) -> int:
    """Return the card that OpenSpiel's search finds after so many simulations."""
    rng = np.random.RandomState(chance.getrandbits(_SEED_BITS))
    game = TurnTheTide({"players": len(view.table.seats)})
    about = knowledge(view, history)
    drawn = sample(about, simulations + 1, np.random.default_rng(chance.getrandbits(_SEED_BITS)))
    worlds = iter(drawn.transpose(2, 1, 0).tolist())

    def world(*_: object) -> StageOfTheTide:
        state = game.new_initial_state()
        state.begin(_replayed(game.rules, view, [tuple(hand) for hand in next(worlds)]))
        for _seat in range(view.seat):
            if state.current_player() != view.seat:
                legal = state.legal_actions()
                state.apply_action(legal[rng.randint(len(legal))])
        return state

    search = ISMCTSBot(game, _RandomBids(chance), _EXPLORATION, simulations, random_state=rng)
    search.set_resampler(world)
    return int(search.step(world()))


def _replayed(rules: Rules, view: SeatView, hands: Sequence[Cards]) -> GameState:
    """Return the stage in progress with these dealt hands, as the first stage of a game."""
    state = new_game(rules, tuple(hands))
    for told in view.table.rounds:
        state = turn_tides(state, told.offer)
        state = reveal(state, told.bids)
    assert view.table.offer is not None
    return turn_tides(state, view.table.offer)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print what each player got."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength.openspiel",
        description="OpenSpiel's ISMCTS and our bots against held-out opponents.",
    )
    parser.add_argument("--bots", nargs="*", default=["expert", "master"])
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--simulations", type=int, nargs="*", default=[25, 250])
    chosen = parser.parse_args(arguments)
    rules = Rules(players=chosen.players)
    players: dict[str, Any] = {
        f"ISMCTS, {number} simulations": partial(ismcts, number) for number in chosen.simulations
    }
    players |= {name: bot(name) for name in chosen.bots}
    draw = partial(held_out, rules.players - 1)
    for name, player in players.items():
        deals = range(chosen.deals)
        one = figures([play_deal(rules, player, draw, f"openspiel {deal}") for deal in deals])
        print(
            f"{name}: {one.points:.3f} ± {one.error:.3f} points a stage, {one.wins:.3f} of the "
            f"games won, {one.median:.1f} ms a bid (99%: {one.p99:.1f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
