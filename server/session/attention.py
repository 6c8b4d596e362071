"""Whatever calls for a player's attention: turns, the last seconds, unread chat.

A bell, a notification of the terminal, a sentence in time.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import takewhile
from typing import Final

from server.coordinator.messages import ChatLine, Occupant, Pace, Room, Status, TableSnapshot
from server.coordinator.people.names import is_called, shown_forms
from server.i18n.lookup import Words
from server.session.preferences import Preferences
from server.terminal.capabilities import Capabilities
from server.terminal.drawing.frame import Span
from server.text.times import PRECISE, clock_span
from server.timers import Clock, OneTimer
from server.viewmodels.table import rematch_vote

LINES: Final = 200
"""Most lines that are kept."""


class ChatHistory:
    """Chat lines of the person called ``me``."""

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
        """Number of lines from others, for this person, since the last ``read``."""
        newer = takewhile(lambda line: line.number > self._read, reversed(self.lines))
        return sum(self._is_unread(line) for line in newer)

    def read(self) -> None:
        """Everything that has come has been seen."""
        if self.lines:
            self._read = self.lines[-1].number

    def calls(self, lines: Iterable[ChatLine]) -> str:
        """Return the name of somebody who has spoken to this person in these new ``lines``.

        Directly or by name; empty when nobody did, or when this person was ``rung`` for.
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


def owes_bid(table: TableSnapshot) -> bool:
    """Whether this player has a card to bid, and has not."""
    own = table.own
    if own is None or own.table.offer is None or table.info.status is not Status.PLAYING:
        return False
    return bool(own.hand) and not own.bid


def waits_for(table: TableSnapshot) -> bool:
    """Return whether everybody else at the table has bid, and this player has not."""
    if table.table is None or not owes_bid(table):
        return False
    return all(
        seat.has_bid or seat.eliminated or number == table.seat
        for number, seat in enumerate(table.table.seats)
    )


def people_wait_for(table: TableSnapshot) -> bool:
    """Return whether this player keeps a person waiting: bots have patience."""
    return waits_for(table) and any(
        seat.occupant is Occupant.HUMAN and seat.connected and not (seat.away or seat.left)
        for number, seat in enumerate(table.info.seats)
        if number != table.seat
    )


def owes_answer(table: TableSnapshot) -> bool:
    """Whether others want another game, and this player has not answered."""
    vote = rematch_vote(table.info) if table.info.status is Status.OVER else None
    return vote is not None and table.seat in vote.awaited


def may_skip(table: TableSnapshot) -> bool:
    """Whether this player is out, can have the stage go on without pauses, and has not asked for that."""
    skip = table.info.skip
    return skip is not None and table.seat >= 0 and table.seat not in skip.agreed


def skips(table: TableSnapshot | None) -> bool:
    """Whether this player has no more pauses in a stage, and wants to see only what it brings."""
    skip = table.info.skip if table is not None else None
    return skip is not None and skip.agreed_on and table is not None and table.seat in skip.agreed


def bid_due(table: TableSnapshot | None) -> float:
    """When this player's bid is due; 0 when none is, or at no fixed time."""
    if table is None or table.info.status is not Status.PLAYING:
        return 0.0
    return table.info.deadline if owes_bid(table) else 0.0


def table_clock(table: TableSnapshot, now: float, words: Words, thin: bool) -> Span:
    """What the clock in the corner says; nothing when nothing is due."""
    info = table.info
    if not info.deadline or info.pause:
        return ("", "")
    return clock_span(info.deadline - now, words, thin)


def last_seconds(table: TableSnapshot, now: float, words: Words, thin: bool) -> str:
    """Count down the last ten seconds for this player's own bid, otherwise nothing."""
    hurry = 0 < table.info.deadline - now <= PRECISE and bid_due(table)
    return table_clock(table, now, words, thin)[1] if hurry else ""


def has_claimed(table: TableSnapshot, name: str) -> bool:
    """Whether the spectator called ``name`` is to take a bot's place."""
    return any(seat.claimed == name for seat in table.info.seats)


