"""How long things take, and how many there may be: what a host can set."""

from dataclasses import dataclass

from server.coordinator.messages import DAY


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds each."""

    reveal: float = 4.0
    """For reading a reveal: so long the next round's clock waits, and so long bots do not think."""
    stage: float = 8.0
    """The same after the reveal that ended a stage."""
    bot_least: float = 0.8
    bot_most: float = 2.5
    """A bot answers after a time drawn between these, whatever it holds."""
    hurried_least: float = 0.3
    hurried_most: float = 0.9
    """The same, once every person has bid and nobody reads any more."""
    away: float = 3.0
    """After that a bot bids for an away player."""
    absent: float = 120.0
    """A player's line must have been down so long before the others may vote for a bot."""
    suspend: float = 600.0
    """So long a game goes on with no person connected."""
    keep: float = 14 * DAY
    """So long a game is kept with no person connected."""
    guests: float = 3600.0
    """The same for a game of guests alone whom nobody watches, unless they have voted to pause it or play a
    round a day; counted anew from a restart."""
    open_seat: float = 60.0
    """So long a seat at an open table is kept for a player whose line dropped."""
    over: float = 300.0
    """So long a table with a finished game is kept with no player connected."""
    recovery: float = 30.0
    """More for the first round after a standstill, so that others find their way back too."""
    correspondence: float = 3600.0
    """At least so long is left of a correspondence round after a restart."""
    lobby: float = 0.05
    """Changes in the lobby are told together, at most so often."""
    lobby_each: float = 0.005
    """More for every visitor who has to be told: a crowd must not drown the tables."""
    removed: float = 300.0
    """So long nobody whom the owner removed from a table sits down there again."""
    follow: float = 15.0
    """At least so long who follows the busiest table stays at one, also to read how its game ended."""
    retry: float = 2.0
    """After that what could not be written is tried again."""


@dataclass(frozen=True, slots=True)
class TableLimits:
    """How many there may be at once."""

    tables: int = 1000
    tables_per_player: int = 8
    """Opened by the same player and not over; one sits at one of them, bots play on at the others."""
    tables_per_address: int = 200
    """Opened from the same address, or IPv6 network, and not over; fewer of them when places become few, but
    never less than a fifth (see ``quotas``)."""
    games_per_player: int = 40
    """Begun by one player at once; from then on one every ten seconds."""
    games_per_address: int = 240
    """Begun from one address, or IPv6 network, at once; from then on one every two seconds."""
    spectators: int = 500
    """At one table."""
    commands: int = 32
    """Submitted and not yet answered, one player."""
