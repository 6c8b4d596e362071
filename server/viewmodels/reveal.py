"""A revealed round, step by step: what the table looks like while the cards turn up and the water moves.

Steps of a reveal of ``n`` cards: 0 all face down; 1 to ``n`` that many turned up, from the lowest;
``n + 1`` the two highest step forward and take their tide cards; ``n + 2`` the water is on its way; the last
one, in which it arrives, shows who lost a life preserver.
"""

from engine import scenes
from engine.results import RoundResult
from engine.scenes import RoundScene, turning_order
from server.coordinator.messages import TableInfo
from server.i18n.catalogues import Words
from server.terminal.drawing.caches import shared
from server.viewmodels.table import SeatModel, TableModel, present_table

round_scene = shared(2)(scenes.round_scene)
stage_started = shared(1)(scenes.stage_started)


def steps(result: RoundResult) -> int:
    """How many steps there are."""
    return len(result.bids) - result.bids.count(None) + 4


@shared(3)
def present_reveal(info: TableInfo, scene: RoundScene, words: Words, step: int) -> TableModel:
    """The table in any step; what is too high is the last one."""
    before = present_table(info, scene.before, words)
    if step < steps(scene.result) - 1:
        return _reveal_step(before, scene.result, words, step)
    return _revealed(before, present_table(info, scene.after, words), scene.result, words)


def _reveal_step(before: TableModel, result: RoundResult, words: Words, step: int) -> TableModel:
    order = turning_order(result)
    up, taking, flowing = order[:step], step > len(order), step > len(order) + 1
    arrived = dict(zip(result.takers, result.offer, strict=True))
    highest = max(arrived.get(seat.seat, seat.level) for seat in before.seats)
    seats = []
    for seat in before.seats:
        changed = seat
        if seat.seat in up:
            changed = _turned_up(seat, result, words, taking)._replace(sealed=False)
        if flowing:
            # The numbers are there before the water: nobody could read them count up with it.
            tide = arrived.get(seat.seat, seat.level)
            level = _on_its_way(seat.level, tide)
            said = str(tide) if level else seat.level_words
            changed = changed._replace(level=level, level_words=said, highest=tide == highest > 0)
        seats.append(changed)
    return before._replace(seats=tuple(seats))


def _on_its_way(old: int, new: int) -> int:
    """A level halfway from ``old`` to ``new``, an even one if there is any.

    The surface of an odd one lies within a row, and costs twice as much for a tenth of a second.
    """
    even = 2 * round((old + new) / 4)
    return min(max(even, min(old, new)), max(old, new))


def _revealed(
    before: TableModel, after: TableModel, result: RoundResult, words: Words
) -> TableModel:
    """The table after the round, with what was bid; the round and its tides are the old ones."""
    seats = []
    for seat in after.seats:
        changed = seat
        if result.bids[seat.seat]:
            lost = seat.seat in result.lost or seat.seat in result.eliminated
            changed = _turned_up(seat, result, words, True)._replace(losing=lost)
        seats.append(changed)
    takers = tuple([after.seats[seat].name for seat in result.takers])
    taken = zip(takers, result.offer, strict=True)
    return after._replace(
        seats=tuple(seats),
        round=before.round,
        round_words=before.round_words,
        offer=result.offer,
        offer_words=(
            *[words.t("{name} took the {tide}", name=name, tide=tide) for name, tide in taken],
            "",
        ),
        takers=takers,
        wave=before.wave,
    )


def _turned_up(seat: SeatModel, result: RoundResult, words: Words, taking: bool) -> SeatModel:
    card = result.bids[seat.seat] or 0
    state, rank = "", 0
    if taking and seat.seat in result.takers:
        rank = result.takers.index(seat.seat) + 1
        state = words.t("{card} took {tide}", card=card, tide=result.offer[rank - 1])
    return seat._replace(card=card, state=state, rank=rank)
