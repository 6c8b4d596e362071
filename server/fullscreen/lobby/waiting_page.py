"""The waiting room of a table."""

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Final

from typing_extensions import Unpack, override

from engine.bots import BOTS, OFFERED
from server.coordinator import messages as m
from server.coordinator.messages import TableSnapshot
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import (
    Choice,
    ChoicePage,
    ListPage,
    OptionsPage,
    ask_yes_or_no,
    people_key,
)
from server.fullscreen.pages.page import (
    DOWN,
    HELP,
    MEETING,
    NEXT,
    OTHER_GAMES,
    SETTINGS,
    TALK,
    TO_LOBBY,
    UP,
    action_keys,
    labelled,
    menu,
)
from server.fullscreen.widgets.boxes import WHOLE, Pane, are_beside, facts_pane, has_boxes, panes
from server.fullscreen.widgets.chrome import Keys, menu_row, paragraph, paragraphs, spacer
from server.fullscreen.widgets.drawing import DrawContext, invitation_qr, shorten, wrap_facts
from server.i18n.lookup import _
from server.session.attention import is_alone
from server.session.commands import Where
from server.session.preferences import filling
from server.session.sharing import invite_line
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span, fit, row, text_width
from server.terminal.keys.bindings import AnyKey, Key, KeyOptions, KeyTable
from server.text.bots import bot_briefly, bot_strength
from server.viewmodels.lobby import SeatLine, WaitingModel, present_waiting

_ROOMY: Final = 24
"""Rows from which there is a blank one between seats and advice."""
_WIDE: Final = 60
"""Columns from which names have room to spare."""


def waiting_rows(
    model: WaitingModel,
    table: TableSnapshot,
    chosen: int,
    keys: Keys,
    way_in: str,
    chat: Pane,
    size: Size,
    look: DrawContext,
) -> list[Row]:
    """Draw the seats, what will be played and how friends come; no seat is ``chosen`` when that is -1.

    ``keys`` are for what an owner can do about seats and newcomers; ``way_in`` is a host, with the
    options that ssh needs, empty when it is not known.
    """
    words, boxed = look.words, has_boxes(size, look)

    def advice(width: int) -> list[Row]:
        style = "warm" if table.owned else "text"
        rows = paragraphs(model.lines, width, style)
        if table.owned and not look.thin:
            # The footer has not room for all of these.
            able = tuple(f"{key} {label}" for key, label in keys)
            rows += [row("  ", ("dim", line)) for line in wrap_facts(able, width - 4, look)]
        return rows

    def seats(width: int) -> list[Row]:
        rows = [_seat_row(seat, seat.seat == chosen, width, look) for seat in model.seats]
        manners = [
            f"{seat.name}: {seat.manner}"
            for seat in model.seats
            if seat.manner and seat.manner not in "".join(text for _, text in rows[seat.seat])
        ]
        gap = [BLANK] if size.rows >= _ROOMY else []
        if gap and manners:
            rows += [BLANK, *paragraphs(manners, width, "dim")]
        return [*rows, *gap, *advice(width)] if boxed else rows

    said = sum(len(paragraph(line, size.columns - 2)) for line in model.lines)
    least = len(model.seats) + (said if boxed else 0)
    seating = Pane(words.t("seats"), seats, chosen=chosen, least=least)
    options = facts_pane(
        words.t("options"),
        model.facts if boxed else model.brief,
        size,
        look,
        "e" if table.owned else "",
    )
    invitation = Pane(
        words.t("invitation"),
        lambda width: [
            *_to_copy(table, way_in, width),
            *(_privacy(table, width, look) if boxed else ()),
        ],
        aside=words.t("private") if table.info.private else "",
        least=len(_to_copy(table, way_in, size.columns)) or 1,
    )
    if not boxed:
        # Where there is no room for all, the line to copy comes before advice.
        privacy = Pane("", lambda width: _privacy(table, width, look), least=WHOLE)
        others = [options, privacy, Pane("", advice, least=WHOLE)]
        return panes([[seating, invitation, *others]], size, look)
    code = [row("  ", *each) for each in invitation_qr(way_in, look, table)]
    telephone = Pane(words.t("for a phone"), lambda _: code, least=WHOLE)
    if are_beside(size, look):
        return panes([[seating, options], [invitation, telephone, chat]], size, look)
    return panes([[seating, invitation, options, telephone, chat]], size, look)


def _seat_row(seat: SeatLine, chosen: bool, width: int, look: DrawContext) -> Row:
    words = look.words
    style = "seat.you" if seat.you else "seat" if seat.taken else "dim"
    marks = [seat.tag] if seat.tag else []
    if seat.you:
        marks.append(words.t("you"))
    if seat.owner:
        marks.append(words.t("owner"))
    if seat.tag and not seat.taken:
        # Whom it is kept for is to be read on the smallest screen, too.
        name, marks = shorten(seat.tag, width - 8, look.glyphs), []
    else:
        name = fit(seat.name, 18 if width >= _WIDE else 13, ellipsis=look.glyphs.more)
    text = f"{seat.seat + 1}  {name}"
    room = max(0, width - text_width(text) - 6)
    said = ", ".join(marks)
    if seat.manner and text_width(f"{said}, {seat.manner}") <= room:
        said = f"{said}, {seat.manner}"
    said = shorten(said, room, look.glyphs)
    cells: tuple[Span, ...] = ((style, text), ("dim", f"  {said}"))
    return menu_row(chosen, cells, width)


