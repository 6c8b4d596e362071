"""What the pages of one session share: the visit, snapshots, the look, the player's keys, some services.

Of the keys, the digits of cards, arrows, Enter, Esc, Tab and Ctrl-C stay what they are, whatever a player
chooses: nobody can lock themselves out.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol

from typing_extensions import override

from engine.views import SeatView
from server.coordinator import messages as m
from server.fullscreen.widgets.drawing import look_for
from server.i18n.lookup import Words
from server.playback import RevealPlayer
from server.session.account import GameLibrary
from server.session.client import SessionClient, Visitor
from server.session.tutorial import lesson_in_words
from server.terminal.capabilities import Capabilities
from server.terminal.drawing.frame import Span, cell_width
from server.terminal.drawing.theme import drawn_colours
from server.terminal.keys.bindings import AnyKey
from server.text.events import today_lines
from server.text.refusals import refusal
from server.timers import OneTimer

Menu = Literal[
    "account",
    "correspondence",
    "games",
    "help",
    "leave",
    "operators",
    "puzzles",
    "review",
    "settings",
    "statistics",
    "this_game",
    "today",
    "tournaments",
]
"""Pages to which many others lead."""


class ScreenNotice(NamedTuple):
    """A sentence in the log of what happened beside the cards. Stages and rounds count from 0."""

    stage: int
    round: int
    text: str


class Overlay(Protocol):
    """A page that can be laid over others: see ``pages.page.Page``."""

    which: str
    """The id of what it is about, where there are several."""
    opened_by: AnyKey | None
    """The key that closes it, too; ``None`` where it has come by itself."""

    def opened(self) -> None:
        """It has been laid over what is shown."""

    def closed(self) -> None:
        """It has been taken away, or the session is over."""

    def updated(self, update: m.Update) -> None:
        """Something has happened."""


NOTICES: Final = 50
"""Most notices that a session keeps."""

NOTICE_SECONDS: Final = 8.0
"""Seconds that a notice stays by itself; a long one longer."""
READ_A_SECOND: Final = 12
"""Characters of a notice that can be read in a second."""
MESSAGE_SECONDS: Final = 20.0
"""Seconds that a message of the server to one player stays, where no answer is waited for."""


class SessionContext(SessionClient):
    """What one session's pages share."""

    def __init__(self, who: Visitor, changed: Callable[[], None]) -> None:
        super().__init__(who)
        self.overlays: list[Overlay] = []
        """Pages laid over what is shown, the top one last."""
        self.pressed: AnyKey | None = None
        """The last key: it closes the page that it opens, too."""
        self.at_once = False
        """It has come at once with the one before."""
        self.message: Span = ("", "")
        """What the server says to this player; it goes with a key, or by itself."""
        self.notice: Span = ("", "")
        """What has just happened beside the cards; it goes with a key, or by itself."""
        self.notices: list[ScreenNotice] = []
        self._notice_timer: Final = OneTimer(who.clock)
        self._first: Span | None = None
        self._message_timer: Final = OneTimer(who.clock)
        self.answer_is_due = False
        """All that the last key has led to is shown with the answer to what it has asked for."""
        self.bells = 0
        """How often the player was called so far; ``attention`` says what that sends."""
        self.called_for = ""
        """Why, the last time."""
        self.greeted = False
        """The title screen has been left."""
        self.locked_out: m.JoinTable | m.WatchTable | None = None
        """What the player came for: a private table, whose word was missing or wrong."""
        self.broken: Final[list[object]] = []
        """The classes of pages of places that could not be drawn."""
        self.copy: Callable[[str], None] = lambda _text: None
        """Have the terminal put a text on the clipboard, if it can."""
        self.changed: Final = changed
        """Ask for a new frame."""
        self.carried_out: Callable[[], None] = changed
        """Called when something that the player has asked for has been carried out."""
        self.open_chat: Callable[[], None]
        """Open a line to say something."""
        self.open_chat_log: Callable[[], None]
        """Open everything that has been said."""
        self.reveal: RevealPlayer
        """What is played back at the table."""
        self.menus: Mapping[Menu, Callable[[SessionContext], None]]
        """What opens them: pages import one way only."""

    @property
    @override
    def words(self) -> Words:
        return self.look.words

    @override
    def _use(self, able: Capabilities) -> None:
        super()._use(able)
        self.look = look_for(able.language, able.unicode, able.thin, drawn_colours(able))
        """How to draw for this player: asked for many times a frame."""

    @property
    def own(self) -> SeatView | None:
        """The own seat's view; ``None`` without a seat or a game."""
        return self.table.own if self.table else None

    @property
    def library(self) -> GameLibrary:
        """The games that are over, for what there is only where some are kept."""
        assert self.account.library is not None
        return self.account.library

    @property
    def people_here(self) -> tuple[str, ...]:
        """Names of the others at the table, or in the lobby."""
        here: Sequence[str] = self.lobby.players if self.lobby is not None else ()
        if self.table is not None:
            here = [
                seat.name for seat in self.table.info.seats if seat.occupant is m.Occupant.HUMAN
            ]
        return tuple(name for name in here if name != self.player.name)

    @property
    def people_named(self) -> tuple[str, ...]:
        """Names of the people in the lobby, or who sit or watch at the table; the player last."""
        watching = self.table.info.watching if self.table is not None else ()
        others = [name for name in watching if name != self.player.name]
        return (*self.people_here, *others, self.player.name)

    @property
    def own_keys(self) -> Mapping[str, str]:
        """The player's own keys at the table, by the names of ``ACTIONS``."""
        return chosen(self.preferences.keys)

    def say(self, style: str, text: str, *, stays: bool = False) -> None:
        """Tell the player something in the message line, for a while, or until a key if it ``stays``."""
        message = self.message = (style, text)

        def forget() -> None:
            if self.message is message:
                self.message = ("", "")
                self.changed()

        self._message_timer.cancel()
        if not stays:
            self._message_timer.after(MESSAGE_SECONDS, forget)

    def note(self, text: str) -> None:
        """Keep what happened beside the cards for the log."""
        view = self.table.table if self.table else None
        stage, round_ = (view.stage, view.round) if view else (0, 0)
        self.notices = [*self.notices, ScreenNotice(stage, round_, text)][-NOTICES:]

    def notify(self, text: str, *, first: bool = False) -> None:
        """Show what has happened for a while. Nothing takes the place of what comes ``first`` until then."""
        if self._first is not None and self.notice is self._first:
            return
        notice = self.notice = ("notice", text)
        self._first = notice if first else None

        def forget() -> None:
            if self.notice is notice:
                self.notice = ("", "")
                self.changed()

        seconds = max(NOTICE_SECONDS, len(text) / READ_A_SECOND)
        self._notice_timer.after(seconds, forget)

    def call(self, why: str) -> None:
        """The player is wanted."""
        self.bells += 1
        self.called_for = why

    @property
    def today_lines(self) -> list[str]:
        """What there is to tell of today's tide, in the lobby of a server that has one."""
        if self.lobby is None or self.account.library is None:
            return []
        return today_lines(self.lobby.today, self.clock.time(), self.words)

    @property
    def said(self) -> Span:
        """What there is to say, for pages with one line for it."""
        return self.message if self.message[1] else self.notice

    @override
    def complain(self, why: str) -> None:
        self.say("error", why)

    @override
    def together(self, work: Callable[[], None]) -> None:
        work()
        self.changed()
        self.carried_out()

    @override
    async def reading(
        self, load: Coroutine[Any, Any, object], failed: Callable[[str], None] | None = None
    ) -> None:
        await super().reading(load, failed)
        self.changed()

    @override
    def failed(self, error: Exception, page: object = None) -> None:
        """A mistake in what ``page`` shows or does, if it is one of a page: then that is closed."""
        self.log_mistake(error, type(page).__name__ if page is not None else "")
        said = refusal(m.Reply(m.Refusal.INTERNAL), self.words)
        for overlay in [each for each in self.overlays if each is page]:
            self.close(overlay)
            said = self.words.t(
                "Something went wrong on that page, so it was closed. Everything else goes on."
            )
        self.say("error", said)
        self.changed()

    @property
    def lesson(self) -> str:
        """What the guide says now; empty when nothing."""
        lesson = self.guide.lesson
        return lesson_in_words(lesson, self.words) if lesson is not None else ""

    def switch_guide(self) -> None:
        """Have the guide come to this table, or go."""
        if self.own is not None and not self.guide.here:
            self.call_guide()
        else:
            self.guide.end()

    def open(self, page: Overlay) -> None:
        """Lay a page over what is shown."""
        page.opened_by = self.pressed
        self.overlays.append(page)
        page.opened()

    def close(self, page: Overlay) -> None:
        """Take this page away, if it is there."""
        if page in self.overlays:
            self.overlays = [each for each in self.overlays if each is not page]
            page.closed()

    def close_all(self) -> None:
        """Take all pages away."""
        for page in reversed(self.overlays):
            self.close(page)

    @override
    def stop(self) -> None:
        super().stop()
        self._notice_timer.cancel()
        self._message_timer.cancel()

    def leave(self) -> None:
        """End the session."""
        self.done = True
        self.changed()


