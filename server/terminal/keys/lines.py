"""Lines of text: typed into a field of a screen, or without a full screen."""

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPress
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.keys import Keys
from typing_extensions import override

from server.terminal.drawing.frame import cell_width, cut, text_width
from server.terminal.keys.key_decoder import KeyDecoder, key_of

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
    """Undoes the last changes only.

    The original keeps every change of a line for as long as it is not finished, which for who types and
    takes back all night is gigabytes.
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
    """The part of the entry around its cursor that fits ``width`` columns, not padded.

    The cursor's column. One column is kept free for the cursor after the last character.
    """
    text, at = entry.text, entry.cursor_position
    first, before = 0, text_width(text[:at])
    while before > max(0, width - 1):
        gone = text[first : min(first + 8, at)]
        first += len(gone)
        before -= text_width(gone)
    return text[first : at + len(cut(text[at:], width - before))], before


_UP: Final = "\x1b[A"


@dataclass(slots=True, eq=False, kw_only=True)
class LineTyping:
    """Puts lines together.

    With ``echo`` the client shows nothing by itself, and is told what was typed, in rows of at most
    ``width()`` columns, so that we know where its cursor is; ``cursor``: it can be placed. ``line``
    gets every line without its end, ``leave`` is called for Ctrl-C and Ctrl-D, with which what was
    begun is dropped. ``now`` is a clock in seconds.
    """

    echo: bool
    write: Callable[[str], None]
    line: Callable[[str], None]
    leave: Callable[[], None]
    width: Callable[[], int] = lambda: 79
    cursor: bool = False
    now: Callable[[], float] = time.monotonic
    _typed: str = ""
    _rows: list[str] = field(default_factory=lambda: [""])
    """Rows as they are shown."""
    _decoder: KeyDecoder = field(default_factory=KeyDecoder)
    _fed: float = 0.0

    def __post_init__(self) -> None:
        self._decoder.slow = True  # Esc means nothing here, and may be waited for

    @property
    def begun(self) -> bool:
        """Something of a line has been typed."""
        return bool(self._typed)

    @property
    def pending(self) -> str:
        """What has been typed of a line so far and must be shown again after other text, when echoing."""
        return "\r\n".join(self._rows)

    @property
    def taken_away(self) -> str:
        """What takes that from the screen; where rows above the last cannot be reached, they stay."""
        if not self.pending:
            return ""
        if self.cursor:
            return "\r" + _UP * (len(self._rows) - 1) + "\x1b[J"
        if len(self._rows) > 1:
            return "\r\n"
        return "\r" + " " * text_width(self.pending) + "\r"

    def feed(self, text: str) -> None:
        """Characters have come; they may begin or end anywhere."""
        fed, self._fed = self._fed, self.now()
        keys = self._decoder.flush() if self._fed - fed >= (self._decoder.delay or inf) else []
        shown: list[str] = []
        self._press([*keys, *self._decoder.feed(text)], shown)
        self._show(shown)

    def _press(self, keys: Iterable[KeyPress], shown: list[str]) -> None:
        for key in keys:
            match key.key:
                case Keys.BracketedPaste:
                    for char in key.data:
                        self._press(key_of(char), shown)
                case Keys.ControlM:
                    if self.echo:
                        shown.append("\r\n")
                    self._show(shown)
                    line, self._typed, self._rows = self._typed, "", [""]
                    self.line(line)
                case Keys.ControlH:
                    self._erase(shown)
                case Keys.ControlU:
                    self._drop(shown)
                case Keys.ControlC | Keys.ControlD:
                    self._drop(shown)
                    self._show(shown)
                    self.leave()
                case char if not isinstance(char, Keys) and len(self._typed) < LONGEST:
                    self._typed += char
                    if self.echo:
                        self._append(char, shown)

    def _drop(self, shown: list[str]) -> None:
        shown.append(self.taken_away)
        self._typed, self._rows = "", [""]

    def _append(self, char: str, shown: list[str]) -> None:
        if text_width(self._rows[-1]) + cell_width(char) > max(2, self.width()):
            self._rows.append("")
            shown.append("\r\n")
        self._rows[-1] += char
        shown.append(char)

    def _erase(self, shown: list[str]) -> None:
        """Rub out what was typed last, with the marks on it."""
        end = len(self._typed)
        while end > 1 and not cell_width(self._typed[end - 1]):
            end -= 1
        gone, self._typed = self._typed[max(0, end - 1) :], self._typed[: max(0, end - 1)]
        if not self.echo or not gone:
            return
        # What has no columns of its own may have changed those of its neighbour: terminals differ.
        again = self.cursor and not all(map(cell_width, gone))
        shown.append(self.taken_away if again else "\b \b" * text_width(gone))
        self._rows[-1] = self._rows[-1].removesuffix(gone)
        up = len(self._rows) > 1 and not self._rows[-1]
        if up:
            self._rows.pop()
        if again:
            shown.append(self.pending)
        elif up and self.cursor:
            shown.append(f"{_UP}\x1b[{text_width(self._rows[-1])}C")
        elif up:  # and there is no way there: what is left is shown once more
            shown.append("\r\n" + self.pending)

    def _show(self, shown: list[str]) -> None:
        if self.echo and shown:
            self.write("".join(shown))
        shown.clear()
