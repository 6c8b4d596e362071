"""The lobby page."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import msgspec
from typing_extensions import override

from engine.deal import is_deal_code
from server.coordinator import messages as m
from server.fullscreen.context import SessionContext
from server.fullscreen.history.pages import BestPage, open_game
from server.fullscreen.lobby.big_screen import how_to_join
from server.fullscreen.lobby.view import Lately, lobby_rows
from server.fullscreen.pages.lists import OptionsPage, people_key
from server.fullscreen.pages.page import (
    DOWN,
    FAR,
    HELP,
    OTHER_GAMES,
    OWN_PAGES,
    SETTINGS,
    TALK,
    TOURNAMENTS,
    UP,
    Page,
    menu,
)
from server.fullscreen.widgets.drawing import shortest
from server.i18n.lookup import _
from server.playback import ReplayedGame, motion_on
from server.session.preferences import NEW_TABLE, SOLO
from server.session.sharing import code_and_word
from server.storage.history import REPLAY_CODE
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, row
from server.terminal.keys.bindings import AnyKey, Key, KeyTable
from server.text.events import climax_in_words, news_in_words
from server.text.tournaments import cup_forms, in_order
from server.viewmodels.lobby import LONGEST as LONGEST_FILTER
from server.viewmodels.lobby import GameLine, LobbyModel, present_games, present_lobby
from server.viewmodels.table_options import OPTIONS

_MENU: Final = (
    ("d", _("today's tide")),
    ("e", _("tournaments")),
    ("Y", _("correspondence")),
    ("B", _("best players")),
    ("p", _("puzzles")),
    ("r", _("games")),
    ("a", _("account")),
)
"""Where keys lead that there is no footer for."""
_LONGEST_CODE = 120
"""Characters: as long as a line that invites, which may be pasted."""


def _again(news: m.News) -> str:
    """A game of the news, where tables have their ids."""
    return f"#{news.game}"


class LobbyPage(Page):
    """The lobby: tables to join or watch, people, and the way to everything else."""

    CHATS = True
    LARGEST = Size(200, 60)
    KEYS = KeyTable["LobbyPage"](*TALK, UP, DOWN, *FAR)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._chosen = ""
        """The id of the chosen table: it stays chosen when others come and go."""
        self._place = 0
        """Where it was last seen: when it is gone, the one that has come there is chosen."""
        self._wanted = ""
        """Words that the tables shown have to fit."""
        self._unfolded = False
        """Whether what is over is listed as well."""
        self._games: dict[str, GameLine] = {}
        """How they are shown, those first that have been shown so for longest."""
        self._in_sight: Sequence[str] = ()
        """Ids of the tables that there was room for."""

    @override
    def opened(self) -> None:
        if self.context.lobby is not None:
            self._games = {}
            self._look_at(present_games(self.context.lobby, self.words))
        command, self.context.locked_out = self.context.locked_out, None
        if command is not None:
            self.ask_for_word(command)

    @override
    def updated(self, update: m.Update) -> None:
        if update.lobby is not None:
            self._look_at(present_games(update.lobby, self.words))
        self._stay()

    def _look_at(self, games: Mapping[str, GameLine]) -> None:
        """Show how the games go.

        Of those in sight one at a time, the largest first, so that it makes no difference to a line
        how many there are.
        """
        if not motion_on(self.context.abilities).moves or self.context.look.thin:
            self._games = {}
            return
        large = self._chosen if self._chosen in games else next(iter(games), "")
        in_turn = [
            code
            for code, game in self._games.items()
            if code in self._in_sight and code != large and games.get(code, game) != game
        ]
        others = 1 if self._games.get(large) == games.get(large) else 0
        later = set(in_turn[others:])
        stay = {
            code: game
            for code, game in self._games.items()
            if code in later or games.get(code) == game
        }
        self._games = stay | {code: game for code, game in games.items() if code not in stay}

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        super().press(key, name)
        self._stay()

    @override
    def frame(self, size: Size) -> Frame:
        context, words = self.context, self.words
        you = words.t("you are {name}", name=context.player.name)
        if context.account.operator_actions is not None:
            you = f"{you}, {words.t('operator')} (!)"
        typing = self.entry is not None
        news = [] if typing else [*self._own_games(size), *self._tournament(size)]
        room = size._replace(rows=size.rows - len(news))
        room = self.body_size(room)
        model, look = self._model(), context.look
        lately = Lately(
            tuple((news_in_words(it, words), climax_in_words(it, words)) for it in context.news),
            tuple(context.today_lines),
            self.chat_pane(),
            tuple((key, words.t(what)) for key, what in _MENU),
            self.news_at,
            lambda width: how_to_join(context, width, room.rows // 2),
        )
        index = self._index()
        body, shown = lobby_rows(model, index, self._wanted, typing, lately, room, look)
        frame = self.framed(words.t("Lobby"), [*news, *body], size, aside=you)
        frame = frame.telling(partial(self._seen, tuple(model.tables[at].id for at in shown)))
        return self.with_prompt(frame, size.columns)

    def _own_games(self, size: Size) -> list[Row]:
        """The player's games by correspondence, in one row and a blank one."""
        games = self.context.own_games
        if not games.forms:
            return []
        style = "warm" if games.waiting else "dim"
        text = shortest(
            [f"y: {said}" for said in games.forms], size.columns - 3, self.context.look.glyphs
        )
        return [row("  ", (style, text)), BLANK]

    def _seen(self, tables: Sequence[str]) -> None:
        self._in_sight = tables

    def _tournament(self, size: Size) -> list[Row]:
        """The tournament that is not over and concerns the player most, in one row and a blank one."""
        context, words = self.context, self.words
        going_on = in_order(context.tournaments)
        for forms in cup_forms(context.tournaments, context.clock.time(), words):
            said = [words.t("Tournament (e shows it): {what}", what=what) for what in forms]
            if (count := len(going_on)) > 1:
                several = _("{count} tournaments (e shows them): {what}")
                said = [words.t(several, count=count, what=what) for what in forms]
            said += [f"e: {what}" for what in forms]
            text = shortest(said, size.columns - 3, context.look.glyphs)
            return [row("  ", ("warm", text)), BLANK]
        return []

    @KEYS.add("enter", footer=_("join"), when=lambda page: page.news_at < 0)
    def join(self) -> None:
        """Sit down at the chosen table, or watch where nobody can."""
        context, tables = self.context, self._model().tables
        if not tables:
            context.say("warm", context.words.t("There is no table to join; n opens one."))
            return
        table = tables[self._index()]
        context.do(m.WatchTable(table.id) if table.begun else m.JoinTable(table.id))

    @KEYS.add("enter", footer=_("replay"), when=lambda page: page.news_at >= 0)
    def replay(self) -> None:
        """See the chosen game of the news again."""
        game = self.context.library.game(self.context.news[self.news_at].game)
        self.context.fetch(open_game(self.context, game))

    KEYS.include(
        Key(
            "g",
            does=lambda page: page.context.do(m.QuickJoin(NEW_TABLE)),
            footer=_("any game"),
            help=_("g\tin the lobby: any game that has a seat free, or a new table"),
        )
    )

    @KEYS.add("n", footer=_("new table"))
    def open_table(self) -> None:
        """A new one; what is played there is asked."""
        title = self.words.t("New table")
        self.context.open(OptionsPage(self.context, title, NEW_TABLE, m.CreateTable))

    KEYS.include(*OTHER_GAMES, HELP)

    @KEYS.add(
        "w",
        footer=_("watch"),
        help=_("w\tin the lobby: watch a game; its bars show how high the water is at each seat"),
    )
    def watch(self) -> None:
        context, tables = self.context, self._model().tables
        if tables and self.news_at < 0:
            context.do(m.WatchTable(tables[self._index()].id))
        else:
            context.say("warm", context.words.t("There is no table."))

    @KEYS.add(
        "f",
        footer=_("filter"),
        help=_("f\tin the lobby: only tables that fit, such as: free untimed amigo"),
    )
    def ask_filter(self) -> None:
        self.ask(self.words.t("tables to show"), self._filter, self._wanted, longest=LONGEST_FILTER)

    @KEYS.add(
        "c",
        footer=_("code"),
        help=_(
            "c\tin the lobby: enter a code or a whole invitation line; a private table needs its "
            "word, too"
        ),
    )
    def ask_code(self) -> None:
        self.ask(self.words.t("code of the table"), self._come, longest=_LONGEST_CODE)

    @KEYS.add("b", footer=_("play bots"))
    def play_bots(self) -> None:
        """At once; against which ones is asked."""
        title = self.words.t("Game against bots")
        page = OptionsPage(self.context, title, SOLO, m.QuickGame)
        page.move([option.name for option in OPTIONS].index("bots"))
        self.context.open(page)

    @KEYS.add("s", help=_("s\tin the lobby: also show finished games"))
    def unfold(self) -> None:
        """List what is only counted, or count it again."""
        self._unfolded = not self._unfolded

    KEYS.include(
        Key(
            "p",
            does=menu("puzzles"),
            when=lambda page: page.has_library,
            help=_("p\tin the lobby: puzzles from your own games"),
        ),
        Key(
            "W",
            does=lambda page: page.context.do(m.FollowBusiest(standings=True)),
            help=_("W\tin the lobby: a big screen for everybody, which shows what goes on"),
        ),
        Key(
            "B",
            does=lambda page: page.show_page(BestPage),
            when=lambda page: page.has_library,
            help=_("B\tin the lobby: the best players"),
        ),
        Key("t", does=lambda page: page.context.learn()),
        *OWN_PAGES,
        TOURNAMENTS,
        SETTINGS,
    )

    @KEYS.add("escape", footer=_("back"))
    @override
    def go_back(self) -> None:
        self.context.greeted = False  # to the title

    KEYS.include(
        people_key(
            of=lambda page: page.context.people_named,
            help=_(
                "i\tin the lobby and in lists: the page of a person, where you can follow "
                "them; I at a table"
            ),
        ),
        Key("q", does=menu("leave")),
    )

    @override
    def text(self, text: str) -> None:
        self._come(text)

    # ---------------------------------------------------------------- what is typed

    def _filter(self, wanted: str) -> None:
        self._wanted = wanted

    def _come(self, typed: str) -> None:
        """Sit down where a code leads, or a line that invites; or see the game again that it is of."""
        if is_deal_code(typed):
            self.context.play_deal(typed)
        elif (replay := REPLAY_CODE.search(typed.lower())) is not None:
            self.context.fetch(open_game(self.context, self._find(replay[0])))
        elif typed:
            code, word = code_and_word(typed[:_LONGEST_CODE])
            self._enter(m.JoinTable(code, word=word))

    async def _find(self, code: str) -> ReplayedGame | str:
        library = self.context.account.library
        return await library.by_code(code) if library is not None else "no_games"

    def _enter(self, command: m.JoinTable | m.WatchTable) -> None:
        self.context.do(command, refused=lambda why: self._refused(command, why))

    def _refused(self, command: m.JoinTable | m.WatchTable, why: str) -> None:
        if why == "word_needed":
            said = self.words.t("That table is private: type its invitation word.")
            self.context.say("warm", said)
        if why in ("word_needed", "wrong_word"):
            self.ask_for_word(command)

    def ask_for_word(self, command: m.JoinTable | m.WatchTable) -> None:
        """The table is private, and its word was missing or wrong: have it typed."""

        def typed(word: str) -> None:
            if word:
                self._enter(msgspec.structs.replace(command, word=word))

        self.ask(self.words.t("invitation word"), typed, longest=_LONGEST_CODE)

    # ---------------------------------------------------------------- the list

    def _model(self) -> LobbyModel:
        lobby = self.context.lobby
        if lobby is None:
            return LobbyModel((), (), "")
        model = present_lobby(lobby, self.words, self._wanted, self._unfolded, True)
        return model._replace(games=self._games)

    @property
    def news_at(self) -> int:
        """Which of the news is chosen, in place of a table; -1 for none."""
        games = enumerate(self.context.news)
        return next((at for at, it in games if it.game and self._chosen == _again(it)), -1)

    def _index(self) -> int:
        """Return the index of the chosen table, or of the one in its place if it is hidden; -1 for none."""
        if self.news_at >= 0:
            return -1
        tables = self._model().tables
        place = min(self._place, len(tables) - 1) if tables and self._chosen else 0
        return next((at for at, row in enumerate(tables) if row.id == self._chosen), place)

    def _stay(self) -> None:
        """With the chosen table where that has another place now, or in its place where it is gone."""
        lobby, tables = self.context.lobby, self._model().tables
        if not self._chosen or lobby is None or not tables or self.news_at >= 0:
            return
        place = self._index()
        if all(row.id != self._chosen for row in lobby.tables):
            self._chosen = tables[place].id
        if tables[place].id == self._chosen:
            self._place = place

    def move(self, step: int) -> None:
        """Choose another table, or after the last a game that has been won lately."""
        tables, at = [table.id for table in self._model().tables], self._index()
        games = [_again(each) for each in self.context.news if each.game]
        if at < 0:
            at = len(tables) + games.index(self._chosen)
        elif not tables:
            at = -1 if step > 0 else 0
        if items := [*tables, *games]:
            self._chosen = items[max(0, min(at + step, len(items) - 1))]
