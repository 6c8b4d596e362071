"""The title page: one key away from a game."""

from functools import cache

from prompt_toolkit.buffer import Buffer

from server.coordinator.messages import QuickGame
from server.fullscreen.context import SessionContext
from server.fullscreen.history.pages import GamesPage
from server.fullscreen.menus.account import AccountPage
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.leave import LeavePage
from server.fullscreen.menus.settings import SettingsPage
from server.fullscreen.title.view import TitleModel, title_screen
from server.i18n.catalogues import Words
from server.session.presets import lone_game
from server.terminal.capabilities import Size
from server.terminal.frame import Frame


class TitlePage:
    """See the module."""

    __slots__ = ("_desk", "_phase")

    entry: Buffer | None = None

    def __init__(self, desk: SessionContext) -> None:
        self._desk = desk
        self._phase = 0

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        return title_screen(self._model(), self._desk.said, size, self._desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        desk = self._desk
        self._phase += 1
        match name:
            case "enter" | "b":
                desk.do(QuickGame(lone_game()))
            case "t":
                desk.learn()
            case "l" | "L":
                desk.greeted = True
            case "?" | "f1":
                desk.open(HelpPage(desk))
            case "o":
                desk.open(SettingsPage(desk))
            case "a":
                desk.open(AccountPage(desk))
            case "r" if desk.account.library:
                desk.open(GamesPage(desk, desk.account.library))
            case "escape" | "q":
                desk.open(LeavePage(desk))

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _model(self) -> TitleModel:
        desk, words = self._desk, self._desk.words
        # Whoever looks is in the list; with a crowd here, nobody looks through all of it for that.
        others = max(0, len(desk.lobby.players) - 1) if desk.lobby else 0
        tables = len(desk.lobby.tables) if desk.lobby else 0
        here = words.n("{count} other player is here", "{count} other players are here", others)
        if not others:
            here = words.t("nobody else is here just now")
        if tables:
            here = f"{here}{desk.look.glyphs.between}" + words.n(
                "{count} table", "{count} tables", tables
            )
        return TitleModel(
            title=words.t("Turn the Tide"),
            subtitle=words.t("Stefan Dorra's card game of sheep and high water, unofficially"),
            you=words.t("You are {name}.", name=desk.player.name),
            here=here,
            choices=(*_choices(words), *self._games(), *self._account()),
            keys=_keys(words),
            phase=self._phase,
        )

    def _games(self) -> tuple[tuple[str, str], ...]:
        text = self._desk.words.t("games played: replays, results")
        return (("r", text),) if self._desk.account.library else ()

    def _account(self) -> tuple[tuple[str, str], ...]:
        desk, words = self._desk, self._desk.words
        if desk.way_back:
            return (("a", words.t("{login}: log in as this to come back", login=desk.way_back)),)
        return () if desk.player.guest else (("a", words.t("your account, other devices")),)


@cache
def _choices(words: Words) -> tuple[tuple[str, str], ...]:
    return (
        ("Enter", words.t("play at once, against bots")),
        ("t", words.t("learn by playing: a first stage, three minutes")),
        ("l", words.t("lobby: play with people, or watch")),
        ("?", words.t("how to play")),
        ("o", words.t("settings, language")),
    )


@cache
def _keys(words: Words) -> tuple[tuple[str, str], ...]:
    return (
        ("Enter", words.t("play")),
        ("l", words.t("lobby")),
        ("?", words.t("help")),
        ("o", words.t("settings")),
        ("Esc", words.t("leave")),
    )
