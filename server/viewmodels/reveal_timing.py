"""A revealed round, step by step: what the table looks like while cards turn up and the water moves.

And how much moves on the screen at all, which is what a player can choose.
"""

from enum import StrEnum
from typing import Final, NamedTuple, Self

from engine import views
from engine.state import RoundResult
from engine.views import RoundScene, turning_order
from server.coordinator.messages import TablePublic
from server.i18n.lookup import Words, p_
from server.terminal.capabilities import Capabilities
from server.terminal.drawing.caches import cached_by_identity
from server.text.rounds import climax_in_words
from server.viewmodels.table import Effect, SeatModel, TableModel, present_table, seat_names

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
    seats, shown = [*before.seats], [seat.level for seat in before.seats]
    for number in turning_order(result)[: step.up]:
        seats[number] = _turned_up(seats[number], result, words, step.taking)
    if not step.taking:
        return before._replace(seats=tuple(seats))
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
    seats, losing = [], (*result.lost, *result.eliminated)
    for seat in after.seats:
        changed = seat
        if result.bids[seat.seat]:
            lost = seat.seat in losing
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
