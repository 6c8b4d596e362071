"""How long a round of a tournament can take."""

from math import ceil
from typing import Final

from server.coordinator.messages import TournamentPlan
from server.settings.table_settings import Timing

LATE: Final = 30 * 60.0
"""Seconds after ``longest_round`` from which on nothing is waited for any more: neither a table that cannot
be opened, nor a bot whose process does not answer.
"""


def longest_round(plan: TournamentPlan, timing: Timing) -> int:
    """Seconds from the beginning of a round to the end of its last game, if every bid takes all of its time.

    The last card of a hand is bid at once, and a restart or a bot that thinks for long is not counted.
    """
    rules = plan.options.rules
    bids = rules.rounds - 1
    bidding = bids * max(plan.options.seconds, timing.bot_most)
    reading = (bids - 1) * timing.reveal
    return ceil(plan.call + rules.stages * (bidding + reading) + (rules.stages - 1) * timing.stage)
