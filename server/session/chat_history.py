"""What one visitor has heard: the lines, in order and each once, and which of them are still to be read."""

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import takewhile
from typing import Final

from server.coordinator.messages import ChatLine, Room
from server.coordinator.people.names import is_called, shown_forms

LINES: Final = 200
"""So many are kept."""


class ChatHistory:
    """Of the person called ``me``."""

    def __init__(self, me: str) -> None:
        self.me: Final = me
        """The reader's name."""
        self._read = 0
        self.rung = False
        """Somebody has spoken to this person, who has not been there since: once is enough."""
        self.lines: list[ChatLine] = []
        """The oldest first."""
        self.version = 0
        """Another one whenever ``lines`` have changed."""
        self.place = ""
        """The code of the table where the person is; empty in the lobby."""
        self._since = 0
        self._wants = "all"
        self.partner = ""
        """With whom the last direct words were changed."""

    def hear(self, lines: Iterable[ChatLine]) -> list[ChatLine]:
        """Take these in; those that had not been heard before, the oldest first."""
        known = {line.number for line in self.lines}
        new = {line.number: line for line in lines if line.number not in known}
        fresh = [new[number] for number in sorted(new)]
        if not fresh:
            return []
        self.lines = sorted([*self.lines, *fresh], key=lambda line: line.number)[-LINES:]
        self.version += 1
        for line in fresh:
            if line.room is Room.DIRECT:
                self.partner = line.to if line.sender == self.me else line.sender
        return fresh

    def moved(self, place: str, wants: str) -> None:
        """The person is here from now on; one of ``settings.CHATS`` may be shown unasked."""
        if place != self.place:
            self._since = self.lines[-1].number if self.lines else 0
        if (place, wants) != (self.place, self._wants):
            self.place, self._wants = place, wants
            self.version += 1

    def concerns(self, line: ChatLine) -> bool:
        """Whether it is to be shown without being asked for, where the person is now."""
        wanted = self._wants == "all" or (self._wants == "own" and self.is_for_me(line))
        if not wanted and line.sender != self.me:
            return False
        if line.room is Room.DIRECT or line.place == self.place:
            return True
        # Who waits at a table hears the lobby; what was said there before is the lobby's.
        return line.room is Room.LOBBY and not line.old and line.number > self._since

    @property
    def spoken(self) -> bool:
        """Whether anything has been said that concerns this person here."""
        return any(map(self.concerns, self.lines))

    @property
    def unread(self) -> int:
        """How many lines of others, that concern this person, have come since the last ``read``."""
        newer = takewhile(lambda line: line.number > self._read, reversed(self.lines))
        return sum(self._is_unread(line) for line in newer)

    def read(self) -> None:
        """Everything that has come has been seen."""
        if self.lines:
            self._read = self.lines[-1].number

    def calls(self, lines: Iterable[ChatLine]) -> str:
        """Who has spoken to this person in these new ``lines``, directly or by name; empty when nobody did,
        or when this person was ``rung`` for.
        """
        for line in lines:
            if not self.rung and self._is_unread(line) and self.is_for_me(line):
                self.rung = True
                return line.sender
        return ""

    def is_for_me(self, line: ChatLine) -> bool:
        """Whether it was said to this person, or has the name in it."""
        if line.sender == self.me:
            return False
        return line.room is Room.DIRECT or bool(self._mention.search(line.text))

    @cached_property
    def _mention(self) -> re.Pattern[str]:
        # Most have left before anybody has said a word.
        forms = "|".join(map(re.escape, {*shown_forms(self.me)}))
        return re.compile(rf"(?<!\w)(?:{forms})(?!\w)", re.IGNORECASE)

    def forget(self, name: str) -> None:
        """What this person said is not shown any more."""
        self.lines = [line for line in self.lines if not is_called(line.sender, name)]
        self.version += 1

    def _is_unread(self, line: ChatLine) -> bool:
        new = line.number > self._read and not line.old and line.sender != self.me
        return new and self.concerns(line)