def can_join(table: TableSnapshot, name: str) -> bool:
    """Return whether the spectator called ``name`` may claim a bot's place.

    It is free when the next stage, or the next game, begins; nobody claims two.
    """
    info, options = table.info, table.info.options
    watches = table.seat < 0 and info.status is Status.PLAYING and options.spectators.allowed
    if not watches or options.rated or has_claimed(table, name):
        return False
    return any(
        seat.occupant is Occupant.BOT and not seat.left and not seat.claimed for seat in info.seats
    )


def watching_in_words(table: TableSnapshot, name: str, words: Words) -> str:
    """How the player called ``name`` watches here, and what he or she waits for."""
    for seat in table.info.seats:
        if seat.claimed == name:
            return words.t("You take {bot}'s place when the next stage begins.", bot=seat.name)
    if table.behind:
        return words.t("You are watching: each round is shown when it is over.")
    return words.t("You are watching.")


def is_alone(table: TableSnapshot | None) -> bool:
    """Whether this player waits at a table of his or her own, and nobody is expected there by name."""
    if table is None or table.info.status is not Status.OPEN or not table.owned:
        return False
    info = table.info
    others = any(seat.name for n, seat in enumerate(info.seats) if n != table.seat)
    awaited = info.private or any(seat.kept for seat in info.seats)
    daily = info.options.pace is Pace.CORRESPONDENCE
    barred = daily or info.options.rated or info.closing or info.spectators
    return not (others or awaited or barred)


WARNING_SECONDS: Final = 10.0
"""Seconds before a bid is due at which its player is warned, once a round."""

WAYS: Final = {
    # iTerm2's, which kitty, Ghostty and WezTerm have taken over.
    "osc9": "\x1b]9;Turn the Tide: {why}\x1b\\",
    # urxvt's, which foot and Contour have taken over.
    "osc777": "\x1b]777;notify;Turn the Tide;{why}\x1b\\",
}
"""Sequences that show a notification; its text has no semicolon and no control character."""

PATIENCE: Final = 20.0
"""Seconds alone at a table before the question whether to start against bots."""


def attention(preferences: Preferences, abilities: Capabilities, why: str) -> str:
    """What to send when the player is wanted at the table, ``why`` being a short sentence.

    Prints nothing and does not move the cursor.
    """
    shown = WAYS.get(abilities.notifies, "").format(why=why) if preferences.notify else ""
    return f"\a{shown}" if preferences.bell else shown


class AlertHandler:
    """The part of a frontend that calls for one person's attention."""

    def bid_is_due(self, left: float) -> None:
        """There are so many seconds left to bid; once for each bid."""

    def nobody_came(self) -> None:
        """The player has been alone at a table for a while; once a visit."""

    def asked_again(self) -> None:
        """Others want another game, and wait for the player's answer."""


class Alerts:
    """Timers of one session that call for attention."""

    def __init__(self, clock: Clock, handler: AlertHandler) -> None:
        self._clock: Final = clock
        self._handler: Final = handler
        self._bid: Final = OneTimer(clock)
        self._solo: Final = OneTimer(clock)
        self._due = self._warned_for = 0.0
        self._asked = False
        self._again_after: tuple[str, int] | None = None
        """The table and the number of the game after which another one was last asked for."""

    def updated(self, table: TableSnapshot | None) -> None:
        """How things are now."""
        due = bid_due(table)
        if due != self._due:
            self._due = due
            if due and due != self._warned_for:
                self._bid.start(due - WARNING_SECONDS, lambda: self._nearly(due))
            else:
                self._bid.cancel()
        if not is_alone(table):
            self._solo.cancel()
        elif not (self._solo.running or self._asked):
            self._solo.after(PATIENCE, self._alone)
        if table is not None and owes_answer(table):
            game = (table.info.id, table.info.game)
            if game != self._again_after:
                self._again_after = game
                self._handler.asked_again()

    def _nearly(self, due: float) -> None:
        left = due - self._clock.time()
        if left > 0:
            self._warned_for = due
            self._handler.bid_is_due(left)

    def _alone(self) -> None:
        self._asked = True
        self._handler.nobody_came()

    def stop(self) -> None:
        """Nobody is to be called any more."""
        self._bid.cancel()
        self._solo.cancel()
