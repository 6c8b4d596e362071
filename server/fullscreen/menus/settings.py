"""The settings page: how this player wants the game shown."""

from collections.abc import Sequence

from typing_extensions import override

from server.fullscreen.menus.change_keys import KeysPage
from server.fullscreen.pages.page import BACK, FormPage
from server.i18n.lookup import _
from server.terminal.keys.key_table import Key, KeyTable
from server.text.account import traffic_in_words
from server.viewmodels.table_options import OptionLine


class SettingsPage(FormPage):
    """The list of settings, changed in place."""

    TITLE = _("Settings")
    KEYS = KeyTable["SettingsPage"](
        Key("enter", does=lambda page: page.go_back(), footer=_("done")), *FormPage.KEYS, BACK
    )

    @override
    def items(self) -> Sequence[OptionLine]:
        words, own, facts = self.words, len(self.context.own_keys), self.context.facts()
        keys = OptionLine(
            words.t("Keys at the table"),
            words.n("{count} of your own", "{count} of your own", own) if own else words.t("usual"),
            words.t("choose your own; help shows them"),
            lambda _: self.show_page(KeysPage),
        )
        plain = OptionLine(
            words.t("Plain lines"),
            words.t("no"),
            words.t("sentences instead of screens, also for screen readers"),
            lambda _: self._to_lines(),
        )
        sent, more = traffic_in_words(facts, words)
        traffic = OptionLine(words.t("Sent so far"), sent, more, fixed=True)
        return (*self.context.settings(), keys, plain, *([traffic] if facts.sent else ()))

    def _to_lines(self) -> None:
        self.context.set_abilities(lines=True)
        self.context.leave()
