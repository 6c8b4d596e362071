"""What a visitor can ask for, and the answer."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Self

from engine.bots.estimates import Analysis
from server.coordinator.messages.tables import Message, Motion, TableOptions, TableSnapshot
from server.coordinator.messages.tournaments import TournamentPlan, TournamentView
from server.coordinator.messages.updates import Room

BidsPlayed = tuple[tuple[tuple[int | None, ...], ...], ...]
"""Bids by stage, round and seat; ``None`` for who was eliminated before."""


class _WithOptions(Message, frozen=True):
    options: TableOptions


class _Opening(_WithOptions, frozen=True):
    key: str = ""
    """Asked again with the same one, what has been done is not done again; empty for none."""


class _OpeningWithDeal(_Opening, frozen=True):
    deal: str = ""
    """Have this deal in the first game: a code, whose rules then hold, or a word (``engine.deal``). The
    game is neither rated nor counted. Empty for a new deal.
    """


class QuickGame(_OpeningWithDeal, frozen=True):
    """Play against bots at once: a table of one's own, filled with bots and started."""

    seat: int = 0
    """The one to sit on."""
    played: BidsPlayed = ()
    """With a ``deal``: the bids with which this game begins, as in a record, and it goes on after them."""


class CreateTable(_OpeningWithDeal, frozen=True):
    """Open a table and take its first seat."""

    keep: tuple[str, ...] = ()
    """Names of those for whom seats are kept, and who are invited; bots take the rest, where they may play.
    Without any, all other seats are free.
    """


class JoinTable(Message, frozen=True):
    """Sit down at a table.

    ``seat`` -1 takes the first free one, or the one that is kept for this player. In a running game
    that is not rated: take a bot's place, at once or when the next stage begins.
    """

    table: str
    seat: int = -1
    word: str = ""
    """The invitation code of a private table."""


class QuickJoin(_Opening, frozen=True):
    """Sit down at any game.

    At the fullest open table with these rules and pace that takes this player, else at the fullest of all,
    else at a new one with these options.
    """


class WatchTable(Message, frozen=True):
    """Watch a table as a spectator."""

    table: str
    word: str = ""
    """The invitation code of a private table."""


class WatchAnother(Message, frozen=True):
    """Watch the next table instead of the one that is watched now.

    From the busiest to the quietest, then from the beginning.
    """


class PlayToday(Message, frozen=True):
    """Play the deal of the day against the day's bots: once for each account. Who has begun goes on."""


class FollowBusiest(Message, frozen=True):
    """Watch the busiest table, whichever that is by then, until the next command that leads away."""

    standings: bool = False
    """Standings of tournaments come before tables (``Update.standings``)."""


class LeaveTable(Message, frozen=True):
    """Leave the table for the lobby.

    In a running game a bot takes over for good; a game of today's tide waits instead.
    """


class GoToLobby(Message, frozen=True):
    """Go to the lobby, and keep a seat at a game by correspondence; who watches stops."""


class AddBot(Message, frozen=True):
    """Owner: seat a bot. ``seat`` -1 takes the first free one; ``strategy`` empty the table's usual one."""

    seat: int = -1
    strategy: str = ""


class RemoveSeat(Message, frozen=True):
    """Owner: free a seat before the start; a player who sat there is back in the lobby."""

    seat: int


class ChangeOptions(_WithOptions, frozen=True):
    """Owner: change the options before the start."""


class StartGame(Message, frozen=True):
    """Owner: begin. Every seat must be taken."""


class HandOver(Message, frozen=True):
    """Owner: make another player the owner."""

    seat: int


class MoveSeat(Message, frozen=True):
    """Owner: before the start, move whoever sits on ``seat`` to seat ``to``, and who sits there back."""

    seat: int
    to: int


class KeepSeat(Message, frozen=True):
    """Owner: keep an empty seat for the player of that name, who is invited.

    With an empty ``name`` anybody may have it.
    """

    seat: int
    name: str = ""


class SetWord(Message, frozen=True):
    """Owner: make the table private: only people with the invitation code get in.

    An empty one makes it public again. It is kept hashed only, and told to nobody but the owner.
    """

    word: str


class Rematch(Message, frozen=True):
    """After the game: play another at this table.

    It starts when every connected human has asked. Bots take the seats of players who are gone; where a
    seat is empty, the table is open again instead.
    """


