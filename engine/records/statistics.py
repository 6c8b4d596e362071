"""Statistics of somebody's finished games: sums over records (docs/records.md)."""

from collections import Counter, defaultdict
from typing import Any, Final, NamedTuple

from engine.editions import HIGHEST_TIDE
from engine.records.outcome import kinds_of
from engine.records.replay import Replay
from engine.rules import dealt_hand_of
from engine.state import Cards, StageResult

MOST_LEFT: Final = 5
"""Bids with more life preservers left are counted with these."""


class Bids(NamedTuple):
    """Bids made with so many life preservers left, of those with a choice."""

    left: int
    bids: int
    height: float
    """The mean place of the card in the hand: 0 for the lowest, 1 for the highest."""
    took_low: int
    """Bids that were the highest, and took the lower tide."""
    took_high: int
    """Bids that were the second highest, and took the higher tide."""
    lost: int
    """Bids after which a life preserver was lost, or the stage."""


class Hands(NamedTuple):
    """Hands that others have played in the same game."""

    played: int
    better: int
    """With more points than the mean of the others ..."""
    same: int
    worse: int
    mean: float
    """Points more than the mean of the others."""


class HandCase(NamedTuple):
    """One hand that somebody did well or badly with."""

    game: int
    """Its number."""
    stage: int
    """From 0."""
    points: int
    others: float
    """The mean of those who had the same hand."""


class Opponent(NamedTuple):
    """An opponent; what counts is who had more points in the end."""

    name: str
    """Name in the newest game; of bots the strategy."""
    games: int
    ahead: int
    level: int
    behind: int
    mean: float
    """Points more than this opponent, a game."""


class Streak(NamedTuple):
    """One after the other."""

    longest: int
    now: int
    """Up to the last one."""


class Statistics(NamedTuple):
    """All of it."""

    games: int
    wins: int
    stages: int
    points: int
    eliminated: int
    """Stages."""
    bonuses: int
    bids: tuple[Bids, ...]
    """Bids by life preservers left, fewest first; only those that there were."""
    tides: tuple[int, ...]
    """How often each tide card was taken, the 1 first: ``HIGHEST_TIDE`` numbers."""
    stage_points: tuple[int, ...]
    """Numbers of stages with -1, 0, 1 ... points, as far as any were made."""
    hands: Hands
    best_hand: HandCase | None
    worst_hand: HandCase | None
    opponents: tuple[Opponent, ...]
    """People and programs, those met most often first."""
    bots: tuple[Opponent, ...]
    """Bots by strategy, in the same order."""
    wins_in_a_row: Streak
    without_elimination: Streak
    """Stages."""


