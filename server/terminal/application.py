"""One player's full-screen session: a prompt_toolkit Application, from its first frame to its last.

Input and Output are a channel's, the renderer draws our frames, and what keys do is up to the page shown.
"""

import asyncio
import re
import unicodedata
from typing import Final, Protocol

from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from typing_extensions import override

from server.terminal.capabilities import Terminal
from server.terminal.drawing.frame import cell_width, is_mark
from server.terminal.drawing.frame_limiter import SLOW_LINE_WINDOW, WINDOW, FrameLimiter
from server.terminal.drawing.questions import found
from server.terminal.drawing.renderer import ChannelOutput, FrameRenderer, FrameSource
from server.terminal.fair_queue import Queues, queues_of
from server.terminal.keys.bindings import NEWLINE, name_of
from server.terminal.keys.input import SessionInput
from server.terminal.keys.lines import LONGEST
from server.terminal.prompt_toolkit_hooks import PageKeyProcessor
from server.timers import LOOP_TIMERS, Timer, Timers

RESIZE_DELAY = 0.05
"""Seconds from the first of a series of resizes to the repaint."""

ANSWER_SECONDS = 0.1
"""Seconds for which a picture waits on a slow line, as what a key has led to may be another one."""

REPAINT_SECONDS = 0.5
"""Seconds between two repaints that the player asks for."""

_MOST_PASTED_LINES: Final = 20
_LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")


class Invalidate(Protocol):
    """Asks for a new frame."""

    def __call__(self, *, in_background: bool = False, now: bool = False) -> None:
        """Soon; ``in_background`` when nobody waits for it, and it may be left out for a later one.

        ``now`` when nothing else is going to change with this.
        """


class Screen(FrameSource, Protocol):
    """What a session shows, and what its keys do. Called from its own event loop only; nothing may wait."""

    @property
    def entry(self) -> Buffer | None:
        """The line the player is typing into, else None. ``keys.lines`` makes and shows one."""

    @property
    def done(self) -> bool:
        """True when the session is over; a frame has to be asked for when that is not a key's doing."""

    def shown_with_answer(self) -> bool:
        """Whether what has just been pressed needs no frame: there is one when its answer comes."""

    def attach(self, invalidate: Invalidate) -> None:
        """Called once, before the first frame. Calls of ``invalidate`` that come together cost one frame."""

    def press(self, name: str, *, at_once: bool = False) -> bool:
        """Handle the key of this name, ``NEWLINE`` for Enter when the next line of a paste may follow.

        ``at_once`` is for a key with the one before: no hand presses so fast. Returns False for one that
        edits the line that is being typed.
        """

    def found(self, **abilities: object) -> None:
        """The terminal has turned out to have these."""

    def text(self, text: str) -> None:
        """Text was pasted while nothing was being typed: one line, cleaned, not too long."""


_NO_LINE: Final = Buffer(read_only=True)
_NO_LAYOUT: Final = Layout(Window())
"""Frames are laid out by the pages: one for all, which nothing changes."""


