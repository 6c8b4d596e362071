"""Timing and limits of tables: what a host can set, and how ``tide serve --help`` describes it."""

from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

DAY: Final = 24 * 60 * 60
Seconds = Annotated[float, Meta(ge=0, le=366 * DAY)]
Count = Annotated[int, Meta(ge=1, le=2**40)]


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds each."""

    reveal: Annotated[
        Seconds, "Time to read a reveal: the next round's clock and the bots wait for it."
    ] = 4.0
    stage: Annotated[Seconds, "The same after the last reveal of a stage."] = 8.0
    bot_least: Annotated[Seconds, "Minimum time a bot takes to bid, whatever it holds."] = 0.8
    bot_most: Annotated[Seconds, "Maximum time a bot takes to bid."] = 2.5
    hurried_least: Annotated[Seconds, "Minimum time once everyone but bots has bid."] = 0.3
    hurried_most: Annotated[Seconds, "Maximum time once everyone has bid."] = 0.9
    thinking: Annotated[
        Seconds, "How long a bot that thinks may keep others waiting before `tidal` bids instead."
    ] = 5.0
    away: Annotated[Seconds, "Time after which a bot bids for a player who is away."] = 3.0
    absent: Annotated[
        Seconds, "How long a player must be disconnected before the others may vote for a bot."
    ] = 120.0
    suspend: Annotated[
        Seconds, "How long a game goes on with nobody connected before it waits."
    ] = 600.0
    keep: Annotated[Seconds, "How long a waiting game is kept (14 days)."] = 14 * DAY
    # Counted again from a restart.
    guests: Annotated[
        Seconds,
        "The same for a game of guests only that nobody watches, unless paused or played "
        "by correspondence.",
    ] = 900.0
    open_seat: Annotated[
        Seconds,
        "Before a game, how long a disconnected player's seat is reserved (by correspondence: as "
        "long as a round may take).",
    ] = 60.0
    over: Annotated[
        Seconds, "How long a table whose game is over is kept with nobody connected."
    ] = 300.0
    recovery: Annotated[Seconds, "Extra time for the first round after a restart or a pause."] = (
        30.0
    )
    correspondence: Annotated[
        Seconds, "Minimum time left in a correspondence round after a restart."
    ] = 3600.0
    lobby: Annotated[Seconds, "How long changes are gathered before the lobby is updated."] = 0.05
    # A crowd in the lobby must not slow down the tables.
    lobby_each: Annotated[Seconds, "Added to that for every visitor who is to be updated."] = 0.005
    lobby_again: Annotated[Seconds, "Minimum time between two updates of the lobby."] = 2.0
    removed: Annotated[
        Seconds, "How long a player whom the owner removed cannot sit down there again."
    ] = 300.0
    follow: Annotated[
        Seconds, "Minimum time at a table for spectators who follow the busiest one."
    ] = 15.0
    retry: Annotated[Seconds, "Time before a failed write is tried again."] = 2.0


@dataclass(frozen=True, slots=True)
class TableLimits:
    """How many there may be at once."""

    tables: Annotated[
        Count,
        "Tables. One more closes a deserted one: of guests first, then of the address "
        "with most tables, then the longest deserted; a game by correspondence after others.",
    ] = 1000
    # A player sits at one of them; bots play on at the others.
    tables_per_player: Annotated[
        Count,
        "Tables opened by one player whose games are not over, without those by "
        "correspondence at which the player sits.",
    ] = 8
    correspondence_per_player: Annotated[
        Count, "Games by correspondence in which one player has a seat."
    ] = 20
    tables_per_address: Annotated[
        Count,
        "The same for one address. At most a quarter of the tables that are still free, "
        "but always a fifth of this number.",
    ] = 200
    games_per_player: Annotated[
        Count, "Games and tables that one player may start in a burst; then one every ten seconds."
    ] = 40
    games_per_address: Annotated[Count, "The same for one address; then one every two seconds."] = (
        240
    )
    rated_programs: Annotated[bool, "Let programs play in rated games."] = True
    spectators: Annotated[Count, "Spectators at one table."] = 500
    commands: Annotated[Count, "Unanswered commands of one player."] = 32
