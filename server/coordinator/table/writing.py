"""What is written of a table: its row if that has changed, what was done in its game, its record."""

from server.coordinator import messages as m
from server.coordinator.table.record_of_game import entered_by, finished_game
from server.coordinator.table.state import Table, what_is_kept
from server.coordinator.table.steps import Step
from server.coordinator.table.stored import to_entries, to_row
from server.storage.store import StoredChange
from server.storage.tables import TableLog


async def write(log: TableLog, before: Table, step: Step, now: float) -> bool:
    """Write what is to be kept of a step; whether there was anything. Raises ``StoreError`` and ``Conflict``;
    then nothing has been written.
    """
    after = step.table
    changed = what_is_kept(after) != what_is_kept(before)
    if not changed and not step.actions:
        return False
    over = after.status is m.Status.OVER and before.status is m.Status.PLAYING
    # Of a game that was broken off before its first stage was over, nothing is kept; nor of those that
    # programs without an account play by the thousand.
    counts = after.options.pace is not m.Pace.FAST or after.has_account
    has_result = over and counts and after.game is not None and after.game.finished
    change = StoredChange(
        log.key,
        to_row(after) if changed or log.unsure else None,
        after.number,
        entries=to_entries(step.actions, now),
        finished=finished_game(log.key, after, now) if has_result else None,
        code=after.id if log.unsure else "",
        entered=entered_by(after, now) if after.number != before.number else (),
    )
    await log.append(change)
    return True
