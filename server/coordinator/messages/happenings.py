"""What happens at a table, what the server says, and what a feed hands out."""

import re
from typing import Final, get_args

from engine.rules import events_of
from engine.state import GameState, RoundResult, StageResult
from server.coordinator.messages.lobby import (
    ChatLine,
    CorrespondenceGame,
    LobbySnapshot,
    TournamentInfo,
)
from server.coordinator.messages.tables import Ended, Message, Motion, Pause, TableSnapshot

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
``jsonapi.snapshots`` says otherwise).
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
