"""A line of text the player types: made here, edited by prompt_toolkit, shown by screens."""

from collections import deque
from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.keys import Keys
from typing_extensions import override

from server.terminal.drawing.frame import cut, text_width

LONGEST: Final = 2000
"""Characters of a line; what is typed or pasted beyond is dropped. More than ``clean_text`` looks at, so that
whoever takes the line can tell that it was cut.
"""

UNDONE = 100
"""Changes of an entry that can be undone."""

_EDITING: Final[dict[str, tuple[str, ...]]] = {
    "beginning-of-line": ("home", "c-a", "c-home"),
    "end-of-line": ("end", "c-e", "c-end"),
    "backward-char": ("left", "c-b", "s-left"),
    "forward-char": ("right", "c-f", "s-right"),
    "backward-word": ("c-left",),
    "forward-word": ("c-right",),
    "backward-delete-char": ("backspace",),
    "delete-char": ("delete",),
    "kill-word": ("c-delete",),
    "unix-word-rubout": ("c-w",),
    "unix-line-discard": ("c-u",),
    "kill-line": ("c-k",),
    "transpose-chars": ("c-t",),
    "yank": ("c-y",),
    "undo": ("c-_",),
    "previous-history": ("up", "c-p"),
    "next-history": ("down", "c-n"),
}
"""prompt_toolkit's commands that edit a line, a choice that stays bounded: its full set also records macros,
repeats a key a million times and opens editors.
"""


def _editing() -> KeyBindings:
    bindings = KeyBindings()
    # A run of typed characters is undone as one.
    bindings.add(Keys.Any, save_before=lambda event: not event.is_repeat)(
        get_by_name("self-insert")
    )
    for command, names in _EDITING.items():
        for name in names:
            bindings.add(name)(get_by_name(command))
    return bindings


EDITING: Final = _editing()
"""What keys do in a line, on every page."""


class BoundedBuffer(Buffer):
    """Undoes the last changes only. The original keeps every change of a line for as long as it is not
    finished, which for who types and takes back all night is gigabytes.
    """

    @override
    def reset(self, document: Document | None = None, append_to_history: bool = False) -> None:
        super().reset(document, append_to_history)
        self._before: deque[Document] = deque(maxlen=UNDONE)

    @override
    def save_to_undo_stack(self, clear_redo_stack: bool = True) -> None:
        self._before.append(self.document)

    @override
    def undo(self) -> None:
        while self._before:
            if (before := self._before.pop()).text != self.text:
                self.document = before
                return


def line_entry(text: str = "", history: History | None = None, longest: int = LONGEST) -> Buffer:
    """An empty one-line entry (or one that begins with ``text``), of at most ``longest`` characters."""

    def keep_short(entry: Buffer) -> None:
        if len(entry.text) > longest:
            where = min(entry.cursor_position, longest)
            entry.document = Document(entry.text[:longest], where)

    entry = BoundedBuffer(
        multiline=False,
        history=history,
        document=Document(text[:longest]),
        on_text_changed=keep_short,
    )
    if history is not None:
        entry.load_history_if_not_yet_loaded()  # in the background; the first Up would be too early
    return entry


def visible(entry: Buffer, width: int) -> tuple[str, int]:
    """The part of the entry around its cursor that fits ``width`` columns, not padded; the cursor's column.
    One column is kept free for the cursor after the last character.
    """
    text, at = entry.text, entry.cursor_position
    first, before = 0, text_width(text[:at])
    while before > max(0, width - 1):
        gone = text[first : min(first + 8, at)]
        first += len(gone)
        before -= text_width(gone)
    return text[first : at + len(cut(text[at:], width - before))], before
