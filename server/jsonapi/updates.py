"""What a visitor may know, as plain data: built field by field from the visitor's own update.

Seats, stages and rounds count from 0, as in records. Nothing is copied whole: a field that a message gets
one day is told to nobody before it has its place here, and in docs/api.md.
"""

import math
from functools import lru_cache
from typing import Any, Final

import msgspec

from engine.history import PastStage
from engine.results import RoundResult
from engine.state import Phase
from engine.views import TableView
from server.coordinator import messages as m
from server.jsonapi.choices import options_data

MOST_TABLES: Final = 30
MOST_PLAYERS: Final = 100
"""Of the lobby that are told."""


_ID: Final = 16
"""Digits of a commitment that tell one game from all others."""
_PARTS: Final = ("lobby", "table", "game", "history", "you")
"""How things stand; everything else in an update is news."""


def changed(data: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """The update without parts that are as ``told`` last, and without news where there is none. ``told`` is
    brought up to date.
    """
    same = [part for part in _PARTS if part in told and told[part] == data[part]]
    told.update((part, data[part]) for part in _PARTS)
    return {
        name: value
        for name, value in data.items()
        if name not in same and (name in _PARTS or value not in ([], False))
    }


def update_data(update: m.Update, now: float, number: int = 1) -> dict[str, Any]:
    """Everything that has changed, and how things stand now; it is the ``number``-th update."""
    table = update.table
    return {
        "number": number,
        "time": now,
        "place": "table" if table else "lobby" if update.lobby else "nowhere",
        "lobby": None if update.lobby is None else lobby_data(update.lobby),
        "table": None if table is None else table_data(table),
        "game": None
        if table is None or table.table is None
        else {"id": table.info.commitment[:_ID], **game_data(table.table)},
        "history": None
        if table is None or table.table is None
        else [past_stage_data(stage) for stage in table.history.stages],
        "you": None if table is None else own_data(table),
        "happenings": [happening_data(each) for each in update.happenings],
        "chat": [chat_data(line) for line in update.chat],
        "house": [word_data(word) for word in update.said],
        "resynced": update.resynced,
    }


# ------------------------------------------------------------------- where one is


def lobby_data(lobby: m.LobbySnapshot) -> dict[str, Any]:
    """Who is here, and what tables there are."""
    return {
        "players": list(lobby.players[:MOST_PLAYERS]),
        "players_here": len(lobby.players),
        "tables": [
            {
                "table": row.id,
                "title": row.title,
                "status": row.status,
                "options": options_data(row.options),
                "seats": [name or None for name in row.names],
                "bots": row.bots,
                "kept": row.kept,
                "stage": row.stage,
                "watching": row.spectators,
                "ratings": None if row.ratings is None else list(row.ratings),
            }
            for row in lobby.tables[:MOST_TABLES]
        ],
        "tables_here": len(lobby.tables),
        "closing": closing_data(lobby.closing),
    }


def closing_data(when: float) -> dict[str, Any] | None:
    """When the server goes down; ``None`` when it stays. Without a time it only lets no game begin."""
    if not when:
        return None
    return {"when": None if math.isinf(when) else when}


def table_data(snapshot: m.TableSnapshot) -> dict[str, Any]:
    """The table, apart from the game on it."""
    info = snapshot.info
    return {
        "table": info.id,
        "title": info.title,
        "status": info.status,
        "options": options_data(info.options),
        "owner": None if info.owner < 0 else info.owner,
        "private": info.private,
        "word": snapshot.word or None,
        "seats": [
            {
                "kind": seat.occupant,
                "name": seat.name or None,
                "strategy": seat.strategy or None,
                "connected": seat.connected,
                "away": seat.away,
                "left": seat.left,
                "absent_since": seat.absent_since or None,
                "replaceable": seat.replaceable,
                "rematch": seat.rematch,
                "kept": seat.kept or None,
                "claimed": seat.claimed or None,
            }
            for seat in info.seats
        ],
        "games": info.game,
        "commitment": info.commitment or None,
        "seed": info.seed or None,
        "due": info.deadline or None,
        "paused": info.pause or None,
        "ended": info.ended or None,
        "played_by": list(info.played_by) or None,
        "votes": [
            {
                "motion": vote.motion,
                "seat": None if vote.seat < 0 else vote.seat,
                "agreed": list(vote.agreed),
                "needed": vote.needed,
            }
            for vote in info.votes
        ],
        "watching": info.spectators,
        "behind": snapshot.behind,
        "kept_for": info.kept_for or None,
        "closing": closing_data(info.closing),
    }


def game_data(view: TableView) -> dict[str, Any]:
    """The game as everybody sees it."""
    return {
        "phase": view.phase,
        "stage": view.stage,
        "round": view.round,
        "rounds": view.rules.rounds,
        "highest_tide": view.rules.highest_tide,
        "tides": None if view.offer is None else list(view.offer),
        "seats": [
            {
                "score": seat.score,
                "start": seat.start,
                "life_preservers": seat.life_preservers,
                "level": None if seat.eliminated else seat.level,
                "eliminated": seat.eliminated,
                "bid": seat.has_bid,
                "cards_left": seat.cards_left,
                "played": list(seat.played),
                "earlier": list(seat.earlier),
            }
            for seat in view.seats
        ],
        "log": [round_data(result) for result in view.rounds],
        "points": [list(points) for points in view.points],
        "bonuses": [list(seats) for seats in view.bonuses],
        "winners": list(view.winners),
        "deal": [list(hand) for hand in view.deal] or None,
    }


def round_data(result: RoundResult) -> dict[str, Any]:
    """A round that is over."""
    return {
        "tides": list(result.offer),
        "bids": list(result.bids),
        "takers": list(result.takers),
        "levels": list(result.levels),
        "life_preservers": list(result.life_preservers),
        "losses": [
            {"level": loss.level, "lost": list(loss.lost), "eliminated": list(loss.eliminated)}
            for loss in result.losses
        ],
        "loss_end": result.loss_end,
    }


@lru_cache(maxsize=512)
def past_stage_data(stage: PastStage) -> msgspec.Raw:
    """A stage before the one on the table: told in every update, so it is written only once."""
    rounds = [round_data(result) for result in stage.rounds]
    data = {"start": list(stage.start), "rounds": rounds, "points": list(stage.points)}
    return msgspec.Raw(msgspec.json.encode(data))


def own_data(snapshot: m.TableSnapshot) -> dict[str, Any] | None:
    """What only this visitor knows; ``None`` for who has no seat."""
    if snapshot.seat < 0:
        return None
    info, own = snapshot.info, snapshot.own
    bidding = own is not None and own.table.phase is Phase.BIDDING
    playing = info.status is m.Status.PLAYING and not info.pause
    hand, bid = ([], 0) if own is None else (list(own.hand), own.bid)
    earlier = () if own is None else own.own_earlier
    # A bid that lies there can be replaced by each card.
    legal = hand if bidding and playing else []
    return {
        "seat": snapshot.seat,
        "legal": legal,
        "to_bid": bool(legal) and not bid,
        "hand": hand,
        "bid": bid or None,
        "dealt": [] if own is None else list(own.dealt),
        "hands": [list(hand) for hand in snapshot.history.hands],
        "earlier": [{"holder": each.holder, "cards": list(each.cards)} for each in earlier],
    }


# ------------------------------------------------------------------- what happened, and what was said

KINDS: Final[dict[type[m.Happening], tuple[str, tuple[str, ...]]]] = {
    m.Sat: ("sat", ("seat", "name")),
    m.Stood: ("stood", ("seat", "name")),
    m.Moved: ("moved", ("seat", "name", "other")),
    m.SeatKept: ("seat_kept", ("seat", "name")),
    m.Privacy: ("privacy", ("private",)),
    m.OpenedInstead: ("opened_instead", ()),
    m.SentBack: ("sent_back", ("code", "title")),
    m.Claimed: ("claimed", ("seat", "name")),
    m.TookOver: ("took_over", ("seat", "name", "bot")),
    m.OptionsChanged: ("options_changed", ()),
    m.NewOwner: ("new_owner", ("seat", "name")),
    m.GameStarted: ("game_started", ("game", "commitment")),
    m.StageStarted: ("stage_started", ("stage", "life_preservers")),
    m.TidesTurned: ("tides_turned", ("stage", "round", "tides")),
    m.BidSealed: ("bid_sealed", ("seat",)),
    m.SubstituteBidFor: ("substitute_bid", ("seat", "name")),
    m.RoundResolved: ("round_resolved", ("stage", "round", "result")),
    m.StageScored: ("stage_scored", ("stage", "points", "bonus", "eliminated", "scores")),
    m.GameOver: ("game_over", ("scores", "winners")),
    m.GameEnded: ("game_ended", ("ended",)),
    m.WentAway: ("went_away", ("seat", "name")),
    m.CameBack: ("came_back", ("seat", "name")),
    m.Disconnected: ("disconnected", ("seat", "name")),
    m.Reconnected: ("reconnected", ("seat", "name")),
    m.LeftForGood: ("left_for_good", ("seat", "name")),
    m.Voted: ("voted", ("seat", "name", "motion", "target", "agree")),
    m.Paused: ("paused", ("pause",)),
    m.Resumed: ("resumed", ("seat",)),
    m.Trouble: ("trouble", ("code",)),
    m.TroubleOver: ("trouble_over", ()),
    m.Closing: ("closing", ("closing",)),
}
"""The word for each kind, and the fields that are told."""


def happening_data(happening: m.Happening) -> dict[str, Any]:
    """One happening, with its kind."""
    kind, fields = KINDS[type(happening)]
    return {"kind": kind} | {field: _value(happening, field) for field in fields}


def _value(happening: m.Happening, field: str) -> object:
    match happening, field:
        case m.TidesTurned(offer=offer), "tides":
            return list(offer)
        case m.RoundResolved(result=result), "result":
            return round_data(result)
        case m.StageScored(result=scored), "points" | "bonus" | "eliminated" | "scores":
            return list(getattr(scored, field))
        case m.Closing(when), _:
            return closing_data(when)
        case m.Voted(target=-1), "target":
            return None
        case m.Resumed(seat=-1), "seat":
            return None
    return getattr(happening, field)


def chat_data(line: m.ChatLine) -> dict[str, Any]:
    """Something that somebody said."""
    return {
        "number": line.number,
        "room": line.room,
        "from": line.sender,
        "to": line.to or None,
        "text": line.text or None,
        "phrase": line.phrase or None,
        "table": line.place or None,
        "watching": line.watching,
        "old": line.old,
        "time": line.time,
    }


def word_data(word: m.ServerMessage) -> dict[str, Any]:
    """Something that the server says."""
    return {
        "kind": word.kind,
        "text": word.text or None,
        "until": word.until or None,
        "about": word.about or None,
    }
