"""What a player has chosen, as plain data for the account, and back; unknown things are left out."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from server.i18n.catalogues import languages
from server.session.preferences import CHATS, REVEAL_SECONDS, Preferences
from server.session.verbosity import Verbosity
from server.terminal.capabilities import Capabilities

_OF_THE_PERSON: Final = ("language", "theme", "thin", "lines")
"""Abilities that go with the player rather than with the terminal."""

LESSON: Final = "lesson"
"""Under this name the game is kept to which the guide has come along."""

_USUAL: Final = Preferences()

T = TypeVar("T", Preferences, Capabilities)


def to_settings(
    preferences: Preferences, chosen: Mapping[str, Any], before: Mapping[str, Any]
) -> dict[str, Any]:
    """Everything to be kept: ``chosen`` are the abilities that the player has changed; ``before`` is what
    was kept until now, and stays unless it is replaced.
    """
    own = {field.name: getattr(preferences, field.name) for field in fields(preferences)}
    kept = {name: value for name, value in chosen.items() if name in _OF_THE_PERSON}
    return {**before, **own, **kept}


def preferences_from(settings: Mapping[str, Any]) -> Preferences:
    """The preferences that were kept."""
    if not settings:
        return _USUAL
    found = _applied(_USUAL, settings, tuple(field.name for field in fields(Preferences)))
    if found.reveal_seconds not in REVEAL_SECONDS:
        found = replace(found, reveal_seconds=_USUAL.reveal_seconds)
    if found.chat not in CHATS:
        found = replace(found, chat=_USUAL.chat)
    if found.talk not in {talk.value for talk in Verbosity}:
        found = replace(found, talk=_USUAL.talk)
    return found


def abilities_from(settings: Mapping[str, Any], abilities: Capabilities) -> Capabilities:
    """``abilities``, used as the player wanted it the last time."""
    found = _applied(abilities, settings, _OF_THE_PERSON)
    if found.language not in languages():
        found = replace(found, language=abilities.language)
    return found


def _applied(what: T, settings: Mapping[str, Any], names: tuple[str, ...]) -> T:
    changes = {
        name: settings[name]
        for name in names
        if name in settings and type(settings[name]) is type(getattr(what, name))
    }
    return replace(what, **changes) if changes else what
