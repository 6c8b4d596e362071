"""One player's keys, pressed in order: hundreds at once a few at a time, and what is pasted as text."""

import re
import unicodedata
from typing import Final, Protocol

from server.terminal.application import SessionApplication, idle
from server.terminal.controller_port import KEYS, WHILE_TYPING, Controller
from server.terminal.edit_bindings import edits
from server.terminal.fair_queue import FairQueue
from server.terminal.frame import cell_width
from server.terminal.key_decoder import Press, press_of
from server.terminal.line_edit import LONGEST
from server.terminal.timers import EventLoopTimers, TimerHandle

KEYS_A_TURN = 16
"""Keys of one session that are pressed before others have their turn: about a millisecond's worth."""

PASTE_GAP = 0.2
"""Seconds within which the next piece of a paste comes, from a terminal that does not mark what is pasted."""

LONG_PASTE = 64
"""Keys that came together from which on the rest of them may have been held back ..."""

LONG_PASTE_GAP = 1.5
"""... and for how many seconds: the transport reads what comes too fast in helpings, up to a second apart."""

GREEDY_SECONDS = 1.0
"""So long after a session has sent more keys than that together, nothing that it asks for is done at once."""

_MOST_PASTED_LINES = 20
_LINE_ENDS = re.compile(r"\r\n|\r|\n")


class Screen(Protocol):
    """Where what the keys do is seen."""

    def pressed(self, *, more: bool, greedy: bool) -> None:
        """Keys have been pressed: show what has come of them. ``more`` are still to come; ``greedy``: there
        have been so many that others come first.
        """

    def repaint(self) -> None:
        """The player wants everything painted anew."""

    def failed(self, error: Exception) -> None:
        """A mistake in a screen: the session is over."""


