"""The answer to a command."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from server.coordinator.messages.base import Message


class Refusal(StrEnum):
    """Why a command was not carried out: locale-neutral."""

    # Of the rules (``engine.errors``).
    ELIMINATED = "eliminated"
    GAME_OVER = "game_over"
    NO_SUCH_SEAT = "no_such_seat"
    NO_TIDES = "no_tides"
    NOT_IN_HAND = "not_in_hand"
    # Where somebody is, or may go.
    GONE = "gone"  # this visit has ended
    NO_SUCH_TABLE = "no_such_table"
    NOT_SEATED = "not_seated"
    SEATED_ELSEWHERE = "seated_elsewhere"
    SEAT_TAKEN = "seat_taken"
    SEAT_KEPT = "seat_kept"  # for somebody else
    TABLE_FULL = "table_full"
    REMOVED = "removed"  # by the owner, not long ago
    NO_SPECTATORS = "no_spectators"
    TOO_MANY_SPECTATORS = "too_many_spectators"
    HELD_SEAT = "held_seat"  # in this game already
    NO_BOT_SEAT = "no_bot_seat"  # there is no bot whose place one could take
    RATED_BOTS = "rated_bots"  # bots have no place at a rated table ...
    RATED_GUESTS = "rated_guests"  # ... nor have guests
    # Invitation words of private tables.
    WORD_NEEDED = "word_needed"
    WRONG_WORD = "wrong_word"
    WORD_WAIT = "word_wait"  # too many wrong ones
    WORD_FORM = "word_form"  # no good as a word; ``least`` and ``most`` characters
    # What an owner may do.
    NOT_OWNER = "not_owner"
    NOT_OPEN = "not_open"
    ALREADY_PLAYING = "already_playing"
    SEATS_EMPTY = "seats_empty"
    SEAT_EMPTY = "seat_empty"
    SEAT_NOT_EMPTY = "seat_not_empty"  # it cannot be kept
    OWN_SEAT = "own_seat"  # leave instead
    NO_HUMAN = "no_human"
    NO_SUCH_STRATEGY = "no_such_strategy"
    SECONDS = "seconds"  # out of the range from ``least`` to ``most``
    TOO_MANY_SEATED = "too_many_seated"  # fewer seats than people who sit there
    # During a game and after it.
    NOT_PLAYING = "not_playing"  # there is no game
    TOO_LATE = "too_late"  # the round was revealed before this bid
    WRONG_ROUND = "wrong_round"  # a bid for a round that is still to come
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    NOT_ABSENT = "not_absent"  # nobody can be replaced there now
    NOT_OVER = "not_over"
    # Limits, and the server.
    BUSY = "busy"  # too many commands at once
    CLOSING = "closing"  # the server is going down
    TOO_MANY_TABLES = "too_many_tables"
    TOO_MANY_OPENED = "too_many_opened"  # tables, by this player ...
    TOO_MANY_FROM_THERE = "too_many_from_there"  # ... and from this address
    TOO_MANY_GAMES = "too_many_games"  # begun, likewise; for some ``seconds`` more
    TOO_MANY_GAMES_THERE = "too_many_games_there"
    STORAGE = "storage"  # it could not be written down, so it has not happened; try again
    INTERNAL = "internal"  # our mistake; nothing has happened
    # Chat.
    NOTHING_SAID = "nothing_said"
    NO_SUCH_PHRASE = "no_such_phrase"
    NO_TABLE = "no_table"  # to say anything at
    NOBODY_CALLED = "nobody_called"
    OWN_NAME = "own_name"
    OWN_BLOCK = "own_block"  # whoever it is for is not heard here
    NOT_LISTENING = "not_listening"  # takes no direct lines from here
    RATED_ROUND = "rated_round"  # whoever it is for plays a rated game
    TOO_MANY_BLOCKED = "too_many_blocked"
    CHAT_WAIT = "chat_wait"  # for some ``seconds`` more
    SILENCED = "silenced"  # likewise


class Reply(Message, frozen=True):
    """The answer to a command: ``ok``, or why it was refused. Frontends have a few refusals of their own."""

    code: str = "ok"
    details: Mapping[str, int | str] = {}

    @property
    def ok(self) -> bool:
        """Whether the command was carried out."""
        return self.code == "ok"

    def raise_if_refused(self) -> None:
        """Raises ``Refused`` unless it was."""
        if not self.ok:
            raise Refused(self.code, self.details)


class Refused(Exception):
    """A command cannot be carried out, and nothing has happened."""

    def __init__(self, code: str, details: Mapping[str, int | str] | None = None) -> None:
        super().__init__(code)
        self.reply: Final = Reply(code, details or {})
