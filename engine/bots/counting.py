"""What any attentive player knows from the view: which cards are still out, and who is still in."""

from engine.cards import WEATHER_CARDS
from engine.views import SeatPublic, SeatView


def rivals(view: SeatView) -> list[SeatPublic]:
    """The other seats still in the stage, in seat order."""
    return [
        seat
        for number, seat in enumerate(view.table.seats)
        if number != view.seat and not seat.eliminated
    ]


def unseen_cards(view: SeatView) -> list[int]:
    """Weather cards neither in the own dealt hand nor revealed in this stage, ascending.

    They are in the rivals' hands, set aside, or were never dealt.
    """
    seen = set(view.dealt)
    for seat in view.table.seats:
        seen.update(seat.played)
    return [card for card in WEATHER_CARDS if card not in seen]
