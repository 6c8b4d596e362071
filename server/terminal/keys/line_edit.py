"""A line of text the player types: made here, edited by prompt_toolkit, shown by screens."""

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import History

from server.terminal.drawing.frame import cut, text_width
from server.terminal.prompt_toolkit_hooks import BoundedBuffer

LONGEST = 500
"""Characters of an entry; what is typed or pasted beyond is dropped."""


def line_entry(text: str = "", history: History | None = None, longest: int = LONGEST) -> Buffer:
    """An empty one-line entry (or one that begins with ``text``), of at most ``longest`` characters."""

    def keep_short(entry: Buffer) -> None:
        if len(entry.text) > longest:
            where = min(entry.cursor_position, longest)
            entry.document = Document(entry.text[:longest], where)

    return BoundedBuffer(
        multiline=False,
        history=history,
        document=Document(text[:longest]),
        on_text_changed=keep_short,
    )


def visible(entry: Buffer, width: int) -> tuple[str, int]:
    """The part of the entry around its cursor that fits ``width`` columns, not padded; the cursor's column.
    One column is kept free for the cursor after the last character.
    """
    text, at = entry.text, entry.cursor_position
    first = 0
    while text_width(text[first:at]) > max(0, width - 1):
        first += max(1, min(8, at - first))
    column = text_width(text[first:at])
    return text[first : at + len(cut(text[at:], width - column))], column
