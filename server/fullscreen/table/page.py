"""The table page: choosing and bidding cards, and what the server says meanwhile."""

from typing import Final

from typing_extensions import override

from engine.state import Phase
from engine.views import RoundScene, SeatView
from server.coordinator import messages as m
from server.fullscreen.context import SessionContext, keys_with
from server.fullscreen.pages.lists import people_key
from server.fullscreen.pages.page import (
    ARROWS,
    MEETING,
    OTHER_GAMES,
    TALK,
    TO_LOBBY,
    Page,
    action_keys,
    labelled,
    menu,
)
from server.fullscreen.table.cards import CardTyping, Hand
from server.fullscreen.table.layout import (
    PointedAt,
    TableFocus,
    chat_room,
    next_round_line,
    table_layout,
)
from server.fullscreen.table.log import LogPage, PlayedPage
from server.fullscreen.table.questions import HintPage, VotePage
from server.fullscreen.table.view import table_screen
from server.fullscreen.widgets.chrome import Keys, Region, free_region
from server.fullscreen.widgets.drawing import between, footer
from server.i18n.lookup import _
from server.playback import present_reveal
from server.session.account import FAMILIAR
from server.session.attention import (
    can_join,
    has_claimed,
    last_seconds,
    table_clock,
    waits_for,
    watching_in_words,
)
from server.session.commands import Where
from server.session.sharing import invite_line
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Span, fit, text_width
from server.terminal.keys.bindings import AnyKey, Key, KeysByName, KeyTable, by_name
from server.text.happenings import open_votes, vote_in_words, votes_counted
from server.text.rounds import climax_in_words, guess_in_words, may_guess
from server.viewmodels.table import (
    EXPLAINED,
    LogRound,
    TableModel,
    log_of,
    present_table,
    seat_names,
)

_ROOMY: Final = 60
"""Columns from which there is room for whole sentences."""
_BID: Final = _("bid")
_GO_ON: Final = _("next")
_NOWHERE: Final = PointedAt()
_FIRST: Final = (_BID, _GO_ON)
"""What the first key in the footer does: the one, or while something is shown the other."""


