"""A finished game as a series of moments, and where somebody is in it."""

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import zip_longest
from typing import Final, NamedTuple

from engine.events import GameOver, RoundResolved, StageScored, StageStarted
from engine.record import Record
from engine.replay import Replay, ReplayStep, StepKind
from engine.results import RoundResult, StageResult
from engine.state import GameState
from server.coordinator.messages import Ended, Occupant, SeatInfo, Status, TableInfo, TableOptions
from server.i18n.catalogues import Words
from server.playback.reveal_player import step_seconds
from server.storage.results import kinds_of
from server.viewmodels.reveal import FLOW

EVERYBODY: Final = -1
"""Eyes that see what a spectator saw."""
OPEN: Final = -2
"""Eyes that see all hands."""

_PLACE: Final = re.compile(r"\s*(\d{1,2})(?:\D+(\d{1,2}))?\s*")
_STAY: Final = {"start": 1.5, "tides": 1.6, "reveal": 3.2, "summary": 6.0, "final": 10.0}
"""Seconds for which each kind of moment stays, at the usual speed."""


class MomentKind(StrEnum):
    """What a moment shows."""

    START = "start"
    """A stage begins: hands are there, no tides yet."""
    TIDES = "tides"
    """Two tide cards are turned up; everybody thinks."""
    REVEAL = "reveal"
    """The bids are turned up, and what follows from them."""
    SUMMARY = "summary"
    """A stage is scored."""
    FINAL = "final"
    """The standings."""


class Moment(NamedTuple):
    """One place in a replay. Stages and rounds count from 0."""

    kind: MomentKind
    stage: int
    round: int
    state: GameState
    """Before the bids, for a reveal; after it, for what follows."""
    round_result: RoundResult | None = None
    """Of a reveal."""
    coming: RoundResult | None = None
    """What the round whose tides are on offer will bring, if the record goes so far."""
    stage_result: StageResult | None = None

    def bid_of(self, seat: int) -> int:
        """What a seat bids in the round that is being shown; 0 for nothing."""
        result = self.round_result or self.coming
        return (result.bids[seat] or 0) if result else 0

    @property
    def pictures(self) -> int:
        """Of how many pictures, one after the other, it consists when it plays."""
        # As in ``reveal``: face down, card by card, the two highest step forward, the water moves, who loses.
        return 1 + self._cards + 1 + FLOW + 1 if self.round_result else 1

    def seconds(self, picture: int) -> float:
        """How long a picture stays at the usual speed."""
        last = picture >= self.pictures - 1
        return _STAY[self.kind] if last else step_seconds(picture, self._cards)

    @property
    def _cards(self) -> int:
        """How many are turned up in a reveal."""
        return sum(bid is not None for bid in self.round_result.bids) if self.round_result else 0


class RecordedGame(NamedTuple):
    """A game that can be shown; all texts are fit for a terminal."""

    replay: Replay
    title: str
    info: TableInfo
    moments: tuple[Moment, ...]
    viewpoint: int = EVERYBODY
    """Through which it is shown first: a seat's, or everybody's."""


def shown(
    replay: Replay, names: tuple[str, ...], title: str, viewpoint: int = EVERYBODY
) -> RecordedGame:
    """``names`` are the players', clean and different from each other, and ``title`` is clean as well."""
    return RecordedGame(
        replay, title, _info(replay.record, names, title), tuple(_moments(replay)), viewpoint
    )


def _info(record: Record, names: tuple[str, ...], title: str) -> TableInfo:
    fields = record.fields()
    seats = tuple(
        SeatInfo(
            occupant=Occupant.BOT if kind == "bot" else Occupant.HUMAN,
            name=name,
            strategy="",
            connected=True,
            away=False,
            rematch=False,
            left=kind == "left",
        )
        for name, kind in zip(names, kinds_of(fields, len(names)), strict=True)
    )
    ended = next((each for each in Ended if each.value == fields.get("ended")), Ended.NO)
    return TableInfo(
        id="",
        title=title,
        options=TableOptions(record.rules),
        status=Status.OVER,
        owner=-1,
        seats=seats,
        game=1,
        commitment=_hex(fields.get("commitment")),
        seed=_hex(fields.get("seed")),
        deadline=0.0,
        spectators=0,
        ended=ended,
    )


def _hex(value: object) -> str:
    """What a record says is a seed or a commitment, if it looks like one."""
    text = value if isinstance(value, str) and len(value) == 64 else ""
    return text if set(text) <= set("0123456789abcdef") else ""


def _moments(replay: Replay) -> Iterator[Moment]:
    before = replay.steps[0].state
    for step, following in zip_longest(replay.steps, replay.steps[1:]):
        if step.kind is StepKind.REVEAL:
            yield from _revealed(step, before)
        else:
            kind = MomentKind.START if step.kind is StepKind.START else MomentKind.TIDES
            coming = _result(following) if kind is MomentKind.TIDES and following else None
            yield Moment(kind, step.stage, step.round, step.state, coming=coming)
        before = step.state


def _result(step: ReplayStep) -> RoundResult | None:
    resolved = (event.result for event in step.events if isinstance(event, RoundResolved))
    return next(resolved, None)


def _revealed(step: ReplayStep, before: GameState) -> Iterator[Moment]:
    for event in step.events:
        if isinstance(event, RoundResolved):
            yield Moment(MomentKind.REVEAL, step.stage, step.round, before, event.result)
        elif isinstance(event, StageScored):
            yield Moment(
                MomentKind.SUMMARY, step.stage, step.round, step.state, stage_result=event.result
            )
        elif isinstance(event, StageStarted):
            yield Moment(MomentKind.START, event.stage, 0, step.state)
        elif isinstance(event, GameOver):
            yield Moment(MomentKind.FINAL, step.stage, step.round, step.state)


class ReplayPosition:
    """Where somebody is in a game, and whose eyes are looked through."""

    def __init__(self, game: RecordedGame) -> None:
        self.game: Final = game
        self.viewpoint = game.viewpoint
        self.at = 0

    @property
    def moment(self) -> Moment:
        """What is shown, or was told last."""
        return self.game.moments[self.at]

    @property
    def last(self) -> int:
        """The end of the game."""
        return len(self.game.moments) - 1

    def move_to(self, at: int) -> bool:
        """To this moment, or the nearest there is. False when that is where one was."""
        was, self.at = self.at, max(0, min(at, self.last))
        return self.at != was

    def go_to(self, typed: str, words: Words) -> str:
        """To where a stage begins, or where the tides of a round are turned up: "3", "3.7" or "3 7". Returns
        what is wrong with that, or nothing.
        """
        wanted = _PLACE.fullmatch(typed)
        if wanted is None:
            return words.t("A stage, or stage and round: 3 or 3.7")
        stage, round_ = int(wanted[1]) - 1, int(wanted[2] or 1) - 1
        place = (MomentKind.TIDES if wanted[2] else MomentKind.START, stage, round_)
        for at, moment in enumerate(self.game.moments):
            if moment[:3] == place:
                self.at = at
                return ""
        return words.t("The game did not get there.")

    def seen_in_words(self, words: Words) -> str:
        """Who could see what is shown."""
        if self.viewpoint == OPEN:
            return words.t("Replay, all hands open; [ ] is what is bid in this round.")
        if self.viewpoint == EVERYBODY:
            return words.t("Replay, as everybody could see it.")
        return words.t("Replay, as {name} saw it.", name=self.game.info.seats[self.viewpoint].name)
