"""The options of a table as they are typed: "new gamewright 5 untimed"."""

from typing import Any, Final

from engine.editions import Edition
from server.coordinator.messages import Pace, Spectating, TableOptions
from server.i18n.catalogues import Words, spellings

_EDITIONS: Final = {edition.value: edition for edition in Edition}


class BadOption(ValueError):
    """A word that is no option; ``str()`` of it is the word."""


def parse_options(text: str, start: TableOptions, words: Words) -> TableOptions:
    """``start`` changed as ``text`` says. Raises ``BadOption`` or ``BadRules``.

    Words: an edition; ``4 players``; ``2 stages``; ``90 seconds``; ``untimed``; ``correspondence``;
    ``delayed`` (spectators see a round when it is over); ``assistance``; ``modified``; ``rated``;
    ``spectators``; each of the last four with ``no`` before it to switch it off.
    """
    meant = {
        words.p("table option", "players"): "players",
        words.p("table option", "stage"): "stages",
        words.p("table option", "stages"): "stages",
        words.p("table option", "seconds"): "seconds",
        words.p("table option", "untimed"): "untimed",
        words.p("table option", "correspondence"): "correspondence",
        words.p("table option", "assistance"): "assistance",
        words.p("table option", "modified"): "modified",
        words.p("table option", "rated"): "rated",
        words.p("table option", "spectators"): "spectators",
        words.p("table option", "delayed"): "delayed",
        words.p("table option", "no"): "no",
    } | _ENGLISH
    meant |= {
        plain: word for typed, word in meant.items() for plain in spellings(typed, words.language)
    }
    text = text.casefold().replace(",", " ")
    for phrase, word in meant.items():
        if " " in phrase:
            text = text.replace(phrase, word)
    typed = [meant.get(word, word) for word in text.split()]
    return _Parser(start).parse(typed)


_ENGLISH: Final = {
    "players": "players",
    "player": "players",
    "stages": "stages",
    "stage": "stages",
    "seconds": "seconds",
    "second": "seconds",
    "untimed": "untimed",
    "correspondence": "correspondence",
    "assistance": "assistance",
    "modified": "modified",
    "rated": "rated",
    "spectators": "spectators",
    "delayed": "delayed",
    "no": "no",
    # What earlier releases called some of them in other languages.
    "mitspieler": "players",
    "zeitlos": "untimed",
    "livre": "untimed",
}


class _Parser:
    def __init__(self, start: TableOptions) -> None:
        self._start = start
        self._wanted: dict[str, Any] = {}

    def parse(self, typed: list[str]) -> TableOptions:
        number = 0
        on = True
        for word in typed:
            if word.isdecimal() and len(word) < 6:
                number = int(word)
                continue
            if word == "no":
                on = False
                continue
            self._word(word, number, on)
            number, on = 0, True
        if number:
            raise BadOption(str(number))
        return self._start.changed(**self._wanted)

    def _word(self, word: str, number: int, on: bool) -> None:
        wanted = self._wanted
        match word:
            case "players" | "stages" if number:
                wanted[word] = number
            case "seconds" if number:
                wanted |= {"pace": Pace.TIMED, "seconds": number}
            case "untimed" | "correspondence":
                wanted |= {"pace": Pace(word), "seconds": None}
            case "assistance" | "rated":
                wanted[word] = on
            case "modified":
                wanted["modified_drowning"] = on
            case "delayed":
                wanted["spectators"] = Spectating.DELAYED
            case "spectators":
                wanted["spectators"] = Spectating.OPEN if on else Spectating.NONE
            case _ if word in _EDITIONS:
                wanted["edition"] = _EDITIONS[word]
            case _:
                raise BadOption(word)
