"""What must hold some seconds after everything is mended, and in the end. Each yields what does not."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from msgspec import structs

from engine.records.record_format import parse
from engine.records.replay import check_seed, fold
from server.coordinator import messages as m
from server.coordinator.lobby.lobby_feed import correspondence_game
from server.coordinator.table.actor import TableActor
from server.coordinator.table.publisher import all_but_bids
from server.storage.databases.connection import to_json
from server.storage.history_store import keep
from tests.support.cups import totals
from tests.support.faults.world import NAMES, Person, World
from tests.support.memory_stores import MemoryStore

_FAILURES = {
    "listener_failed",
    "message_failed",
    "table_failed",
    "table_unreadable",
    "telling_failed",
    "tournament_failed",
}
"""What is only logged."""

Tables = dict[str, TableActor]


def logged(world: World) -> Iterator[str]:
    """Mistakes of ours."""
    yield from (str(it) for it in world.logged if it["event"] in _FAILURES)


# ---------------------------------------------------------------- tables and people


def places(world: World) -> Iterator[str]:
    """The store has the tables there are, the lobby shows them, and everybody sees the own place as it is."""
    tables = world.actors
    stored = {row["id"] for row in world.store.rows.values()}
    if stored != tables.keys():
        yield f"stored {sorted(stored)}, open {sorted(tables)}"
    live = [it.table.seated for it in tables.values() if not it.table.daily]
    seats = Counter(player.id for seated in live for _, player in seated)
    yield from (f"{player} has {times} live seats" for player, times in seats.items() if times > 1)
    listed = {code: all_but_bids(it) for code, it in world.lobby.known.items()}
    if listed != {code: all_but_bids(it.table) for code, it in tables.items()}:
        yield f"the lobby lists {sorted(world.lobby.known)}, there are {sorted(tables)}"
    here = sorted(it.player.name for it in world.lobby.people.values() if it.connected)
    if here != sorted(NAMES):
        yield f"the lobby believes that {here} are here"
    for person in world.people:
        yield from _person(person, tables)


def _person(person: Person, tables: Tables) -> Iterator[str]:
    guest, where = person.here, person.name
    live = [each.number for each in person.visits if not each.visit.feed.closed]
    if guest is None or live != [guest.number]:
        yield f"{where} has the visits {live}"
        return
    shown = guest.last.table
    sees = [] if shown is None else [(shown.info.id, shown.seat)]
    seats = [(code, it.table.seat_of(person.id)) for code, it in tables.items()]
    letters = [it for it in seats if it[1] >= 0 and tables[it[0]].table.daily]
    kept = [it for it in seats if it[1] >= 0 and it not in letters]
    watched = [(code, -1) for code, it in tables.items() if person.id in it.table.spectators]
    yield from _letters(person, tables, letters)
    if sees != [*kept, *watched] and (kept or watched or sees[0] not in letters):
        yield f"{where} sees {sees}, has the seats {seats} and watches {watched}"
    elif shown is not None:
        actor = tables[shown.info.id]
        told = actor.publisher._snapshot(shown.seat)
        if not told.behind and shown != told:
            old, now = structs.asdict(shown), structs.asdict(told)
            differs = {it: (old[it], now[it]) for it in old if old[it] != now[it]}
            yield f"{where} sees something old: {differs}"
        if shown.seat >= 0 and actor.table.absent_since(shown.seat):
            yield f"{where} is absent at {shown.info.id}"


def _letters(person: Person, tables: Tables, seats: list[tuple[str, int]]) -> Iterator[str]:
    """Who plays by correspondence is at the table that is looked at, and has a list of all of them."""
    guest = person.here
    assert guest is not None
    shown = guest.last.table
    for code, seat in seats:
        away = bool(tables[code].table.absent_since(seat))
        if away is (shown is not None and shown.info.id == code):
            yield f"{person.name} is {'not ' * away}at {code}"
    games = {correspondence_game(tables[code].table, person.id) for code, _ in seats}
    if games != {*guest.last.correspondence}:
        yield f"{person.name} is told of {guest.last.correspondence}, there are {games}"


# ---------------------------------------------------------------- what is kept


def records(world: World) -> Iterator[str]:
    """Each is proved by its seed, has what was acknowledged, and nobody left who has not said so."""
    found, leaves = {}, {person.id: person.leaves for person in world.people}
    for origin, kept in world.store.finished.items():
        record = found[origin] = parse(to_json(kept.record))
        yield from (f"{origin}: {doubt}" for doubt in check_seed(record))
        fold(record)
        for seat, player in zip(kept.record["seats"], kept.players, strict=True):
            left = kept.record.get("rated") and seat["kind"] == "left"
            if left and origin[0] not in leaves[player]:
                yield f"{origin}: the seat of {player} in a rated game was given away"
    world.done["records"] += len(found)
    for person in world.people:
        world.done["acknowledged"] += sum(bool(it.card) for it in person.bids.values())
        for place, sealed in person.bids.items():
            stages = found[place[:2]].stages if place[:2] in found else ()
            rounds = stages[place.stage].bids if place.stage < len(stages) else ()
            card = rounds[place.round][place.seat] if place.round < len(rounds) else None
            if card and sealed.possible and card not in sealed.possible:
                yield f"{person.name} has bid {sealed} for {place}, the record has {card}"


def ratings(world: World) -> Iterator[str]:
    """Worked out again from the records."""
    store, again = world.store, MemoryStore()
    register(again)
    kept = store.sql("SELECT id, origin, kept, content, event FROM records ORDER BY id")
    with again.backend.readers.transaction() as connection:
        for row in kept:
            query = "SELECT player FROM record_seats WHERE record_id = :id ORDER BY seat"
            players = [it.player for it in store.sql(query, id=row.id)]
            keep(connection, row.origin, row.kept, row.content, players, event=row.event)
    query = "SELECT person, mu, sigma, games FROM ratings ORDER BY person"
    if store.sql(query) != again.sql(query):
        yield f"ratings: {store.sql(query)}, again {again.sql(query)}"


def register(store: MemoryStore) -> None:
    """Everybody has an account."""
    for name in NAMES:
        store.sql(
            "INSERT INTO people (id, name, guest, created, seen, settings)"
            " VALUES (:id, :name, 0, 0, 0, '{}')",
            id=f"account:{name}",
            name=name,
        )


def today(world: World) -> Iterator[str]:
    """Everybody has tried each day once, and whose try was counted has it, or its result."""
    tries = Counter(
        (row.event, row.player)
        for row in world.store.sql(
            "SELECT event, player FROM records JOIN record_seats ON record_id = id"
            " WHERE event LIKE 'day-%' AND player <> ''"
        )
    )
    for actor in world.actors.values():
        table = actor.table
        if table.event.startswith("day-") and table.status is not m.Status.OVER:
            tries.update((table.event, seat.player.id) for seat in table.seats if seat.player)
    yield from (f"{who} has tried {times} times" for who, times in tries.items() if times > 1)
    query = "SELECT event, player FROM event_players WHERE event LIKE 'day-%'"
    for row in world.store.sql(query):
        world.done["tries of today"] += 1
        if not tries[row.event, row.player]:
            yield f"{row.player} has lost the try of {row.event}"


async def standings(world: World) -> list[str]:
    """They follow from the record; and no game was played twice."""
    if not world.cup:
        return []
    wrong = []
    record = await world.let(world.cups.record(world.cup))
    world.done["rounds of tournaments"] += len(record["rounds"])
    rows = {row["player"]: Fraction(row["total"]) for row in record["standings"]}
    if totals(record) != rows:
        wrong.append(f"{world.cup}: {record['standings']}, again {totals(record)}")
    for number, each in enumerate(record["rounds"], 1):
        query = "SELECT id FROM records WHERE event = :event"
        games = world.store.sql(query, event=f"tournament/{world.cup}/{number}")
        points = [table["points"] for table in each["tables"]]
        if len(games) > len(points):
            wrong.append(f"round {number} of {world.cup}: {len(games)} games, {points}")
    return wrong


# ---------------------------------------------------------------- chat


def chat(world: World) -> Iterator[str]:
    """Each line has one number, by which it is known when it is told again; none is heard by others."""
    world.done["lines"] = len(world.said)
    numbers: dict[str, int] = {}
    for person in world.people:
        updates = [update for visit in person.visits for update in visit.read().updates]
        for line in (line for update in updates for line in update.chat):
            if numbers.setdefault(line.text, line.number) != line.number:
                yield f"{person.name} hears {line} twice"
            if line.room is m.Room.DIRECT and person.name not in (line.sender, line.to):
                yield f"{person.name} hears {line}"


def eavesdropped(world: World) -> Iterator[str]:
    """What spectators of delayed tables have heard by now of the round that goes on."""
    for person in world.people:
        guest = person.here
        if guest is None:
            continue
        new, last = guest.updates[guest.checked :], guest.updates[max(guest.checked - 1, 0)]
        guest.checked = len(guest.updates)
        # Who has left the seat since has heard it there.
        for before, update in pairwise([last, *new]):
            seats = {it.table.info.id for it in (before, update) if it.table and it.table.seat >= 0}
            for line in update.chat:
                said, actor = world.said.get(line.text), world.actors.get(line.place)
                if said is None or actor is None or line.place in seats:
                    continue
                now = actor.table.epoch[:3] if actor.table.status is m.Status.PLAYING else None
                if now and said.unseen and said.unseen >= now and person.name != said.sender:
                    yield f"{person.name} hears {line} of {said.unseen}"
