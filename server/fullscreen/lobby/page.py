"""The lobby page."""

import msgspec
from prompt_toolkit.buffer import Buffer

from server.coordinator.messages import (
    CreateTable,
    JoinTable,
    QuickGame,
    QuickJoin,
    WatchTable,
)
from server.fullscreen.context import SessionContext
from server.fullscreen.history.pages import GamesPage
from server.fullscreen.lobby.options_page import OptionsPage
from server.fullscreen.lobby.view import LobbyFocus, lobby_screen
from server.fullscreen.menus.account import AccountPage
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.leave import LeavePage
from server.fullscreen.menus.settings import SettingsPage
from server.fullscreen.widgets.chrome import typing_room
from server.session.invite import code_and_word
from server.session.presets import lone_game, new_table
from server.terminal.capabilities import Size
from server.terminal.frame import Frame
from server.terminal.line_edit import line_entry, visible
from server.viewmodels.lobby import LobbyModel
from server.viewmodels.lobby_filter import LONGEST as LONGEST_FILTER
from server.viewmodels.lobby_presenter import present_lobby

_LONGEST_CODE = 120
"""Characters: as long as a line that invites, which may be pasted."""


class LobbyPage:
    """See the module."""

    __slots__ = (
        "_chosen",
        "_desk",
        "_filtering",
        "_place",
        "_private",
        "_unfolded",
        "_wanted",
        "entry",
    )

    def __init__(self, desk: SessionContext) -> None:
        self._desk = desk
        self._chosen = ""
        """The id of the chosen table: it stays chosen when others come and go."""
        self._place = 0
        """Where it was last seen: when it is gone, the one that has come there is chosen."""
        self._wanted = ""
        """Words that the tables shown have to fit."""
        self._unfolded = False
        """Whether games against bots, and what is over, are listed as well."""
        self._filtering = False
        """What is typed is these, and not a code."""
        self._private: JoinTable | WatchTable | None = None
        """What was refused by a private table, whose word is typed."""
        self.entry: Buffer | None = None

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        desk, words = self._desk, self._desk.words
        you = words.t("you are {name}", name=desk.player.name)
        if desk.account.office is not None:
            you = f"{you}, {words.t('operator')} (!)"
        label = words.t("tables to show") if self._filtering else words.t("code of the table")
        if self._private:
            label = words.t("invitation word")
        room = typing_room(label, size.columns)
        typing = visible(self.entry, room) if self.entry else None
        focus = LobbyFocus(self._index(), desk.said, typing, you, label, self._wanted)
        return lobby_screen(self._model(), focus, size, desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        if self.entry is not None:
            self._typed(name)
            return
        desk = self._desk
        match name:
            case "up" | "k":
                self._move(-1)
            case "down" | "j":
                self._move(1)
            case "enter":
                self._join()
            case "w":
                self._watch()
            case "n":
                desk.open(
                    OptionsPage(
                        desk,
                        desk.words.t("New table"),
                        new_table(),
                        lambda options: desk.do(CreateTable(options)),
                    )
                )
            case "g":
                desk.do(QuickJoin(new_table()))
            case "b":
                desk.do(QuickGame(lone_game()))
            case "t":
                desk.learn()
            case "s":
                self._unfolded = not self._unfolded
            case "c" | "f":
                self._begin_typing(filtering=name == "f")
            case "?" | "f1":
                desk.open(HelpPage(desk, meeting=True))
            case "o":
                desk.open(SettingsPage(desk))
            case "a":
                desk.open(AccountPage(desk))
            case "r" if desk.account.library:
                desk.open(GamesPage(desk, desk.account.library))
            case "escape" | "q":
                self._leave(name)

    def _leave(self, name: str) -> None:
        if name == "q":
            self._desk.open(LeavePage(self._desk))
        else:
            self._desk.greeted = False  # back to the title

    def _begin_typing(self, *, filtering: bool) -> None:
        self._filtering, self._private = filtering, None
        self.entry = (
            line_entry(self._wanted, longest=LONGEST_FILTER)
            if filtering
            else line_entry(longest=_LONGEST_CODE)
        )

    def text(self, text: str) -> None:
        """A pasted code."""
        self._come(text)

    def _come(self, typed: str) -> None:
        """Sit down where a code leads, or a line that invites."""
        code, word = code_and_word(typed[:_LONGEST_CODE])
        self._ask(JoinTable(code, word=word))

    def _ask(self, command: JoinTable | WatchTable) -> None:
        self._desk.do(command, refused=lambda why: self._refused(command, why))

    def _refused(self, command: JoinTable | WatchTable, why: str) -> None:
        if why == "word_needed":
            words = self._desk.words
            self._desk.say("warm", words.t("That table is private: type its invitation word."))
        if why in ("word_needed", "wrong_word"):
            self.ask_for_word(command)

    def ask_for_word(self, command: JoinTable | WatchTable) -> None:
        """The table is private, and its word was missing or wrong: have it typed."""
        self._begin_typing(filtering=False)
        self._private = command

    def _model(self) -> LobbyModel:
        lobby = self._desk.lobby
        if lobby is None:
            return LobbyModel((), "", "")
        return present_lobby(lobby, self._desk.words, self._wanted, self._unfolded)

    def _index(self) -> int:
        tables = self._model().tables
        for number, table in enumerate(tables):
            if table.id == self._chosen:
                self._place = number
                return number
        if not tables or not self._chosen:
            return 0
        place = min(self._place, len(tables) - 1)
        lobby = self._desk.lobby
        if lobby is not None and all(row.id != self._chosen for row in lobby.tables):
            # Not only hidden by what is wanted: the neighbour is chosen from now on.
            self._chosen, self._place = tables[place].id, place
        return place

    def _move(self, step: int) -> None:
        tables = self._model().tables
        if tables:
            self._chosen = tables[(self._index() + step) % len(tables)].id

    def _join(self) -> None:
        desk, tables = self._desk, self._model().tables
        if not tables:
            desk.say("warm", desk.words.t("There is no table to join; n opens one."))
            return
        table = tables[self._index()]
        if table.joinable or not table.watchable:
            desk.do(JoinTable(table.id))
        else:
            desk.do(WatchTable(table.id))

    def _watch(self) -> None:
        tables = self._model().tables
        if tables:
            self._desk.do(WatchTable(tables[self._index()].id))

    def _typed(self, name: str) -> None:
        entry = self.entry
        assert entry is not None
        if name == "enter":
            typed = entry.text.strip()
            self.entry = None
            if self._filtering:
                self._wanted = typed
            elif typed and self._private:
                self._ask(msgspec.structs.replace(self._private, word=typed))
            elif typed:
                self._come(typed)
        elif name in ("escape", "tab"):
            self.entry = None
