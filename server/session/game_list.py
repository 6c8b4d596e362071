"""The list of games that are over, as much of it as somebody has seen."""

from typing import Final

from server.session.account_protocol import GameLibrary
from server.storage.history import GameRow


class GameList:
    """The newest first: this player's, unless everybody's are asked for."""

    def __init__(self, *, mine: bool = True, rows: tuple[GameRow, ...] | None = None) -> None:
        self.mine: Final = mine
        self.rows: tuple[GameRow, ...] = rows or ()
        self.complete = rows is not None
        """There are no more."""

    async def read_on(self, library: GameLibrary) -> tuple[GameRow, ...]:
        """The next ones, which join ``rows``; nothing when there are no more. Raises ``StoreError``."""
        known = self.rows
        found = await library.games(mine=self.mine, before=known[-1].id if known else 0)
        if self.rows is known:  # not read meanwhile
            self.rows += found
            self.complete = len(found) < library.games_at_once
        return found
