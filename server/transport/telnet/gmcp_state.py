"""What a visitor may know, as data for a program: the GMCP message ``Tide.State`` (docs/telnet.md).

Built from the visitor's own snapshot, which holds nothing that this visitor may not know, field by
field. Seats are numbered from 0, as in records; stages and rounds from 1, as on the screen.
"""

from typing import Any, Final

from engine.results import RoundResult
from engine.views import SeatView, TableView
from server.coordinator.messages import LobbySnapshot, Occupant, TableInfo, TableSnapshot, Update

VERSION: Final = 1
MOST: Final = 30
"""Tables, and players, of the lobby that are told: MUD clients are cut off from lines that fill up."""


def tide_state(update: Update) -> dict[str, Any]:
    """The newest snapshot, ready for JSON."""
    if update.table is not None:
        return {"version": VERSION, "place": "table", **_table(update.table)}
    if update.lobby is not None:
        return {"version": VERSION, "place": "lobby", **_lobby(update.lobby)}
    return {"version": VERSION, "place": "nowhere"}


def _lobby(lobby: LobbySnapshot) -> dict[str, Any]:
    return {
        "players": list(lobby.players[:MOST]),
        "players_here": len(lobby.players),
        "tables": [
            {
                "table": row.id,
                "title": row.title,
                "status": row.status.value,
                "edition": row.options.rules.edition.value,
                "seats": [name or None for name in row.names],
                "bots": row.bots,
                "watching": row.spectators,
            }
            for row in lobby.tables[:MOST]
        ],
        "tables_here": len(lobby.tables),
    }


def _table(snapshot: TableSnapshot) -> dict[str, Any]:
    info, view = snapshot.info, snapshot.table
    rules = info.options.rules
    state: dict[str, Any] = {
        "table": info.id,
        "title": info.title,
        "status": info.status.value,
        "edition": rules.edition.value,
        "stages": rules.stages,
        "paused": info.pause.value or None,
        "due": round(info.deadline) or None,
        "watching": info.spectators,
        "seats": [_seat(info, view, number) for number in range(len(info.seats))],
        "you": None,
    }
    if view is not None:
        state |= {
            "stage": view.stage + 1,
            "round": view.round + 1,
            "rounds": rules.rounds,
            "phase": view.phase.value,
            "tides": list(view.offer) if view.offer else None,
            "last": _round(view.rounds[-1]) if view.rounds else None,
            "points": [list(points) for points in view.points],
            "winners": list(view.winners),
            "played_by": list(info.played_by) or None,
        }
    if snapshot.seat >= 0:
        state["you"] = {"seat": snapshot.seat, **_own(snapshot.own)}
    return state


def _seat(info: TableInfo, view: TableView | None, number: int) -> dict[str, Any]:
    who = info.seats[number]
    seat: dict[str, Any] = {
        "name": who.name or None,
        "kind": who.occupant.value,
        "here": who.connected and not who.away if who.occupant is Occupant.HUMAN else None,
    }
    if view is not None:
        public = view.seats[number]
        seat |= {
            "score": public.score,
            "level": None if public.eliminated else public.level,
            "life_preservers": public.life_preservers,
            "start": public.start,
            "eliminated": public.eliminated,
            "bid": public.has_bid,
            "played": list(public.played),
        }
        if public.earlier:
            seat["earlier"] = list(public.earlier)
    return seat


def _round(result: RoundResult) -> dict[str, Any]:
    return {
        "tides": list(result.offer),
        "bids": list(result.bids),
        "takers": list(result.takers),
        "lost": list(result.lost),
        "eliminated": list(result.eliminated),
    }


def _own(own: SeatView | None) -> dict[str, Any]:
    if own is None:
        return {}
    return {"hand": list(own.hand), "bid": own.bid or None, "dealt": list(own.dealt)}
