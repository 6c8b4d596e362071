"""One player's full-screen session: keys in, frames out, at the right moments."""

import asyncio
import re
import unicodedata
from contextlib import suppress

from server.ui.app import SessionApplication, idle
from server.ui.controller_port import KEYS, WHILE_TYPING, Controller
from server.ui.editing import edits
from server.ui.entry import LONGEST
from server.ui.frame import cell_width
from server.ui.keys import KeyDecoder, Press, press_of
from server.ui.pace import THIN_WINDOW, WINDOW, Pace
from server.ui.renderer import Renderer
from server.ui.terminal import Abilities, Terminal
from server.ui.theme import theme_for
from server.ui.timers import LoopTimers, Timer, Timers
from server.ui.turns import Queues, queues_of

RESIZE_DELAY = 0.05
"""Seconds from the first of a series of resizes to the repaint."""

REPAINT_SECONDS = 0.25
"""Seconds between two repaints that the player asks for."""

KEYS_A_TURN = 16
"""Keys of one session that are pressed before others have their turn: about a millisecond's worth."""

PASTE_GAP = 0.2
"""Seconds within which the next piece of a paste comes, from a terminal that does not mark what is pasted."""

GREEDY_SECONDS = 1.0
"""So long after a session has sent more keys than that together, nothing that it asks for is done at once."""

_MOST_PASTED_LINES = 20
_LINE_ENDS = re.compile(r"\r\n|\r|\n")


