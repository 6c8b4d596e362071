"""What happened, what was said and what the server says, as plain data, field by field."""

from typing import Any, Final

from server.coordinator import messages as m
from server.jsonapi.tables import closing_data, round_data

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
