"""What is played back in a session's own time: finished games, revealed rounds, ends of stages.

A player chooses how much moves on the screen at all. The table does not wait for anybody's show; bids are
taken while it goes on. Only the session that skips a scene skips it.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Self

from msgspec import structs

from engine import views
from engine.records.outcome import bot_bids_of, kinds_of
from engine.records.replay import Moment, Replay, moments_of
from engine.rules import GameOver, RoundResolved, StageScored, StageStarted, TidesTurned
from engine.state import GameState, RoundResult, StageResult
from engine.views import RoundScene, TableView, seat_view, stage_started, table_view, turning_order
from server.coordinator import messages as m
from server.coordinator.messages import TablePublic
from server.i18n.lookup import Words, p_
from server.storage.history import replay_code
from server.terminal.capabilities import Capabilities
from server.terminal.drawing.caches import cached_by_identity
from server.text.rounds import climax_in_words
from server.timers import Clock, OneTimer
from server.viewmodels.table import Effect, SeatModel, TableModel, present_table, seat_names

EVERYBODY: Final = -1
"""The viewpoint of a spectator."""
OPEN: Final = -2
"""The viewpoint from which all hands are open."""

_PLACE: Final = re.compile(r"\s*(\d{1,2})(?:\D+(\d{1,2}))?\s*")


class ReplayedGame(NamedTuple):
    """A game that can be shown; all texts are fit for a terminal."""

    replay: Replay
    info: m.TablePublic
    moments: tuple[Moment, ...]
    viewpoint: int = EVERYBODY
    """Viewpoint from which it is shown first: a seat's, or everybody's."""
    held: bool = False
    """The deal is still secret: there is only what the viewpoint's player has seen (``own_game``)."""
    number: int = 0
    """Number under which it is kept; 0 where it is not."""

    @property
    def code(self) -> str:
        """Code with which anybody may see it again; empty where not everybody may."""
        record = self.replay.record
        private = record.fields().get("private") is True
        return "" if self.held or private or not self.number else replay_code(self.number, record)

    @property
    def event(self) -> str:
        """What it was played for, if other tables played the same deal; else empty."""
        event = self.replay.record.fields().get("event")
        return event if isinstance(event, str) else ""

    @property
    def final_view(self) -> TableView:
        """The end of the game, as everybody sees it."""
        return self.view_of(self.replay.last)

    def view_of(self, state: GameState) -> TableView:
        """Return what everybody sees of the game."""
        view = table_view(state)
        return view._replace(deal=()) if self.held else view

    def can_be_seen_by(self, viewpoint: int) -> bool:
        """Return whether it can be shown from this viewpoint."""
        return not self.held or viewpoint in (EVERYBODY, self.viewpoint)

    def reviewed_seat(self, viewpoint: int) -> int:
        """Return the seat whose bids a review is about: where nobody is looked through, the first person's.

        One's own where others may still play the deal.
        """
        if self.held:
            return self.viewpoint
        people = [n for n, seat in enumerate(self.info.seats) if seat.occupant is m.Occupant.HUMAN]
        return viewpoint if viewpoint >= 0 else next(iter(people), 0)


def shown(
    replay: Replay,
    names: tuple[str, ...],
    title: str,
    viewpoint: int = EVERYBODY,
    *,
    held: bool = False,
    number: int = 0,
) -> ReplayedGame:
    """``names`` are the players', clean and different from each other, and ``title`` is clean as well.

    A game that is ``held`` is an ``own_replay`` of the viewpoint's seat.
    """
    fields = replay.record.fields()
    seats = tuple(
        m.SeatInfo(
            occupant=m.Occupant.BOT if kind == "bot" else m.Occupant.HUMAN,
            name=name,
            left=kind == "left",
            bot_bids=bot_bids,
        )
        for name, kind, bot_bids in zip(
            names, kinds_of(fields, len(names)), bot_bids_of(fields, len(names)), strict=True
        )
    )
    info = m.TablePublic(
        id="",
        title=title,
        options=m.TableOptions(replay.record.rules),
        status=m.Status.OVER,
        owner=-1,
        seats=seats,
        game=1,
        commitment=_hex(fields.get("commitment")),
        seed=_hex(fields.get("seed")),
        ended=next((each for each in m.Ended if each.value == fields.get("ended")), m.Ended.NO),
    )
    return ReplayedGame(replay, info, tuple(moments_of(replay)), viewpoint, held, number)


def _hex(value: object) -> str:
    """Return what a record says is a seed or a commitment, if it looks like one."""
    text = value if isinstance(value, str) and len(value) == 64 else ""
    return text if set(text) <= set("0123456789abcdef") else ""


