"""The versioned game record: one JSON object, read strictly, written as it was read (docs/records.md).

``parse`` checks the form; whether the play is legal is for ``replay`` to say, which asks the rules. Codes of
``RecordError`` raised here: those of ``strict_json``, those of ``BadRules``, and ``format``, ``version``,
``edition``, ``tide_pair`` (not two cards), ``bids_of_round`` (not one a seat), ``text`` (half a surrogate
pair).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.deal import ALGORITHM, commitment
from engine.editions import Edition, Rules
from engine.errors import BadRules
from engine.records.json_text import JsonObject, JsonPath, decode
from engine.state import Cards, GameState, Phase, RoundResult

FORMAT: Final = "turn-the-tide"
VERSION: Final = 1


class StageRecord(NamedTuple):
    """What happened in one stage, as it was written down."""

    tides: tuple[tuple[int, int], ...]
    """The pair on offer a round, in any order; may hold one more than ``bids``."""
    bids: tuple[tuple[int | None, ...], ...]
    """A round each: a seat's weather card, ``None`` for who was eliminated before."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record whose form is sound. Made by ``parse`` and ``record_of`` only."""

    rules: Rules
    players: tuple[str, ...]
    """Names in seat order, exactly as written: clean them before a terminal sees them."""
    deal: tuple[Cards, ...]
    stages: tuple[StageRecord, ...]
    text: str
    """The whole record as one line of JSON in ASCII: all of the above and every other field."""

    def fields(self) -> dict[str, Any]:
        """Return the whole JSON object, fields that this version does not know included."""
        found: dict[str, Any] = json.loads(self.text)
        return found


def parse(data: bytes | str) -> Record:
    """Read one record. Raises ``RecordError``, and nothing else, whatever ``data`` is."""
    return _record(decode(data))


def write(record: Record) -> str:
    """Return one line of JSON in ASCII, without the newline; ``parse`` gives the same record back."""
    return record.text


def record_of(
    state: GameState,
    names: tuple[str, ...],
    *,
    seed: bytes | None = None,
    more: Mapping[str, Any] | None = None,
    ended_early: bool = False,
) -> Record:
    """Return the record of a finished game.

    ``seed`` adds ``seed``, ``commitment`` and ``algorithm``; ``more`` adds further fields as they are
    (docs/records.md has those that are in use). A game that still goes on has no record: ``ValueError``,
    unless it has ``ended_early`` and will never go on. Bids still sealed are not in it.
    """
    if state.phase is not Phase.OVER and not ended_early:
        raise ValueError("a running game has no record")
    rules = state.rules
    fields: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "rules": {"edition": rules.edition.value},
        "players": list(names),
        "deal": [list(hand) for hand in state.deal],
        "stages": [_stage_of(result.rounds) for result in state.finished],
    }
    if rules.modified_drowning:
        fields["rules"]["modified_drowning"] = True
    if rules.stages != rules.players:
        fields["rules"]["stages"] = rules.stages
    if rules.assistance:
        fields["assistance"] = True
    if state.phase is not Phase.OVER:
        stage = _stage_of(state.stage.rounds)
        if state.offer:
            stage["tides"].append(list(state.offer))
        fields["stages"].append(stage)
    if seed is not None:
        fields |= {
            "seed": seed.hex(),
            "commitment": commitment(seed, rules),
            "algorithm": ALGORITHM,
        }
    clash = fields.keys() & (more or {}).keys()
    if clash:
        raise ValueError(f"fields of the record's own: {sorted(clash)}")
    return parse(json.dumps(fields | dict(more or {})))


def _stage_of(rounds: tuple[RoundResult, ...]) -> dict[str, list[Any]]:
    return {
        "tides": [list(result.offer) for result in rounds],
        "bids": [list(result.bids) for result in rounds],
    }


# ------------------------------------------------------------------- from JSON to what it means

_RECORD: Final = JsonPath()


def _record(value: object) -> Record:
    fields = _RECORD.fields_of(value, "record")
    # Before anything else: a record of another version may look different everywhere.
    if fields.get("format") != FORMAT:
        raise _RECORD.error("format", wanted=FORMAT)
    if "version" not in fields:
        raise _RECORD.error("missing_field", field="version")
    version = _RECORD.integer(fields["version"], "version")
    if version != VERSION:
        raise _RECORD.error("version", found=version, wanted=VERSION)
    _, _, rules, names, hands, stages = _RECORD.needed(
        fields, "format", "version", "rules", "players", "deal", "stages"
    )
    players = tuple(
        JsonPath(seat=seat).string(name, "players")
        for seat, name in enumerate(_RECORD.items_of(names, "players"))
    )
    return Record(
        _rules(rules, len(players), fields.get("assistance") is True),
        players,
        tuple(_hand(hand, seat) for seat, hand in enumerate(_RECORD.items_of(hands, "deal"))),
        tuple(
            _stage(stage, number, len(players))
            for number, stage in enumerate(_RECORD.items_of(stages, "stages"))
        ),
        _text(fields),
    )


def _text(fields: JsonObject) -> str:
    text = json.dumps(fields, separators=(",", ":"))
    if "\\ud" in text:
        try:
            json.dumps(fields, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise _RECORD.error("text") from None
    return text


def _rules(value: object, players: int, assistance: bool) -> Rules:
    fields = _RECORD.fields_of(value, "rules")
    (name,) = _RECORD.needed(fields, "edition")
    try:
        edition = Edition(_RECORD.string(name, "edition"))
    except ValueError:
        raise _RECORD.error("edition") from None
    modified = _RECORD.boolean(fields.get("modified_drowning", False), "modified_drowning")
    stages = _RECORD.integer(fields.get("stages", players), "stages")
    if "stages" in fields and stages == 0:  # which has a meaning of its own to ``Rules``
        raise _RECORD.error("stages", stages=stages, players=players)
    try:
        return Rules(edition, players, stages, modified, assistance)
    except BadRules as error:
        raise _RECORD.error(error.code, **error.details) from None


def _hand(value: object, seat: int) -> Cards:
    place = JsonPath(seat=seat)
    return tuple(place.integer(card, "deal") for card in place.items_of(value, "deal"))


def _stage(value: object, number: int, players: int) -> StageRecord:
    place = JsonPath(number)
    tides, bids = place.needed(place.fields_of(value, "stages"), "tides", "bids")
    return StageRecord(
        tuple(
            _pair(pair, JsonPath(number, round_))
            for round_, pair in enumerate(place.items_of(tides, "tides"))
        ),
        tuple(
            _bids(row, number, round_, players)
            for round_, row in enumerate(place.items_of(bids, "bids"))
        ),
    )


def _pair(value: object, place: JsonPath) -> tuple[int, int]:
    pair = place.items_of(value, "tides")
    if len(pair) != 2:
        raise place.error("tide_pair", cards=len(pair))
    return place.integer(pair[0], "tides"), place.integer(pair[1], "tides")


def _bids(value: object, stage: int, round_: int, players: int) -> tuple[int | None, ...]:
    place = JsonPath(stage, round_)
    row = place.items_of(value, "bids")
    if len(row) != players:
        raise place.error("bids_of_round", bids=len(row), players=players)
    return tuple(
        None if card is None else JsonPath(stage, round_, seat).integer(card, "bids")
        for seat, card in enumerate(row)
    )