class Keyboard:
    """Presses keys on a ``Controller``, and types into its entries."""

    __slots__ = (
        "_ahead",
        "_begun",
        "_controller",
        "_deaf_until",
        "_editor",
        "_excess",
        "_gap",
        "_greedy_until",
        "_linger_timer",
        "_opened",
        "_pasted",
        "_pasting_until",
        "_screen",
        "_stopped",
        "_timers",
    )

    def __init__(
        self, controller: Controller, screen: Screen, timers: EventLoopTimers, excess: FairQueue
    ) -> None:
        """``excess`` is the queue for keys beyond a session's share."""
        self._controller: Final = controller
        self._screen: Final = screen
        self._timers: Final = timers
        self._excess: Final = excess
        self._editor: SessionApplication | None = None  # once something has been typed
        # Keys that are still to be pressed; those that came together are kept together, the last one first.
        self._ahead: Final[list[list[Press]]] = []
        self._begun = False  # some of the keys that came together have been pressed
        self._opened = False  # the last of them has opened a line
        self._pasted = False  # nobody types them so fast
        self._pasting_until = 0.0  # nor what came before: the next may go on with it
        self._gap = PASTE_GAP
        # The line that was pasted into has closed: the rest of the paste is for nobody.
        self._deaf_until = 0.0
        self._linger_timer: TimerHandle | None = (
            None  # a line is kept open for the rest of the paste
        )
        self._greedy_until = 0.0
        self._stopped = False

    def take(self, presses: list[Press]) -> None:
        """Press these, which came together: the first of them at once, unless others wait before them."""
        self._ahead.append(presses[::-1])
        if len(self._ahead) == 1 and (self._greedy or self._press_some()):
            self._greedy_until = self._timers.time() + GREEDY_SECONDS
            self._excess.join(self._press_some)

    def stop(self) -> None:
        """Press nothing any more."""
        self._stopped = True
        if self._linger_timer is not None:
            self._linger_timer.cancel()
            self._linger_timer = None

    async def close(self) -> None:
        """Leave nothing behind."""
        self.stop()
        editor, self._editor = self._editor, None
        if editor is not None:
            await editor.cancel_and_wait_for_background_tasks()

    @property
    def _greedy(self) -> bool:
        return self._timers.time() < self._greedy_until

    def _press_some(self) -> bool:
        """Press the next keys, and have shown what has come of them; whether there are more."""
        if self._stopped:
            self._ahead.clear()
            return False
        try:
            idle().here.copy().run(self._press_next)
        except Exception as error:
            self._ahead.clear()
            self._screen.failed(error)
            return False
        if self._editor is not None and self._controller.entry is None:
            self._editor.rest()
        self._screen.pressed(more=bool(self._ahead), greedy=self._greedy)
        return bool(self._ahead)

    def _press_next(self) -> None:
        controller, ahead = self._controller, self._ahead
        for _ in range(KEYS_A_TURN):
            if self._stopped or controller.done:
                ahead.clear()
                return
            together = ahead[0]
            if not self._begun:
                self._begun = True
                self._begin_piece(together)
            if together:
                self._press_one(together)
            if not together:
                self._end_piece()
                del ahead[0]
                if not ahead:
                    return

    # ------------------------------------------------------------------ what is pasted without marks

    def _begin_piece(self, together: list[Press]) -> None:
        """These keys came together: see whether they go on with a paste that is not marked.

        One piece of it may end with a line; what comes after that is no more for the hot keys than what came
        before. Any other key is the player's, who has gone on already.
        """
        self._pasted = len(together) > 1 and any(len(press.name) == 1 for press in together)
        if self._linger_timer is not None:
            self._linger_timer.cancel()
            self._linger_timer = None
            if not self._pasted:
                self._close_line()
        if not self._pasted:
            return
        self._gap = LONG_PASTE_GAP if len(together) >= LONG_PASTE else PASTE_GAP
        now = self._timers.time()
        if now < self._deaf_until and self._controller.entry is None:
            self._deaf_until = now + self._gap
            together.clear()

    def _end_piece(self) -> None:
        if self._pasted:  # from here on, not from its beginning: it may have waited for many turns
            self._pasting_until = self._timers.time() + self._gap
        self._opened = self._begun = self._pasted = False

    def _press_one(self, together: list[Press]) -> None:
        controller = self._controller
        press = together.pop()
        typing = controller.entry is not None
        ends = press.name == "enter" and typing and not self._opened
        if ends and (self._pasted or self._timers.time() < self._pasting_until):
            # Nobody types that fast: lines from a terminal that does not mark what is pasted. (Who sends
            # "/", Enter and a digit together has just opened the line, and wants a phrase.)
            controller.key("newline")
            if controller.entry is None:
                together.clear()  # the others are not for the hot keys
                self._deaf_until = self._timers.time() + self._gap
            elif not together:
                self._linger_timer = self._timers.call_later(self._gap, self._close_line)
        else:
            self._press(press)
        self._opened = not typing and controller.entry is not None

    def _close_line(self) -> None:
        """Nothing more has come of what was pasted: the line that was kept open for it closes."""
        self._linger_timer = None
        entry = self._controller.entry
        if entry is not None and not entry.text:
            self._controller.key("escape")
            self._screen.pressed(more=True, greedy=False)

    # ------------------------------------------------------------------ one key

    def _press(self, press: Press) -> None:
        controller = self._controller
        entry = controller.entry
        name, text = press
        if name == "c-l":
            self._screen.repaint()
        elif name == "paste":
            self._paste([_clean(line) for line in _LINE_ENDS.split(text)], entry is not None)
        elif entry is not None and name not in WHILE_TYPING and (keys := edits(name, text)):
            if self._editor is None:
                self._editor = SessionApplication()
            self._editor.edit(entry, keys)
        elif name == "meta":
            for part in (Press("escape"), *press_of(text)):
                self._press(part)
        elif name in (KEYS if entry is None else WHILE_TYPING) or (
            entry is None and len(name) == 1
        ):
            controller.key(name)

    def _paste(self, lines: list[str], typing: bool) -> None:
        controller = self._controller
        if not typing:
            if line := next((line for line in lines if line.strip()), ""):
                controller.text(line[:LONGEST])
            return
        for number, line in enumerate(lines[:_MOST_PASTED_LINES]):
            if number:
                controller.key("newline")
            entry = controller.entry
            if entry is None or controller.done:
                return
            entry.insert_text(line)


def _clean(text: str) -> str:
    composed = unicodedata.normalize("NFC", text.replace("\t", " "))
    return "".join(char for char in composed if cell_width(char))
