"""What is written of a table: its row if that has changed, what was done in its game, its record."""

from typing import Final

from server.coordinator import messages as m
from server.coordinator.table.finished import entered_by, finished_game
from server.coordinator.table.model import Table, what_is_kept
from server.coordinator.table.steps import Step
from server.coordinator.table.stored import to_entries, to_row
from server.coordinator.time_source import Clock
from server.storage.store import StoredChange, StoreError
from server.storage.tables import TableLog


class Writing:
    """Appends to the log of one table."""

    def __init__(self, log: TableLog, clock: Clock) -> None:
        self.log: Final = log
        self._clock: Final = clock
        self._unsure = True
        """The store may have another row than this table's: the next change is written with the row."""

    async def write(self, before: Table, step: Step) -> bool:
        """Write what is to be kept of a step; whether there was anything. Raises ``StoreError`` and
        ``Conflict``; then nothing has been written.
        """
        after, now = step.table, self._clock.time()
        changed = what_is_kept(after) != what_is_kept(before)
        if not changed and not step.actions:
            return False
        over = after.status is m.Status.OVER and before.status is m.Status.PLAYING
        # Of a game that was broken off before its first stage was over, nothing is kept.
        has_result = over and after.game is not None and after.game.finished
        try:
            change = StoredChange(
                self.log.key,
                to_row(after) if changed or self._unsure else None,
                after.number,
                entries=to_entries(step.actions, now),
                finished=finished_game(self.log.key, after, now) if has_result else None,
                code=after.id if self._unsure else "",
                entered=entered_by(after, now) if after.number != before.number else (),
            )
            await self.log.append(change)
        except StoreError:
            # Should the store have kept it after all, the next row puts that right.
            self._unsure = True
            raise
        self._unsure = False
        return True