ACTIONS: Final = (
    *("left", "right", "bid", "log", "played", "hint", "help", "settings"),
    *("vote", "guide", "account", "invite", "resume", "skip", "leave"),
)
"""What can have another key, as it is kept; the page of the table says what it is."""


def chosen(kept: str) -> Mapping[str, str]:
    """The player's own keys by the actions' names, from how they are kept, but for what makes no sense."""
    own: dict[str, str] = {}
    for part in kept.split():
        name, _, key = part.partition("=")
        if name in ACTIONS and is_bindable(key) and key not in own.values():
            own[name] = key
    return MappingProxyType(own)


def to_keep(own: Mapping[str, str]) -> str:
    """The player's own keys in one text."""
    return " ".join(f"{name}={key}" for name, key in own.items())


def is_bindable(key: str) -> bool:
    """Whether a key can be chosen at all: one that prints a narrow sign, and is no digit."""
    printable = len(key) == 1 and key.isprintable() and cell_width(key) == 1
    return printable and not key.isdecimal() and key != " "


@lru_cache(maxsize=256)
def keys_with(keys: tuple[AnyKey, ...], kept: str) -> tuple[AnyKey, ...]:
    """``keys``, with the player's own as they are kept: in place of signs, beside keys that print none.

    A key with a fixed meaning is never an own one.
    """
    if not (own := chosen(kept)):
        return keys
    fixed = fixed_names(keys)

    def adapted(key: AnyKey) -> AnyKey:
        name, (usual, *others) = own.get(key.action, ""), key.names
        if not name or name in fixed:
            return key
        return key.named(name, *others) if len(usual) == 1 else key.named(usual, *others, name)

    return tuple([adapted(key) for key in keys])


def by_action(keys: Sequence[AnyKey]) -> Mapping[str, AnyKey]:
    """The keys that can be chosen, by what they do."""
    return {key.action: key for key in reversed(keys) if key.action}


def fixed_names(keys: Sequence[AnyKey]) -> frozenset[str]:
    """Keys that cannot be given away."""
    first = {key.names[0] for key in keys if key.action}
    return frozenset({name for key in keys for name in key.names if len(name) == 1}) - first


def action_on(name: str, usual: Mapping[str, AnyKey], own: Mapping[str, str]) -> str:
    """What a key does already, of what can be chosen; empty for nothing."""
    on = {own.get(action, usual[action].names[0]): action for action in reversed(ACTIONS)}
    return on.get(name, "")


def usual_label(key: AnyKey, words: Words) -> str:
    """The usual key as it is written on a keyboard."""
    names = {"left": words.t("Left"), "right": words.t("Right"), "enter": "Enter", "escape": "Esc"}
    return names.get(key.names[0], key.names[0])