class ReplayPosition:
    """Where somebody is in a game, and from which viewpoint it is seen."""

    def __init__(self, game: ReplayedGame) -> None:
        self.game: Final = game
        self.viewpoint = game.viewpoint
        self.at = 0
        seats = tuple(structs.replace(seat, left=False) for seat in game.info.seats)
        self._played: Final = structs.replace(game.info, seats=seats)

    @property
    def moment(self) -> Moment:
        """What is shown, or was told last."""
        return self.game.moments[self.at]

    def now(self) -> m.TableSnapshot:
        """Return the table at this moment, as it is seen from the viewpoint."""
        state, seat = self.moment.state, self.viewpoint
        view = self.game.view_of(state)
        bid = self.moment.bid_of(seat) if self.moment.reveals else 0
        own = seat_view(state, seat, view, bid) if seat >= 0 else None
        return m.TableSnapshot(self.info, max(seat, EVERYBODY), view, own)

    @property
    def info(self) -> m.TablePublic:
        """The table at this moment. Who has left did so at some time, and is told of only in the end."""
        return self.game.info if self.at == self.last else self._played

    def look_from(self, viewpoint: int) -> bool:
        """Take this viewpoint. False when the game cannot be seen from there yet."""
        if allowed := self.game.can_be_seen_by(viewpoint):
            self.viewpoint = viewpoint
        return allowed

    @property
    def last(self) -> int:
        """The end of the game."""
        return len(self.game.moments) - 1

    def move_to(self, at: int) -> bool:
        """Move to this moment, or the nearest there is. Return False when that is where one was."""
        was, self.at = self.at, max(0, min(at, self.last))
        return self.at != was

    def go_to(self, typed: str, words: Words) -> str:
        """Go to where a stage begins, or the tides of a round are turned up: "3", "3.7" or "3 7"; or "end".

        Returns what is wrong with that, or nothing.
        """
        if typed.casefold() in ("end", words.p("vote", "end")):
            self.at = self.last
            return ""
        wanted = _PLACE.fullmatch(typed)
        if wanted is None:
            return words.t("A stage, or stage and round: 3 or 3.7")
        stage, round_ = int(wanted[1]) - 1, int(wanted[2] or 1) - 1
        kind = TidesTurned if wanted[2] else StageStarted
        for at, moment in enumerate(self.game.moments):
            if isinstance(moment.event, kind) and (moment.stage, moment.round) == (stage, round_):
                self.at = at
                return ""
        return words.t("The game did not get there.")

    def seen_in_words(self, words: Words) -> str:
        """Return in words who could see what is shown."""
        if self.viewpoint == OPEN:
            return words.t("All hands open; [ ]: this round's bid")
        if self.viewpoint == EVERYBODY:
            return words.t("Replay, as everybody could see it.")
        return words.t("Replay, as {name} saw it.", name=self.game.info.seats[self.viewpoint].name)


round_scene = cached_by_identity(2, 128)(views.round_scene)

_FACE_DOWN: Final = 0.2
_CARDS: Final = 0.9
"""For all of them to turn up."""
_TAKE: Final = 0.4
"""For the highest ones, besides, which take the tide cards as soon as the last of them is up."""
_WATER: Final = 0.3
"""For the water, half the way, to get where it is to be."""
_CLIMAX: Final = 0.35
"""For each of the two pictures in which somebody loses: the flash is on in one of them, so that it comes
back after twice as long at the earliest.
"""
_SLOWLY: Final = 0.8
"""For each picture where there are few."""


class ScreenMotion(StrEnum):
    """One of the choices; its value is kept, and what programs call it."""

    word: str
    """What players call it, in the context "motion"."""
    moves: bool
    """Something moves by itself; otherwise there is the last picture at once."""
    flows: bool
    """In many small steps: cards turn up one by one, water flows, and what matters flashes."""

    def __new__(cls, name: str, word: str = "", moves: bool = True, flows: bool = True) -> Self:
        made = str.__new__(cls, name)
        made._value_, made.word, made.moves, made.flows = name, word, moves, flows
        return made

    FULL = "full", p_("motion", "full")
    LESS = "less", p_("motion", "less: few steps, no flashing"), True, False
    NONE = "none", p_("motion", "none"), False, False


def motion_on(terminal: Capabilities) -> ScreenMotion:
    """Return the motion for a terminal: on a slow connection never all."""
    motion = ScreenMotion(terminal.motion)
    return ScreenMotion.LESS if terminal.thin and motion.flows else motion


class RevealStep(NamedTuple):
    """One picture of a reveal."""

    seconds: float
    """How long it stays; 0 for the last one, of which its session decides that."""
    up: int = 0
    """Cards turned up, from the lowest."""
    taking: bool = False
    """The tide cards have come to those who take them."""
    water: float = 0.0
    """How far the water has come, 0 to 1."""
    climax: int = 0
    """1: who loses is seen, and a life preserver comes off; 2: it drifts away."""
    last: bool = False


_LAST: Final = RevealStep(0.0, last=True)