class PlayerApplication(Application[None]):
    """Between a ``Terminal`` and a ``Screen``.

    The transport calls `feed`, `resized`, `drained` and `end_of_input`, at any time, also before
    ``play`` has begun and after it has ended.
    """

    input: SessionInput
    renderer: FrameRenderer
    key_processor: PageKeyProcessor

    def __init__(self, terminal: Terminal, screen: Screen, timers: Timers | None = None) -> None:
        """``timers`` is the running event loop, unless a test has a clock of its own."""
        self._timers: Timers = timers or LOOP_TIMERS
        self.queues: Final = Queues(timers) if timers else queues_of(asyncio.get_running_loop())
        self.screen: Final = screen
        self._terminal: Final = terminal
        self._asked = False  # the next frame is an answer to what the player did, at least in part
        self._limiter: Final = FrameLimiter(self._timers, self.queues.background, self._draw)
        self._resize_timer: Timer | None = None
        self._repaint_from = 0.0  # until then the last repaint will do
        output = ChannelOutput(terminal, self._written)
        super().__init__(
            layout=_NO_LAYOUT,
            full_screen=True,
            erase_when_done=True,
            terminal_size_polling_interval=None,
            input=SessionInput(self, self._timers, terminal.meter),
            output=output,
        )
        self.renderer = FrameRenderer(screen, terminal, output)
        self.key_processor = PageKeyProcessor(self.press)
        # No key begins another one; the decoder knows which Esc stands alone.
        self.timeoutlen = None  # type: ignore[assignment]
        screen.attach(self.invalidate)

    async def play(self) -> None:
        """Take the terminal over and play, until the screen is done or the input has ended.

        The terminal is given back in any case. What the screen raises is raised here when it has
        nothing else to show; so is cancellation.
        """
        if self.input.closed:
            return
        try:
            with create_app_session():
                await self.run_async(
                    self._finish_if_done,
                    set_exception_handler=False,
                    handle_sigint=False,
                    slow_callback_duration=asyncio.get_running_loop().slow_callback_duration,
                )
        except EOFError:
            pass
        finally:
            self._limiter.drawing()
            if self._resize_timer is not None:
                self._resize_timer.cancel()

    # ----------------------------------------------------------------- what the transport calls

    def feed(self, data: str) -> None:
        """The player's terminal sent ``data``."""
        self.input.feed(data)

    def resized(self) -> None:
        """The terminal has another size; a series of these costs one repaint."""
        if self._resize_timer is None and self.accepts_keys:
            when = self._timers.time() + RESIZE_DELAY
            self._resize_timer = self._timers.call_at(when, self._resize)

    def drained(self) -> None:
        """The terminal can be written to again."""
        self.renderer.clear()
        self._draw(charged=True)  # who never reads on could have it painted again and again

    def end_of_input(self) -> None:
        """Nothing more will come from the player: ``play`` ends."""
        self.input.close()

    # ------------------------------------------------------------------------------------- drawing

    @override
    def invalidate(self, *, in_background: bool = False, now: bool = False) -> None:
        """Draw soon; prompt_toolkit asks for it after each key, too."""
        if not self.is_running or self.input.pressing:
            return
        if now and not self._limiter.waits:
            self._draw()
        else:
            self._limiter.ask(in_background=in_background)

    def _draw(self, *, charged: bool = False) -> None:
        """Draw now; it is ``charged`` where it is an answer, or the terminal's doing."""
        self._limiter.drawing()
        if charged or self._asked:
            self._terminal.meter.do("frame", self._show)
        else:
            self._show()

    def _show(self) -> None:
        """Send what differs, unless nobody is there to read it."""
        if not self.is_running or not self._terminal.writable:
            return
        self._finish_if_done()
        assert self.context is not None
        try:
            self.context.copy().run(self.renderer.render, self, self.layout)
        except Exception as error:
            self._end(error)
        self._asked = False

    def _written(self, text: str) -> None:
        if self._asked:
            self.input.bursts.shown()
        self._limiter.window = SLOW_LINE_WINDOW if self.renderer.abilities.thin else WINDOW
        self._limiter.sent()

    def _resize(self) -> None:
        # Every size is laid out anew, and nobody else has any use for it: it is never done at once.
        self._terminal.meter.later("size", self._resize_now)

    def _resize_now(self) -> None:
        self._resize_timer = None
        self._repaint_from = self._timers.time() + REPAINT_SECONDS
        self.renderer.resize()
        self._draw(charged=True)

    def repaint(self) -> None:
        """The player wants everything painted anew: at once, but not as fast as keys can be sent."""
        now = self._timers.time()
        if now >= self._repaint_from:
            self._repaint_from = now + REPAINT_SECONDS
            self.renderer.clear()
        elif self._resize_timer is None:
            self._resize_timer = self._timers.call_at(self._repaint_from, self._resize)

    # ---------------------------------------------------------------------------------------- keys

    @property
    def entry(self) -> Buffer | None:
        """The line the player is typing into."""
        return self.screen.entry

    @property
    @override
    def current_buffer(self) -> Buffer:
        return self.screen.entry or _NO_LINE

    @property
    def slow(self) -> bool:
        """The line is slow."""
        return self._terminal.abilities.thin

    @property
    def accepts_keys(self) -> bool:
        """Keys mean something: there is something to see, and the session is not over."""
        return self.is_running and not self.is_done and self.renderer.painted

    def press(self, pressed: KeyPress) -> bool:
        """Have the screen do what a key does there. Returns False for one that edits a line."""
        if self.is_done:
            return True
        if pressed.key is Keys.BracketedPaste:
            self._paste(pressed.data)
        elif pressed.key is Keys.ControlL:
            self.repaint()
        else:
            return self._press(name_of(pressed))
        return True

    def _press(self, name: str) -> bool:
        done = self.screen.press(name, at_once=self.input.bursts.at_once)
        if done and self.entry is None and self.input.bursts.is_text:
            self.input.drop()  # the rest is for nobody
            self.key_processor.drop()
        self._finish_if_done()
        return done

    def _paste(self, text: str) -> None:
        """Put it into the line that is being typed, each of several with an Enter behind it."""
        lines = [_clean(line) for line in _LINE_ENDS.split(text)]
        if self.entry is None:
            if line := next((line for line in lines if line.strip()), ""):
                self.screen.text(line[:LONGEST])
            return
        for number, line in enumerate(lines[:_MOST_PASTED_LINES]):
            if number:
                self._press(NEWLINE)
            if self.is_done or (entry := self.entry) is None:
                return  # the line that has ended was all that it was for
            entry.insert_text(line)

    def pressed(self) -> None:
        """Keys have been pressed: show what has come of them."""
        self._asked = True
        if self.screen.shown_with_answer():
            return  # with what comes of it
        answered_soon = self.screen.abilities.thin and self.entry is None
        if answered_soon or self._limiter.waits:
            self._limiter.ask(after=ANSWER_SECONDS * answered_soon)
        else:
            self._draw()

    def answered(self, text: str) -> None:
        """The terminal has told something about itself, such as ``"11;rgb:ffff/ffff/ffff"``."""
        if abilities := found(text, self.screen.abilities):
            self.screen.found(**abilities)

    def fail(self, error: Exception) -> None:
        """A key has led to a mistake. Show what the screen has for that, or end with it."""
        if self.screen.failed(error, drawing=False):
            self.pressed()
            self._finish_if_done()
        else:
            self._end(error)

    def _end(self, error: Exception) -> None:
        if self.is_running and not self.is_done:
            self.exit(exception=error)

    def _finish_if_done(self) -> None:
        if self.screen.done and self.is_running and not self.is_done:
            self.exit()


def _clean(text: str) -> str:
    composed = unicodedata.normalize("NFC", text.replace("\t", " "))
    return "".join(char for char in composed if cell_width(char) or is_mark(char))