class PlaceBid(Message, frozen=True):
    """Bid a card, or replace the bid.

    ``stage`` and ``round`` (from 0) say which round is meant, so that a bid that arrives after the
    reveal is refused and never lands in the next round.
    """

    card: int
    stage: int
    round: int


class Touch(Message, frozen=True):
    """A key was pressed: an away player is back."""


class Vote(Message, frozen=True):
    """Agree to a motion, or no longer. Motions to pause or to end lapse when the round is revealed."""

    motion: Motion
    seat: int = -1
    """The seat of the player to replace."""
    agree: bool = True


class AskHint(Message, frozen=True):
    """Ask what the strongest bot would bid in this round; the record says that one has asked.

    The answer has a ``hint``; asked again in the same round, it is the same.
    """


class Guess(Message, frozen=True):
    """Out of the stage: guess that ``seat`` takes the higher tide card, or guess otherwise.

    ``stage`` and ``round`` as for a bid.
    """

    seat: int
    stage: int
    round: int


class Skip(Message, frozen=True):
    """Out of a stage in which only bots are left.

    Have no more pauses in it, if all others who are out and here want that, too. The bots bid what they
    would have bid.
    """


class Resume(Message, frozen=True):
    """Go on with a game that was paused by a vote."""


class LookAt(Message, frozen=True):
    """See a table where one has a seat, without going there. The answer has the ``table``."""

    table: str


class Say(Message, frozen=True):
    """Say something: a text, or a phrase (a value of ``Phrase``) and no text."""

    room: Room
    text: str = ""
    phrase: str = ""
    to: str = ""
    """Recipient's name, for a direct message."""


class Mute(Message, frozen=True):
    """Show nothing more that this person says, until one of the two leaves; or do so again."""

    name: str
    on: bool = True


class Block(Message, frozen=True):
    """Mute a person for good, direct messages included.

    The answer has ``person``, an id to keep, and ``name``.
    """

    name: str
    on: bool = True


class Directing(StrEnum):
    """What the director of a tournament can do."""

    BEGIN = "begin"
    """The next round begins now."""
    CLOSE = "close"
    """The round is over: games that go on are broken off."""
    END = "end"
    """The tournament is over; a round that goes on counts for nothing."""
    LIFT = "lift"
    """Any number of players of one address may register from now on."""
    REMOVE = "remove"
    """Remove the player registered under that name from all further rounds, unless registered again."""
    REMOVE_ABSENT = "remove_absent"
    """Remove all players who are not connected."""


class OpenTournament(Message, frozen=True):
    """Open a tournament. The answer has ``tournament``, its id."""

    plan: TournamentPlan


class EnterTournament(Message, frozen=True):
    """Register; when it has begun, for the next round."""

    tournament: str


class WithdrawFromTournament(Message, frozen=True):
    """Play in no further round."""

    tournament: str


class DirectTournament(Message, frozen=True):
    """Direct a tournament, as the person who opened it."""

    tournament: str
    what: Directing
    name: str = ""
    """Name of the player to remove."""


class AskTournament(Message, frozen=True):
    """Ask how a tournament stands; an empty id is the one that is played, or was last.

    The answer has a ``tournament``.
    """

    tournament: str = ""


OpeningCommand = QuickGame | CreateTable | QuickJoin
"""What opens a table."""
EntryCommand = OpeningCommand | JoinTable | WatchTable | WatchAnother | LeaveTable | GoToLobby
"""What leads to another place."""
TableCommand = (
    AddBot
    | RemoveSeat
    | MoveSeat
    | KeepSeat
    | HandOver
    | ChangeOptions
    | SetWord
    | StartGame
    | PlaceBid
    | Touch
    | Vote
    | AskHint
    | Guess
    | Skip
    | Resume
    | Rematch
    | LeaveTable
)
"""What somebody does at a table (``table.steps.HANDLERS``)."""


class AtTable(Message, frozen=True):
    """Do that at the table with this code, where one has a seat, whatever one looks at."""

    table: str
    command: TableCommand


ChatCommand = Say | Mute | Block
DirectedCommand = OpenTournament | EnterTournament | WithdrawFromTournament | DirectTournament
"""What changes a tournament."""
TournamentCommand = DirectedCommand | AskTournament
Command = (
    EntryCommand
    | PlayToday
    | FollowBusiest
    | TableCommand
    | AtTable
    | LookAt
    | ChatCommand
    | TournamentCommand
)


