"""The replay page: a finished game, forwards and backwards, at any speed, through anybody's eyes."""

from collections.abc import Callable
from typing import Final

from prompt_toolkit.buffer import Buffer

from server.coordinator.clock import Timer
from server.fullscreen.context import SessionContext
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.replay.view import ReplayFocus, replay_screen
from server.playback.recorded_game import (
    EVERYBODY,
    OPEN,
    Moment,
    MomentKind,
    RecordedGame,
    moment_at,
    pictures,
    place_of,
    seconds,
)
from server.terminal.capabilities import Size
from server.terminal.frame import Frame, Span
from server.terminal.line_edit import line_entry

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)


class ReplayPage:
    """See the module. ``leave`` is called when the viewer has seen enough."""

    def __init__(
        self, desk: SessionContext, game: RecordedGame, leave: Callable[[], None] | None = None
    ) -> None:
        self._desk: Final = desk
        self._game: Final = game
        self._leave: Final = leave or (lambda: desk.close(self))
        self._at = 0
        self._picture = pictures(game.moments[0]) - 1
        self._eyes = game.eyes
        self._speed = SPEEDS.index(1.0)
        self._timer: Timer | None = None
        self._scroll = 0
        self._said: Span = ("", "")
        self.entry: Buffer | None = None

    # ---------------------------------------------------------------- the picture

    @property
    def moment(self) -> Moment:
        """What is shown."""
        return self._game.moments[self._at]

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer is not None

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        focus = ReplayFocus(
            self._eyes, self._message(), self._place(), self._keys(), scroll=self._scroll
        )
        return replay_screen(self._game, self.moment, self._picture, focus, size, self._desk.look)

    def _message(self) -> Span:
        words, moment = self._desk.words, self.moment
        if self.entry is not None:
            return ("warm", words.t("go to stage.round: {typed}_", typed=self.entry.text))
        if self._said[1]:
            return self._said
        if moment.kind is MomentKind.FINAL:
            return ("dim", words.t("Replay: the end of the game."))
        if self._eyes == OPEN:
            return ("dim", words.t("Replay, all hands open; [ ] is what is bid in this round."))
        if self._eyes == EVERYBODY:
            return ("dim", words.t("Replay, as everybody could see it."))
        name = self._game.info.seats[self._eyes].name
        return ("dim", words.t("Replay, as {name} saw it.", name=name))

    def _place(self) -> Span:
        words = self._desk.words
        place = f"{self._at + 1}/{len(self._game.moments)}"
        if self.playing:
            return ("warm", words.t("{speed:g}x  {place}", speed=SPEEDS[self._speed], place=place))
        return ("dim", words.t("paused  {place}", place=place))

    def _keys(self) -> tuple[tuple[str, str], ...]:
        look = self._desk.look
        words = look.words
        if self.entry is not None:
            return (("Enter", words.t("go there")), ("Esc", words.t("back")))
        space = words.t("Space")
        moving: tuple[tuple[str, str], ...]
        if self.playing:
            moving = ((space, words.t("pause")), ("+ -", words.t("speed")))
        else:
            moving = ((space, words.t("play")), ("n p", words.t("stage")), ("g", words.t("go to")))
        return (
            (look.arrows, words.t("step")),
            *moving,
            ("e", words.t("eyes")),
            ("?", words.t("help")),
            ("a", words.t("all hands")),
            ("Esc", words.t("back")),
        )

    # ---------------------------------------------------------------- the keys

    def close(self) -> None:
        """Nobody looks any more."""
        self._pause()

    def key(self, name: str) -> None:
        """See ``Page``."""
        if self.entry is not None:
            self._typed(name)
            return
        self._said = ("", "")
        match name:
            case "right" | "l" | "enter":
                self._step(1)
            case "left" | "h" | "backspace":
                self._step(-1)
            case " ":
                self._pause() if self.playing else self._play()
            case "n" | "pagedown":
                self._to_stage(self.moment.stage + 1)
            case "p" | "pageup":
                self._to_stage(self.moment.stage - (self.moment.kind is MomentKind.START))
            case "home":
                self._show(0)
            case "end":
                self._show(len(self._game.moments) - 1)
            case "down" | "j":
                self._scroll += 1
            case "up" | "k":
                self._scroll = max(0, self._scroll - 1)
            case "escape" | "q":
                self._pause()
                self._leave()
            case _:
                self._other(name)

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _other(self, name: str) -> None:
        seats = len(self._game.info.seats)
        match name:
            case "+" | "=" | ">":
                self._speed = min(self._speed + 1, len(SPEEDS) - 1)
            case "-" | "<":
                self._speed = max(self._speed - 1, 0)
            case "e" | "tab":
                self._eyes = EVERYBODY if self._eyes == OPEN else self._eyes + 1
                if self._eyes == seats:
                    self._eyes = EVERYBODY
            case "?" | "f1":
                self._pause()
                self._desk.open(HelpPage(self._desk, replay=self._game.info.options))
            case "a":
                self._eyes = EVERYBODY if self._eyes == OPEN else OPEN
            case "g" | "/":
                self._pause()
                self.entry = line_entry(longest=8)
            case _ if name.isdecimal() and name.isascii() and int(name) <= seats:
                self._eyes = int(name) - 1

    def _typed(self, name: str) -> None:
        assert self.entry is not None
        if name == "enter":
            typed, self.entry = self.entry.text, None
            if typed.strip():
                self._go_to(typed)
        elif name in ("escape", "tab"):
            self.entry = None

    def _go_to(self, typed: str) -> None:
        """To a stage, or to a round of it: "3", "3.7", "3 7"; people count from 1."""
        words = self._desk.words
        place = place_of(typed)
        if place is None:
            self._said = ("error", words.t("A stage, or stage and round: 3 or 3.7"))
            return
        at = moment_at(self._game, *place)
        if at is None:
            self._said = ("error", words.t("The game did not get there."))
        else:
            self._show(at)

    # ---------------------------------------------------------------- moving

    def _step(self, by: int) -> None:
        self._pause()
        last = pictures(self.moment) - 1
        if by > 0 and self._picture < last:
            self._picture = last  # the rest of what is being turned up
        else:
            self._show(self._at + by)

    def _to_stage(self, stage: int) -> None:
        starts = [
            at
            for at, moment in enumerate(self._game.moments)
            if moment.kind is MomentKind.START and moment.stage <= stage
        ]
        at = starts[-1] if starts else 0
        beyond = stage > self._game.moments[at].stage
        self._show(len(self._game.moments) - 1 if beyond else at)

    def _show(self, at: int) -> None:
        """A moment, all of it."""
        self._pause()
        self._at = max(0, min(at, len(self._game.moments) - 1))
        self._picture = pictures(self.moment) - 1
        self._scroll = 0

    def _play(self) -> None:
        if self._at == len(self._game.moments) - 1:
            self._show(0)
        self._wait()

    def _pause(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        clock = self._desk.clock
        stays = seconds(self.moment, self._picture) / SPEEDS[self._speed]
        self._timer = clock.call_at(clock.time() + stays, self._on)

    def _on(self) -> None:
        """The time of this picture is over."""
        self._timer = None
        if self._picture < pictures(self.moment) - 1:
            self._picture += 1
        elif self._at < len(self._game.moments) - 1:
            self._at += 1
            self._picture = 0
        if self._at < len(self._game.moments) - 1:
            self._wait()
        self._desk.changed()
