"""The settings page: how this player wants the game shown."""

from prompt_toolkit.buffer import Buffer

from server.fullscreen.context import SessionContext
from server.fullscreen.menus.keys import KeysPage
from server.fullscreen.widgets.form import options_screen
from server.session.settings import SettingRow, settings_of
from server.terminal.capabilities import Size
from server.terminal.frame import Frame
from server.text.connection import more_in_words, sent_in_words
from server.viewmodels.lobby import OptionLine


class SettingsPage:
    """See the module."""

    entry: Buffer | None = None

    def __init__(self, desk: SessionContext) -> None:
        self._desk = desk
        self._chosen = 0

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        desk = self._desk
        lines = tuple(setting.line for setting in self._settings())
        title = desk.words.t("Settings")
        return options_screen(title, lines, self._chosen, desk.said, size, desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        settings = self._settings()
        match name:
            case "up" | "k":
                self._chosen = (self._chosen - 1) % len(settings)
            case "down" | "j" | "tab":
                self._chosen = (self._chosen + 1) % len(settings)
            case "left" | "h":
                settings[self._chosen].change(-1)
            case "right" | "l" | " ":
                settings[self._chosen].change(1)
            case "enter" | "escape" | "q" | "o":
                self._desk.close(self)

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _settings(self) -> tuple[SettingRow, ...]:
        words = self._desk.words
        own = len(self._desk.own_keys)
        keys = OptionLine(
            words.t("Keys at the table"),
            words.n("{count} of your own", "{count} of your own", own) if own else words.t("usual"),
            words.t("choose your own; help shows them"),
            False,
        )
        plain = OptionLine(
            words.t("Plain lines"),
            words.t("no"),
            words.t("sentences instead of screens, also for screen readers"),
            False,
        )
        return (
            *settings_of(self._desk),
            SettingRow(keys, lambda _: self._desk.open(KeysPage(self._desk))),
            SettingRow(plain, lambda _: self._to_lines()),
            *self._facts(),
        )

    def _facts(self) -> tuple[SettingRow, ...]:
        """How much has been sent over the line, where there is one."""
        words, facts = self._desk.words, self._desk.facts()
        if not facts.sent:
            return ()
        line = OptionLine(
            words.t("Sent so far"), sent_in_words(facts, words), more_in_words(facts, words), True
        )
        return (SettingRow(line, lambda _: None),)

    def _to_lines(self) -> None:
        self._desk.set_abilities(lines=True)
        self._desk.leave()
