"""What a weaker player forgets, overlooks or cannot resist.

A slip changes what a bot believes; on that it bids as well as it can. So it errs as people do, and not by a
random card now and then.
"""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.views import NOTHING, History, SeatView

if TYPE_CHECKING:
    from engine.bots.registry import Bot

_FEW: Final = 2
"""With so few cards left, anybody looks at both tide cards."""


class Slips(NamedTuple):
    """How often a bid suffers from each, from 0 to 1."""

    hands: float = 0.0
    """Earlier stages are forgotten: the hands seen there, and how the others have played."""
    cards: float = 0.0
    """A card that was revealed in this stage is forgotten, if the earlier stages are; asked for each. Not for
    bots that judge rivals by the rounds of this stage (``engine.bots.evidence``): they see it there.
    """
    tide: float = 0.0
    """The higher tide card is overlooked, and taken for as low as the other one."""
    tempted: float = 0.0
    """The highest card is bid if the lower tide is ``tempting``, whatever else there is to consider."""
    tempting: int = 2
    """Tide cards up to this one are."""


@dataclass(frozen=True)
class Human:
    """A bot that slips as people do (``engine.bots.registry.Bot``)."""

    bot: "Bot"
    slips: Slips

    def choose(self, view: SeatView, history: History, rng: random.Random, manner: str = "") -> int:
        """What the bot bids on what it believes, or its highest card."""
        slips, table = self.slips, view.table
        assert table.offer is not None
        low, _ = table.offer
        if low <= slips.tempting and rng.random() < slips.tempted:
            return view.hand[-1]
        if rng.random() < slips.hands:
            history, view = NOTHING, view._replace(own_earlier=())
            table = table._replace(seats=tuple([seat._replace(earlier=()) for seat in table.seats]))
            if slips.cards:
                seats = [
                    seat._replace(
                        played=tuple([it for it in seat.played if rng.random() >= slips.cards])
                    )
                    for seat in table.seats
                ]
                table = table._replace(seats=tuple(seats))
        if len(view.hand) > _FEW and rng.random() < slips.tide:
            table = table._replace(offer=(low, low))
        return self.bot.choose(view._replace(table=table), history, rng, manner)
