"""The line that is typed: what is kept of it."""

from server.terminal.keys.lines import UNDONE, line_entry


def test_the_last_changes_are_undone() -> None:
    entry = line_entry("a")
    for char in "bcd":
        entry.save_to_undo_stack()
        entry.insert_text(char)
    entry.save_to_undo_stack()
    texts = []
    for _ in range(4):
        entry.undo()
        texts.append((entry.text, entry.cursor_position))
    assert texts == [("abc", 3), ("ab", 2), ("a", 1), ("a", 1)]


def test_whoever_types_and_takes_back_all_night_is_not_kept_every_line_of_it() -> None:
    entry = line_entry()
    for number in range(3 * UNDONE):
        entry.save_to_undo_stack()
        entry.text = str(number)
    for _ in range(4 * UNDONE):
        entry.undo()
    assert entry.text == str(2 * UNDONE - 1)
