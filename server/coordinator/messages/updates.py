"""What a feed hands out: the lobby, what happens at tables, what the server says."""

import re
from enum import StrEnum
from typing import Final, get_args

from engine.rules import events_of
from engine.standings import Highlight
from engine.state import GameState, RoundResult, StageResult
from server.coordinator.messages.tables import (
    Ended,
    Message,
    Motion,
    Pause,
    Status,
    TableOptions,
    TableSnapshot,
)
from server.coordinator.messages.tournaments import TournamentInfo


class Room(StrEnum):
    """Recipients of a chat line."""

    LOBBY = "lobby"
    """Everybody in the lobby, and at tables where no game is running."""
    TABLE = "table"
    """Everybody at the own table; while a rated game runs, only those who watch hear those who watch."""
    DIRECT = "direct"
    """One person, wherever he or she is."""


class Phrase(StrEnum):
    """Something often said, which each reader sees in the own language."""

    HELLO = "hello"
    GOOD_LUCK = "good_luck"
    WELL_PLAYED = "well_played"
    THANKS = "thanks"
    OUCH = "ouch"
    ONE_MOMENT = "one_moment"
    STILL_THERE = "still_there"
    SORRY = "sorry"
    AGAIN = "again"
    HAVE_TO_GO = "have_to_go"


class ChatLine(Message, frozen=True):
    """Something that somebody said. The text is one clean line; nothing in it means anything but itself."""

    number: int
    """Grows with every line on this server; a line that comes twice has the same one."""
    room: Room
    sender: str
    """The name."""
    text: str
    """Empty for a phrase."""
    time: float
    phrase: str = ""
    """A value of ``Phrase``; empty for a text."""
    to: str = ""
    """Recipient's name, for a direct message."""
    place: str = ""
    """Table's code, for a line at a table."""
    watching: bool = False
    """The sender had no seat at that table."""
    old: bool = False
    """Said before the reader came."""


class TableRow(Message, frozen=True):
    """A table in the lobby's list."""

    id: str
    title: str
    options: TableOptions
    status: Status
    names: tuple[str, ...]
    """A seat each; empty string where nobody sits."""
    bots: int
    stage: int
    """From 0."""
    spectators: int
    kept: int = 0
    """Empty seats that are kept for somebody."""
    ratings: tuple[int, int] | None = None
    """The lowest and the highest rating among the people who sit there; ``None`` when none has any."""
    present: int = 0
    """People who sit there with a live connection."""
    programs: tuple[str, ...] = ()
    """Which of the names are those of programs."""
    event: str = ""
    """The event that it belongs to; empty for none."""
    known: bool = False
    """The deal was chosen (``TablePublic.known``)."""
    watching: tuple[str, ...] = ()
    """The names of the first spectators."""

    @property
    def has_room(self) -> bool:
        """Whether anybody may still sit down there."""
        return self.status is Status.OPEN and self.names.count("") > self.kept

    @property
    def solo(self) -> bool:
        """Whether a game goes on there of no more than one person, against bots."""
        people = len(self.names) - self.names.count("") - self.bots
        return self.status is Status.PLAYING and people < 2

    @property
    def place(self) -> int:
        """Where it stands in the list.

        First where one can sit down, then what else is open, then games between people, then those
        against bots, last what is over.
        """
        if self.status is Status.OPEN:
            return 0 if self.has_room else 1
        if self.status is Status.PLAYING:
            return 3 if self.solo else 2
        return 4


class GameNow(Message, frozen=True):
    """How a game goes that anybody may watch, as spectators see it. The tuples are by seat."""

    table: str
    """Its id."""
    round: int
    """From 0."""
    levels: tuple[int, ...]
    """Tides; 0 for none, -1 for who is out of the stage."""
    points: tuple[int, ...]
    """Points of the stages that are over, as at the table."""
    life_preservers: tuple[int, ...]
    """What each has left."""


class News(Message, frozen=True):
    """A game that somebody has won.

    With ``cup`` a tournament; or, with ``days``, that somebody has played today's tide once more.
    Guests have no name here but in a tournament, where all standings have it.
    """

    winners: tuple[str, ...]
    against: tuple[str, ...] = ()
    """The other people."""
    bots: int = 0
    """Number of bots that played besides."""
    points: int = 0
    """The winners', each."""
    row: int = 0
    """The only winner's wins in a row, this one included; 0 where a later win has told them."""
    most: bool = False
    """Nobody has made so many points in such a game lately."""
    days: int = 0
    """On how many days in a row; the result is not told."""
    cup: str = ""
    """What the tournament is called."""
    winning_bots: int = 0
    """Number of bots that share the win; they are none of ``bots``."""
    game: int = 0
    """The number of the game, to see it again; 0 where it is about none."""
    seats: tuple[str, ...] = ()
    """The players' names, bots included; empty strings for guests."""
    climax: Highlight | None = None
    """The most remarkable of that game, if anything was."""


