"""What the pages of one session share: the visit, the newest snapshots, the look, and a few services."""

import math
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final, Protocol

from prompt_toolkit.buffer import Buffer

from engine.views import SeatView
from server.coordinator.clock import Clock
from server.coordinator.messages import (
    Command,
    LeaveTable,
    LobbySnapshot,
    Player,
    QuickGame,
    Rematch,
    TableSnapshot,
)
from server.fullscreen.widgets.drawing import DrawContext, look_for
from server.i18n.catalogues import Words, words_for
from server.session.account import Account, NoAccount
from server.session.chat_history import ChatHistory
from server.session.key_preferences import chosen
from server.session.lessons import lesson_in_words
from server.session.preferences import Preferences
from server.session.presets import first_game, is_first_game, lone_game
from server.session.saved_settings import LESSON, abilities_from, preferences_from, to_settings
from server.session.shutdown_notice import closing_time
from server.session.tutorial import Tutorial
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from server.terminal.frame import Frame, Span


class Page(Protocol):
    """One screen and its keys."""

    @property
    def entry(self) -> Buffer | None:
        """The line being typed on this page, if any."""

    def frame(self, size: Size) -> Frame:
        """What it shows. Changes nothing."""

    def key(self, name: str) -> None:
        """A key was pressed."""

    def text(self, text: str) -> None:
        """Text was pasted."""


class ScreenNotice:
    """A sentence in the log of what happened beside the cards."""

    __slots__ = ("round", "stage", "text")

    def __init__(self, stage: int, round_: int, text: str) -> None:
        self.stage = stage
        self.round = round_
        self.text = text


def _drop(work: Coroutine[Any, Any, None]) -> None:
    """Nothing is done behind the back of whoever has no tasks."""
    work.close()


NOTICES: Final = 50
"""How many notices a session keeps."""


class SessionContext:
    """See the module."""

    __slots__ = (
        "_chosen",
        "_submit",
        "abilities",
        "account",
        "book",
        "changed",
        "clock",
        "done",
        "facts",
        "greeted",
        "guide",
        "lobby",
        "look",
        "message",
        "notice",
        "notices",
        "overlays",
        "player",
        "preferences",
        "spawn",
        "table",
    )

    def __init__(
        self,
        player: Player,
        clock: Clock,
        abilities: Capabilities,
        submit: Callable[[Command, Callable[[], None] | None, Callable[[str], None] | None], None],
        changed: Callable[[], None],
        account: Account | None = None,
    ) -> None:
        self.player: Final = player
        self.clock: Final = clock
        self.account: Final[Account] = account or NoAccount()
        self.abilities = abilities_from(self.account.settings, abilities)
        self.preferences: Preferences = preferences_from(self.account.settings)
        self._chosen: Final[dict[str, object]] = {}
        self.facts: Callable[[], ConnectionStats] = ConnectionStats
        """About the line, as they are now."""
        self.lobby: LobbySnapshot | None = None
        self.table: TableSnapshot | None = None
        self.overlays: list[Page] = []
        self.message: Span = ("", "")
        """What the house says to this player; the next key wipes it away."""
        self.notice: Span = ("", "")
        """What has just happened beside the cards; it goes with a key, or by itself."""
        self.notices: list[ScreenNotice] = []
        self.guide: Final = Tutorial(self._remember_lesson)
        self.book: Final = ChatHistory(player.name)
        """What has been said."""
        self.done = False
        self.greeted = False
        """The title screen has been left."""
        self.look: DrawContext = self._make_look()
        self._submit: Final = submit
        self.changed: Final = changed
        """Ask for a new frame."""
        self.spawn: Callable[[Coroutine[Any, Any, None]], None] = _drop
        """Do something that takes time, as long as the session lasts."""

    @property
    def words(self) -> Words:
        """The player's language."""
        return self.look.words

    @property
    def closing_for_now(self) -> bool:
        """Operators let no game begin, but the server stays."""
        return math.isinf(closing_time(self.lobby, self.table))

    @property
    def own(self) -> SeatView | None:
        """The own seat's view; ``None`` without a seat or a game."""
        return self.table.own if self.table else None

    def set_abilities(self, **changes: object) -> None:
        """The player wants the terminal used otherwise."""
        self.abilities = replace(self.abilities, **changes)  # type: ignore[arg-type]
        self.look = self._make_look()
        self._chosen.update(changes)
        self._remember()

    def found_slow(self) -> bool:
        """The line has turned out to be a thin one. Returns whether that is taken into account: not when the
        player has said otherwise. It is not kept for the next visit, which may come over another line.
        """
        if "thin" in self._chosen or "thin" in self.account.settings:
            return False
        self.abilities = replace(self.abilities, thin=True)
        self.look = self._make_look()
        return True

    def prefer(self, **changes: object) -> None:
        """Change preferences."""
        self.preferences = replace(self.preferences, **changes)  # type: ignore[arg-type]
        self._remember()

    @property
    def own_keys(self) -> Mapping[str, str]:
        """The player's own keys at the table, by the names of ``keymap.ACTIONS``."""
        return chosen(self.preferences.keys)

    @property
    def way_back(self) -> str:
        """The name with which a guest logs in to be the same again; empty for who needs none."""
        code = self.account.rejoin_code
        return f"{self.player.name}+{code}" if code else ""

    def say(self, style: str, text: str) -> None:
        """Tell the player something in the message line."""
        self.message = (style, text)

    @property
    def said(self) -> Span:
        """What there is to say, for pages with one line for it."""
        return self.message if self.message[1] else self.notice

    def do(
        self,
        command: Command,
        then: Callable[[], None] | None = None,
        refused: Callable[[str], None] | None = None,
    ) -> None:
        """Give a command; ``then`` follows success. A refusal is told in the message line, and its code to
        ``refused``.
        """
        self._submit(command, then, refused)

    @property
    def lesson(self) -> str:
        """What the guide says now; empty when nothing."""
        lesson = self.guide.lesson
        return lesson_in_words(lesson, self.words) if lesson is not None else ""

    def learn(self) -> None:
        """Play a first game with the guide."""
        self.do(QuickGame(first_game()), lambda: self._guided(True))

    @property
    def learns(self) -> bool:
        """Whether this is a first game, after which there is a whole one."""
        table = self.table
        return table is not None and table.seat >= 0 and is_first_game(table.info)

    def play_again(self) -> None:
        """Another game at this table, or a whole one elsewhere after a first one."""
        if self.learns:
            self.do(LeaveTable(), lambda: self.do(QuickGame(lone_game())))
        else:
            self.do(Rematch())

    def _guided(self, wanted: bool) -> None:
        if wanted:
            self.guide.begin(self.table)
        else:
            self.guide.end()

    def switch_guide(self) -> None:
        """Have the guide come to this table, or go."""
        self._guided(self.own is not None and not self.guide.here)

    def open(self, page: Page) -> None:
        """Lay a page over what is shown."""
        self.overlays.append(page)

    def close(self, page: Page | None = None) -> None:
        """Take the top page, or this one, away."""
        if page is None:
            if self.overlays:
                self.overlays.pop()
        elif page in self.overlays:
            self.overlays.remove(page)

    def leave(self) -> None:
        """End the session."""
        self.done = True
        self.changed()

    def _remember_lesson(self, game: str) -> None:
        self.account.remember({**self.account.settings, LESSON: game})

    def _remember(self) -> None:
        account = self.account
        account.remember(to_settings(self.preferences, self._chosen, account.settings))

    def _make_look(self) -> DrawContext:
        abilities = self.abilities
        return look_for(words_for(abilities.language), abilities.unicode, abilities.thin)
