"""prompt_toolkit's KeyBindings for pages: their own keys, those that edit a line, and those of every page.

Of prompt_toolkit's editing commands there is a choice that stays bounded: its full set also records macros,
repeats a key a million times and opens editors.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.key_binding.key_bindings import Binding, KeysTuple
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from typing_extensions import override

from server.terminal.application import PlayerApplication
from server.terminal.drawing.frame import cell_width, is_mark
from server.terminal.keys.key_table import AnyKey
from server.terminal.keys.line_edit import LONGEST

_MOST_PASTED_LINES = 20
_LINE_ENDS = re.compile(r"\r\n|\r|\n")

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
Bindings = tuple[KeyBindings, KeyBindings]
"""Those while no line is typed, and those while one is: it is known before any of them is asked."""
_NAMES: Final = {Keys.ControlM: "enter", Keys.ControlI: "tab", Keys.ControlH: "backspace"}


class PageKeyBindings(KeyBindings):
    """Remembers what a few hundred keys do: all characters that mean nothing of their own are one. The
    original remembers 11,000 keys, and players type any character.
    """

    def __init__(self, names: Collection[str]) -> None:
        """``names`` are those of the page's own keys."""
        super().__init__()
        self._names: Final = names

    def _known(self, keys: KeysTuple) -> KeysTuple:
        return tuple(
            key if isinstance(key, Keys) or key in self._names else Keys.Any for key in keys
        )

    @override
    def get_bindings_for_keys(self, keys: KeysTuple) -> list[Binding]:
        return super().get_bindings_for_keys(self._known(keys))

    @override
    def get_bindings_starting_with_keys(self, keys: KeysTuple) -> list[Binding]:
        return super().get_bindings_starting_with_keys(self._known(keys))


def _app() -> PlayerApplication:
    app = get_app()
    assert isinstance(app, PlayerApplication)
    return app


def bindings_of(keys: Iterable[AnyKey]) -> Bindings:
    """What a page's table of keys means; made once for each, and shared by all who are there."""
    keys = tuple(keys)
    bound = {name for key in keys for name in key.names}
    idle, typing = bindings = PageKeyBindings(bound), PageKeyBindings(bound)
    idle.add(Keys.Any, save_before=_never)(_press_unknown)
    typing.add(Keys.Any, save_before=_typed)(get_by_name("self-insert"))
    for command, names in _EDITING.items():
        for name in names:
            typing.add(name)(get_by_name(command))
    for each in bindings:
        each.add(Keys.BracketedPaste, save_before=_never)(_paste)
        each.add("c-l", save_before=_never)(lambda event: _app().repaint())
    for key in keys:
        _add(typing if key.typing else idle, key)
    return bindings


def _add(bindings: KeyBindings, key: AnyKey) -> None:
    when = key.when
    active = True if when is None else Condition(lambda: when(_app().screen.focus))
    for name in key.names:
        bindings.add(name, filter=active, save_before=_never)(
            lambda event, name=name: _app().press(key, name)
        )


def _never(_event: KeyPressEvent) -> bool:
    return False


def _typed(event: KeyPressEvent) -> bool:
    """A run of typed characters is undone as one."""
    return not event.is_repeat


def _press_unknown(event: KeyPressEvent) -> None:
    key = event.key_sequence[0].key
    name = _NAMES.get(key, key.value) if isinstance(key, Keys) else key
    if len(name) == 1 or not name.startswith("c-"):
        _app().press(None, name)


def _paste(event: KeyPressEvent) -> None:
    app = _app()
    lines = [_clean(line) for line in _LINE_ENDS.split(event.data)]
    if app.entry is None:
        if line := next((line for line in lines if line.strip()), ""):
            app.screen.text(line[:LONGEST])
        return
    for number, line in enumerate(lines[:_MOST_PASTED_LINES]):
        if number:
            with app.pasting():
                enters = app.screen.key_bindings.get_bindings_for_keys((Keys.ControlM,))
                [binding for binding in enters if binding.filter()][-1].call(event)
        if app.is_done or (entry := _app().entry) is None:
            return  # the line that has ended was all that it was for
        entry.insert_text(line)


def _clean(text: str) -> str:
    composed = unicodedata.normalize("NFC", text.replace("\t", " "))
    return "".join(char for char in composed if cell_width(char) or is_mark(char))
