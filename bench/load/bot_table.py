"""One person at a table of bots: a game begins at once, and every round waits for that person alone."""

from bench.load.client import Clients
from bench.load.table import Table, through
from engine.bots import DEFAULT_STRATEGY, STRATEGIES


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
        if not self.looked_at:
            player.screen = None
        return ""

    async def _begin(self) -> None:
        """The game is on."""


class ExpertTable(BotTable):
    """Against the strong instant level."""

    strategy = "expert"


class MasterTable(BotTable):
    """Against the strongest."""

    strategy = "master"