def reveal_steps(
    result: RoundResult, motion: ScreenMotion = ScreenMotion.FULL
) -> tuple[RevealStep, ...]:
    """The pictures of a reveal: with the cards face down, with each more of them up, then at most four."""
    cards = len(result.bids) - result.bids.count(None)
    if not motion.moves:
        return (_LAST,)
    if not motion.flows:
        taken = RevealStep(_SLOWLY, cards, True, 1.0)
        return (RevealStep(_SLOWLY, cards), taken, _LAST)
    each = _CARDS / cards
    turning = [RevealStep(each, up) for up in range(1, cards)]
    taking = RevealStep(each + _TAKE, cards, True)
    flowing = RevealStep(_WATER, cards, True, 0.5)
    climax = [RevealStep(_CLIMAX, cards, True, 1.0, number) for number in (1, 2) if result.losses]
    return (RevealStep(_FACE_DOWN), *turning, taking, flowing, *climax, _LAST)


@cached_by_identity(3, 128)
def present_reveal(
    info: TablePublic, scene: RoundScene, words: Words, step: RevealStep
) -> TableModel:
    """The table in one of the ``reveal_steps``."""
    before = present_table(info, scene.before, words)
    result = scene.result
    if step.last:
        after = present_table(info, scene.after, words)
        return _revealed(before, after, info, result, words)
    seats = [*before.seats]
    for number in turning_order(result)[: step.up]:
        seats[number] = _turned_up(seats[number], result, words, step.taking)
    if not step.taking:
        return before._replace(seats=tuple(seats))
    shown = [seat.level for seat in seats]
    for number, tide in zip(result.takers, result.offer, strict=True):
        seat, shown[number] = seats[number], tide
        level = _on_its_way(seat.level, tide, step.water) if step.water else seat.level
        # The number is there before the water: nobody could read it count up with it.
        said = str(tide) if level and step.water else seat.level_words
        effect = None if step.climax else Effect(tide=tide, flows=step.water > 0)
        seats[number] = seat._replace(level=level, level_words=said, effect=effect)
    if step.water:
        most = max(shown)
        for number, tide in enumerate(shown):
            if seats[number].highest is not (highest := tide == most > 0):
                seats[number] = seats[number]._replace(highest=highest)
    now = _taken(before, result, words)
    if not step.climax:
        return now._replace(seats=tuple(seats))
    ended = tuple([_loses(seat, result, step.climax) for seat in seats])
    return now._replace(seats=ended, climax=climax_in_words(result, seat_names(info), words))


def _taken(model: TableModel, result: RoundResult, words: Words) -> TableModel:
    """With who took which tide card."""
    takers = tuple([model.seats[seat].name for seat in result.takers])
    taken = zip(takers, result.offer, strict=True)
    said = [words.t("{name} took the {tide}", name=name, tide=tide) for name, tide in taken]
    return model._replace(takers=takers, offer_words=(*said, ""))


def _loses(seat: SeatModel, result: RoundResult, picture: int) -> SeatModel:
    """What is seen of a seat that loses a life preserver, or is out; of any other nothing is."""
    if seat.seat in result.lost:
        left, lost = seat.left - 1, seat.lost + 1
        effect = Effect(flash=picture == 1, ring=picture)
        return seat._replace(left=left, lost=lost, losing=True, effect=effect)
    if seat.seat in result.eliminated:
        return seat._replace(losing=True, effect=Effect(flash=picture == 1, sunk=picture))
    return seat


def _on_its_way(old: int, new: int, share: float) -> int:
    """A level that ``share`` of the way from ``old`` to ``new`` leads to, an even one if there is any.

    The surface of an odd one may lie within a row, and costs twice as much for a tenth of a second.
    """
    if share >= 1:
        return new
    even = 2 * round((old + (new - old) * share) / 2)
    return min(max(even, min(old, new)), max(old, new))


def _revealed(
    before: TableModel, after: TableModel, info: TablePublic, result: RoundResult, words: Words
) -> TableModel:
    """The table after the round, with what was bid; the round and its tides are the old ones."""
    seats, losers = [], result.losers
    for seat in after.seats:
        changed = seat
        if result.bids[seat.seat]:
            lost = seat.seat in losers
            changed = _turned_up(seat, result, words, True)._replace(losing=lost)
        seats.append(changed)
    shown = after._replace(
        seats=tuple(seats),
        round=before.round,
        round_words=before.round_words,
        offer=result.offer,
        climax=climax_in_words(result, seat_names(info), words),
    )
    return _taken(shown, result, words)


def _turned_up(seat: SeatModel, result: RoundResult, words: Words, taking: bool) -> SeatModel:
    card = result.bids[seat.seat] or 0
    state, rank = "", 0
    if taking and seat.seat in result.takers:
        rank = result.takers.index(seat.seat) + 1
        state = words.t("{card} took {tide}", card=card, tide=result.offer[rank - 1])
    return seat._replace(card=card, state=state, rank=rank, sealed=False)


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
        """Scenes to come."""
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
        """Pictures of that scene to come."""

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
