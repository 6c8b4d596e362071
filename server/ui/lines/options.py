"""The options of a table as they are typed: "new gamewright 5 untimed"."""

from dataclasses import replace
from typing import Final

from engine.editions import Edition, Rules, player_range
from engine.errors import BadRules
from server.coordinator.messages import DAY, Pace, Spectating, TableOptions
from server.ui.i18n import Words

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
    typed = [meant.get(word, word) for word in text.casefold().replace(",", " ").split()]
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
}


class _Parser:
    def __init__(self, start: TableOptions) -> None:
        rules = start.rules
        self._edition = rules.edition
        self._players = rules.players
        self._stages = 0 if rules.stages == rules.players else rules.stages
        self._modified = rules.modified_drowning
        self._assistance = rules.assistance
        self._options = start

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
        # An edition with fewer seats takes as many as it has.
        players = min(self._players, player_range(self._edition)[-1])
        rules = Rules(self._edition, players, self._stages, self._modified, self._assistance)
        return replace(self._options, rules=rules)

    def _word(self, word: str, number: int, on: bool) -> None:
        match word:
            case "players" if number:
                if number not in player_range(self._edition):
                    raise BadRules("players", players=number, edition=self._edition.value)
                self._players = number
            case "stages" if number:
                self._stages = number
            case "seconds" if number:
                self._options = replace(self._options, pace=Pace.TIMED, seconds=number)
            case "untimed":
                self._options = replace(self._options, pace=Pace.UNTIMED)
            case "correspondence":
                self._options = replace(self._options, pace=Pace.CORRESPONDENCE, seconds=DAY)
            case "assistance":
                self._assistance = on
            case "modified":
                self._modified = on
            case "rated":
                self._options = replace(self._options, rated=on)
            case "delayed":
                self._options = replace(self._options, spectators=Spectating.DELAYED)
            case "spectators":
                seen = Spectating.OPEN if on else Spectating.NONE
                self._options = replace(self._options, spectators=seen)
            case _ if word in _EDITIONS:
                self._edition = _EDITIONS[word]
            case _:
                raise BadOption(word)
