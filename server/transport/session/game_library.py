"""The games that are over, for one visitor: what comes from the store is made fit for a terminal here."""

from typing import Final

from typing_extensions import override

from engine.errors import RecordError
from engine.record import Record, parse
from engine.replay import fold
from server.cleaning import clean_name, clean_text
from server.playback.recorded_game import EVERYBODY, RecordedGame, shown
from server.session.account import GameLibrary
from server.storage.history import GameRow, LeaderboardRow, PlayerPage
from server.storage.history_sql import SqlHistory

PAGE: Final = 50
"""How many games are asked for at a time."""
_TABLE_WIDTH: Final = 24


class VisitorLibrary(GameLibrary):
    """Finished games, for one visitor."""

    def __init__(self, history: SqlHistory, player: str) -> None:
        self._history: Final = history
        self._player: Final = player

    @override
    async def games(self, *, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        player = self._player if mine else ""
        rows = await self._history.games(player=player, before=before, limit=PAGE)
        return tuple(map(_clean, rows))

    @override
    async def game(self, number: int) -> RecordedGame | None:
        text = await self._history.record(number)
        if text is None:
            return None
        try:
            replay = fold(parse(text))
        except RecordError:
            return None
        title = table_of(replay.record) or f"#{number}"
        return shown(replay, names_of(replay.record), title, await self._seat(number))

    async def _seat(self, number: int) -> int:
        """On which seat this player has played a game."""
        rows = await self._history.games(player=self._player, before=number + 1, limit=1)
        return next((row.mine for row in rows if row.id == number), EVERYBODY)

    @override
    async def page(self) -> PlayerPage | None:
        page = await self._history.page(self._player)
        return page and page._replace(games=tuple(map(_clean, page.games)))

    @override
    async def best(self) -> tuple[LeaderboardRow, ...]:
        return await self._history.best()


def names_of(record: Record) -> tuple[str, ...]:
    """The players' names, clean, none empty and no two the same."""
    cleaned = [clean_name(name) for name in record.players]
    return tuple(
        name if name and cleaned.count(name) == 1 else f"{name}#{seat + 1}"
        for seat, name in enumerate(cleaned)
    )


def table_of(record: Record) -> str:
    """What the table was called; empty when the record does not say."""
    named = record.fields().get("table")
    return clean_text(named, _TABLE_WIDTH) if isinstance(named, str) else ""


def _clean(row: GameRow) -> GameRow:
    seats = tuple(seat._replace(name=clean_name(seat.name) or "?") for seat in row.seats)
    return row._replace(seats=seats)
