"""A table as plain data for the store, and back: its row, and the actions of its game.

The row holds the seed and the entries hold sealed bids: both stay between the table and its store. The
form has a version, so that a later server can read what an earlier one left.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.deal import GameDeal, commitment, deal_game
from engine.editions import Rules
from engine.errors import EngineError
from engine.rules import check_bid, new_game, reveal, turn_tides
from engine.state import GameState, Phase
from server.coordinator import messages as m
from server.coordinator.table.model import Seat, Table
from server.coordinator.table.play import Action, Bids, Tides, last_cards
from server.storage.store import Entry, Json, StoredTable

VERSION: Final = 1

_TIDES: Final = "tides"
_BID: Final = "bid"
_SUBSTITUTE: Final = "substitute"


class Unreadable(Exception):
    """What the store holds of a table is not what a server of this version writes."""


def to_entries(actions: Iterable[Action], now: float) -> list[Entry]:
    """Each action as a list: its kind, its two numbers, and when it was accepted."""
    return [[_kind(action), *action[:2], round(now, 3)] for action in actions]


def _kind(action: Action) -> str:
    if isinstance(action, Tides):
        return _TIDES
    return _SUBSTITUTE if action.substitute else _BID


def to_row(state: Table) -> Json:
    """All of ``state`` that has to outlive the process, but for the actions."""
    return {
        "version": VERSION,
        "id": state.id,
        "title": state.title,
        "created": state.created,
        **state.options.to_plain(),
        "word": state.word,
        "seats": [_seat_to_json(seat) for seat in state.seats],
        "owner": state.owner,
        "status": state.status.value,
        "number": state.number,
        "seed": state.seed.hex(),
        "pause": state.pause.value,
        "ended": state.ended.value,
        "played_by": list(state.played_by),
        "deserted": state.deserted,
        "opened_by": state.opened_by,
        "opened_from": state.opened_from,
    }


def from_stored(stored: StoredTable) -> Table:
    """The table again, its game folded from the actions. Raises ``Unreadable``."""
    try:
        state = _state(stored.row)
        if not state.seed:
            return state
        if stored.game != state.number:
            raise ValueError("entries of another game")
        rules = state.options.rules
        deal = deal_game(state.seed, rules)
        opened = next((entry[3] for entry in reversed(stored.entries) if entry[0] == _TIDES), 0.0)
        game, bids = _fold(rules, deal, stored.entries)
        return replace(
            state,
            deal=deal,
            commitment=commitment(state.seed, rules),
            game=game,
            bids=bids,
            opened=opened,
        )
    except (KeyError, TypeError, ValueError, IndexError, EngineError) as error:
        # The error may name cards: only its kind is told.
        raise Unreadable(type(error).__name__) from None


def _fold(rules: Rules, deal: GameDeal, entries: Sequence[Entry]) -> tuple[GameState, Bids]:
    """The game and the bids that are sealed in it. Quick: most of a start after a crash is spent here."""
    game, _ = new_game(rules, deal.hands)
    bids: dict[int, int] = {}
    for kind, first, second, _ in entries:
        if kind == _TIDES:
            game, _ = turn_tides(game, (first, second))
            continue
        if kind not in (_BID, _SUBSTITUTE):
            raise ValueError("kind")
        if first in bids:  # and replaced; the others are checked when they are revealed
            check_bid(game, first, bids[first])
        bids[first] = second
        if len(bids) == game.stage.inside:
            game, _ = reveal(game, [bids.get(seat) for seat in range(rules.players)])
            bids.clear()
    for seat, card in bids.items():
        check_bid(game, seat, card)
    # A step is written as a whole, so a game is never kept between two that follow each other.
    if game.phase is Phase.TIDES or last_cards(game):
        raise ValueError("half a step")
    return game, tuple([bids.get(seat) for seat in range(rules.players)])


def _state(row: Json) -> Table:
    if row["version"] != VERSION:
        raise ValueError("version")
    return Table(
        id=row["id"],
        title=row["title"],
        created=row["created"],
        options=m.TableOptions.from_plain(row),
        seats=tuple(_seat_from_json(seat) for seat in row["seats"]),
        owner=row["owner"],
        status=m.Status(row["status"]),
        number=row["number"],
        seed=bytes.fromhex(row["seed"]),
        pause=m.Pause(row["pause"]),
        ended=m.Ended(row["ended"]),
        played_by=tuple(row.get("played_by", ())),
        deserted=row["deserted"],
        word=row.get("word", ""),
        opened_by=row.get("opened_by", ""),
        opened_from=row.get("opened_from", ""),
    )


def _seat_to_json(seat: Seat) -> dict[str, Any]:
    player = seat.player
    return {
        "occupant": seat.occupant.value,
        "name": seat.name,
        "player": [player.id, player.name, player.guest] if player else None,
        "strategy": seat.strategy,
        "away": seat.away,
        "missed": seat.missed,
        "rematch": seat.rematch,
        "left": seat.left,
        "kept": seat.kept,
        "since": seat.since,
    }


def _seat_from_json(json: dict[str, Any]) -> Seat:
    player = json["player"]
    fields = {key: value for key, value in json.items() if key not in {"player", "occupant"}}
    return Seat(
        occupant=m.Occupant(json["occupant"]),
        player=m.Player(*player) if player else None,
        **fields,
    )
