"""A finished game as one of its players knows it, while the deal is still secret: built by allow-list.

What is known: the hands that the seat has held, everybody's revealed bids, the tides that were turned up, and
what follows from them. The other cards are ``UNKNOWN``, and there is no seed.
"""

import json
from typing import Final, NamedTuple

from engine.records.outcome import kinds_of
from engine.records.record_format import Record, StageRecord
from engine.records.replay import Replay, ReplayStep
from engine.rules import dealt_hand_of
from engine.state import Cards, GameState, StageState

UNKNOWN: Final = 0
"""In place of a card that the player has never seen."""
_PUBLIC: Final = ("table", "commitment", "ended", "event")
"""Fields of a record that everybody at the table could read."""


class OwnGame(NamedTuple):
    """The cards of a game that its player has seen."""

    hands: tuple[Cards, ...]
    """The own hand as it was dealt, a stage each."""
    stages: tuple[StageRecord, ...]


def own_replay(replay: Replay, seat: int) -> Replay:
    """The same game with nothing in it that ``seat`` does not know. Its record has no format: what it leaves
    out, a record cannot.
    """
    record, players = replay.record, replay.record.rules.players
    held = {dealt_hand_of(seat, stage, players) for stage in range(replay.last.stage.number + 1)}
    deal = tuple(
        hand if number in held else _hidden(hand) for number, hand in enumerate(replay.last.deal)
    )
    fields = record.fields()
    told = {name: fields[name] for name in _PUBLIC if isinstance(fields.get(name), str)}
    told["seats"] = kinds_of(fields, players)
    return Replay(
        Record(record.rules, record.players, deal, record.stages, json.dumps(told)),
        tuple(
            ReplayStep(step.kind, step.stage, step.round, _known(step.state, deal, seat))
            for step in replay.steps
        ),
    )


def own_game(replay: Replay, seat: int) -> OwnGame:
    """What ``seat`` has seen of a game."""
    record = replay.record
    numbers = range(len(record.stages))
    hands = [replay.last.deal[dealt_hand_of(seat, n, record.rules.players)] for n in numbers]
    return OwnGame(tuple(hands), record.stages)


def _known(state: GameState, deal: tuple[Cards, ...], seat: int) -> GameState:
    stage = state.stage
    hands = [hand if n == seat else _hidden(hand) for n, hand in enumerate(stage.hands)]
    return GameState(
        state.rules,
        deal,
        state.finished,
        StageState(
            stage.number,
            tuple(hands),
            stage.start,
            stage.life_preservers,
            stage.levels,
            stage.rounds,
        ),
        state.offer,
        state.over,
        state.turned,
    )


def _hidden(hand: Cards) -> Cards:
    return (UNKNOWN,) * len(hand)