class TablePage(Page):
    """The table during a game."""

    CHATS = True
    LARGEST = None
    KEYS = KeyTable["TablePage"](*TALK)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._place: tuple[object, ...] = ()
        """The game, the stage and the round for which a card is chosen; empty without a hand."""
        self._chosen = 0
        self._near = 0
        """What was chosen last in this stage: the arrows begin there."""
        self.typed = False
        """The card was chosen by its number, for the round that is on."""
        self._typing = CardTyping(context)
        self._asking = False

    # ---------------------------------------------------------------- what has changed

    @override
    def opened(self) -> None:
        self.updated()

    @override
    def closed(self) -> None:
        super().closed()
        self._typing.forget()

    @override
    def updated(self, update: m.Update | None = None) -> None:
        """There may be a newer snapshot: what was chosen was for its round."""
        table = self.context.table
        own = table.own if table else None
        place: tuple[object, ...] = ()
        if table is not None and own is not None and own.hand:
            place = (table.info.id, table.info.game, own.table.stage, own.table.round)
        if place == self._place:
            return
        if place[:2] != self._place[:2]:
            self._typing.forget()
        if place[:3] != self._place[:3]:
            self._near = 0
        self._place = place
        self._chosen, self._asking, self.typed = 0, False, False
        self._typing.fresh = False

    # ---------------------------------------------------------------- the picture

    def shown(self) -> tuple[TableModel, tuple[LogRound, ...]]:
        """The table as it is now, or a step of a scene, and its log as this player reads it."""
        table, words, reveal = self.table, self.words, self.context.reveal
        assert table.table is not None
        info, view, scene, you = table.info, table.table, reveal.scene, table.seat
        if isinstance(scene, RoundScene):
            info, view = reveal.played_by or info, scene.after if reveal.step.last else scene.before
            model = present_reveal(info, scene, words, reveal.step)
            # That is the same for all at the table, but for what the player loses.
            if model.climax[0] and you in scene.result.losers:
                climax = climax_in_words(scene.result, seat_names(info), words, you)
                model = model._replace(climax=climax)
        else:
            model = present_table(info, view, words)
        return model, log_of(info, view, words, you)

    @override
    def frame(self, size: Size) -> Frame:
        (model, log), hand, context = self.shown(), self._hand(), self.context
        table, look, clock, said = self.table, context.look, ("", ""), context.message
        shows, lesson, notice = self.shows, context.guide.lesson, context.notice
        said = said if said[1] else self._prompt(hand, narrow=size.columns < _ROOMY)
        if not shows:
            when = (table, context.clock.time(), look.words, look.thin)
            clock = table_clock(*when)
            if left := last_seconds(*when):
                said = ("bad", between((left, said[1]), look.glyphs))
        keys = self.whole_footer()
        if table.info.votes:
            vote = open_votes(table.info)[0]
            keys = self._counting_votes(keys, vote, size.columns)
            if not notice[1]:
                notice = ("notice", vote_in_words(vote, table.info, look.words))
        climax, brief = model.climax
        held = hand if hand is not None and hand.hand else None
        room = chat_room(size, len(model.seats), model.highest_tide, look.thin)
        focus = TableFocus(
            you=table.seat,
            hand=held and Hand(held.hand, held.dealt, held.bid),
            chosen=self._chosen if held else 0,
            message=said,
            notice=notice,
            news=(climax, *log[0].why[1:]) if climax and context.reveal.holding else (),
            brief=brief,
            lesson="" if shows else context.lesson,
            points=PointedAt(lesson.part, lesson.seats) if lesson and not shows else _NOWHERE,
            chat=context.chat_history.spoken and room is None,
            log=log,
            named=context.games_played < FAMILIAR,
        )
        return table_screen(model, focus, clock, keys, size, look)

    @override
    def chat_region(self, frame: Frame, size: Size) -> Region | None:
        look, view = self.context.look, self.table.table
        assert view is not None
        of = (size, len(view.seats), view.rules.highest_tide, look.thin)
        return chat_room(*of) or free_region(frame, table_layout(*of).log, size, look)

    @override
    def state(self) -> tuple[object, ...]:
        """The round: not who has bid in it, what is said, or how late it is."""
        table = self.context.table
        if table is None or table.table is None:
            return super().state()
        game, view = (table.info.id, table.info.game), table.table
        return (self, *game, view.stage, view.round, self.context.reveal.scene)

    @property
    @override
    def enter_is_meant(self) -> bool:
        return self.typed

    def _hand(self) -> SeatView | None:
        """The view with the own hand, where that is to be seen."""
        own, scene = self.table.own, self.context.reveal.scene
        if own is None or own.table.phase is Phase.OVER:
            return None
        if isinstance(scene, RoundScene) and scene.after.stage != own.table.stage:
            return None
        return own

    def _prompt(self, hand: SeatView | None, *, narrow: bool) -> Span:
        words, table = self.words, self.table
        if table.info.pause is m.Pause.VOTED:
            return ("warm", words.t("The game is paused. r goes on."))
        if table.info.pause is m.Pause.SUSPENDED:
            return ("warm", words.t("The game is suspended until a player is back."))
        if self._asking:
            asked = words.t(
                "Yours is the last bid: it reveals the round. Press Enter again to confirm."
            )
            return ("warm", asked)
        if self._typing.digit:
            return ("text", words.t("card {digits}_", digits=self._typing.digit))
        if self.shows:
            return next_round_line(self.table, self.context.clock.time(), self.context.look)
        if self.context.guide.more:
            return ("warm", words.t("Press Space to go on."))
        if table.seat < 0:
            return ("strong", watching_in_words(table, self.context.player.name, words))
        if table.info.seats[table.seat].away:
            return ("warm", words.t("A bot bids for you. Any key brings you back."))
        own, thin = table.own, self.context.look.thin
        if own is not None and own.table.seats[own.seat].eliminated:
            return self._while_out(own)
        if hand is None or hand.table.offer is None:
            return ("", "")
        explains = not hand.table.stage and hand.table.round < EXPLAINED
        if explains and not (hand.bid or self.context.games_played or self.context.guide.here):
            return ("warm", words.t("First game? t brings a guide. Choose a card; Enter bids it."))
        if hand.bid and (thin or not explains):
            return ("text", words.t("The {card} is sealed.", card=hand.bid))
        if hand.bid:
            said = words.t("Your {card} is sealed; another card replaces it.", card=hand.bid)
            return ("dim", said)
        if thin:
            return ("warm", words.t("Choose a card."))
        return ("warm", self._to_choose(hand, narrow=narrow, explains=explains))

    def _to_choose(self, hand: SeatView, *, narrow: bool, explains: bool) -> str:
        words, left = self.words, hand.table.seats[hand.seat].life_preservers
        if waits_for(self.table) and not narrow:
            return words.t("Waiting for you: choose a card.")
        if not left:
            return words.t("No life preserver left: the highest tide puts you out. Choose a card.")
        if narrow:
            return words.t("Choose a card (Enter).")
        if explains:
            return words.t("Choose a card; Enter bids it.")
        return words.t("Choose a card.")

    def _while_out(self, own: SeatView) -> Span:
        words, table = self.words, self.table
        skip = table.info.skip
        if skip is not None and table.seat in skip.agreed:
            return ("dim", words.t("Waiting for the others who are out of this stage."))
        if guess := guess_in_words(table, words):
            said = f"{words.t('You are out of this stage.')} {guess}"
            return ("warm" if table.guess < 0 else "dim", said)
        if own.table.stage + 1 == own.table.rules.stages:
            return ("dim", words.t("You are out of this stage, the last one."))
        return ("dim", words.t("You are out of this stage, and back in the next one."))

    # ---------------------------------------------------------------- the keys

    def whole_footer(self) -> Keys:
        """The footer in which nothing moves when another first key takes the place of the one that bids."""
        first, *others = self.footer()
        told = labelled(self.keys, self.context.look)
        alike = [said for key, said in told if key.footer in _FIRST]
        if first in alike and others[0] not in alike:
            # As wide as the widest that may take its place.
            width = max(map(text_width, map("".join, alike)))
            first = (first[0], fit(first[1], width - text_width(first[0])))
        return (first, *others)

    def _counting_votes(self, keys: Keys, asked: m.VoteInfo, columns: int) -> Keys:
        """While there is a vote, its key says how far that is, and comes before those that give way."""
        told = labelled(self.keys, self.context.look)
        vote = next((said for key, said in told if key.action == "vote"), None)
        if vote is None or vote not in keys:
            return keys
        first, *others = (each for each in keys if each != vote)
        count = votes_counted(asked)
        whole = (first, (vote[0], f"{vote[1]} {count}"), *others)
        fits = ("key", vote[0]) in footer(whole, columns)
        return whole if fits else (first, (vote[0], count), *others)

    @property
    @override
    def keys(self) -> tuple[AnyKey, ...]:
        return keys_with(tuple(self.KEYS), self.context.preferences.keys)

    @property
    @override
    def keys_by_name(self) -> KeysByName:
        kept = self.context.preferences.keys
        return by_name(keys_with((*self.COMMON, *self.KEYS), kept)) if kept else self.KEYS_BY_NAME

    @property
    def plays(self) -> bool:
        """Still in this stage."""
        table = self.context.table
        own = table.own if table is not None else None
        return own is not None and not own.table.seats[own.seat].eliminated

    @property
    def shows(self) -> bool:
        """A reveal, or what a stage has brought, is played back."""
        return self.context.reveal.scene is not None

    @property
    def reads(self) -> bool:
        """Whether the player reads, and Enter would bid nothing: no card was chosen by its number."""
        return self.shows and not self.typed

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        asking, self._asking = self._asking, False
        names = key.names if key is not None else ()
        if not name.isdecimal():
            self._typing.forget()
        if asking and "enter" in names:
            self._bid()
        elif not (asking and "escape" in names and not self.shows):
            super().press(key, name)

    @KEYS.add(
        "enter",
        footer=_BID,
        shown=lambda page: page.plays and not page.reads and not page.table.info.pause,
        help=_("Enter\tbid the chosen card; it replaces an earlier bid"),
        action="bid",
    )
    def enter(self) -> None:
        """Bid the chosen card."""
        hand, words = self._hand(), self.words
        if hand is None or not hand.hand:
            return
        if self.shows and not self.typed:
            return  # the round that is shown is over; a number was typed for the next one
        if self.context.at_once and not self.typed:
            return  # it may end a pasted line, and the player has not seen which card is chosen
        if not self._chosen:
            said = words.t("Choose a card first: with the arrows, or type its number.")
            self.context.say("warm", said)
        elif self.context.preferences.sure and waits_for(self.table):
            self._asking = True
        else:
            self._bid()

    @KEYS.add(
        " ",
        footer=_GO_ON,
        shown=lambda page: page.reads or page.context.guide.more > 0,
        help=_("Space\tgo on after a reveal, a stage, or what the guide says"),
    )
    def go_on(self) -> None:
        """End what is shown, and do nothing else: nobody bids with a key that is only pressed to go on."""
        if self.shows:
            self.context.reveal.skip()
        else:
            self.context.guide.read()

    KEYS.include(
        Key(
            *("left", "h"),
            does=lambda page: page.step(-1),
            footer=_("pick"),
            label=ARROWS,
            shown=lambda page: page.plays,
            help=_("Left Right\tchoose a card; h and l do the same"),
            action="left",
            what=_("card to the left"),
        ),
        Key("right", does=lambda page: page.step(1), action="right", what=_("card to the right")),
        Key("home", does=lambda page: page.pick(0)),
        Key("end", does=lambda page: page.pick(-1)),
    )

    @KEYS.each(*"0123456789", help=_("4 4\tchoose the 44"))
    def type_digit(self, digit: str) -> None:
        """Choose a card by its number; who is out guesses a seat by its."""
        table = self.table
        if (seat := int(digit) - 1) in may_guess(table) and table.table is not None:
            self.context.do(m.Guess(seat, table.table.stage, table.table.round))
        elif cards := self._cards:
            # A number of no card chooses nothing: Enter then bids no other one.
            self._pick(self._typing.key(digit, cards), typed=self._typing.fresh)

    KEYS.include(
        Key(
            *"123456",
            takes=lambda page, digit: page.type_digit(digit),
            when=lambda page: bool(may_guess(page.table)),
            label="1-6",
            footer=_("guess"),
            help=_("1, 2 to 6\twhen you are out: guess who takes the high tide"),
        ),
        *action_keys(Where.GAME),
        *OTHER_GAMES,
        Key(
            "j",
            does=lambda page: page.context.do(m.JoinTable(page.table.info.id)),
            when=lambda page: page.table.seat < 0,
            footer=_("play for a bot"),
            shown=lambda page: can_join(page.table, page.context.player.name),
            help=_("j\twhile watching: play for a bot from the next stage on"),
            section=MEETING,
        ),
        Key(
            "j",
            does=lambda page: page.context.do(m.WatchTable(page.table.info.id)),
            when=lambda page: (
                page.table.seat < 0 and has_claimed(page.table, page.context.player.name)
            ),
            footer=_("just watch"),
        ),
        Key(
            "n",
            does=lambda page: page.context.do(m.WatchAnother()),
            when=lambda page: page.table.seat < 0,
            footer=_("another table"),
            help=_("n\twhile watching: another table"),
            section=MEETING,
        ),
        Key(
            *("L", "tab"),
            does=lambda page: page.show_page(LogPage),
            footer=_("log"),
            help=_("L, Tab\tthe log"),
            action="log",
        ),
        Key("l", does=lambda page: page.step(1)),
        Key(
            *("?", "f1"), does=menu("help"), footer=_("help"), help=_("?\tthis help"), action="help"
        ),
        Key(
            "v",
            does=lambda page: page.show_page(VotePage),
            footer=_("vote"),
            shown=lambda page: page.table.own is not None and not page.table.info.event,
            help=_("v\tvote: pause, end, or let a bot bid for an absent player"),
            action="vote",
        ),
        Key(
            "p",
            does=lambda page: page.show_page(PlayedPage),
            footer=_("cards"),
            what=_("played cards"),
            help=_("p\tthe cards everybody has played"),
            action="played",
        ),
        Key(
            "H",
            does=lambda page: page.ask_hint(),
            footer=_("hint"),
            shown=lambda page: page.plays and page.table.info.options.gives_hints,
            help=_("H\ta hint: what the strongest bot would bid, and why"),
            action="hint",
        ),
        Key(
            "o",
            does=menu("settings"),
            footer=_("settings"),
            help=_("o\tsettings: language, reveal, bell, drawing"),
            action="settings",
        ),
    )

    @KEYS.add(
        "i",
        footer=_("invite"),
        shown=lambda page: page.table.own is None,
        help=_("i\tduring a game: the invitation to this table"),
        section=MEETING,
        action="invite",
    )
    def invite(self) -> None:
        """Show the line that brings somebody to this table, to be copied."""
        context, table = self.context, self.table
        line = invite_line(table, context.facts().way_in)
        code = context.words.t("code to join: {code}", code=table.info.id)
        context.say("strong", line or code)

    KEYS.include(
        Key(
            "t",
            does=lambda page: page.context.switch_guide(),
            help=_("t\tcall the guide, who explains what happens, or send it away"),
            action="guide",
            what=_("the guide"),
        ),
        people_key("I", of=lambda page: page.context.people_named),
        Key("a", does=menu("account"), action="account", what=_("your account")),
        Key(
            *("escape", "q"),
            does=menu("leave"),
            footer=_("leave"),
            shown=lambda page: not page.context.corresponds,
            help=_("Esc, q\tleave; Ctrl-C and Ctrl-D too. You are always asked first"),
            action="leave",
        ),
        TO_LOBBY,
        Key("escape", does=lambda page: page.go_on(), when=lambda page: page.shows, action="leave"),
    )

    @override
    def text(self, text: str) -> None:
        if text.strip().isdecimal() and int(text) in self._cards:
            self._pick(int(text), typed=True)

    def _pick(self, card: int, *, typed: bool) -> None:
        self._chosen, self._near, self.typed = card, card or self._near, typed and card > 0

    @property
    def _cards(self) -> tuple[int, ...]:
        hand = self._hand()
        return hand.hand if hand is not None else ()

    def step(self, by: int) -> None:
        """To the card after the one chosen last, or back; first to the middle of a new hand."""
        cards, near = self._cards[::by], self._near
        if cards and not near:
            self._choose(cards[len(cards) // 2])
        elif cards:
            self._choose(next((card for card in cards if card * by > near * by), cards[-1]))

    def pick(self, at: int) -> None:
        """The card there in the hand."""
        if cards := self._cards:
            self._choose(cards[at])

    def _choose(self, card: int) -> None:
        self._pick(card, typed=False)
        if self.shows:
            self.context.reveal.skip()  # whoever chooses wants to see the tides

    def ask_hint(self) -> None:
        """Show a hint, with a key to follow it."""

        def bid(card: int) -> None:
            self._pick(card, typed=True)
            self.enter()

        self.context.open(HintPage(self.context, bid))

    def _bid(self) -> None:
        own = self.table.own
        if own is None or self._chosen not in own.hand:
            return
        if own.bid == self._chosen:
            self.context.say("dim", self.words.t("The {card} is already your bid.", card=own.bid))
            return
        self.context.do(m.PlaceBid(self._chosen, own.table.stage, own.table.round))
        self.context.answer_is_due = True
