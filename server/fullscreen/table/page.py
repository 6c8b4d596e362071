"""The table page: choosing and bidding cards, and what the house says meanwhile."""

from prompt_toolkit.buffer import Buffer

from engine.state import Phase
from engine.views import TableView
from server.coordinator.messages import (
    JoinTable,
    Pause,
    PlaceBid,
    Resume,
    TableInfo,
    TableSnapshot,
    WatchTable,
)
from server.fullscreen.chat.view import free_region
from server.fullscreen.context import SessionContext
from server.fullscreen.menus.account import AccountPage
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.leave import LeavePage
from server.fullscreen.menus.settings import SettingsPage
from server.fullscreen.table.card_typing import CardTyping
from server.fullscreen.table.layout import chat_room, table_layout
from server.fullscreen.table.log_page import LogPage
from server.fullscreen.table.played_page import PlayedPage
from server.fullscreen.table.view import TableFocus, TableKept, table_screen
from server.fullscreen.table.vote_page import VotePage
from server.fullscreen.widgets.drawing import between
from server.fullscreen.widgets.region import Region
from server.playback.reveal_player import RevealPlayer, RoundScene
from server.session.invite import invite_line
from server.session.key_preferences import meant, shown
from server.session.spectating import can_join, has_claimed, watching_in_words
from server.session.turn_status import bid_due, table_clock, waits_for
from server.terminal.capabilities import Size
from server.terminal.frame import Frame, Span
from server.terminal.last_value import LastValue
from server.text.countdown import time_to_bid
from server.viewmodels.reveal import reveal_step, revealed
from server.viewmodels.table import HandModel, TableModel
from server.viewmodels.table_presenter import present_hand, present_table