def _to_copy(table: TableSnapshot, way_in: str, width: int) -> list[Row]:
    """How friends come: a line to copy, not broken within a word."""
    return paragraph(invite_line(table, way_in), width, "strong")


def _privacy(table: TableSnapshot, width: int, look: DrawContext) -> list[Row]:
    """Whether they need more, and what."""
    words = look.words
    if not table.info.private:
        return []
    said = words.t("Private: friends need the invitation word, too.")
    if table.word:
        said = words.t("Private; the invitation word is {word}.", word=table.word)
    elif table.owned:
        said = words.t("Private; i chooses another invitation word.")
    return paragraph(said, width, "dim")


_LONGEST: Final = 24


_Method = Callable[["WaitingPage"], None]
_KEYS = KeyTable["WaitingPage"](*TALK, UP, DOWN, NEXT)


def _owners(
    *names: str, **options: Unpack[KeyOptions["WaitingPage"]]
) -> Callable[[_Method], _Method]:
    """A key for the owner of the table; others are told who could."""

    def added(do: _Method) -> _Method:
        @wraps(do)
        def done(page: "WaitingPage") -> None:
            if page.table.owned:
                do(page)
            else:
                page.context.say("dim", page.words.t("Only the owner of the table can do that."))

        options.setdefault("shown", lambda page: page.table.owned)
        return _KEYS.add(*names, **options)(done)

    return added


