"""One player's full-screen session: what the terminal sends to the keyboard, frames to the terminal."""

import asyncio
from contextlib import suppress

from server.terminal.capabilities import Capabilities, Terminal
from server.terminal.controller_port import Controller
from server.terminal.fair_queue import Queues, queues_of
from server.terminal.frame_limiter import THIN_WINDOW, WINDOW, FrameLimiter
from server.terminal.key_decoder import KeyDecoder, Press
from server.terminal.keyboard import Keyboard
from server.terminal.output_budget import Budget
from server.terminal.renderer import Renderer
from server.terminal.theme import theme_for
from server.terminal.timers import EventLoopTimers, LoopTimers, TimerHandle

RESIZE_DELAY = 0.05
"""Seconds from the first of a series of resizes to the repaint."""

REPAINT_SECONDS = 0.25
"""Seconds between two repaints that the player asks for."""


class TuiSession:
    """Between a `Terminal` and a `Controller`. The transport calls `feed`, `resized`, `drained` and
    `end_of_input`, at any time, also before `run` has begun and after it has ended.
    """

    __slots__ = (
        "_abilities",
        "_asked",
        "_budget",
        "_controller",
        "_decoder",
        "_ended",
        "_entering",
        "_flush_timer",
        "_keyboard",
        "_over",
        "_pace",
        "_painted",
        "_queues",
        "_renderer",
        "_repaint_from",
        "_resize_timer",
        "_size",
        "_terminal",
        "_timers",
    )

    def __init__(
        self,
        terminal: Terminal,
        controller: Controller,
        timers: EventLoopTimers | None = None,
        budget: Budget | None = None,
    ):
        """``timers`` is the running event loop, unless a test has a clock of its own."""
        self._terminal = terminal
        self._budget = budget or Budget()
        self._asked = False  # the next frame is an answer to what the player did, at least in part
        self._controller = controller
        if timers is None:
            loop = asyncio.get_running_loop()
            self._timers: EventLoopTimers = LoopTimers(loop)
            self._queues = queues_of(loop)
        else:
            own = self._timers = timers
            self._queues = Queues(lambda: own)
        self._abilities: Capabilities = terminal.abilities
        self._renderer = Renderer(theme_for(self._abilities), self._abilities.synchronized)
        self._pace = FrameLimiter(self._timers, self._queues.leisure, self._draw)
        self._pace.window = THIN_WINDOW if self._abilities.thin else WINDOW
        self._decoder = KeyDecoder()
        self._over: asyncio.Future[None] | None = None  # while it runs: what it waits for
        self._size = terminal.size
        self._painted = False
        self._entering = ""  # what takes the terminal over; leaves with the first frame
        self._ended = False
        self._flush_timer: TimerHandle | None = None
        self._resize_timer: TimerHandle | None = None
        self._repaint_from = 0.0  # until then the last repaint will do
        self._keyboard = Keyboard(controller, self, self._timers, self._queues.excess)
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
            self._end()
            await self._keyboard.close()

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
        self._asked = True  # who never reads on could have it painted again and again
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
        self._keyboard.stop()
        self._pace.drawing()
        for timer in (self._flush_timer, self._resize_timer):
            if timer is not None:
                timer.cancel()
        self._flush_timer = self._resize_timer = None
        self._write(self._renderer.leave())

    def _finish(self, error: BaseException | None = None) -> None:
        self._ended = True
        self._keyboard.stop()
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
        if self._asked and self._budget.spent:
            self._budget.wait(self._draw)
            return
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
        asked, self._asked = self._asked, False
        if text:
            if asked:
                self._budget.charge(text)
            self._pace.sent()
            if self._entering:
                text, self._entering = self._entering + text, ""
            self._write(text)
        self._painted = True

    def _adapt(self, abilities: Capabilities) -> None:
        self._abilities = abilities
        self._pace.window = THIN_WINDOW if abilities.thin else WINDOW
        self._renderer.synchronized = abilities.synchronized
        theme = theme_for(abilities)
        if theme is not self._renderer.theme:
            self._renderer.theme = theme

    def _resize(self) -> None:
        # Every size is laid out anew, and nobody else has any use for it.
        self._queues.excess.join(self._resize_now)

    def _resize_now(self) -> bool:
        self._resize_timer = None
        self._repaint_from = self._timers.time() + REPAINT_SECONDS
        self._size = self._terminal.size
        # Terminals differ in what they make of the old content.
        self._renderer.forget()
        self._asked = True
        self._draw()
        return False

    # ---------------------------------------------------------------------------------------- keys

    def _flush(self) -> None:
        self._flush_timer = None
        self._take(self._decoder.flush())

    def _take(self, presses: list[Press]) -> None:
        """Press keys; those from before the first frame were meant for something else."""
        if presses and self._painted and self._over is not None:
            self._keyboard.take(presses)

    def pressed(self, *, more: bool, greedy: bool) -> None:
        """See ``keyboard.Screen``."""
        self._asked = True
        if more or self._pace.wait:
            self._changed(at_leisure=greedy)
        else:
            self._draw()

    def repaint(self) -> None:
        """See ``keyboard.Screen``: at once, but not as fast as keys can be sent."""
        now = self._timers.time()
        if now >= self._repaint_from:
            self._repaint_from = now + REPAINT_SECONDS
            self._renderer.forget()
        elif self._resize_timer is None:
            wait = self._repaint_from - now
            self._resize_timer = self._timers.call_later(wait, self._resize)

    def failed(self, error: Exception) -> None:
        """See ``keyboard.Screen``."""
        self._finish(error)
