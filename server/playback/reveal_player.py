"""What a session plays back in its own time: revealed rounds and stage summaries, one after the other.

The table does not wait for anybody's show; bids are taken while it goes on. Only the session that
skips a scene skips it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.records.replay import Moment
from engine.rules import GameOver, RoundResolved, StageScored, StageStarted, TidesTurned
from engine.state import StageResult
from engine.views import RoundScene, TableView, stage_started
from server.coordinator import messages as m
from server.coordinator.time_source import Clock
from server.timers import OneTimer
from server.viewmodels.reveal_timing import RevealStep, ScreenMotion, reveal_steps, round_scene

HURRIED: Final = 1.0
"""Seconds that a finished scene stays when the next one waits already."""
SPARE: Final = 10.0
"""Seconds before the next bids are due from which on nothing is held any more: they are for bidding."""
SUMMARY_SECONDS: Final = 20.0

_STAY: Final = {
    StageStarted: 1.5,
    TidesTurned: 1.6,
    RoundResolved: 3.2,
    StageScored: 6.0,
    GameOver: 10.0,
}
"""Seconds for which each kind of moment stays, at the usual speed."""


def pictures_of(moment: Moment) -> int:
    """Return the number of pictures of which a moment consists when it plays."""
    return len(reveal_steps(moment.result)) if moment.result and moment.reveals else 1


def seconds_of(moment: Moment, picture: int) -> float:
    """Return how long a picture stays at the usual speed."""
    if moment.result is None or picture >= pictures_of(moment) - 1:
        return _STAY[type(moment.event)]
    return reveal_steps(moment.result)[picture].seconds


class SummaryScene(NamedTuple):
    """A stage has been scored."""

    view: TableView
    """The table after its last round."""
    stage: int
    result: StageResult

    @property
    def last(self) -> bool:
        """The game is over with it."""
        return self.stage + 1 == self.view.rules.stages


Scene = RoundScene | SummaryScene


def scenes_from(view: TableView | None, happenings: Sequence[m.Happening]) -> list[Scene]:
    """Return what is to be shown of ``happenings``; ``view`` is the table before them."""
    scenes: list[Scene] = []
    for event in happenings:
        if view is None:
            return scenes
        if isinstance(event, m.StageStarted):
            view = stage_started(view, event.stage, event.life_preservers)
        elif isinstance(event, m.RoundResolved):
            if (event.stage, event.round) != (view.stage, view.round):
                return scenes  # something was missed: the snapshot shows how things stand
            scene = round_scene(view, event.result)
            scenes.append(scene)
            view = scene.after
        elif isinstance(event, m.StageScored):
            scenes.append(SummaryScene(view, event.stage, event.result))
            seats = zip(view.seats, event.result.scores, strict=True)
            view = view._replace(seats=tuple(seat._replace(score=score) for seat, score in seats))
    return scenes


def scenes_since(view: TableView, reveals: Sequence[m.RoundResolved], seen: int) -> list[Scene]:
    """Return the scenes of the stage that ``view`` shows, but for those ``seen``.

    ``reveals`` are those of the stage.
    """
    starts = tuple([seat.start for seat in view.seats])
    return scenes_from(stage_started(view, view.stage, starts), reveals)[seen:]


class RevealPlayer:
    """The scenes of one session. ``changed`` is called whenever the picture has."""

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        self._clock: Final = clock
        self._changed: Final = changed
        self._waiting: list[Scene] = []
        self._timer: Final = OneTimer(clock)
        self._due = 0.0
        """When the next bids are due; 0 when at no fixed time."""
        self._motion, self._seconds, self._hurries = ScreenMotion.FULL, 0, True
        self._held = self._until = self._ends = 0.0
        """Since when a scene stays to be read, until when it may, and does if more is due before."""
        self.played_by: m.TablePublic | None = None
        """Names of those who played what is shown, where that is not who sits there now."""
        self.scene: Scene | None = None
        """What is on; ``None`` when the table itself is shown."""
        self.step = RevealStep(0.0, last=True)
        """The picture of that scene which is on, when it is a round."""
        self._steps: Iterator[RevealStep] = iter(())
        """Scenes to come."""

    @property
    def holding(self) -> bool:
        """Everything of the scene has been shown; it only stays to be read."""
        return not isinstance(self.scene, RoundScene) or self.step.last

    def add(
        self,
        scenes: Sequence[Scene],
        *,
        motion: ScreenMotion,
        seconds: int,
        played_by: m.TablePublic | None = None,
        hurries: bool = True,
    ) -> None:
        """Show these after what is on, with so much ``motion``.

        A revealed round stays for so many ``seconds``, or with 0 until it is skipped; while others
        wait, it ``hurries``. ``played_by``: at a table where others sat then.
        """
        self._motion, self._seconds, self.played_by = motion, seconds, played_by
        self._hurries = hurries
        self._waiting.extend(scenes)
        if self.scene is None:
            self._next()
        elif self.holding and self._waiting and isinstance(self.scene, RoundScene):
            now = self._clock.time()
            self._hold(now, now + HURRIED)

    @property
    def seconds(self) -> float:
        """Seconds in all for which the scene stays to be read; infinite until it is skipped."""
        return self._ends - self._held

    def bids_due(self, when: float) -> None:
        """The next bids are due then; 0 when at no fixed time."""
        if when != self._due:
            self._due = when
            if self.scene is not None and self.holding:
                self._hold(self._held, self._until)

    def skip(self) -> None:
        """Go on to what comes after the scene that is on."""
        self.step = self.step._replace(last=True)
        self._advance()

    def stop(self) -> None:
        """Forget everything: another table, or the end."""
        self._timer.cancel()
        self._waiting.clear()
        self.scene = None

    def _advance(self) -> None:
        self._next()
        self._changed()

    def _next(self) -> None:
        """Show the next picture of the scene that is on, or after its last one the scene that comes then."""
        self._timer.cancel()
        if self.holding:
            self.scene = self._waiting.pop(0) if self._waiting else None
            if isinstance(self.scene, RoundScene):
                behind = RoundScene in map(type, self._waiting)
                motion = ScreenMotion.NONE if behind and self._hurries else self._motion
                self._steps = iter(reveal_steps(self.scene.result, motion))
        seconds = SUMMARY_SECONDS
        if isinstance(self.scene, RoundScene):
            self.step = next(self._steps)
            hurries = self._hurries and self._waiting and isinstance(self._waiting[0], RoundScene)
            seconds = HURRIED if hurries else self._seconds or math.inf
        if not self.holding:
            self._timer.after(self.step.seconds, self._advance)
        elif self.scene is not None:
            now = self._clock.time()
            self._hold(now, now + seconds)

    def _hold(self, since: float, until: float) -> None:
        """Have the scene, of which all has been shown, stay to be read."""
        self._held, self._until = since, until
        if self._due:
            until = min(until, max(self._due - SPARE, since + HURRIED))
        self._ends = until
        self._timer.cancel()
        if until < math.inf:
            self._timer.start(max(until, self._clock.time()), self._advance)
