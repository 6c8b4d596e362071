"""The title page: one key away from a game."""

from functools import cache

from typing_extensions import override

from server.coordinator.messages import QuickGame
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import ACCOUNT, HELP, SETTINGS, TO_LEAVE, Page
from server.fullscreen.title.view import TitleModel, title_screen
from server.i18n.catalogues import Words
from server.i18n.catalogues import gettext_noop as _
from server.session.presets import solo_options
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import Key


class TitlePage(Page):
    """The first page: a game, the tutorial, the lobby, settings."""

    KEYS = (
        Key(
            "enter",
            "b",
            does=lambda page: page.desk.do(QuickGame(solo_options())),
            footer=_("play"),
        ),
        Key("t", does=lambda page: page.desk.learn()),
        Key("l", "L", does=lambda page: page.enter_lobby(), footer=_("lobby")),
        HELP,
        SETTINGS,
        ACCOUNT,
        Key("r", does=lambda page: page.menus.games()),
        TO_LEAVE,
    )

    def __init__(self, desk: SessionContext) -> None:
        super().__init__(desk)
        self._phase = 0

    @override
    def frame(self, size: Size) -> Frame:
        return title_screen(self._model(), self.desk.said, size, self.desk.look)

    @override
    def press(self, key: Key | None, name: str) -> None:
        self._phase += 1
        super().press(key, name)

    def enter_lobby(self) -> None:
        """To the others."""
        self.desk.greeted = True

    def _model(self) -> TitleModel:
        desk, words = self.desk, self.desk.words
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
            keys=self.footer(),
            phase=self._phase,
        )

    def _games(self) -> tuple[tuple[str, str], ...]:
        text = self.desk.words.t("games played: replays, results")
        return (("r", text),) if self.desk.account.library else ()

    def _account(self) -> tuple[tuple[str, str], ...]:
        desk, words = self.desk, self.desk.words
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
