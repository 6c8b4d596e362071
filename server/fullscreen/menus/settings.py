"""The settings page: how this player wants the game shown."""

from collections.abc import Sequence

from typing_extensions import override

from server.fullscreen.menus.keys import KeysPage
from server.fullscreen.pages.page import BACK, FormPage
from server.fullscreen.pages.reading_page import closed_by
from server.i18n.catalogues import gettext_noop as _
from server.session.client import SettingRow
from server.terminal.keys.key_table import Key
from server.text.account import more_in_words, sent_in_words
from server.viewmodels.table_options import OptionLine


class SettingsPage(FormPage):
    """The list of settings, changed in place."""

    TITLE = _("Settings")
    KEYS = (
        Key("enter", does=lambda page: page.go_back(), footer=_("done")),
        *FormPage.KEYS,
        BACK,
        closed_by("o"),
    )

    @override
    def lines(self) -> Sequence[OptionLine]:
        return [setting.line for setting in self._settings()]

    @override
    def change(self, step: int) -> None:
        self._settings()[self._chosen].change(step)

    def _settings(self) -> list[SettingRow]:
        words, own, facts = self.words, len(self.context.own_keys), self.context.facts()
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
        rows = [
            *self.context.settings(),
            SettingRow(keys, lambda _: self.show_page(KeysPage)),
            SettingRow(plain, lambda _: self._to_lines()),
        ]
        if facts.sent:
            sent, more = sent_in_words(facts, words), more_in_words(facts, words)
            line = OptionLine(words.t("Sent so far"), sent, more, True)
            rows.append(SettingRow(line, lambda _: None))
        return rows

    def _to_lines(self) -> None:
        self.context.set_abilities(lines=True)
        self.context.leave()
