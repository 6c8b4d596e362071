"""The replay page: a finished game, forwards and backwards, at any speed, through anybody's eyes."""

from collections.abc import Callable
from typing import Final

from typing_extensions import override

from server.coordinator.clock import OneTimer
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import ARROWS, PromptPage
from server.fullscreen.replay.view import ReplayFocus, replay_screen
from server.i18n.catalogues import gettext_noop as _
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
from server.terminal.drawing.frame import Frame, Span
from server.terminal.keys.key_table import Key

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)


class ReplayPage(PromptPage):
    """See the module. ``leave`` is called when the viewer has seen enough."""

    KEYS = (
        Key("enter", does=lambda page: page.submit(), typing=True, footer=_("go there")),
        PromptPage.KEYS[1],
        Key(
            *("right", "l", "enter"),
            does=lambda page: page.step(1),
            footer=_("step"),
            label=ARROWS,
            help=_("Left Right\ta step back or on; h, l and Enter do the same"),
        ),
        Key("left", "h", "backspace", does=lambda page: page.step(-1)),
        Key(
            " ",
            does=lambda page: page.turn(),
            footer=_("play"),
            shown=lambda page: not page.playing,
            help=_("Space\tplay, or pause"),
        ),
        Key(" ", does=lambda page: page.turn(), footer=_("pause"), shown=lambda page: page.playing),
        Key(
            *("+", "=", ">"),
            does=lambda page: page.faster(1),
            footer=_("speed"),
            label="+ -",
            shown=lambda page: page.playing,
            help=_("+ -\tfaster, slower"),
        ),
        Key("-", "<", does=lambda page: page.faster(-1)),
        Key(
            *("n", "pagedown"),
            does=lambda page: page.to_stage(1),
            footer=_("stage"),
            label="n p",
            shown=lambda page: not page.playing,
            help=_("n, p\tthe next stage, and back; Page Down and Page Up too"),
        ),
        Key("p", "pageup", does=lambda page: page.to_stage(-1)),
        Key("home", does=lambda page: page.to_end(0), help=_("Home, End\tthe beginning, the end")),
        Key("end", does=lambda page: page.to_end(1)),
        Key(
            *("g", "/"),
            does=lambda page: page.ask_place(),
            footer=_("go to"),
            shown=lambda page: not page.playing,
            help=_("g\tgo to a stage, or to a round of it: 3 or 3.7"),
        ),
        Key(
            *("e", "tab"),
            does=lambda page: page.next_eyes(),
            footer=_("eyes"),
            help=_("e, 1 to 6\tthrough whose eyes"),
        ),
        Key(*"0123456", takes=lambda page, number: page.eyes_of(number)),
        Key("?", "f1", does=lambda page: page.help(), footer=_("help"), help=_("?\tthis help")),
        Key(
            "a",
            does=lambda page: page.open_hands(),
            footer=_("all hands"),
            help=_("a\tall hands, or none"),
        ),
        Key("down", "j", does=lambda page: page.scroll(1)),
        Key("up", "k", does=lambda page: page.scroll(-1)),
        Key(
            *("escape", "q"),
            does=lambda page: page.go_back(),
            footer=_("back"),
            help=_("Esc, q\tback"),
        ),
    )

    def __init__(
        self, desk: SessionContext, game: RecordedGame, leave: Callable[[], None] | None = None
    ) -> None:
        super().__init__(desk)
        self._game: Final = game
        self._leave: Final = leave or (lambda: desk.close(self))
        self._at = 0
        self._picture = pictures(game.moments[0]) - 1
        self._eyes = game.eyes
        self._speed = SPEEDS.index(1.0)
        self._timer: Final = OneTimer(desk.clock)
        self._scroll = 0
        self._said: Span = ("", "")

    # ---------------------------------------------------------------- the picture

    @property
    def moment(self) -> Moment:
        """What is shown."""
        return self._game.moments[self._at]

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer.running

    @override
    def frame(self, size: Size) -> Frame:
        focus = ReplayFocus(
            self._eyes, self._message(), self._place(), self.footer(), scroll=self._scroll
        )
        return replay_screen(self._game, self.moment, self._picture, focus, size, self.desk.look)

    def _message(self) -> Span:
        words, moment = self.desk.words, self.moment
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
        words = self.desk.words
        place = f"{self._at + 1}/{len(self._game.moments)}"
        if self.playing:
            return ("warm", words.t("{speed:g}x  {place}", speed=SPEEDS[self._speed], place=place))
        return ("dim", words.t("paused  {place}", place=place))

    # ---------------------------------------------------------------- the keys

    def close(self) -> None:
        """Nobody looks any more."""
        self._pause()

    @override
    def press(self, key: Key | None, name: str) -> None:
        self._said = ("", "")
        super().press(key, name)

    def turn(self) -> None:
        """Play, or pause."""
        self._pause() if self.playing else self._play()

    def to_stage(self, by: int) -> None:
        """The next stage, or the beginning of this one or the one before."""
        moment = self.moment
        self._to_stage(
            moment.stage + 1 if by > 0 else moment.stage - (moment.kind is MomentKind.START)
        )

    def to_end(self, at: int) -> None:
        """The first moment, or the last."""
        self._show(len(self._game.moments) - 1 if at else 0)

    def scroll(self, rows: int) -> None:
        """The standings up or down."""
        self._scroll = max(0, self._scroll + rows)

    def faster(self, by: int) -> None:
        """Or slower."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))

    def next_eyes(self) -> None:
        """Through the eyes of the next seat."""
        self._eyes = EVERYBODY if self._eyes == OPEN else self._eyes + 1
        if self._eyes == len(self._game.info.seats):
            self._eyes = EVERYBODY

    def eyes_of(self, number: str) -> None:
        """Through the eyes of this seat, counted from 1; of a spectator with 0."""
        if int(number) <= len(self._game.info.seats):
            self._eyes = int(number) - 1

    def open_hands(self) -> None:
        """All hands, or none."""
        self._eyes = EVERYBODY if self._eyes == OPEN else OPEN

    def help(self) -> None:
        """What the keys do here."""
        self._pause()
        self.menus.help(replay=self._game.info.options)

    def ask_place(self) -> None:
        """Have it typed where to go."""
        self._pause()
        self.ask("", self._go_to, longest=8)

    @override
    def go_back(self) -> None:
        self._pause()
        self._leave()

    def _go_to(self, typed: str) -> None:
        """To a stage, or to a round of it: "3", "3.7", "3 7"; people count from 1."""
        words = self.desk.words
        place = place_of(typed)
        if not typed:
            return
        if place is None:
            self._said = ("error", words.t("A stage, or stage and round: 3 or 3.7"))
            return
        at = moment_at(self._game, *place)
        if at is None:
            self._said = ("error", words.t("The game did not get there."))
        else:
            self._show(at)

    # ---------------------------------------------------------------- moving

    def step(self, by: int) -> None:
        """A moment on, or back."""
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
        self._timer.cancel()

    def _wait(self) -> None:
        self._timer.after(seconds(self.moment, self._picture) / SPEEDS[self._speed], self._on)

    def _on(self) -> None:
        """The time of this picture is over."""
        if self._picture < pictures(self.moment) - 1:
            self._picture += 1
        elif self._at < len(self._game.moments) - 1:
            self._at += 1
            self._picture = 0
        if self._at < len(self._game.moments) - 1:
            self._wait()
        self.desk.changed()