class TablePage:
    """See the module."""

    __slots__ = (
        "_asking",
        "_chosen",
        "_desk",
        "_footer",
        "_kept",
        "_model",
        "_near",
        "_presented",
        "_show",
        "_typing",
        "chat_region",
        "typed",
    )

    entry: Buffer | None = None

    def __init__(self, desk: SessionContext, show: RevealPlayer) -> None:
        self._desk = desk
        self._show = show
        self._chosen = 0
        self._near = 0
        """What was chosen last in this stage: the arrows begin there."""
        self.typed = False
        """The card was chosen by its number, for the round that is on."""
        self._typing = CardTyping(desk)
        self._asking = False
        self._presented: LastValue[HandModel] = LastValue()
        # The very object that the others at the table have, also when others' tables have crowded it out.
        self._model: LastValue[TableModel] = LastValue()
        self._footer: LastValue[tuple[tuple[str, str], ...]] = LastValue()
        self._kept = TableKept()
        self.chat_region: Region | None = None
        """Where the last frame had room for chat."""

    # ---------------------------------------------------------------- what has changed

    def new_game(self) -> None:
        """Another game, or another table."""
        self._typing.forget()
        self._choose_nothing()
        self._near = 0

    def _choose_nothing(self) -> None:
        self._chosen, self._asking, self.typed = 0, False, False
        self._typing.moved_on()

    def close(self) -> None:
        """The session ends."""
        self._typing.forget()

    def updated(self, before: TableSnapshot | None, now: TableSnapshot) -> None:
        """A newer snapshot: what was chosen was for its round."""
        own = now.own
        if own is None or not own.hand:
            self._choose_nothing()
            self._near = 0
            return
        was = before.own if before else None
        if was is None or was.table.stage != own.table.stage:
            self._choose_nothing()
            self._near = 0
        elif was.table.round != own.table.round:
            self._choose_nothing()

    # ---------------------------------------------------------------- the picture

    @property
    def _table(self) -> TableSnapshot:
        assert self._desk.table is not None
        return self._desk.table

    def model(self) -> TableModel:
        """What is shown of the table now: as it is, or a step of a scene."""
        table, words = self._table, self._desk.words
        view = table.table
        assert view is not None
        scene, reveal = self._show.scene, self._show.reveal
        if not isinstance(scene, RoundScene) or reveal is None:
            return self._present(table.info, view)
        info = self._show.played_by or table.info
        before = self._present(info, scene.before)
        if not self._show.holding:
            return reveal_step(before, reveal, words, self._show.step)
        return revealed(before, present_table(info, scene.after, words), reveal, words)

    def _present(self, info: TableInfo, view: TableView) -> TableModel:
        words = self._desk.words
        return self._model.get((info, view, words), lambda: present_table(info, view, words))

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        model, hand, look = self.model(), self._hand(), self._desk.look
        layout = table_layout(size, len(model.seats), model.highest_tide)
        self.chat_region = chat_room(layout, look.thin)
        show = self._show
        news = show.reveal.why if show.reveal is not None and show.holding else ()
        focus = TableFocus(
            you=self._table.seat,
            chosen=self._chosen if hand is not None and hand.cards else 0,
            message=self._message(hand),
            notice=self._desk.notice,
            clock=self._clock(),
            keys=self._keys(),
            news=news,
            lesson=self._desk.lesson if self._show.scene is None else "",
            chat=self.chat_region is None and self._desk.book.spoken,
        )
        frame = table_screen(model, hand, focus, size, look, self._kept)
        if self.chat_region is None:
            log = table_layout(size, len(model.seats), model.highest_tide, look.thin).log
            self.chat_region = free_region(frame, log, size, look)
        return frame

    def _hand(self) -> HandModel | None:
        own, scene = self._table.own, self._show.scene
        if own is None or own.table.phase is Phase.OVER:
            return None
        if isinstance(scene, RoundScene) and scene.after.stage != own.table.stage:
            return None
        return self._presented.get((own,), lambda: present_hand(own))

    def _clock(self) -> Span:
        if self._show.scene is not None:
            return ("", "")
        look = self._desk.look
        return table_clock(self._table, self._desk.clock.time(), look.words, look.thin)

    def _message(self, hand: HandModel | None) -> Span:
        said = self._desk.message
        return said if said[1] else self._prompt(hand)

    def _prompt(self, hand: HandModel | None) -> Span:
        words, table = self._desk.words, self._table
        if table.info.pause is Pause.VOTED:
            return ("warm", words.t("The game is paused. r goes on."))
        if table.info.pause is Pause.SUSPENDED:
            return ("warm", words.t("The game is suspended until a player is back."))
        if self._asking:
            return (
                "warm",
                words.t("Yours is the last bid: it reveals the round. Enter again: sure."),
            )
        if self._typing.digit:
            return ("text", words.t("card {digits}_", digits=self._typing.digit))
        if self._show.scene is not None:
            return self._while_shown()
        if self._desk.guide.more:
            return ("warm", words.t("Press Space to go on."))
        if table.seat < 0:
            return ("dim", watching_in_words(table, self._desk.player.name, words))
        if table.info.seats[table.seat].away:
            return ("warm", words.t("A bot bids for you. Any key brings you back."))
        own = table.own
        if own is not None and own.table.seats[own.seat].eliminated:
            return ("dim", self._out_of_stage(own.table))
        if hand is None or own is None or own.table.offer is None:
            return ("", "")
        thin = self._desk.look.thin
        if hand.bid and thin:
            return ("text", words.t("{card} is sealed.", card=hand.bid))
        if hand.bid:
            return (
                "dim",
                words.t(
                    "Your {card} is sealed. Enter on another card replaces it.",
                    card=hand.bid,
                ),
            )
        if thin:
            return ("warm", words.t("Choose a card."))
        if hand.last_to_bid:
            return ("warm", words.t("All wait for you: choose a card, Enter bids it."))
        return ("warm", words.t("Choose a card, Enter bids it face down."))

    def _while_shown(self) -> Span:
        """What is to be known of the next round while the last one is shown."""
        desk, words, table = self._desk, self._desk.words, self._table
        own, style, said = table.own, "dim", ""
        if waits_for(table):
            style, said = "warm", words.t("all wait for you")
        elif due := bid_due(table):
            left = due - desk.clock.time()
            said = words.t(
                "next round: {time} to bid", time=time_to_bid(left, words, desk.look.thin)
            )
        elif own is not None and own.bid:
            said = words.t("next round: your {card} is sealed", card=own.bid)
        return (style, between((said, words.t("Press Space to go on.")), desk.look.glyphs))

    def _out_of_stage(self, table: TableView) -> str:
        words = self._desk.words
        if table.stage + 1 == table.rules.stages:
            return words.t("You are out of this stage, the last one.")
        return words.t("You are out of this stage, and back in the next one.")

    def _keys(self) -> tuple[tuple[str, str], ...]:
        own = self._table.own
        plays = own is not None and not own.table.seats[own.seat].eliminated
        name, votes = self._desk.player.name, own is not None
        joins, claims = can_join(self._table, name), has_claimed(self._table, name)
        return self._footer.get(
            (plays, joins, claims, votes, self._desk.look, self._desk.own_keys),
            lambda: self._make_keys(plays, joins, claims, votes),
        )

    def _make_keys(
        self, plays: bool, joins: bool, claims: bool, votes: bool
    ) -> tuple[tuple[str, str], ...]:
        look, own = self._desk.look, self._desk.own_keys
        words = look.words
        keys: list[tuple[str, str]] = []
        # The same while a round goes on and is revealed: what does not change costs nothing.
        if plays:
            keys += [("Enter", words.t("bid")), (look.arrows, words.t("choose"))]
        if joins:
            keys.append(("j", words.t("play for a bot")))
        elif claims:
            keys.append(("j", words.t("rather watch")))
        keys += [
            (shown("log", own), words.t("log")),
            (shown("played", own), words.t("played cards")),
            (shown("help", own), words.t("help")),
            (shown("settings", own), words.t("settings")),
            # Who watches has no vote, but may know somebody who would like to watch, too.
            (shown("vote", own), words.t("vote"))
            if votes
            else (shown("invite", own), words.t("invite")),
            ("Esc", words.t("leave")),
        ]
        return tuple(keys)

    # ---------------------------------------------------------------- the keys

    @property
    def _choosing(self) -> bool:
        """A card is still to be chosen: then l moves to the right, and L opens the log."""
        own = self._table.own
        return own is not None and bool(own.hand) and not own.bid and own.table.offer is not None

    def key(self, name: str) -> None:
        """See ``Page``."""
        name = meant(name, self._desk.own_keys)
        if name == " " or (name == "escape" and self._show.scene is not None):
            self._go_on()
            return
        if self._asking:
            self._asking = False
            if name == "enter":
                self._bid()
                return
            if name == "escape":
                return
        if name.isdecimal() and name.isascii():
            if cards := self._cards:
                # A number of no card chooses nothing: Enter then bids no other one.
                self._pick(self._typing.key(name, cards), typed=self._typing.fresh)
            return
        self._typing.forget()
        if not self._choose(name):
            self._other(name)

    def _go_on(self) -> None:
        """End what is shown, and do nothing else: nobody bids with a key that is only pressed to go on."""
        self._asking = False
        self._typing.forget()
        if self._show.scene is not None:
            self._show.skip()
        else:
            self._desk.guide.read()

    def text(self, text: str) -> None:
        """A pasted card number is chosen."""
        if text.strip().isdecimal() and int(text) in self._cards:
            self._pick(int(text), typed=True)

    def _pick(self, card: int, *, typed: bool) -> None:
        self._chosen, self._near, self.typed = card, card or self._near, typed and card > 0

    @property
    def _cards(self) -> tuple[int, ...]:
        hand = self._hand()
        return tuple(card.card for card in hand.cards) if hand is not None else ()

    def _choose(self, name: str) -> bool:
        cards = self._cards
        if not cards:
            return False
        match name:
            case "left" | "h":
                card = self._next(cards[::-1])
            case "right":
                card = self._next(cards)
            case "l" if self._choosing:
                card = self._next(cards)
            case "home":
                card = cards[0]
            case "end":
                card = cards[-1]
            case "enter":
                self._enter()
                return True
            case _:
                return False
        self._pick(card, typed=False)
        if self._show.scene is not None:
            self._show.skip()  # whoever chooses wants to see the tides
        return True

    def _next(self, cards: tuple[int, ...]) -> int:
        """The one after the card chosen last, in the order of ``cards``; the middle of a new hand."""
        if not self._near:
            return cards[len(cards) // 2]
        up = cards[0] < cards[-1]
        beyond = (card for card in cards if (card > self._near if up else card < self._near))
        return next(beyond, cards[-1])

    def _enter(self) -> None:
        hand, words = self._hand(), self._desk.words
        if hand is None:
            return
        if self._show.scene is not None and not self.typed:
            return  # the round that is shown is over; a number was typed for the next one
        if not self._chosen:
            self._desk.say(
                "warm", words.t("Choose a card first: with the arrows, or type its number.")
            )
        elif self._desk.preferences.sure and hand.last_to_bid:
            self._asking = True
        else:
            self._bid()

    def _bid(self) -> None:
        own = self._table.own
        if own is None or self._chosen not in own.hand:
            return
        if own.bid == self._chosen:
            words = self._desk.words
            self._desk.say("dim", words.t("The {card} is your bid already.", card=own.bid))
            return
        self._desk.do(PlaceBid(self._chosen, own.table.stage, own.table.round))

    def _other(self, name: str) -> None:
        desk = self._desk
        match name:
            case "l" | "L" | "tab":
                desk.open(LogPage(desk))
            case "p":
                desk.open(PlayedPage(desk))
            case "?" | "f1":
                desk.open(HelpPage(desk))
            case "o":
                desk.open(SettingsPage(desk))
            case "a":
                desk.open(AccountPage(desk))
            case "t":
                desk.switch_guide()
            case "v":
                desk.open(VotePage(desk))
            case "j" if self._table.seat < 0 and has_claimed(self._table, desk.player.name):
                desk.do(WatchTable(self._table.info.id))
            case "j" if self._table.seat < 0:
                desk.do(JoinTable(self._table.info.id))
            case "i":
                self._invite()
            case "r" if self._table.info.pause is Pause.VOTED:
                desk.do(Resume())
            case "escape" | "q":
                desk.open(LeavePage(desk))

    def _invite(self) -> None:
        """Show the line that brings somebody to this table, to be copied."""
        desk, table = self._desk, self._table
        line = invite_line(table, desk.facts().way_in)
        code = desk.words.t("the code that invites: {code}", code=table.info.id)
        desk.say("strong", line or code)