class Collector:
    """Counts games, the oldest first. Each can be forgotten as soon as it is counted."""

    def __init__(self) -> None:
        self._games = self._wins = self._stages = self._points = 0
        self._eliminated = self._bonuses = 0
        self._bids: defaultdict[int, list[float]] = defaultdict(lambda: [0.0] * 5)
        self._tides: Counter[int] = Counter()
        self._stage_points: Counter[int] = Counter()
        self._hands: list[HandCase] = []
        self._people: dict[str, list[Any]] = {}
        self._bots: dict[str, list[Any]] = {}
        self._winning, self._staying = [0, 0], [0, 0]

    def add(self, replay: Replay, seat: int, number: int, players: tuple[str, ...] = ()) -> None:
        """Count a game, played to its end by the same person on ``seat``. ``players`` has a stable id for
        each seat; where it is empty the name counts.
        """
        state = replay.last
        players_here = state.rules.players
        self._games += 1
        self._wins += seat in state.winners
        _go_on(self._winning, seat in state.winners)
        for stage, result in enumerate(state.finished):
            hand = dealt_hand_of(seat, stage, players_here)
            self._add_stage(result, seat, state.deal[hand])
            others = [
                each.points[(hand + other) % players_here]
                for other, each in enumerate(state.finished)
                if other != stage
            ]
            if others:
                mean = sum(others) / len(others)
                self._hands.append(HandCase(number, stage, result.points[seat], mean))
        self._add_opponents(replay, seat, players)

    def _add_stage(self, stage: StageResult, seat: int, dealt: Cards) -> None:
        self._stages += 1
        self._points += stage.points[seat]
        self._stage_points[stage.points[seat]] += 1
        self._eliminated += stage.eliminated[seat]
        self._bonuses += seat in stage.bonus
        _go_on(self._staying, not stage.eliminated[seat])
        left, hand = stage.start[seat], sorted(dealt)
        for result in stage.rounds:
            bid = result.bids[seat]
            if bid is None:
                break
            if len(hand) > 1:
                counted = self._bids[min(left, MOST_LEFT)]
                counted[0] += 1
                counted[1] += hand.index(bid) / (len(hand) - 1)
                counted[2] += seat == result.takers[0]
                counted[3] += seat == result.takers[1]
                counted[4] += seat in result.losers
            if seat in result.takers:
                self._tides[result.offer[result.takers.index(seat)]] += 1
            hand.remove(bid)
            left = result.life_preservers[seat]

    def _add_opponents(self, replay: Replay, seat: int, players: tuple[str, ...]) -> None:
        record, scores = replay.record, replay.last.scores
        fields = record.fields()
        kinds = kinds_of(fields, len(scores))
        for other, kind in enumerate(kinds):
            # Of who left, or came later, a bot has played a part.
            if other == seat or kind in ("left", "joined"):
                continue
            name = record.players[other]
            if kind == "bot":
                name = strategy_of(fields, other)
                met = self._bots.setdefault(name, [name, 0, 0, 0, 0, 0])
            else:
                key = players[other] if other < len(players) and players[other] else f"={name}"
                met = self._people.setdefault(key, [name, 0, 0, 0, 0, 0])
            more = scores[seat] - scores[other]
            met[0] = name
            met[1] += 1
            met[2 if more > 0 else 3 if more == 0 else 4] += 1
            met[5] += more

    def statistics(self) -> Statistics:
        """Return the statistics of all games so far."""
        ranked = sorted(self._hands, key=lambda hand: hand.points - hand.others)
        points = self._stage_points
        return Statistics(
            games=self._games,
            wins=self._wins,
            stages=self._stages,
            points=self._points,
            eliminated=self._eliminated,
            bonuses=self._bonuses,
            bids=tuple(
                Bids(left, int(all_), height / all_, int(low), int(high), int(lost))
                for left, (all_, height, low, high, lost) in sorted(self._bids.items())
            ),
            tides=tuple(self._tides[tide] for tide in range(1, HIGHEST_TIDE + 1)),
            stage_points=tuple(points[made] for made in range(-1, max(points, default=-2) + 1)),
            hands=self._all_hands(),
            best_hand=ranked[-1] if ranked else None,
            worst_hand=ranked[0] if ranked else None,
            opponents=_opponents(self._people),
            bots=_opponents(self._bots),
            wins_in_a_row=Streak(*self._winning),
            without_elimination=Streak(*self._staying),
        )

    def _all_hands(self) -> Hands:
        more = [hand.points - hand.others for hand in self._hands]
        return Hands(
            len(more),
            sum(each > 0 for each in more),
            sum(each == 0 for each in more),
            sum(each < 0 for each in more),
            sum(more) / max(1, len(more)),
        )


def strategy_of(fields: dict[str, Any], seat: int) -> str:
    """Return the strategy of a bot, as far as the record tells; else empty."""
    told = fields["seats"][seat]
    strategy = told.get("strategy") if isinstance(told, dict) else ""
    return strategy if isinstance(strategy, str) else ""


def _go_on(streak: list[int], goes_on: bool) -> None:
    """Count one more in ``streak`` (the longest, and the one now), or end it."""
    streak[1] = streak[1] + 1 if goes_on else 0
    streak[0] = max(streak)


def _opponents(met: dict[str, list[Any]]) -> tuple[Opponent, ...]:
    found = [
        Opponent(name, games, ahead, level, behind, more / games)
        for name, games, ahead, level, behind, more in met.values()
    ]
    return tuple(sorted(found, key=lambda each: (-each.games, each.name)))
