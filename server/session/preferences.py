"""The preferences of a player: what can be set, its values, and the usual tables.

A setting is a field of ``Preferences``, or of the terminal's ``Capabilities``, and a row of ``SETTINGS``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from msgspec import Struct, structs

from engine.bots.manners import NAMES as BOT_NAMES
from engine.editions import Edition, Rules
from engine.records.outcome import TUTORIAL_RULES
from server.coordinator import messages as m
from server.i18n.lookup import Words, _, languages, p_, words_for
from server.playback import ScreenMotion
from server.storage.people import FOLLOWABLE, SHOWS_RESULTS, SHOWS_VISITS
from server.terminal.capabilities import Background, Capabilities, Colours
from server.terminal.drawing.theme import PALETTES


class Verbosity(StrEnum):
    """Amount that line mode says unasked."""

    QUIET = "quiet"
    """The cards only."""
    NORMAL = "normal"
    """Also who comes and goes, and when the others wait."""
    TALKATIVE = "talkative"
    """Also every bid that is sealed, and the levels and the own hand every round."""


REVEAL_SECONDS: Final = (2, 4, 6, 10, 0)
"""How long a revealed round may stay; 0: until Space is pressed."""

CHATS: Final = {
    "all": p_("chat", "everything"),
    "own": p_("chat", "only what is for you"),
    "none": p_("chat", "nothing"),
}
"""What of the chat may be shown unasked: all that is said here, what is for this player, nothing."""


class Preferences(Struct, frozen=True):
    """What can be switched while playing."""

    sure: bool = False
    """Ask once more when one's own bid would be the last and reveal the round."""
    reveal_seconds: int = 6
    """One of ``REVEAL_SECONDS``."""
    bell: bool = True
    """Ring when the others wait for this player."""
    notify: bool = True
    """Have the terminal show a notification then, too, where it is known to be able to."""
    chat: str = "all"
    """One of ``CHATS``."""
    keys: str = ""
    """The player's own keys at the table, as ``fullscreen.context`` keeps them."""
    talk: str = "normal"
    """Amount that line mode says unasked: a value of ``Verbosity``."""
    shows_results: bool = True
    shows_visits: bool = True
    followable: bool = True
    """What others may know (``storage.people``)."""


def _yes_no(value: Any, words: Words) -> str:
    return words.t("yes") if value else words.t("no")


@dataclass(frozen=True, slots=True)
class PlayerSetting:
    """One of them."""

    name: str
    """As it is kept, and as programs call it."""
    ability: bool = False
    """How the terminal is used, rather than a preference."""
    account: bool = True
    """It goes with the account, and programs may set it; otherwise it is the terminal's affair."""
    values: Callable[[], Sequence[Any]] = lambda: (False, True)
    """From one to the next, round and round."""
    label: str = ""
    """Label of its row in the list; without one it has none. This and the hint are to be translated."""
    hint: str = ""
    shown: Callable[[Any, Words], str] = _yes_no
    switch: str = ""
    """The word that switches it in line mode, in the context "setting"."""
    also: str = ""
    """More words for that, in any language."""


_THEMES: Final = {
    "sea": p_("colours", "the sea"),
    "dusk": p_("colours", "the sea at dusk"),
    "clear": p_("colours", "easier to tell apart"),
    "mono": p_("colours", "none, only light and dark"),
}
_DEPTHS: Final = {Colours.NONE: _("none"), Colours.TRUE: _("all")}
_BACKGROUNDS: Final = {
    Background.AUTO: p_("background", "automatic"),
    Background.DARK: p_("background", "dark"),
    Background.LIGHT: p_("background", "light"),
}
TALKS: Final = {
    Verbosity.QUIET: p_("setting", "quiet"),
    Verbosity.NORMAL: p_("setting", "normal"),
    Verbosity.TALKATIVE: p_("setting", "talkative"),
}
"""The words for them, also in line mode."""