class WaitingPage(ListPage[m.SeatInfo]):
    """A table before its game: seats, options, invitations."""

    CHATS = True
    LARGEST = Size(150, 44)
    KEYS = _KEYS

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.moving = False
        """The next digit says where whoever is chosen moves to."""
        self.asked = False
        """Whether to start against bots."""

    @override
    def items(self) -> Sequence[m.SeatInfo]:
        return self.table.info.seats

    @override
    def closed(self) -> None:
        super().closed()
        self._at, self.moving, self.asked = 0, False, False

    @override
    def updated(self, update: m.Update) -> None:
        if self.asked and not is_alone(update.table):
            # Somebody has come, or is to come: take back what was asked of who was alone.
            self.asked = False
            if self.context.message[1] == self._question:
                self.context.message = ("", "")

    @override
    def nobody_came(self) -> None:
        """Offer a game against bots, unless something is being done."""
        context = self.context
        if self.entry is None and not context.overlays:
            self.asked = True
            context.say("warm", self._question, stays=True)
            context.changed()

    @property
    def _question(self) -> str:
        return self.words.t("Nobody else is here yet. y starts against bots; or just wait.")

    @property
    def takes_bots(self) -> bool:
        """There is room for them, and they may play."""
        info = self.table.info
        return not info.options.rated and not all(seat.name for seat in info.seats)

    @override
    def frame(self, size: Size) -> Frame:
        context, look = self.context, self.context.look
        model = present_waiting(self.table, self.words)
        keys = tuple([said for key, said in labelled(self.keys, look) if key.section])
        typing = [BLANK, *spacer(size)] if self.entry is not None else []
        room = self.body_size(size)
        room = room._replace(rows=room.rows - len(typing))
        chosen, way_in = self.at if self.table.owned else -1, context.facts().way_in
        rows = waiting_rows(model, self.table, chosen, keys, way_in, self.chat_pane(), room, look)
        body = [*typing, *rows]
        title = self.words.t("Table {title}", title=self.table.info.title)
        code = self.words.t("code to join: {code}", code=self.table.info.id)
        share = sum(seat.taken for seat in model.seats) / len(model.seats)
        frame = self.framed(title, body, size, aside=code, share=share)
        return self.with_prompt(frame, size.columns)

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        if self.entry is None:
            self.moving = self.asked = False
        super().press(key, name)

    # ---------------------------------------------------------------- the keys

    @_owners("enter", footer=_("start"))
    def start(self) -> None:
        """With bots where nobody sits."""
        context, words = self.context, self.words

        def do() -> None:
            context.do_all(filling(self.table))

        if awaited := ", ".join(seat.kept for seat in self.table.info.seats if seat.kept):
            question = words.t("Begin without {name}?", name=awaited)
            ask_yes_or_no(context, question, words.t("bots take the empty seats"), do)
        else:
            do()

    @KEYS.add("enter", when=lambda page: page.table.seat < 0, footer=_("join"))
    def join(self) -> None:
        self.context.do(m.JoinTable(self.table.info.id))

    KEYS.include(Key("y", does=lambda page: page.start(), when=lambda page: page.asked))

    @_owners("s")
    def start_at_once(self) -> None:
        """Without a question."""
        self.context.do(m.StartGame())

    @_owners("a", footer=_("add bot"), shown=lambda page: page.table.owned and page.takes_bots)
    def add_bot(self) -> None:
        """Add a bot of the chosen kind, on the chosen seat if it is free."""
        context, words = self.context, self.words
        if all(each.name for each in self.table.info.seats):
            context.say("warm", words.t("Every seat at that table is taken."))
            return
        seat = -1 if self.table.info.seats[self.at].name else self.at
        kinds = [
            Choice(
                str(number),
                bot_briefly(strategy),
                bot_strength(strategy, words),
                partial(context.do, m.AddBot(seat, strategy)),
            )
            for number, strategy in enumerate(OFFERED, 1)
        ]
        usual = self.table.info.options.bots
        first = OFFERED.index(usual) if usual in OFFERED else BOTS[usual].level - 1
        context.open(ChoicePage(context, words.t("Which bot?"), kinds, first))

    @_owners("e", footer=_("options"))
    def change_options(self) -> None:
        title, options = self.words.t("Options of this table"), self.table.info.options
        self.context.open(OptionsPage(self.context, title, options, m.ChangeOptions))

    KEYS.include(HELP)

    @_owners(
        "i",
        footer=_("private"),
        help=_("i, g\tat your table: an invitation word makes it private; hand the table over"),
        section=MEETING,
    )
    def ask_word(self) -> None:
        """A word makes the table private."""
        context, words = self.context, self.words
        label = words.t("invitation word")
        self.ask(label, lambda word: context.do(m.SetWord(word)), self.table.word, longest=_LONGEST)
        context.say("dim", words.t("Without a word, the table is open to everybody."))

    @_owners(
        "v",
        footer=_("move"),
        help=_("v, f, x\tat your table: move somebody, keep a seat for somebody, free it"),
        section=MEETING,
    )
    def begin_move(self) -> None:
        """Somebody moves to another seat: ask which."""
        context, words, info = self.context, self.words, self.table.info
        name = info.seats[self.at].name
        if not name:
            context.say("dim", words.t("Nobody sits there."))
            return
        self.moving = True
        said = words.t(
            "To which seat does {name} move? 1 to {last}", name=name, last=len(info.seats)
        )
        context.say("warm", said)

    @_owners("f", footer=_("keep for"), section=MEETING)
    def keep_seat(self) -> None:
        """For somebody who is to come: ask for whom."""
        context, words, chosen = self.context, self.words, self.at
        seat = self.table.info.seats[chosen]
        if seat.name:
            context.say("dim", words.t("Choose an empty seat to keep for somebody."))
            return
        label = words.t("keep it for")
        self.ask(
            label,
            lambda called: context.do(m.KeepSeat(chosen, called)),
            seat.kept,
            longest=_LONGEST,
        )

    @_owners("x", "delete", footer=_("free the seat"), section=MEETING)
    def free_seat(self) -> None:
        """Free the chosen seat, or a seat that is kept."""
        words, chosen = self.words, self.at
        seat = self.table.info.seats[chosen]
        if seat.kept:
            self.context.do(m.KeepSeat(chosen, ""))
        elif chosen != self.table.seat and seat.occupant is m.Occupant.HUMAN:
            question = words.t("Remove {name} from this table?", name=seat.name)
            hint = words.t("cannot come back for a while")
            self._sure(chosen, question, hint, m.RemoveSeat(chosen))
        elif chosen != self.table.seat:
            self.context.do(m.RemoveSeat(chosen))

    @_owners("g", footer=_("hand over"), section=MEETING)
    def hand_over(self) -> None:
        """Somebody else owns the table from now on: nobody can take that back."""
        words, chosen = self.words, self.at
        seat = self.table.info.seats[chosen]
        if seat.occupant is m.Occupant.HUMAN and chosen != self.table.seat:
            question = words.t("Hand the table over to {name}?", name=seat.name)
            hint = words.t("{name} will own it", name=seat.name)
            self._sure(chosen, question, hint, m.HandOver(chosen))
        else:
            self.context.do(m.HandOver(chosen))

    KEYS.include(
        *action_keys(Where.TABLE),
        people_key("I", of=lambda page: page.context.people_named),
        SETTINGS,
        *OTHER_GAMES,
        Key(
            *("escape", "q"),
            does=menu("leave"),
            when=lambda page: not page.moving,
            footer=_("leave"),
            shown=lambda page: not page.context.corresponds,
        ),
        TO_LOBBY,
    )

    @KEYS.each(*"0123456789", when=lambda page: page.moving)
    def move_to(self, digit: str) -> None:
        self.context.do(m.MoveSeat(self.at, int(digit) - 1))

    def _sure(self, chosen: int, question: str, hint: str, command: m.Command) -> None:
        """Ask before something is done to who sits there now."""
        name = self.table.info.seats[chosen].name

        def do() -> None:
            if self.table.info.seats[chosen].name == name:
                self.context.do(command)

        ask_yes_or_no(self.context, question, hint, do)
