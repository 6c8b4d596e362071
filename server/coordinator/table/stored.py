"""A table as plain data for the store, and back: its row, the actions of its game, the record of it.

The row holds the seed and the entries hold sealed bids: both stay between the table and its store.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

from engine.deal import GameDeal, commitment, deal_game
from engine.editions import Rules
from engine.errors import EngineError
from engine.records.record_format import record_of
from engine.rules import new_game, turn_tides
from engine.state import GameState, Phase
from server.coordinator import messages as m
from server.coordinator.table.play import Action, Bids, Tides, last_cards, no_bids, seal
from server.coordinator.table.state import KEPT, Seat, Table, what_is_kept
from server.coordinator.table.steps import Step
from server.storage.table_store import (
    Entered,
    Entry,
    FinishedGame,
    Json,
    StoredChange,
    StoredTable,
    TableLog,
)

VERSION: Final = 1

_TIDES: Final = "tides"
_BID: Final = "bid"
_SUBSTITUTE: Final = "substitute"


class Unreadable(Exception):
    """What the store holds of a table is not what a server of this version writes."""


def to_entries(actions: Iterable[Action], now: float) -> list[Entry]:
    """Each action as a list: its kind, its two numbers, and when it was accepted."""
    entries: list[Entry] = []
    for action in actions:
        kind = _TIDES
        if not isinstance(action, Tides):
            kind = _SUBSTITUTE if action.substitute else _BID
        entries.append([kind, *action[:2], round(now, 3)])
    return entries


def to_row(state: Table) -> Json:
    """All of ``state`` that has to outlive the process, but for the actions."""
    return {"version": VERSION, **to_builtins({name: getattr(state, name) for name in KEPT})}


def from_stored(stored: StoredTable) -> Table:
    """The table again, its game folded from the actions. Raises ``Unreadable``."""
    try:
        if stored.row["version"] != VERSION:
            raise ValueError("version")
        state = convert(stored.row, Table)
        if not state.seed:
            return state
        if stored.game != state.number:
            raise ValueError("entries of another game")
        rules = state.options.rules
        deal = deal_game(state.seed, rules)
        opened = next((entry[3] for entry in reversed(stored.entries) if entry[0] == _TIDES), 0.0)
        game, bids = _fold(rules, deal, stored.entries)
        state = replace(state, deal=deal, commitment=commitment(state.seed, rules))
        return replace(state, game=game, bids=bids, opened=opened)
    except (LookupError, TypeError, ValueError, EngineError, ValidationError) as error:
        # The error may name cards: only its kind is told.
        raise Unreadable(type(error).__name__) from None


def _fold(rules: Rules, deal: GameDeal, entries: Sequence[Entry]) -> tuple[GameState, Bids]:
    """The game and the bids that are sealed in it."""
    game = new_game(rules, deal.hands)
    bids = no_bids(game)
    for kind, first, second, _ in entries:
        if kind == _TIDES:
            game = turn_tides(game, (first, second))
        elif kind in (_BID, _SUBSTITUTE):
            game, bids = seal(game, bids, first, second)
        else:
            raise ValueError("kind")
    # A step is written as a whole, so a game is never kept between two that follow each other.
    if game.phase is Phase.TIDES or last_cards(game):
        raise ValueError("half a step")
    return game, bids


async def write(log: TableLog, before: Table, step: Step, now: float) -> bool:
    """Write what is to be kept of a step; whether there was anything.

    Raises ``StoreError`` and ``Conflict``; then nothing has been written.
    """
    after = step.table
    changed = what_is_kept(after) != what_is_kept(before)
    if not changed and not step.actions:
        return False
    over = after.status is m.Status.OVER and before.status is m.Status.PLAYING
    # Of a game that was broken off before its first stage was over, nothing is kept; nor of those that
    # programs without an account play by the thousand.
    counts = after.options.pace is not m.Pace.FAST or after.has_account
    has_result = over and counts and after.game is not None and after.game.finished
    change = StoredChange(
        log.key,
        to_row(after) if changed or log.unsure else None,
        after.number,
        entries=to_entries(step.actions, now),
        finished=finished_game(log.key, after, now) if has_result else None,
        code=after.id if log.unsure else "",
        entered=entered_by(after, now) if after.number != before.number else (),
    )
    await log.append(change)
    return True


def entered_by(table: Table, now: float) -> list[Entered]:
    """Return the players of the game that begins at this table, if it is for an event."""
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
    """Return a seat as the record has it.

    ``left``: a bot played on for a player; ``joined``: for a bot, from stage ``since``. In an event, where
    a game ``counts`` for more, whoever is away in the end has left as well.
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
