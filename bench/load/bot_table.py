"""One person at a table of bots: a game begins at once, and every round waits for that person alone."""

import re
from typing import Final

from bench.load.client import Clients
from bench.load.player import Player
from bench.load.table import Table, through
from engine.bots import DEFAULT_STRATEGY, STRATEGIES

_OUT: Final = re.compile(r"^ │ *~ out ~", re.MULTILINE)
"""In the first column, which is one's own."""


class BotTable(Table):
    """Against three of ``strategy``."""

    seats = 1
    strategy = DEFAULT_STRATEGY

    async def open(self, clients: Clients) -> str:
        """Come in, choose the bots and begin."""
        (player,) = self.players
        await player.come(clients)
        await through(player, "", "You are")
        await through(player, "l", "lobby")
        await through(player, "b", "Game against bots")
        steps = STRATEGIES.index(self.strategy) - STRATEGIES.index(DEFAULT_STRATEGY)
        await through(player, "\x1b[C" * steps, f"< +{self.strategy} +>")
        await through(player, "\r", "your hand")
        return ""

    async def _begin(self) -> None:
        """The game is on."""

    async def _bid(self, player: Player) -> None:
        if _OUT.search(player.look().text):
            # The bots go on, and their cards would be taken for an answer.
            self.played.unanswered += 1
        else:
            await super()._bid(player)


class ExpertTable(BotTable):
    """Against the strong instant level."""

    strategy = "expert"


class MasterTable(BotTable):
    """Against the strongest."""

    strategy = "master"