class Refusal(StrEnum):
    """Why a command was not carried out: locale-neutral."""

    limit: str
    """The limit that has bitten, as the settings call it; empty when it is none of them."""

    def __new__(cls, code: str, limit: str = "") -> Self:
        made = str.__new__(cls, code)
        made._value_, made.limit = code, limit
        return made

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
    NO_OTHER_TABLE = "no_other_table"  # to be watched
    TOO_MANY_SPECTATORS = "too_many_spectators", "spectators"
    HELD_SEAT = "held_seat"  # in this game already
    NO_BOT_SEAT = "no_bot_seat"  # there is no bot whose place one could take
    RATED_BOTS = "rated_bots"  # bots have no place at a rated table ...
    RATED_GUESTS = "rated_guests"  # ... nor have guests
    RATED_PROGRAMS = "rated_programs"  # ... nor, on some servers, programs
    RATED_FAST = "rated_fast"  # fast games are not rated
    RATED_PRIVATE = "rated_private"  # nor are those of private tables
    PROGRAMS_ONLY = "programs_only"  # nobody else sits at a fast table
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
    BAD_DEAL = "bad_deal"  # neither a code nor a word
    DEAL_RULES = "deal_rules"  # those of the deal that is played here
    BY_CORRESPONDENCE = "by_correspondence"  # it stays that: not all are there
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
    NO_HINTS = "no_hints"  # at this table
    NO_GUESS = "no_guess"  # who is not out bids; and who is out takes no tide card
    NO_SKIP = "no_skip"  # not while a person is left in the stage
    NO_TODAY = "no_today"  # no deal of the day here
    TODAY_CLOSED = "today_closed"  # before its time, as when a clock was wrong
    TODAY_PLAYED = "today_played"  # once a day
    EVENT_GAME = "event_game"  # not where several tables play the same deal for a result
    # Tournaments.
    NO_SUCH_TOURNAMENT = "no_such_tournament"
    NOT_YOURS_TO_DIRECT = "not_yours_to_direct"  # who opened a tournament directs it
    NO_DIRECTOR = "no_director"  # only operators open tournaments here
    NO_GUESTS = "no_guests"  # only accounts register
    TOURNAMENT_OVER = "tournament_over"
    TOURNAMENT_FULL = "tournament_full"
    TOURNAMENT_SHARE = "tournament_share"  # too many of one address; ``most``, in ``tournament``
    ENTERED = "entered"  # already
    NOT_ENTERED = "not_entered"
    NOBODY_ENTERED = "nobody_entered"  # of that ``name``
    TOO_FEW = "too_few"  # ``players``, of ``least``
    ROUND_OPEN = "round_open"  # one goes on
    NO_ROUND = "no_round"  # none goes on
    TOURNAMENT_PLAN = "tournament_plan"  # no such tournament can be: ``what`` of it is wrong
    TOO_MANY_TOURNAMENTS = "too_many_tournaments"
    # Limits, and the server.
    BUSY = "busy"  # too many commands at once
    CLOSING = "closing"  # the server is going down
    TOO_MANY_TABLES = "too_many_tables", "tables"
    TOO_MANY_OPENED = "too_many_opened", "tables_per_player"  # tables, by this player ...
    TOO_MANY_BY_CORRESPONDENCE = (
        "too_many_by_correspondence",
        "correspondence_per_player",
    )  # games of this player; of ``most``
    TOO_MANY_FROM_THERE = "too_many_from_there", "tables_per_address"  # ... and from this address
    TOO_MANY_GAMES = (
        "too_many_games",
        "games_per_player",
    )  # begun, likewise; for some ``seconds`` more
    TOO_MANY_GAMES_THERE = "too_many_games_there", "games_per_address"
    STORAGE = "storage"  # it could not be written down, so it has not happened; try again
    UNCERTAIN = "uncertain"  # it was not learnt whether it was written down
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
    CHAT_WAIT = "chat_wait", "chat"  # for some ``seconds`` more
    SILENCED = "silenced"  # likewise


class Reply(Message, frozen=True):
    """The answer to a command: ``ok``, or why it was refused. Frontends have a few refusals of their own."""

    code: str = "ok"
    details: Mapping[str, int | str] = {}
    hint: Analysis | None = None
    """What was asked for with ``AskHint``."""
    tournament: TournamentView | None = None
    """What was asked for with ``AskTournament``."""
    table: TableSnapshot | None = None
    """What was asked for with ``LookAt``."""

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


def refuse_if(condition: object, code: str, details: Mapping[str, int | str] | None = None) -> None:
    """Raises ``Refused`` where the condition holds."""
    if condition:
        raise Refused(code, details)