class TodayNow(Message, frozen=True):
    """Today's tide as everybody may know it, played or not."""

    played: int = 0
    """Number of people who have begun it."""
    day: str = ""
    """The last day that is closed, such as ``2025-11-21``; empty for none that was played ..."""
    best: tuple[tuple[str, int], ...] = ()
    """... who was best at it, with points, and ..."""
    tries: int = 0
    """... how many finished it."""


class CorrespondenceGame(Message, frozen=True):
    """A table where the visitor plays by correspondence."""

    table: str
    """Its code."""
    title: str
    options: TableOptions
    status: Status
    names: tuple[str, ...]
    """A seat each; empty string where nobody sits."""
    stage: int
    round: int
    """From 0, of the game that goes on or is over."""
    due: float
    """When the bids of this round are due; 0 when none are."""
    waits: bool
    """It is the visitor's turn: to bid or, as the owner, to start."""
    awaited: tuple[str, ...] = ()
    """The names of all whose turn it is."""
    since: float = 0.0
    """Since when the bids of this round are waited for; 0 when they are not."""


class LobbySnapshot(Message, frozen=True):
    """The lobby: public tables, by their ``place`` and then newest first, and the names of who is here."""

    tables: tuple[TableRow, ...]
    players: tuple[str, ...]
    closing: float = 0.0
    """When the server goes down; 0 when it stays. No game starts any more."""
    programs: tuple[str, ...] = ()
    """Which of the players are programs."""
    games: tuple[GameNow, ...] = ()
    """Games at the tables that anybody may watch, in no order."""
    news: tuple[News, ...] = ()
    """The newest first."""
    today: TodayNow = TodayNow()


# What happens in a game: the events of the engine, which are plain tuples, and that a bid was sealed.


class StageStarted(Message, frozen=True):
    """Hands are dealt or passed on and everybody is back in. ``stage`` counts from 0."""

    stage: int
    life_preservers: tuple[int, ...]


class TidesTurned(Message, frozen=True):
    """Two tide cards are on offer, lower first. ``stage`` and ``round`` count from 0."""

    stage: int
    round: int
    offer: tuple[int, int]


class BidSealed(Message, frozen=True):
    """``seat`` has bid for the first time in this round. A replacement is no happening: nobody may see it."""

    seat: int


class RoundResolved(Message, frozen=True):
    """All bids revealed, tides taken, the loss paid or not. ``stage`` and ``round`` count from 0."""

    stage: int
    round: int
    result: RoundResult


class StageScored(Message, frozen=True):
    """A stage is over. ``stage`` counts from 0."""

    stage: int
    result: StageResult


class GameOver(Message, frozen=True):
    """The last stage has been scored."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


GameEvent = StageStarted | TidesTurned | BidSealed | RoundResolved | StageScored | GameOver
_GAME_EVENTS: Final = {kind.__name__: kind for kind in get_args(GameEvent)}


def game_events(state: GameState) -> tuple[GameEvent, ...]:
    """The events of the rules that led to ``state``, as the messages of the same names."""
    return tuple([_GAME_EVENTS[type(event).__name__](*event) for event in events_of(state)])


# What happens beside them.


class _OfSeat(Message, frozen=True):
    seat: int
    name: str
    """Name of the person who sits there, or has sat there."""


class Sat(_OfSeat, frozen=True):
    """Somebody (or a bot) took a seat."""


class Stood(_OfSeat, frozen=True):
    """Somebody freed a seat before the game."""


class Moved(_OfSeat, frozen=True):
    """The owner moved somebody to another seat; ``other`` is who changed places, empty for nobody."""

    other: str


class SeatKept(_OfSeat, frozen=True):
    """A seat is kept for the player of this name from now on; for nobody when it is empty."""


class Privacy(Message, frozen=True):
    """The table is private from now on, or no longer."""

    private: bool


class OpenedInstead(Message, frozen=True):
    """To who asked for any game: no open table was right, so this one is new."""


class SentBack(Message, frozen=True):
    """To who is back in the lobby without having asked for it.

    ``code`` is ``removed`` (by the owner), ``no_spectators`` (the table takes none any more),
    ``closed`` (the table, by an operator), ``deserted`` or ``went_on`` (the others, to another game,
    while this player was not connected).
    """

    code: str
    title: str


class Claimed(_OfSeat, frozen=True):
    """Somebody will take the place of the bot on this seat when the next stage begins."""


class TookOver(_OfSeat, frozen=True):
    """Somebody plays on from here in place of a bot."""

    bot: str


class GameStarted(Message, frozen=True):
    """A game begins; ``commitment`` is public from here on."""

    game: int
    commitment: str


class WentAway(_OfSeat, frozen=True):
    """A bot bids for this seat until its player is back."""


class CameBack(_OfSeat, frozen=True):
    """The player bids again."""


class LeftForGood(_OfSeat, frozen=True):
    """The player left a running game; a bot plays on."""


class SubstituteBid(_OfSeat, frozen=True):
    """Time was up, and a bot bid for this seat."""


class Disconnected(_OfSeat, frozen=True):
    """A player's line dropped."""


