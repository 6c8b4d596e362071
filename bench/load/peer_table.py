"""Five sessions on one of the yardsticks, which know no tables: nothing to sit down at, nothing to start."""

from bench.load.client import Clients
from bench.load.player import Player
from bench.load.table import Table


class StockTable(Table):
    """Sessions of the same login suffix see each other's keys."""

    keys = ("s",)
    wake = "t"
    """Takes back what ``keys`` did, so that it can be seen again."""

    async def open(self, clients: Clients) -> str:
        """Everybody comes in the same way."""
        first = self.players[0]
        code = f"t{first.number}"
        if not self.looked_at:
            first.screen = None
        await first.come(clients, f"+{code}")
        return code

    async def _begin(self) -> None:
        """There is nothing to start."""

    def _move(self, player: Player) -> None:
        player.press(self.wake)


class EchoTable(StockTable):
    """What a session types comes back to it, and to nobody else."""

    keys = ("x" * 80,)
    mark = b"x" * 80
    wake = "y" * 100

    def _watchers(self, player: Player) -> list[Player]:
        return [player]
