"""What is left of games in a database, compared with what a server has acknowledged."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engine.deal import deal_game
from engine.errors import IllegalAction
from engine.records.record_format import Record, parse
from engine.records.replay import check_seed, fold
from engine.rules import new_game, turn_tides
from server.coordinator.table.play import no_bids, seal
from tests.support.card_programs import CardProgram, Game, Party

Bids = dict[tuple[int, int, int], list[int]]
"""By stage, round and seat: every card bid there, in order."""
Entry = tuple[str, int, int]
"""What the store has of a game: a bid (kind, seat, card), or tides (kind and both)."""

_RATED = """
    SELECT person, games, (SELECT COUNT(*) FROM record_seats JOIN records ON id = record_id
        WHERE player = person AND rated = 1) FROM ratings
"""


def entries_of(database: sqlite3.Connection, origin: str) -> list[Entry]:
    """Everything that was accepted in a game, replaced bids too."""
    key, game = origin.rsplit("-", 1)
    found = database.execute(
        "SELECT content FROM entries WHERE table_key = ? AND game = ? ORDER BY number", (key, game)
    )
    return [tuple(json.loads(content)[:3]) for (content,) in found]


def played_again(record: Record, entries: list[Entry], origin: str) -> tuple[Bids, list[str]]:
    """Every bid of the game, and how its record differs from the same entries without interruption."""
    wrong = [f"{origin}: {doubt}" for doubt in check_seed(record)]
    fold(record)
    deal = deal_game(bytes.fromhex(record.fields()["seed"]), record.rules)
    state = new_game(record.rules, deal.hands)
    sealed = no_bids(state)
    bids: Bids = {}
    for kind, first, second in entries:
        try:
            if kind == "tides":
                state = turn_tides(state, (first, second))
                continue
            when = state.stage.number, len(state.stage.rounds)
            bids.setdefault((*when, first), []).append(second)
            state, sealed = seal(state, sealed, first, second)
        except IllegalAction as error:
            return bids, [*wrong, f"{origin}: what is kept of it cannot have been played: {error}"]
    played = tuple(tuple(result.bids for result in stage.rounds) for stage in state.finished)
    if played != tuple(stage.bids for stage in record.stages):
        wrong.append(f"{origin}: the record is not what its entries come to")
    return bids, wrong


def compared(database: sqlite3.Connection, parties: Sequence[Party]) -> Iterator[str]:
    """What is not as these programs were told. Their tables are still there."""
    codes, seated = dict[str, str](), Counter[str]()
    for key, content in database.execute("SELECT key, content FROM tables"):
        table = json.loads(content)
        codes[key] = table["id"]
        people = [it["player"]["id"] for it in table["seats"] if it.get("player")]
        if len(people) > 1:  # who plays alone meanwhile leaves that to bots
            seated.update(people)
    yield from (f"{person} is on {many} seats" for person, many in seated.items() if many > 1)
    records: dict[Game, Record] = {}
    for origin, content in database.execute("SELECT origin, content FROM records").fetchall():
        key, _, game = origin.rpartition("-")
        record = records[Game(codes.get(key, key), int(game))] = parse(content)
        yield from (f"{origin}: {doubt}" for doubt in check_seed(record))
        fold(record)
        if entries := entries_of(database, origin):  # those of a table's newest game are there
            yield from played_again(record, entries, origin)[1]
    for person, games, played in database.execute(_RATED):
        if games != played:
            yield f"{person}: the rating counts {games} games, and there are {played}"
    for party in parties:
        yield from (f"{game} has no record" for game in party.begun - records.keys())
        for program in party.programs:
            yield from program.wrong
            for at, game in program.in_lobby:
                if party.goes_on(game, at):
                    yield f"{program.name}: in the lobby, while {game} went on"
            yield from _missing(program, records)


def _missing(program: CardProgram, records: Mapping[Game, Record]) -> Iterator[str]:
    """Where another bid is in the record than the last one that was acknowledged, or that was asked for
    since and may have been accepted.
    """
    for moment, card in program.acknowledged.items():
        if (record := records.get(Game(*moment[:2]))) is None:
            continue  # told elsewhere
        seat = record.players.index(program.name)
        kept = record.stages[moment.stage].bids[moment.round][seat]
        if kept not in (card, *program.asked[moment]):
            yield f"{program.name}: {card} was acknowledged in {moment}, {kept} is kept"
