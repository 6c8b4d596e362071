"""A table as plain data for the store, and back: its row, and the actions of its game.

The row holds the seed and the entries hold sealed bids: both stay between the table and its store.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import fields, replace

from engine.deal import GameDeal, commitment, deal_game
from engine.editions import Rules
from engine.errors import EngineError
from engine.rules import new_game, turn_tides
from engine.state import GameState, Phase
from server.coordinator import messages as m
from server.coordinator.table.play import Action, Bids, Tides, last_cards, no_bids, seal
from server.coordinator.table.state import KEPT, Seat, SharedDeal, Table
from server.storage.store import Entry, Json, StoredTable

VERSION: Final = 1

_PLAIN: Final = sorted({*KEPT} - {"options", "seats", "seed", "bots_seed", "shared"})
"""What is kept as it is. Earlier releases did not keep all of that."""
_KINDS: Final = {each.name: each.type for each in fields(Table)}

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
        **to_builtins({name: getattr(state, name) for name in _PLAIN}),
        **state.options.to_plain(),
        "seats": [_seat_to_json(seat) for seat in state.seats],
        "seed": state.seed.hex(),
        "bots_seed": state.bots_seed.hex(),
        **_shared_to_json(state.shared),
        **_clock_to_json(state),
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
        state = replace(state, deal=deal, commitment=commitment(state.seed, rules))
        state = replace(state, game=game, bids=bids, opened=opened)
        return replace(state, deadline=_deadline(state, stored.row))
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


def _state(row: Json) -> Table:
    if row["version"] != VERSION:
        raise ValueError("version")
    return Table(
        options=m.TableOptions.from_plain(row),
        seats=tuple(_seat_from_json(seat) for seat in row["seats"]),
        seed=bytes.fromhex(row["seed"]),
        bots_seed=bytes.fromhex(row.get("bots_seed", "")),
        shared=_shared_from_json(row.get("shared")),
        **{name: convert(row[name], _KINDS[name]) for name in _PLAIN if name in row},
    )


def _seat_to_json(seat: Seat) -> dict[str, Any]:
    player = seat.player
    plain = [player.id, player.name, player.guest, *[True] * player.program] if player else None
    return {**to_builtins(seat), "player": plain}


def _seat_from_json(json: Json) -> Seat:
    seat = convert({**json, "player": None}, Seat)
    return replace(seat, player=m.Player(*json["player"])) if json["player"] else seat


def _clock_to_json(state: Table) -> Json:
    """Until when the bids of which round are due. In later rounds that follows from when they began."""
    return {"deadline": [*state.epoch[1:3], state.deadline]} if state.deadline else {}


def _deadline(state: Table, row: Json) -> float:
    *round_, deadline = row.get("deadline") or (0.0,)
    return float(deadline) if tuple(round_) == state.epoch[1:3] else 0.0


def _shared_to_json(shared: SharedDeal | None) -> Json:
    return {"shared": {**to_builtins(shared), "seed": shared.seed.hex()}} if shared else {}


def _shared_from_json(json: Json | None) -> SharedDeal | None:
    return convert({**json, "seed": bytes.fromhex(json["seed"])}, SharedDeal) if json else None
