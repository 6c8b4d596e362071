"""The pages after a stage and after a game."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Final

from typing_extensions import override

from engine.standings import HandPlayed, Standing, stage_hands
from engine.views import TableView
from server.coordinator.events.days import is_day
from server.coordinator.messages import TablePublic
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import people_key
from server.fullscreen.pages.page import (
    HELP,
    TALK,
    TO_LEAVE,
    TO_LOBBY,
    TOURNAMENTS,
    WAYS_OUT,
    Page,
    menu,
)
from server.fullscreen.pages.reading import PAGING, SCROLL, SCROLLING, ReadingPage, SharePage
from server.fullscreen.standings.podium import ALL, CeremonyPage, podium_rows
from server.fullscreen.standings.view import (
    chart_head,
    chart_rows,
    final_lines,
    podium_of,
    points_style,
)
from server.fullscreen.table.layout import next_round_said
from server.fullscreen.table.log import LogPage
from server.fullscreen.table.tide_gauges import preservers
from server.fullscreen.widgets.chrome import Keys, body_size, page, paragraph, paragraphs
from server.fullscreen.widgets.drawing import DrawContext, between, side_by_side, wrap_facts
from server.i18n.lookup import Words, _
from server.playback import SummaryScene
from server.session.preferences import same_people
from server.session.sharing import Shared, shared_here
from server.session.tutorial import lesson_in_words
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import (
    BLANK,
    Frame,
    Row,
    Span,
    fit,
    pad_row,
    row,
    slice_row,
    text_width,
    wrap,
)
from server.terminal.keys.bindings import AnyKey, Key, KeyTable
from server.text.rounds import (
    Names,
    bids_in_words,
    bonus_in_words,
    earlier_in_words,
    losses_in_words,
    next_hand_in_words,
    out_in_words,
    signed,
    stage_end_in_words,
)
from server.text.tournaments import still_playing
from server.viewmodels.table import (
    by_bots,
    code_of,
    hands_in_words,
    level_words,
    rematch_in_words,
    rematch_vote,
    seat_names,
    title_of,
)

_ROOMY: Final = 7
"""Columns a number from which whole words stand above them."""
_WIDE: Final = 120
"""Columns from which it is shown beside that how the game stands ..."""
_LEFT: Final = 72
"""... and those for the stage then."""
_GAP: Final = 3
_HIGH: Final = 28
"""Rows from which the podium is twice as high."""


def stage_screen(
    info: TablePublic,
    scene: SummaryScene,
    you: int,
    message: Span,
    keys: Keys,
    size: Size,
    look: DrawContext,
) -> Frame:
    """Draw what each player saved in this stage, and the totals."""
    words = look.words
    width = _LEFT if size.columns >= _WIDE and not look.thin else size.columns
    names, rules, result = seat_names(info), scene.view.rules, scene.result
    final, lowest, best = result.rounds[-1], min(result.scores), max(result.scores)
    # One column a number, as wide as its heading and the terminal allow.
    pres, cell = (15, 8) if width >= 66 else (12, 7) if width >= 54 else (6, 5)
    name_width = min(18, width - pres - 4 * cell - 4)
    titles = (words.t("tide"), words.t("bonus"), words.t("points"), words.t("total"))
    saved = words.p("life preservers", "left")
    if cell < _ROOMY:
        titles = (
            words.p("four letters", "tide"),
            words.p("four letters", "bon."),
            words.p("four letters", "pts"),
            words.p("four letters", "sum"),
        )
    heads = "".join(fit(f" {title}", cell, ">", "") for title in titles)
    heads = fit("", name_width + 1) + fit(saved, pres, ellipsis="") + heads
    plain = [row("  ", ("heading", heads))]
    for seat, name in enumerate(names):
        mine, out, points = seat == you, result.eliminated[seat], result.points[seat]
        left, total = final.life_preservers[seat], result.scores[seat]
        tide, leader = level_words(final.levels[seat] or 0, out, words), lowest < best == total
        plain.append(
            row(
                "> " if mine else "  ",
                ("seat.you" if mine else "seat", fit(name, name_width, "<", look.glyphs.more)),
                " ",
                *pad_row(preservers(left, result.start[seat] - left, pres - 1, look.glyphs), pres),
                ("seat.out" if out else "text", fit(tide, cell, ">", "")),
                ("good", fit("+1" if seat in result.bonus else "", cell, ">")),
                (points_style(points), fit(signed(points), cell, ">")),
                ("seat.leader" if leader else "score", fit(f"{total}", cell - 1, ">")),
                ("seat.leader", "*" if leader else " "),
            )
        )
    table = plain
    hands = stage_hands(scene.view, scene.stage, result)
    were_out = out_in_words(result, names, words, last=scene.last)
    why_over = stage_end_in_words(final, len(result.rounds), rules, words)
    over = paragraph(between((why_over, were_out), look.glyphs), width, "dim")
    why = paragraph(bonus_in_words(result, names, words), width)
    if scene.stage:
        table = [*table, BLANK, *_hands(hands, names, you, width, look)]
    last = [row("  ", ("heading", words.t("the last round")))]
    bots = by_bots(info, scene.stage, len(result.rounds) - 1)
    bids = wrap_facts(bids_in_words(final, names, words, bots), width - 4, look)
    last += [row("  ", ("text", line)) for line in bids]
    losses = losses_in_words(final, names, rules, words, you)
    last += [row("  ", ("text", line)) for each in losses for line in wrap(each, width - 4, "  ")]
    if scene.last:
        coming = words.t("That was the last stage.")
    else:
        coming = next_hand_in_words(hands, you, names, words)
    then = paragraph(coming, width, "warm")
    # The log has the last round as well; what the stage has brought is only told here.
    room = body_size(size, message, look).rows
    few = [each for each in table if each]
    ways = (
        [*over, BLANK, *table, BLANK, *why, BLANK, *last, BLANK, *then],
        [*over, *few, *why, *last, *then],
        [*over, *few, *why, *then],
        [*few, *why, *then],
        [*plain, *why, *then],
    )
    body = next((way for way in ways if len(way) <= room), [*plain, *then])
    if size.columns >= _WIDE and not look.thin:
        aside = _so_far(scene, names, size.columns - _LEFT - _GAP - 1, room, look)
        body = side_by_side(body, aside, _LEFT + _GAP)
    title = words.t("Stage {stage} of {stages} is over", stage=scene.stage + 1, stages=rules.stages)
    return page(title, body, keys, message, size, look)


def _so_far(
    scene: SummaryScene, names: Names, width: int, height: int, look: DrawContext
) -> list[Row]:
    """Podium and chart of the stages up to this one."""
    points = (*scene.view.points[: scene.stage], scene.result.points)
    seats = [
        Standing(seat, tuple(stage[seat] for stage in points), (), False)
        for seat in range(len(names))
    ]
    seats.sort(key=lambda each: -each.total)
    podium = podium_rows(podium_of(seats, names), width, look, 2 if height >= _HIGH else 1)
    chart = chart_rows(seats, names, width, height - len(podium) - 2, look)
    return [*podium, BLANK, chart_head(look), *chart] if chart else podium


def _hands(
    hands: Sequence[HandPlayed], names: Names, you: int, width: int, look: DrawContext
) -> list[Row]:
    """Draw what each player made of which hand, beside what others made of it before."""
    words, more = look.words, look.glyphs.more
    rows = [row("  ", ("heading", words.t("Points with the same hands")))]
    label = min(width // 3, 2 + max(text_width(_dealt_to(hand, names, words)) for hand in hands))
    for hand in hands:
        best = max([hand.points, *(points for _, points in hand.earlier)])
        mark = "*" if hand.points == best else ""
        spans: list[Span] = [
            (points_style(hand.points), f"{names[hand.seat]} {signed(hand.points)}{mark}"),
            ("dim", "  "),
            ("dim", words.t("before: {earlier}", earlier=earlier_in_words(hand, names))),
        ]
        mine = hand.seat == you
        line = row(
            "> " if mine else "  ",
            ("dim", fit(_dealt_to(hand, names, words), label, "<", more)),
            *spans,
        )
        rows.append(slice_row(line, 0, width - 1))
    return rows


def _dealt_to(hand: HandPlayed, names: Names, words: Words) -> str:
    return words.t("dealt to {name}", name=names[hand.hand])


class StagePage(Page):
    """A stage has been scored; Space goes on."""

    CHATS = LEFT_BY_SPACE = True
    LARGEST = Size(164, 30)
    KEYS = KeyTable["StagePage"](
        *TALK,
        Key(" ", does=lambda page: page.context.reveal.skip(), footer=_("go on")),
        Key("L", "tab", does=lambda page: page.show_page(LogPage), footer=_("log")),
        people_key("I", of=lambda page: page.context.people_named),
        TO_LEAVE,
        TO_LOBBY,
    )

    @override
    def frame(self, size: Size) -> Frame:
        context, table = self.context, self.table
        scene = context.reveal.scene
        assert isinstance(scene, SummaryScene)
        info = context.reveal.played_by or table.info
        said = context.said if context.said[1] else ("strong", context.lesson)
        if not said[1]:
            now, seconds = context.clock.time(), context.reveal.seconds
            said = next_round_said(table, now, context.look, seconds, last=scene.last)
        return stage_screen(info, scene, table.seat, said, self.footer(), size, context.look)


class FinalPage(CeremonyPage):
    """The game is over: standings, hands, the seed; another game?"""

    CHATS = SAYS = True
    SHARE = 1.0
    LARGEST = None
    CHAT_ROWS = 2
    KEYS = KeyTable["FinalPage"](
        SCROLLING[0].named("down", "j"),
        *PAGING,
        *TALK,
        Key(
            "r",
            does=lambda page: page.context.play_again(),
            when=lambda page: page.plays and not page.table.info.event,
            footer=_("another game"),
            shown=lambda page: page.plays and not page.context.learns and not page.table.info.event,
        ),
        Key(
            "r",
            does=lambda page: page.context.play_again(),
            when=lambda page: page.plays and page.context.learns,
            footer=_("a whole game"),
        ),
        Key(
            "d",
            does=menu("today"),
            when=lambda page: is_day(page.table.info.event) and not page.table.info.seed,
            footer=_("today's tide"),
        ),
        TOURNAMENTS,
        SCROLL,
        Key(
            "h",
            does=lambda page: page.show_hands(),
            footer=_("all hands"),
            help=_("h, g\tafter the game: all hands; a replay from the start"),
        ),
        Key(
            "g",
            does=menu("this_game"),
            when=lambda page: bool(page.context.account.library),
            footer=_("replay"),
        ),
        Key(
            "s",
            does=lambda page: page.share(),
            when=lambda page: bool(page.view.winners),
            footer=_("share"),
            help=_("s\tafter the game: a text about it, to share"),
        ),
        Key(
            "p",
            does=lambda page: page.context.play_with_same(),
            when=lambda page: (
                page.plays and bool(same_people(page.table, page.context.player.name))
            ),
            footer=_("same people"),
            help=_(
                "p\tafter the game: a new table with a seat for everybody who has played; if you have "
                "an account, they are invited"
            ),
        ),
        Key(
            "d",
            does=lambda page: page.context.play_deal(code_of(page.table.info)),
            when=lambda page: bool(page.table.info.seed),
            footer=_("same deal"),
            help=_("d\tafter the game, or in a replay: the same deal again, against bots"),
        ),
        Key(
            "v",
            does=menu("review"),
            when=lambda page: page.plays and bool(page.context.account.library),
            footer=_("review"),
            help=_("v\tafter the game: your bids beside those of the strongest bot"),
        ),
        people_key("i", "I", of=lambda page: page.context.people_named, footer=_("people")),
        HELP,
        Key("L", "tab", does=lambda page: page.show_page(LogPage), footer=_("log")),
        Key("o", does=menu("settings")),
        *WAYS_OUT,
    )

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._day: Shared | None = None
        """What others are told, if that was today's tide."""

    @override
    def opened(self) -> None:
        self._day = None
        self.begin()
        if self.plays and is_day(self.table.info.event):
            self.spawn(self._read_day())

    async def _read_day(self) -> None:
        self._day = await shared_here(self.context, unicode=self.context.abilities.unicode)
        self.context.changed()

    def show_hands(self) -> None:
        """All hands as they were dealt."""
        info, words = self.table.info, self.words
        title = words.t("All hands of this game")
        hands = tuple(hands_in_words(info, words))
        self.context.open(ReadingPage(self.context, title, partial(paragraphs, hands, apart=True)))

    def share(self) -> None:
        """Show a text to copy."""
        self.context.open(SharePage(self.context, partial(shared_here, self.context)))

    @property
    def view(self) -> TableView:
        assert self.table.table is not None
        return self.table.table

    @override
    def title(self) -> str:
        return title_of(self.view, self.context.words)

    @override
    def lines_on(self, size: Size) -> Sequence[Row]:
        info, seat = self.table.info, self.table.seat
        if seat >= 0 and seat_names(info)[seat] != self.context.player.name:
            seat = -1  # somebody else played there
        told = final_lines(info, self.view, seat, size, self.context.look, self.standing)
        return [*self._shared_rows(size.columns), *told]

    def _shared_rows(self, width: int) -> Sequence[Row]:
        """First what one would pass on; not before it is announced."""
        if self._day is None or self.standing < ALL:
            return []
        lines = [paragraph(line, width, "strong") for line in self._day.lines]
        return [*chain(*lines), *paragraph(self._day.counts, width, "dim"), BLANK]

    @property
    @override
    def said(self) -> Span:
        """Also who is waited for, or how the guide takes leave: below all that scrolls."""
        info, words, guide = self.table.info, self.words, self.context.guide
        if super().said[1]:
            return super().said
        if waits := still_playing(self.context.tournaments, info.event, words):
            return ("warm", waits)
        now, thin = self.context.clock.time(), self.context.look.thin
        if rematch := rematch_in_words(info, now, words, thin=thin):
            return ("notice", rematch)
        return ("strong", lesson_in_words(guide.unread[-1], words) if guide.unread else "")

    @override
    def footer(self, *without: AnyKey) -> Keys:
        keys, vote = super().footer(*without), rematch_vote(self.table.info)
        if vote is None or vote.needed < 2 or not self.plays:
            return keys
        again = self.words.t("another game")
        count = self.words.t("{count} of {needed}", count=len(vote.agreed), needed=vote.needed)
        told = {("r", again): ("r", f"{again} ({count})")}
        return tuple(told.get(key, key) for key in keys)

    @override
    def room_on(self, size: Size) -> int:
        room = super().room_on(size)
        return room - self.CHAT_ROWS if self.context.chat_history.spoken else room

    @property
    def plays(self) -> bool:
        """Somebody who has played, not only watched."""
        return self.table.seat >= 0
