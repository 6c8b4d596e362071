"""What the full-screen glue asks of whoever decides what is on the screen."""

from typing import Protocol

from prompt_toolkit.buffer import Buffer

from server.terminal.capabilities import Size
from server.terminal.frame import Frame

KEYS = frozenset(
    {
        "left", "right", "up", "down", "s-left", "s-right", "s-up", "s-down",
        "home", "end", "pageup", "pagedown", "insert", "delete", "backspace",
        "enter", "escape", "tab", "s-tab", "c-c", "c-d",
        *(f"f{number}" for number in range(1, 13)),
    }
)  # fmt: skip
"""Names of keys that print nothing. A key that prints something is named by that character (a space
by ``" "``). Ctrl-L repaints the screen and never arrives here. Other keys are not passed on."""

WHILE_TYPING = frozenset(
    {"enter", "escape", "tab", "s-tab", "c-c", "c-d", "pageup", "pagedown"}
    | {f"f{number}" for number in range(1, 13)}
)
"""The only keys that reach `Controller.key` while an `Controller.entry` is open."""


class Invalidate(Protocol):
    """Asks for a new frame."""

    def __call__(self, *, at_leisure: bool = False) -> None:
        """Soon; ``at_leisure`` when nobody waits for it, and it may be left out for a later one."""


class Controller(Protocol):
    """Screens, focus and what keys mean, for one session. All calls come from the session's own
    event loop; none of them may wait.
    """

    @property
    def entry(self) -> Buffer | None:
        """The line the player is typing into, else None. While it is there, characters and editing
        keys go to it, and only `WHILE_TYPING` to `key`. `server.terminal.line_edit` makes and shows one.
        """

    @property
    def done(self) -> bool:
        """True when the session is over: the terminal is restored and `TuiSession.run` returns."""

    def attach(self, invalidate: Invalidate) -> None:
        """Called once, before the first frame. Calls of ``invalidate`` that come together cost one frame.
        Call it also after setting `done`.
        """

    def frame(self, size: Size) -> Frame:
        """What the screen shows now. Changes nothing; rows that are as before should be the same
        objects, or equal. At most ``size.rows`` rows of ``size.columns`` columns are shown.
        """

    def key(self, name: str) -> None:
        """A key was pressed (see `KEYS`); a new frame is drawn afterwards without being asked for.

        ``newline`` is no key: it ends a line of several that are pasted, with more to come.
        """

    def text(self, text: str) -> None:
        """Text was pasted while nothing was being typed: one line, cleaned, at most 500 characters.
        Screens without a use for it ignore it. (Pasted while typing, it goes into `entry`; each
        line but the last is followed by ``key("newline")`` for as long as an entry stays open.)
        """
