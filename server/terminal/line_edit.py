"""A line of text the player types: made here, edited by prompt_toolkit, shown by screens."""

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import History

from server.terminal.frame import text_width

LONGEST = 500
"""Characters of an entry; what is typed or pasted beyond is dropped."""
UNDONE = 100
"""So many changes of an entry can be undone."""


class _Entry(Buffer):
    """Keeps no more of what was typed than can be wanted back: prompt_toolkit keeps every change of a line
    for as long as it is not finished, which for who types and takes back all night is gigabytes.
    """

    def save_to_undo_stack(self, clear_redo_stack: bool = True) -> None:
        """See ``Buffer``."""
        super().save_to_undo_stack(clear_redo_stack)
        del self._undo_stack[:-UNDONE]


def line_entry(text: str = "", history: History | None = None, longest: int = LONGEST) -> Buffer:
    """An empty one-line entry (or one that begins with ``text``), of at most ``longest`` characters."""

    def cut(entry: Buffer) -> None:
        if len(entry.text) > longest:
            where = min(entry.cursor_position, longest)
            entry.document = Document(entry.text[:longest], where)

    return _Entry(
        multiline=False, history=history, document=Document(text[:longest]), on_text_changed=cut
    )


def visible(entry: Buffer, width: int) -> tuple[str, int]:
    """The part of the entry around its cursor that fits ``width`` columns, and the column the cursor
    stands in; the text is not padded. One column is kept free for the cursor after the last
    character.
    """
    text, at = entry.text, entry.cursor_position
    first = 0
    while text_width(text[first:at]) > max(0, width - 1):
        first += max(1, min(8, at - first))
    column = text_width(text[first:at])
    last = len(text)
    room = width - column
    if text_width(text[at:]) > room:
        last = at
        while last < len(text) and text_width(text[at : last + 1]) <= room:
            last += 1
    return text[first:last], column
