"""How a player wants the game shown: one list of settings for both faces."""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, Protocol

from server.i18n.catalogues import Words, languages
from server.session.preferences import CHATS, REVEAL_SECONDS, Preferences
from server.terminal.capabilities import Capabilities, Colours
from server.terminal.palettes import PALETTES
from server.viewmodels.lobby import OptionLine

DEFAULT_THEME: Final = Capabilities().theme


class Wishes(Protocol):
    """Whose settings they are."""

    @property
    def words(self) -> Words:
        """The player's language."""

    @property
    def preferences(self) -> Preferences:
        """As they are now."""

    @property
    def abilities(self) -> Capabilities:
        """As they are used now."""

    def prefer(self, **changes: object) -> None:
        """Change preferences."""

    def set_abilities(self, **changes: object) -> None:
        """The player wants the terminal used otherwise."""


class Setting(NamedTuple):
    """One line of the list."""

    line: OptionLine
    change: Callable[[int], None]
    """To the next value (1), or the one before (-1)."""


def settings_of(wishes: Wishes) -> tuple[Setting, ...]:
    """All that both faces have."""
    words, prefers, can = wishes.words, wishes.preferences, wishes.abilities
    yes, no = words.t("yes"), words.t("no")
    stays = prefers.reveal_seconds

    def line(label: str, value: str, hint: str) -> OptionLine:
        return OptionLine(label, value, hint, False)

    return (
        Setting(
            line(
                words.t("Language"),
                words.p("name of this language", "English"),
                words.t("of every word you see"),
            ),
            partial(_language, wishes),
        ),
        Setting(
            line(
                words.t("Ask before revealing"),
                yes if prefers.sure else no,
                words.t("when yours would be the last bid"),
            ),
            lambda _: wishes.prefer(sure=not prefers.sure),
        ),
        Setting(
            line(
                words.t("A reveal stays"),
                words.t("{count} s", count=stays) if stays else words.t("until Space"),
                words.t("Space moves on at once"),
            ),
            partial(_reveal, wishes),
        ),
        Setting(
            line(
                words.t("Moving pictures"),
                yes if prefers.animation else no,
                words.t("cards turn up one by one, water flows"),
            ),
            lambda _: wishes.prefer(animation=not prefers.animation),
        ),
        Setting(
            line(
                words.t("Bell"),
                yes if prefers.bell else no,
                words.t("when people wait or time is short"),
            ),
            lambda _: wishes.prefer(bell=not prefers.bell),
        ),
        Setting(
            line(
                words.t("Notification"),
                yes if prefers.notify else no,
                words.t("on your desktop as well")
                if can.notifies
                else words.t("not with this terminal"),
            ),
            lambda _: wishes.prefer(notify=not prefers.notify),
        ),
        Setting(
            line(
                words.t("Chat"),
                _chats(words)[prefers.chat],
                words.t("what is shown by itself; m has all of it, or the word chat"),
            ),
            partial(_chat, wishes),
        ),
        Setting(
            line(
                words.t("Drawing"),
                words.t("blocks and lines") if can.unicode else words.t("plain ASCII"),
                words.t("if it looks broken, take the other one"),
            ),
            lambda _: wishes.set_abilities(unicode=not can.unicode),
        ),
        Setting(
            line(
                words.t("Colours"),
                _themes(words)[can.theme if can.theme in PALETTES else DEFAULT_THEME],
                words.t("nothing is told by colour alone"),
            ),
            partial(_theme, wishes),
        ),
        Setting(
            line(
                words.t("Number of colours"),
                _depths(words)[can.colours],
                words.t("as many as the terminal shows"),
            ),
            partial(_colours, wishes),
        ),
        Setting(
            line(
                words.t("Background"),
                words.t("light") if can.light else words.t("dark"),
                words.t("of your terminal"),
            ),
            lambda _: wishes.set_abilities(light=not can.light),
        ),
        Setting(
            line(
                words.t("Slow line"),
                yes if can.thin else no,
                words.t("sends as little as possible"),
            ),
            lambda _: wishes.set_abilities(thin=not can.thin),
        ),
    )


def _chats(words: Words) -> dict[str, str]:
    return {
        "all": words.p("chat", "everything"),
        "own": words.p("chat", "only what is for you"),
        "none": words.p("chat", "nothing"),
    }


def _chat(wishes: Wishes, step: int) -> None:
    now = CHATS.index(wishes.preferences.chat)
    wishes.prefer(chat=CHATS[(now + step) % len(CHATS)])


def _themes(words: Words) -> dict[str, str]:
    known = {
        "sea": words.p("colours", "the sea's"),
        "clear": words.p("colours", "clearer to tell apart"),
        "mono": words.p("colours", "none, only light and dark"),
    }
    return {name: known.get(name, name) for name in PALETTES}


def _theme(wishes: Wishes, step: int) -> None:
    names = tuple(PALETTES)
    now = names.index(wishes.abilities.theme) if wishes.abilities.theme in names else 0
    wishes.set_abilities(theme=names[(now + step) % len(names)])


def _depths(words: Words) -> dict[Colours, str]:
    return {
        Colours.NONE: words.t("none"),
        Colours.SIXTEEN: "16",
        Colours.INDEXED: "256",
        Colours.TRUE: words.t("all"),
    }


def _colours(wishes: Wishes, step: int) -> None:
    depths = tuple(Colours)
    now = depths.index(wishes.abilities.colours)
    wishes.set_abilities(colours=depths[(now + step) % len(depths)])


def _language(wishes: Wishes, step: int) -> None:
    known = languages()
    now = known.index(wishes.words.language)
    wishes.set_abilities(language=known[(now + step) % len(known)])


def _reveal(wishes: Wishes, step: int) -> None:
    now = REVEAL_SECONDS.index(wishes.preferences.reveal_seconds)
    wishes.prefer(reveal_seconds=REVEAL_SECONDS[(now + step) % len(REVEAL_SECONDS)])
