"""The line that is typed: what is kept of it."""

from server.terminal.keys.line_edit import LONGEST, line_entry
from server.terminal.prompt_toolkit_hooks import UNDONE


def test_whoever_types_and_takes_back_all_night_is_not_kept_every_line_of_it() -> None:
    before = "x" * (LONGEST - 10)
    entry = line_entry(before)
    for _ in range(UNDONE):
        entry.save_to_undo_stack()
        entry.insert_text("a")
        entry.save_to_undo_stack()
        entry.delete_before_cursor()
    assert len(entry._undo_stack) == UNDONE
    entry.undo()
    assert entry.text == f"{before}a"
