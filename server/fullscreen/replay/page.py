"""The page of a replay."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from typing_extensions import override

from engine.records.replay import Moment
from engine.rules import GameOver, StageScored, StageStarted
from engine.state import Cards
from server.coordinator.messages import TablePublic
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import ARROWS, Page, submits
from server.fullscreen.pages.reading import ReadingPage, help_lines, rows_of, rules
from server.fullscreen.replay.review_page import ReviewPage
from server.fullscreen.standings.pages import stage_screen
from server.fullscreen.standings.view import final_lines
from server.fullscreen.table.cards import Hand
from server.fullscreen.table.layout import TableFocus
from server.fullscreen.table.view import table_screen
from server.fullscreen.widgets.chrome import Keys, page
from server.fullscreen.widgets.drawing import DrawContext
from server.i18n.lookup import _
from server.playback import (
    EVERYBODY,
    OPEN,
    ReplayedGame,
    ReplayPosition,
    SummaryScene,
    pictures_of,
    present_reveal,
    reveal_steps,
    round_scene,
    seconds_of,
)
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span, fit, row, text_width
from server.terminal.keys.bindings import AnyKey, Key, KeyTable
from server.text.history import held_in_words
from server.timers import OneTimer
from server.viewmodels.table import code_of, log_of, present_table, title_of

_SHORT_NAME: Final = 8
"""Columns that a name beside an open hand gets at least, before the cards move closer together."""


def replay_screen(
    position: ReplayPosition,
    picture: int,
    message: Span,
    clock: Span,
    keys: Keys,
    size: Size,
    look: DrawContext,
    scroll: int = 0,
    bid: int = 0,
) -> Frame:
    """What a moment looks like; ``picture`` counts from 0, and anything too high is the last.

    ``clock`` stands at the right of the first row, ``scroll`` rows of the standings are out of sight,
    and ``bid`` is a card that is chosen in place of the one that was bid.
    """
    moment, viewpoint, info = position.moment, position.viewpoint, position.info
    now = position.now()
    view = now.table
    assert view is not None
    if isinstance(event := moment.event, StageScored):
        scene = SummaryScene(view, event.stage, event.result)
        return stage_screen(info, scene, viewpoint, message, keys, size, look)
    if isinstance(event, GameOver):
        lines = final_lines(info, view, viewpoint, size, look)
        top = max(0, min(scroll, len(lines) - (size.rows - 4)))
        title, shown = title_of(view, look.words), lines[top:]
        return page(title, shown, keys, message, size, look, share=1.0)
    hands = _hands(info, moment, size, look) if viewpoint == OPEN else []
    if moment.result is not None and moment.reveals:
        step = reveal_steps(moment.result)[min(picture, pictures_of(moment) - 1)]
        revealed = round_scene(view, moment.result)
        table = present_reveal(info, revealed, look.words, step)
        view = revealed.after if step.last else revealed.before
    else:
        table = present_table(info, view, look.words)
    whole = moment.reveals and picture >= pictures_of(moment) - 1
    log, (climax, brief) = log_of(info, view, look.words), table.climax
    news = (climax, *log[0].why[1:]) if whole else ()
    # Before the reveal, the card that will be bid; in it, it lies there sealed.
    chosen = bid or (0 if moment.reveals else moment.bid_of(viewpoint))
    own, hand = now.own, None
    if own is not None and own.hand:
        hand = Hand(own.hand, own.dealt, own.bid)
    seen = TableFocus(viewpoint, hand, chosen, message, ("", ""), news, brief, log=log)
    room = Size(size.columns, size.rows - len(hands))
    drawn = table_screen(table, seen, clock, keys, room, look)
    return drawn._replace(rows=(*drawn.rows[:-1], *hands, drawn.rows[-1]))


def _hands(info: TablePublic, moment: Moment, size: Size, look: DrawContext) -> list[Row]:
    """All hands, a row each, as far as there is room."""
    stage, most = moment.state.stage, moment.state.rules.hand_size
    names = [seat.name for seat in info.seats]
    cell = 4 if size.columns >= 4 * most + _SHORT_NAME else 3
    width = min(max(map(text_width, names)), size.columns - cell * most - 3)
    rows: list[Row] = [BLANK] if size.rows >= 24 else []
    for seat, name in enumerate(names):
        label = fit(name, width, ellipsis=look.glyphs.more if width > 2 else "")
        spans: list[Span] = [("dim", f" {label}")]
        if stage.eliminated[seat]:
            spans.append(("dim", f"  {look.words.t('out')}"))
        else:
            spans += _cards(stage.hands[seat], moment.bid_of(seat), cell - 3)
        rows.append(row(*spans))
    return rows


def _cards(hand: Cards, bid: int, gap: int) -> Iterator[Span]:
    """A hand in which the card that is bid stands out, ``gap`` blanks after each card."""
    closing = " "
    for card in hand:
        # Brackets stand where the blanks between the cards are.
        opening = "[" if card == bid else closing
        closing = "]" if card == bid else " "
        yield "card.chosen" if card == bid else "card", f"{opening}{card:2}"
        if gap:
            yield "card.chosen" if card == bid else "card", fit(closing, gap)
            closing = " "
    if closing == "]":
        yield "card.chosen", closing


SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)


class ReplayPage(Page):
    """One game being told again. ``leave`` is called when the viewer has seen enough."""

    LARGEST = None
    TYPED = submits(_("go there"))
    KEYS = KeyTable["ReplayPage"](
        Key(
            *("right", "l", "enter"),
            does=lambda page: page.step(1),
            footer=_("step"),
            label=ARROWS,
            help=_("Left Right\tone step back or forward; h, l and Enter do the same"),
        ),
        Key("left", "h", "backspace", does=lambda page: page.step(-1)),
    )

    def __init__(
        self, context: SessionContext, game: ReplayedGame, leave: Callable[[], None] | None = None
    ) -> None:
        super().__init__(context)
        self.position: Final = ReplayPosition(game)
        self.playable: Final = leave is None and bool(code_of(game.info))
        """Whether its deal can be played again."""
        self._leave: Final = leave or (lambda: context.close(self))
        self._picture = pictures_of(self.moment) - 1
        self._speed = SPEEDS.index(1.0)
        self._timer: Final = OneTimer(context.clock)
        self._scroll = 0
        self._review: ReviewPage | None = None
        self._wrong = ""
        """What is wrong with where one wanted to go."""

    @KEYS.add(
        " ",
        footer=_("play on"),
        shown=lambda page: not page.playing,
        help=_("Space\tplay, or pause"),
    )
    def turn(self) -> None:
        """Play, or pause."""
        if self.playing:
            self.pause()
            return
        if self.position.at == self.position.last:
            self.show(0)
        self._wait()

    KEYS.include(
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
        Key("home", does=lambda page: page.show(0), help=_("Home, End\tthe beginning, the end")),
        Key("end", does=lambda page: page.show(page.position.last)),
    )

    @KEYS.add(
        *("g", "/"),
        footer=_("go to"),
        shown=lambda page: not page.playing,
        help=_("g\tgo to a stage, or to a round of it: 3 or 3.7"),
    )
    def ask_place(self) -> None:
        """Have it typed where to go."""
        self.pause()
        self.ask("", self._go_to, longest=8)

    @KEYS.add(*("e", "tab"), footer=_("view"), help=_("e, 1 to 6\twhose view"))
    def next_viewpoint(self) -> None:
        """From the viewpoint of the next seat."""
        position, seats = self.position, len(self.position.game.info.seats)
        after = (
            n % (seats + 1) for n in range(position.viewpoint + 2, position.viewpoint + seats + 3)
        )
        next(n for n in after if position.look_from(n - 1))

    @KEYS.each(*"0123456")
    def viewpoint_of(self, number: str) -> None:
        """From the viewpoint of this seat, counted from 1; of a spectator with 0."""
        if int(number) <= len(self.position.game.info.seats):
            self._look_from(int(number) - 1)

    @KEYS.add("?", "f1", footer=_("help"), help=_("?\tthis help"))
    def help(self) -> None:
        """What the keys do here."""
        self.pause()
        words, look = self.words, self.context.look
        keys = (words.t("Replay"), rows_of(self.KEYS, words))
        told = (keys, *rules(self.position.game.info.options, look, facts=False))
        title = words.t("How to play")
        self.context.open(ReadingPage(self.context, title, partial(help_lines, told)))

    @KEYS.add(
        "a",
        footer=_("all hands"),
        shown=lambda page: not page.position.game.held,
        help=_("a\tall hands, or none"),
    )
    def open_hands(self) -> None:
        """All hands, or none."""
        self._look_from(EVERYBODY if self.position.viewpoint == OPEN else OPEN)

    @KEYS.add(
        "v",
        when=lambda page: page.has_library,
        footer=_("review"),
        help=_("v\treview: the bids beside those of the strongest bot"),
    )
    def review(self) -> None:
        """Show what the bids were worth."""
        self.context.open(self.reviewed())

    KEYS.include(
        Key("down", "j", does=lambda page: page.scroll(1)),
        Key("up", "k", does=lambda page: page.scroll(-1)),
    )

    @KEYS.add(
        "d",
        when=lambda page: page.playable,
        footer=_("same deal"),
        shown=lambda page: page.playable and not page.playing,
    )
    def play_deal(self) -> None:
        """Leave the replay for a game of the same deal."""
        self._leave()
        self.context.play_deal(code_of(self.position.game.info))

    @KEYS.add(
        "c",
        when=lambda page: page.playable and not isinstance(page.moment.event, GameOver),
        footer=_("play on from here"),
        shown=lambda page: not page.playing,
        help=_("c\tplay on from here against bots, on the seat that you look from"),
    )
    def play_on(self) -> None:
        """Take the seat that is looked from, or else the first person's, before the round that is shown."""
        game, moment = self.position.game, self.moment
        seat = game.reviewed_seat(self.position.viewpoint)
        self.context.play_on(game, seat, moment.stage, moment.round)

    @KEYS.add(*("escape", "q"), footer=_("back"), help=_("Esc, q\tback"))
    @override
    def go_back(self) -> None:
        self.pause()
        self._leave()

    # ---------------------------------------------------------------- the picture

    @property
    def moment(self) -> Moment:
        """What is shown."""
        return self.position.moment

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer.running

    @override
    def frame(self, size: Size) -> Frame:
        message, clock, keys = self._message(), self._place(), self.footer()
        at, look, scroll = self._picture, self.context.look, self._scroll
        # A replay has a table of its own, of which every row may be needed.
        game = self.game_row(size.columns)
        room = size._replace(rows=size.rows - (game is not None))
        frame = replay_screen(self.position, at, message, clock, keys, room, look, scroll)
        return frame if game is None else frame._replace(rows=(game, *frame.rows))

    def _message(self) -> Span:
        words = self.context.words
        if self.entry is not None:
            return ("warm", words.t("go to stage.round: {typed}_", typed=self.entry.text))
        if self._wrong:
            return ("error", self._wrong)
        if isinstance(self.moment.event, GameOver):
            return ("dim", words.t("Replay: the end of the game."))
        return ("dim", self.position.seen_in_words(words))

    def _place(self) -> Span:
        words = self.context.words
        place = f"{self.position.at + 1}/{self.position.last + 1}"
        if self.playing:
            return ("warm", words.t("{speed:g}x  {place}", speed=SPEEDS[self._speed], place=place))
        return ("dim", words.t("paused  {place}", place=place))

    # ---------------------------------------------------------------- the keys

    @override
    def closed(self) -> None:
        super().closed()
        self.pause()

    def pause(self) -> None:
        """Play no further."""
        self._timer.cancel()

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        self._wrong = ""
        super().press(key, name)

    def to_stage(self, by: int) -> None:
        """The next stage, or the beginning of this one or the one before."""
        here, moments = self.position.at, self.position.game.moments
        starts = [at for at, each in enumerate(moments) if isinstance(each.event, StageStarted)]
        if by > 0:
            self.show(min((at for at in starts if at > here), default=len(moments)))
        else:
            self.show(max((at for at in starts if at < here), default=0))

    def scroll(self, rows: int) -> None:
        """The standings up or down."""
        self._scroll = max(0, self._scroll + rows)

    def faster(self, by: int) -> None:
        """Or slower."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))

    def _look_from(self, viewpoint: int) -> None:
        if not self.position.look_from(viewpoint):
            self._wrong = held_in_words(self.words)

    def reviewed(self) -> ReviewPage:
        """The bids of whose eyes it is seen through, from which one comes back to a round."""

        def show(stage: int, round_: int, seat: int) -> None:
            self.position.viewpoint = seat
            self.position.go_to(f"{stage + 1}.{round_ + 1}", self.words)
            self.show(self.position.at)
            self.context.close(self)
            self.context.open(self)

        self.pause()
        if self._review is not None:
            self.context.close(self._review)  # one is enough
        seat = self.position.game.reviewed_seat(self.position.viewpoint)
        self._review = ReviewPage(self.context, self.position.game, seat, show)
        return self._review

    def _go_to(self, typed: str) -> None:
        if not typed:
            return
        self._wrong = self.position.go_to(typed, self.context.words)
        if not self._wrong:
            self.show(self.position.at)

    # ---------------------------------------------------------------- moving

    def step(self, by: int) -> None:
        """A moment on, or back."""
        self.pause()
        last = pictures_of(self.moment) - 1
        if by > 0 and self._picture < last:
            self._picture = last  # the rest of what is being turned up
        else:
            self.show(self.position.at + by)

    def show(self, at: int) -> None:
        """A moment, all of it."""
        self.pause()
        self.position.move_to(at)
        self._picture = pictures_of(self.moment) - 1
        self._scroll = 0

    def _wait(self) -> None:
        self._timer.after(seconds_of(self.moment, self._picture) / SPEEDS[self._speed], self._on)

    def _on(self) -> None:
        """The time of this picture is over."""
        if self._picture < pictures_of(self.moment) - 1:
            self._picture += 1
        elif self.position.move_to(self.position.at + 1):
            self._picture = 0
        if self.position.at < self.position.last:
            self._wait()
        self.context.changed()
