"""What is kept of a game besides its table: who has entered an event with it, and its record in the end."""

from datetime import UTC, datetime
from typing import Any

from engine.records.record_format import record_of
from server.coordinator import messages as m
from server.coordinator.table.state import Seat, Table
from server.storage.store import Entered, FinishedGame


def entered_by(table: Table, now: float) -> list[Entered]:
    """Who plays the game that begins at this table, if it is for an event."""
    people = {seat.player.id for seat in table.seats if seat.player} if table.event else ()
    return [Entered(table.event, it, now, table.sources.get(it, "")) for it in sorted(people)]


def finished_game(key: str, table: Table, now: float) -> FinishedGame:
    """The record of the game that has just ended at a table, and whose results they are."""
    assert table.game is not None
    more: dict[str, Any] = {
        "id": f"{key}-{table.number}",
        "table": table.title,
        "pace": table.options.pace.value,
        "times": {"ended": datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")},
        "seats": [_seat(seat, counts=bool(table.event)) for seat in table.seats],
    }
    if table.options.rated:
        more["rated"] = True
    if table.word:
        more["private"] = True
    if table.event:
        more["event"] = table.event
    elif table.shared:
        more["again"] = True
        if table.bots_seed:
            more["bots_seed"] = table.bots_seed.hex()
    if table.ended:
        more["ended"] = table.ended.value
    early = table.ended is not m.Ended.NO
    record = record_of(table.game, table.names, seed=table.seed, more=more, ended_early=early)
    people = tuple(seat.player.id if seat.player else "" for seat in table.seats)
    sources = tuple(table.sources.get(player, "") for player in people)
    return FinishedGame(record.fields(), people, now, sources, table.event)


def _seat(seat: Seat, *, counts: bool) -> dict[str, Any]:
    """Who sat there. ``left``: a bot played on for a player; ``joined``: for a bot, from stage ``since``. In
    an event, where a game ``counts`` for more, whoever is away in the end has left as well.
    """
    noted = {"hints": seat.hints, "bot_bids": seat.bot_bids}
    asked = {
        name: [[stage + 1, round_ + 1] for stage, round_ in rounds]
        for name, rounds in noted.items()
        if rounds
    }
    if seat.since:
        return {"kind": "joined", "since": seat.since + 1, **asked}
    if seat.left or (counts and seat.human and seat.away):
        return {"kind": "left", **asked}
    if seat.occupant is m.Occupant.BOT:
        return {"kind": "bot", "strategy": seat.strategy}
    kind = "program" if seat.player and seat.player.program else "human"
    return {"kind": kind, **asked}
