"""The JSON Schema of all lines, made from what they are made from; ``ssh HOST api schema`` shows it."""

from functools import lru_cache, reduce
from operator import or_
from typing import Any, Final, Literal, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType, defstruct, structs

from engine.bots.estimates import Analysis, CardEstimate, CardReason, Judge
from engine.bots.review import Grade, ReviewedBid
from server.coordinator.messages import HAPPENING_NAMES
from server.jsonapi import fields, queries
from server.jsonapi.fields import TOURNAMENT_INFO, TOURNAMENT_VIEW, SettingsRequest, list_of
from server.jsonapi.requests import REQUESTS, Id
from server.jsonapi.session import EndLine, HelloLine


def _struct(name: str, kind: type, **more: Any) -> Any:
    """What programs get of ``kind``, and ``more`` besides or instead."""
    return defstruct(name, list((get_type_hints(kind) | more).items()))


_KINDS: Final[Any] = reduce(
    or_,
    [
        defstruct(
            f"{kind.__name__}Happening",
            [],
            bases=(fields.HAPPENING[kind].type,),
            tag_field="kind",
            tag=name,
        )
        for kind, name in HAPPENING_NAMES.items()
    ],
)
_GAME: Final[Any] = defstruct("Game", [("id_", str)], bases=(fields.game_data.type,), kw_only=True)
_STATE: Final[dict[str, Any]] = {
    "lobby": fields.lobby_data.type | None,
    "table": fields.table_data.type | None,
    "game": _GAME | None,
    "history": list_of(fields.PAST.type) | None,
    "you": fields.You | None,
    "correspondence": list_of(fields.CORRESPONDENCE.type),
    "tournaments": list_of(TOURNAMENT_INFO.type),
    "happenings": list_of(_KINDS),
    "chat": list_of(fields.chat_data.type),
    "house": list_of(fields.word_data.type),
    "resynced": bool,
}
"""All of an update that may be left out."""
_SEEN: Final[Any] = defstruct(
    "Seen", [(part, _STATE[part]) for part in ("table", "game", "history", "you")]
)
_UPDATE: Final[Any] = defstruct(
    "Update",
    [
        ("number", int),
        ("time", float),
        ("place", Literal["lobby", "table", "nowhere"]),
        *((name, kind | UnsetType, UNSET) for name, kind in _STATE.items()),
    ],
)
_ESTIMATE: Final = _struct("CardEstimate", CardEstimate)
_REASON: Final = _struct("Reason", CardReason)
_HINT: Final = _struct("Hint", Analysis, cards=list_of(_ESTIMATE), reason=_REASON, sure=bool)
_BID: Final = _struct("Bid", ReviewedBid, reason=_REASON, sure=bool, cost=float, grade=Grade)
_JUDGE: Final = _struct("Judge", Judge)
_REVIEW: Final[Any] = defstruct(
    "Review",
    [
        ("seat", int),
        ("judge", _JUDGE),
        ("accuracy", float | None),
        ("bids", list_of(_BID)),
        ("costliest", list[int]),
    ],
)
_ANSWERS: Final[dict[str, Any]] = {
    "code": str,
    "details": dict[str, int | str],
    "text": str,
    "time": float,
    "table": str,
    "seen": _SEEN,
    "games": list_of(queries.GAME.type),
    "today": queries.DAY.type | None,
    "share": list[str],
    "record": dict[str, Any],
    "tournament": TOURNAMENT_VIEW.type,
    "opened": str,
    "cut": int,
    "hint": _HINT,
    "own_game": queries.OwnGameData,
    "review": _REVIEW,
    "summary": queries.SummaryData,
    "results": queries.PAGE.type | None,
    "statistics": queries.STATISTICS.type,
    "days_in_a_row": queries.STREAK.type,
    "best": list_of(queries.BEST.type),
    "season": queries.SEASON.type | None,
    "profile": queries.PROFILE.type,
    "followed": list_of(queries.FOLLOWED.type),
    "settings": SettingsRequest,
}
"""What answers have, each one some of it."""
_ANSWER: Final[Any] = defstruct(
    "Answer",
    [
        ("id", Id),
        ("ok", bool),
        *((name, kind | UnsetType, UNSET) for name, kind in _ANSWERS.items()),
    ],
)


def _command(do: str, kind: type[Struct]) -> Any:
    fields: list[Any] = [(each.name, each.type) for each in structs.fields(kind) if each.required]
    fields.append(("id", Id, None))
    fields += [
        (each.name, each.type, each.default) for each in structs.fields(kind) if not each.required
    ]
    return defstruct(f"do {do}", fields, tag_field="do", tag=do, forbid_unknown_fields=True)


@lru_cache
def schema() -> str:
    """One document in JSON.

    It describes the lines that a program gets, and ``$defs/command`` those that it sends.
    """
    lines = [HelloLine, defstruct("UpdateLine", [("update", _UPDATE)]), _ANSWER, EndLine]
    commands = [_command(do, kind) for do, kind in REQUESTS.items()]
    found, parts = msgspec.json.schema_components(
        [*lines, *commands], ref_template="#/$defs/{name}"
    )
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Turn the Tide, what programs get; $defs/command is what they send",
        "anyOf": found[: len(lines)],
        "$defs": {**parts, "command": {"anyOf": found[len(lines) :]}},
    }
    return msgspec.json.encode(document).decode() + "\n"