class TuiSession:
    """Between a `Terminal` and a `Controller`. The transport calls `feed`, `resized`, `drained` and
    `end_of_input`, at any time, also before `run` has begun and after it has ended.
    """

    __slots__ = (
        "_abilities",
        "_ahead",
        "_begun",
        "_controller",
        "_deaf_until",
        "_decoder",
        "_editor",
        "_ended",
        "_entering",
        "_flush_timer",
        "_greedy_until",
        "_linger_timer",
        "_opened",
        "_over",
        "_pace",
        "_painted",
        "_pasting_until",
        "_queues",
        "_renderer",
        "_repaint_from",
        "_resize_timer",
        "_size",
        "_terminal",
        "_timers",
    )

    def __init__(self, terminal: Terminal, controller: Controller, timers: Timers | None = None):
        """``timers`` is the running event loop, unless a test has a clock of its own."""
        self._terminal = terminal
        self._controller = controller
        if timers is None:
            loop = asyncio.get_running_loop()
            self._timers: Timers = LoopTimers(loop)
            self._queues = queues_of(loop)
        else:
            own = self._timers = timers
            self._queues = Queues(lambda: own)
        self._abilities: Abilities = terminal.abilities
        self._renderer = Renderer(theme_for(self._abilities), self._abilities.synchronized)
        self._pace = Pace(self._timers, self._queues.leisure, self._draw)
        self._pace.window = THIN_WINDOW if self._abilities.thin else WINDOW
        self._decoder = KeyDecoder()
        self._over: asyncio.Future[None] | None = None  # while it runs: what it waits for
        self._editor: SessionApplication | None = None  # once something has been typed
        self._size = terminal.size
        self._painted = False
        self._entering = ""  # what takes the terminal over; leaves with the first frame
        self._ended = False
        self._flush_timer: Timer | None = None
        self._resize_timer: Timer | None = None
        self._repaint_from = 0.0  # until then the last repaint will do
        self._opened = False  # the last of the keys that came together has opened a line
        self._begun = False  # some of the keys that came together have been pressed
        self._pasting_until = 0.0  # text came faster than anybody types: the next may go on with it
        self._deaf_until = (
            0.0  # the line that was pasted into has closed: the rest of the paste is for nobody
        )
        self._linger_timer: Timer | None = None  # a line is kept open for the rest of the paste
        # Keys that are still to be pressed; those that came together are kept together, the last one first.
        self._ahead: list[list[Press]] = []
        self._greedy_until = 0.0
        controller.attach(self._changed)

    async def run(self) -> None:
        """Take the terminal over and play; returns when the controller is done or the input has ended.

        The terminal is given back in any case. What a controller raises is raised here; so is
        cancellation.
        """
        if self._ended:
            return
        self._over = asyncio.get_running_loop().create_future()
        try:
            self._begin()
            await self._over
        finally:
            self._over = None
            editor, self._editor = self._editor, None
            self._end()
            if editor is not None:
                await editor.cancel_and_wait_for_background_tasks()

    def feed(self, data: str) -> None:
        """The player's terminal sent ``data``; how it was split does not matter."""
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        presses = self._decoder.feed(data)
        delay = self._decoder.delay
        if delay is not None and not self._ended:
            self._flush_timer = self._timers.call_later(delay, self._flush)
        self._take(presses)

    def resized(self) -> None:
        """The terminal has another size; a series of these costs one repaint."""
        if self._resize_timer is None and self._painted and not self._ended:
            self._resize_timer = self._timers.call_later(RESIZE_DELAY, self._resize)

    def drained(self) -> None:
        """The terminal can be written to again."""
        self._renderer.forget()
        self._draw()

    def end_of_input(self) -> None:
        """Nothing more will come from the player: `run` ends."""
        self._finish()

    def _begin(self) -> None:
        self._entering = self._renderer.enter()
        self._draw()
        if self._ended or self._controller.done:
            self._finish()

    def _end(self) -> None:
        self._ended = True
        self._pace.drawing()
        for timer in (
            self._flush_timer,
            self._resize_timer,
            self._linger_timer,
        ):
            if timer is not None:
                timer.cancel()
        self._flush_timer = self._resize_timer = self._linger_timer = None
        self._write(self._renderer.leave())

    def _finish(self, error: BaseException | None = None) -> None:
        self._ended = True
        if self._over is not None and not self._over.done():
            if error is None:
                self._over.set_result(None)
            else:
                self._over.set_exception(error)

    def _write(self, text: str) -> None:
        with suppress(OSError):  # the line went away: whoever reads it will say so
            self._terminal.write(text)

    # ------------------------------------------------------------------------------------- drawing

    def _changed(self, *, at_leisure: bool = False) -> None:
        """The controller has something new to show."""
        if not self._ended:
            self._pace.ask(at_leisure=at_leisure)

    def _draw(self) -> None:
        """Send what differs, unless nobody is there to read it."""
        self._pace.drawing()
        if self._ended or self._over is None or not self._terminal.writable:
            return  # once it is drained, everything is painted
        try:
            if self._controller.done:
                self._finish()
                return
            abilities = self._terminal.abilities
            if abilities is not self._abilities:
                self._adapt(abilities)
            if not self._painted:
                self._size = self._terminal.size
            text = self._renderer.update(self._controller.frame(self._size), self._size)
        except Exception as error:
            self._finish(error)
            return
        if text:
            self._pace.sent()
            if self._entering:
                text, self._entering = self._entering + text, ""
            self._write(text)
        self._painted = True

    def _adapt(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._pace.window = THIN_WINDOW if abilities.thin else WINDOW
        self._renderer.synchronized = abilities.synchronized
        theme = theme_for(abilities)
        if theme is not self._renderer.theme:
            self._renderer.theme = theme

    def _repaint(self) -> None:
        """The player wants everything painted anew: at once, but not as fast as keys can be sent."""
        now = self._timers.time()
        if now >= self._repaint_from:
            self._repaint_from = now + REPAINT_SECONDS
            self._renderer.forget()
        elif self._resize_timer is None:
            wait = self._repaint_from - now
            self._resize_timer = self._timers.call_later(wait, self._resize)

    def _resize(self) -> None:
        # Every size is laid out anew, and nobody else has any use for it.
        self._queues.excess.join(self._resize_now)

    def _resize_now(self) -> bool:
        self._resize_timer = None
        self._repaint_from = self._timers.time() + REPAINT_SECONDS
        self._size = self._terminal.size
        # Terminals differ in what they make of the old content.
        self._renderer.forget()
        self._draw()
        return False

    # ---------------------------------------------------------------------------------------- keys

    def _flush(self) -> None:
        self._flush_timer = None
        self._take(self._decoder.flush())

    def _take(self, presses: list[Press]) -> None:
        """Press keys; those from before the first frame were meant for something else."""
        if not presses or not self._painted or self._over is None:
            return
        self._ahead.append(presses[::-1])
        if len(self._ahead) == 1 and (self._greedy or self._press_some()):
            self._greedy_until = self._timers.time() + GREEDY_SECONDS
            self._queues.excess.join(self._press_some)

    @property
    def _greedy(self) -> bool:
        return self._timers.time() < self._greedy_until

    def _press_some(self) -> bool:
        """Press the next keys, and show what has come of them; whether there are more."""
        if self._over is None:
            self._ahead.clear()
            return False
        try:
            idle().here.copy().run(self._press_next)
        except Exception as error:
            self._ahead.clear()
            self._finish(error)
            return False
        if self._editor is not None and self._controller.entry is None:
            self._editor.rest()
        if self._ahead or self._pace.wait:
            self._changed(at_leisure=self._greedy)
        else:
            self._draw()
        return bool(self._ahead)

    def _press_next(self) -> None:
        controller, ahead = self._controller, self._ahead
        for _ in range(KEYS_A_TURN):
            if self._ended or controller.done:
                ahead.clear()
                return
            together = ahead[0]
            if not self._begun:
                self._begun = True
                self._begin_piece(together)
            if together:
                self._press_one(together)
            if not together:
                self._opened = self._begun = False
                del ahead[0]
                if not ahead:
                    return

    def _press_one(self, together: list[Press]) -> None:
        controller = self._controller
        press = together.pop()
        typing = controller.entry is not None
        ends = press.name == "enter" and typing and not self._opened
        if ends and (_has_text(together) or self._timers.time() < self._pasting_until):
            # Nobody types that fast: lines from a terminal that does not mark what is pasted. (Who sends
            # "/", Enter and a digit together has just opened the line, and wants a phrase.)
            controller.key("newline")
            if controller.entry is None:
                together.clear()  # the others are not for the hot keys
                self._deaf_until = self._timers.time() + PASTE_GAP
            elif not together:
                self._linger_timer = self._timers.call_later(PASTE_GAP, self._close_line)
        else:
            self._press(press)
        self._opened = not typing and controller.entry is not None

    def _begin_piece(self, together: list[Press]) -> None:
        """These keys came together: see whether they go on with a paste that is not marked.

        One piece of it may end with a line; what comes after that is no more for the hot keys than what came
        before. A single key is the player's, who has gone on already.
        """
        now = self._timers.time()
        several = len(together) > 1 and _has_text(together)
        if self._linger_timer is not None:
            self._linger_timer.cancel()
            self._linger_timer = None
            if not several and (_has_text(together) or together[-1].name == "enter"):
                self._close_line()
        if not several:
            return
        self._pasting_until = now + PASTE_GAP
        if now < self._deaf_until and self._controller.entry is None:
            self._deaf_until = now + PASTE_GAP
            together.clear()

    def _close_line(self) -> None:
        """Nothing more has come of what was pasted: the line that was kept open for it closes."""
        self._linger_timer = None
        entry = self._controller.entry
        if entry is not None and not entry.text:
            self._controller.key("escape")
            self._changed()

    def _press(self, press: Press) -> None:
        controller = self._controller
        entry = controller.entry
        name, text = press
        if name == "c-l":
            self._repaint()
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


def _has_text(presses: list[Press]) -> bool:
    """Whether there are characters among these keys."""
    return any(len(press.name) == 1 for press in presses)


def _clean(text: str) -> str:
    composed = unicodedata.normalize("NFC", text.replace("\t", " "))
    return "".join(char for char in composed if cell_width(char))
