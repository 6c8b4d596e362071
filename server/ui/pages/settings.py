"""The settings page: how this player wants the game shown."""

from collections.abc import Callable
from typing import Final, NamedTuple

from prompt_toolkit.buffer import Buffer

from server.ui.desk import Desk
from server.ui.frame import Frame
from server.ui.i18n import languages
from server.ui.line_facts import more_in_words, sent_in_words
from server.ui.models.lobby import OptionLine
from server.ui.palettes import PALETTES
from server.ui.preferences import REVEAL_SECONDS
from server.ui.screens.lobby import options_screen
from server.ui.terminal import Abilities, Colours, Size

DEFAULT_THEME: Final = Abilities().theme


class _Setting(NamedTuple):
    line: OptionLine
    change: Callable[[int], None]


class SettingsPage:
    """See the module."""

    entry: Buffer | None = None

    def __init__(self, desk: Desk) -> None:
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

    def _settings(self) -> tuple[_Setting, ...]:
        desk = self._desk
        words, prefers, can = desk.words, desk.preferences, desk.abilities
        yes, no = words.t("yes"), words.t("no")
        stays = prefers.reveal_seconds

        def line(label: str, value: str, hint: str) -> OptionLine:
            return OptionLine(label, value, hint, False)

        return (
            _Setting(
                line(
                    words.t("Language"),
                    words.p("name of this language", "English"),
                    words.t("of every word you see"),
                ),
                self._language,
            ),
            _Setting(
                line(
                    words.t("Ask before revealing"),
                    yes if prefers.sure else no,
                    words.t("when yours would be the last bid"),
                ),
                lambda _: desk.prefer(sure=not prefers.sure),
            ),
            _Setting(
                line(
                    words.t("A reveal stays"),
                    words.t("{count} s", count=stays) if stays else words.t("until a key"),
                    words.t("any key moves on at once"),
                ),
                self._reveal,
            ),
            _Setting(
                line(
                    words.t("Moving pictures"),
                    yes if prefers.animation else no,
                    words.t("cards turn up one by one, water flows"),
                ),
                lambda _: desk.prefer(animation=not prefers.animation),
            ),
            _Setting(
                line(
                    words.t("Bell"),
                    yes if prefers.bell else no,
                    words.t("when the others wait for you"),
                ),
                lambda _: desk.prefer(bell=not prefers.bell),
            ),
            _Setting(
                line(
                    words.t("Notification"),
                    yes if prefers.notify else no,
                    words.t("on your desktop then, too")
                    if can.notifies
                    else words.t("not with this terminal"),
                ),
                lambda _: desk.prefer(notify=not prefers.notify),
            ),
            _Setting(
                line(
                    words.t("Drawing"),
                    words.t("blocks and lines") if can.unicode else words.t("plain ASCII"),
                    words.t("if it looks broken, take the other one"),
                ),
                lambda _: desk.set_abilities(unicode=not can.unicode),
            ),
            _Setting(
                line(
                    words.t("Colours"),
                    self._themes()[can.theme if can.theme in PALETTES else DEFAULT_THEME],
                    words.t("nothing is told by colour alone"),
                ),
                self._theme,
            ),
            _Setting(
                line(
                    words.t("Number of colours"),
                    self._depths()[can.colours],
                    words.t("as many as the terminal shows"),
                ),
                self._colours,
            ),
            _Setting(
                line(
                    words.t("Background"),
                    words.t("light") if can.light else words.t("dark"),
                    words.t("of your terminal"),
                ),
                lambda _: desk.set_abilities(light=not can.light),
            ),
            _Setting(
                line(
                    words.t("Slow line"),
                    yes if can.thin else no,
                    words.t("sends as little as possible"),
                ),
                lambda _: desk.set_abilities(thin=not can.thin),
            ),
            _Setting(
                line(
                    words.t("Plain lines"),
                    no,
                    words.t("sentences instead of screens, also for screen readers"),
                ),
                lambda _: self._to_lines(),
            ),
            *self._facts(),
        )

    def _facts(self) -> tuple[_Setting, ...]:
        """How much has been sent over the line, where there is one."""
        words, facts = self._desk.words, self._desk.facts()
        if not facts.sent:
            return ()
        line = OptionLine(
            words.t("Sent so far"), sent_in_words(facts, words), more_in_words(facts, words), True
        )
        return (_Setting(line, lambda _: None),)

    def _to_lines(self) -> None:
        self._desk.set_abilities(lines=True)
        self._desk.leave()

    def _themes(self) -> dict[str, str]:
        words = self._desk.words
        known = {
            "sea": words.p("colours", "the sea's"),
            "clear": words.p("colours", "clearer to tell apart"),
            "mono": words.p("colours", "none, only light and dark"),
        }
        return {name: known.get(name, name) for name in PALETTES}

    def _theme(self, step: int) -> None:
        names = tuple(PALETTES)
        now = names.index(self._desk.abilities.theme) if self._desk.abilities.theme in names else 0
        self._desk.set_abilities(theme=names[(now + step) % len(names)])

    def _depths(self) -> dict[Colours, str]:
        words = self._desk.words
        return {
            Colours.NONE: words.t("none"),
            Colours.SIXTEEN: "16",
            Colours.INDEXED: "256",
            Colours.TRUE: words.t("all"),
        }

    def _colours(self, step: int) -> None:
        depths = tuple(Colours)
        now = depths.index(self._desk.abilities.colours)
        self._desk.set_abilities(colours=depths[(now + step) % len(depths)])

    def _language(self, step: int) -> None:
        known = languages()
        now = known.index(self._desk.words.language)
        self._desk.set_abilities(language=known[(now + step) % len(known)])

    def _reveal(self, step: int) -> None:
        now = REVEAL_SECONDS.index(self._desk.preferences.reveal_seconds)
        self._desk.prefer(reveal_seconds=REVEAL_SECONDS[(now + step) % len(REVEAL_SECONDS)])