class Reconnected(_OfSeat, frozen=True):
    """A player is back on the line."""


class NewOwner(_OfSeat, frozen=True):
    """The table is somebody else's now."""


class OptionsChanged(Message, frozen=True):
    """The owner chose other options; the snapshot has them."""


class Voted(_OfSeat, frozen=True):
    """A player agreed to a motion, or no longer does."""

    motion: Motion
    target: int
    agree: bool


class Skipped(_OfSeat, frozen=True):
    """A player who is out wants the end of the stage without pauses."""


class Paused(Message, frozen=True):
    """The game stands still."""

    pause: Pause


class Resumed(Message, frozen=True):
    """The game goes on. ``seat`` is the player who came back or asked for it; -1 for nobody."""

    seat: int


class GameEnded(Message, frozen=True):
    """The game was broken off."""

    ended: Ended


class Trouble(Message, frozen=True):
    """Something is wrong with the server; ``code`` is ``storage`` or ``internal``. The table tries again."""

    code: str


class TroubleOver(Message, frozen=True):
    """It works again."""


class Closing(Message, frozen=True):
    """The server goes down at ``when``; running games are kept and go on after the restart."""

    when: float


SeatEvent = Sat | Stood | Moved | SeatKept | Claimed | TookOver | NewOwner
PresenceEvent = WentAway | CameBack | LeftForGood | SubstituteBid | Disconnected | Reconnected
CourseEvent = GameStarted | Voted | Skipped | Paused | Resumed | GameEnded
TableEvent = Privacy | OptionsChanged | OpenedInstead | SentBack
ServerEvent = Trouble | TroubleOver | Closing
Happening = GameEvent | SeatEvent | PresenceEvent | CourseEvent | TableEvent | ServerEvent
HAPPENING_NAMES: Final = {
    kind: re.sub(r"(?<=[a-z])([A-Z])", r"_\1", kind.__name__).lower()
    for kind in get_args(Happening)
}
"""As programs know them. All fields are told to everybody at the table, to programs by their names (unless
``jsonapi.fields`` says otherwise).
"""


class ServerMessage(Message, frozen=True):
    """Something that the server tells one visitor, or everybody."""

    kind: str
    """``broadcast``, ``kicked``, ``banned``, ``muted``, ``unmuted``, ``answer`` (to a report), ``not_kept``
    (settings hold for this visit alone), ``tournament_round`` (``text``: the name of a tournament whose next
    round begins at ``until``), ``tournament_removed`` (by the director; ``text`` likewise),
    ``one_moment`` and ``here_again`` (the coordinator is away, and back),
    ``tournament_stuck`` (to the director: mistakes of ours hold it up; ``text`` likewise),
    ``tournament_table`` (``about``: the code of the table where one is waited for), ``your_turn`` (a game by
    correspondence waits for this player; ``about``: the code of the table, ``text``: its title), ``came``
    (somebody whom one follows; ``about``: the name), ``invited`` (by who is called ``text`` to a table where
    a seat is kept; ``about``: the code) or, to
    operators, ``report`` (a new one) and ``operator`` (that they are; ``text``: how many reports are open).
    """
    text: str = ""
    """What somebody wrote, clean; may be empty where ``kind`` says enough."""
    until: float = 0.0
    """When a ban or a silence ends; 0 for never."""
    about: str = ""
    """Name of the person whom the report was about."""
    sender: str = ""
    """The id of who is behind it, for who has blocked that person; never shown."""


class Update(Message, frozen=True):
    """What a feed hands out: the newest snapshots, and what happened since the last one was taken."""

    lobby: LobbySnapshot | None
    """``None`` while the visitor is at a table."""
    table: TableSnapshot | None
    """``None`` while the visitor is in the lobby."""
    happenings: tuple[Happening, ...]
    """At the visitor's table, oldest first; in the lobby, why the visitor is back there."""
    resynced: bool
    """True when happenings were dropped because they were not taken in time: believe the snapshot."""
    closed: str
    """Why the feed has ended: "" while it has not, else ``taken_over``, ``shutdown``, ``left``, ``kicked``,
    ``banned``."""
    chat: tuple[ChatLine, ...] = ()
    """What has been said since the last update was taken, as far as this visitor hears it; the newest, when
    there was too much of it."""
    said: tuple[ServerMessage, ...] = ()
    """What the server has told this visitor since then."""
    tournaments: tuple[TournamentInfo, ...] = ()
    """Tournaments that are not over, and the last ones that are, the newest first."""
    correspondence: tuple[CorrespondenceGame, ...] = ()
    """The visitor's games by correspondence: first those that wait for the visitor, the most urgent first."""
    standings: str | None = None
    """For a screen that shows everybody whatever goes on: the id of the tournament whose standings it shows
    now, empty for none; ``None`` for all others."""