SETTINGS: Final = (
    PlayerSetting(
        "language",
        ability=True,
        values=languages,
        label=_("Language"),
        hint=_("for all texts"),
        shown=lambda language, words: (words_for(language) if language else words).p(
            "name of this language", "English"
        ),
    ),
    PlayerSetting(
        "sure",
        label=_("Ask before the last bid"),
        hint=_("when yours would be the last bid"),
        switch=p_("setting", "sure"),
        also="sicher certeza",
    ),
    PlayerSetting(
        "reveal_seconds",
        values=lambda: REVEAL_SECONDS,
        label=_("Show each reveal for"),
        hint=_("Space moves on at once"),
        shown=lambda stays, words: (
            words.t("{count} s", count=stays) if stays else words.t("until Space")
        ),
    ),
    PlayerSetting(
        "motion",
        ability=True,
        values=lambda: tuple(each.value for each in ScreenMotion),
        label=_("Animation"),
        hint=_("cards turn up one by one, water flows"),
        shown=lambda value, words: words.p("motion", ScreenMotion(value).word),
    ),
    PlayerSetting(
        "bell",
        label=_("Sound"),
        hint=_("when people wait or time is short"),
        switch=p_("setting", "bell"),
    ),
    PlayerSetting(
        "notify",
        label=_("Notification"),
        hint=_("on your desktop as well"),
        switch=p_("setting", "notify"),
    ),
    PlayerSetting(
        "chat",
        values=lambda: tuple(CHATS),
        label=_("Chat"),
        hint=_('what is shown by itself; m (or "chat") has all of it'),
        shown=lambda value, words: words.p("chat", CHATS[value]),
    ),
    PlayerSetting(
        "unicode",
        ability=True,
        account=False,
        label=_("Characters"),
        hint=_("if it looks broken, try the other one"),
        shown=lambda can, words: words.t("blocks") if can else words.t("plain ASCII"),
    ),
    PlayerSetting(
        "theme",
        ability=True,
        values=lambda: tuple(PALETTES),
        label=_("Colours"),
        hint=_("colour is never the only cue"),
        shown=lambda name, words: words.p("colours", _THEMES[name]),
    ),
    PlayerSetting(
        "colours",
        ability=True,
        account=False,
        values=lambda: tuple(Colours),
        label=_("Number of colours"),
        hint=_("as many as the terminal shows"),
        shown=lambda depth, words: (
            words.t(_DEPTHS[depth]) if depth in _DEPTHS else str(depth.value)
        ),
    ),
    PlayerSetting(
        "background",
        ability=True,
        account=False,
        values=lambda: tuple(Background),
        label=_("Background"),
        hint=_("what your terminal uses"),
        shown=lambda value, words: words.p("background", _BACKGROUNDS[value]),
    ),
    PlayerSetting(
        "thin", ability=True, label=_("Slow connection"), hint=_("sends as little as possible")
    ),
    PlayerSetting(
        "reader",
        ability=True,
        label=_("Screen reader"),
        hint=_("in sentences, lines are not broken"),
        switch=p_("setting", "reader"),
    ),
    PlayerSetting(
        SHOWS_RESULTS,
        label=_("Others see your results"),
        hint=_("rating, best season, days, games with them"),
    ),
    PlayerSetting(
        SHOWS_VISITS,
        label=_("Others see when you are here"),
        hint=_("on your page only: the lobby shows who is here"),
    ),
    PlayerSetting(
        FOLLOWABLE, label=_("Others may follow you"), hint=_("they are told when you come")
    ),
    # Not in the list: other keys and words change them.
    PlayerSetting("lines", ability=True),
    PlayerSetting("talk", values=lambda: tuple(Verbosity)),
)
"""All of them but ``keys``, which are for hands; in the order of the list."""


# ------------------------------------------------------------------- as plain data for the account

_USUAL: Final = Preferences()

T = TypeVar("T", Preferences, Capabilities)


def to_settings(
    preferences: Preferences, chosen: Mapping[str, Any], before: Mapping[str, Any]
) -> dict[str, Any]:
    """Everything to be kept: ``chosen`` are the abilities that the player has changed.

    ``before`` is what was kept until now, and stays unless it is replaced.
    """
    kept = {
        setting.name: chosen[setting.name]
        for setting in SETTINGS
        if setting.ability and setting.account and setting.name in chosen
    }
    return {**before, **structs.asdict(preferences), **kept}


def preferences_from(settings: Mapping[str, Any]) -> Preferences:
    """The preferences that were kept; unknown things are left out."""
    found, keys = _applied(_USUAL, settings, ability=False), settings.get("keys")
    return structs.replace(found, keys=keys) if isinstance(keys, str) else found


def abilities_from(settings: Mapping[str, Any], abilities: Capabilities) -> Capabilities:
    """``abilities``, used as the player wanted it the last time."""
    return _applied(abilities, settings, ability=True)


def _applied(what: T, settings: Mapping[str, Any], *, ability: bool) -> T:
    """``what`` with all that goes with the account, and was kept with a value that there still is."""
    if not settings:
        return what
    changes = {
        each.name: settings[each.name]
        for each in SETTINGS
        if each.name in settings and each.account and each.ability is ability
        if type(settings[each.name]) is type(getattr(what, each.name))
        if settings[each.name] in tuple(each.values())
    }
    return structs.replace(what, **changes)


SOLO: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.UNTIMED)
"""One person against three bots, without a clock."""
TUTORIAL: Final = m.TableOptions(TUTORIAL_RULES, m.Pace.UNTIMED)
"""What the guide comes along to: one stage against three bots, without a clock."""
NEW_TABLE: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.TIMED)
"""What a new table is suggested to be."""
TOURNAMENT: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.TIMED, 30)
"""What the tables of a new tournament are suggested to be."""


def is_tutorial(info: m.TablePublic) -> bool:
    """Whether somebody learns the game at this table, alone: what comes after that is a whole one."""
    people = sum(seat.occupant is m.Occupant.HUMAN for seat in info.seats)
    return people == 1 and info.options == TUTORIAL


def same_people(table: m.TableSnapshot, name: str) -> tuple[str, ...]:
    """Return the names of those who have played the last game here with that player.

    Empty where nobody has, where all tables of an event play the same deal, and at a private table, which
    has its rematch.
    """
    info = table.info
    if info.status is not m.Status.OVER or info.private:
        return ()
    played = info.played_by or tuple([seat.name for seat in info.seats])
    people = tuple([each for each in played if each not in ("", name, *BOT_NAMES)])
    return people if name in played and not info.event else ()


def filling(table: m.TableSnapshot) -> list[m.Command]:
    """Let the kept seats go, seat bots and begin."""
    seats = table.info.seats
    return [
        *(m.KeepSeat(number, "") for number, seat in enumerate(seats) if seat.kept),
        *(m.AddBot() for seat in seats if not seat.name),
        m.StartGame(),
    ]
