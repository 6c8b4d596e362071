"""The settings page: how this player wants the game shown."""

from typing_extensions import override

from server.fullscreen.pages.page import BACK, FormPage
from server.fullscreen.pages.reading_page import closed_by
from server.fullscreen.widgets.form import options_screen
from server.i18n.catalogues import gettext_noop as _
from server.session.settings import SettingRow, settings_of
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import Key
from server.text.connection import more_in_words, sent_in_words
from server.viewmodels.lobby import OptionLine


class SettingsPage(FormPage):
    """The list of settings, changed in place."""

    KEYS = (
        Key("enter", does=lambda page: page.go_back(), footer=_("done")),
        *FormPage.KEYS,
        BACK,
        closed_by("o"),
    )

    @override
    def frame(self, size: Size) -> Frame:
        desk = self.desk
        lines = tuple(setting.line for setting in self._settings())
        title = desk.words.t("Settings")
        return options_screen(title, lines, self._chosen, desk.said, self.footer(), size, desk.look)

    @property
    @override
    def count(self) -> int:
        return len(self._settings())

    @override
    def change(self, step: int) -> None:
        self._settings()[self._chosen].change(step)

    def _settings(self) -> tuple[SettingRow, ...]:
        words = self.desk.words
        own = len(self.desk.own_keys)
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
            *settings_of(self.desk),
            SettingRow(keys, lambda _: self.menus.keys()),
            SettingRow(plain, lambda _: self._to_lines()),
            *self._facts(),
        )

    def _facts(self) -> tuple[SettingRow, ...]:
        """How much has been sent over the line, where there is one."""
        words, facts = self.desk.words, self.desk.facts()
        if not facts.sent:
            return ()
        line = OptionLine(
            words.t("Sent so far"), sent_in_words(facts, words), more_in_words(facts, words), True
        )
        return (SettingRow(line, lambda _: None),)

    def _to_lines(self) -> None:
        self.desk.set_abilities(lines=True)
        self.desk.leave()
