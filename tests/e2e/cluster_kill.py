"""Kill, pause and cut off nodes and their services while programs play, and look at what is left.

python -m tests.e2e.cluster_kill 200 [SEED]
"""

import asyncio
import json
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.records.record_format import Record, parse
from engine.records.replay import check_seed, fold
from tests.e2e.card_programs import CardProgram, Party
from tests.e2e.cluster import Cluster
from tests.e2e.cluster_faults import ALL_KILLED, break_things
from tests.e2e.killing import entries_of, played_again
from tests.e2e.service import Times, quantile, told_of, without_service
from tests.support.patience import PATIENCE
from tests.support.servers import tide

TABLES = 12
"""Of three, four and five people, with rounds of 10, 20 and 30 seconds."""
SETTLED_SECONDS = 6.0
"""Who is in the lobby when everything is mended may have a seat at a table that is about to be taken over."""
_EXPECTED = frozenset(
    {
        "bus_lost",
        "cannot_come_in",
        "lease_lost",
        "lease_not_renewed",
        "season_not_closed",
        "storage_checkpoint_failed",
        "storage_failed",
        "storage_job_failed",
        "storage_stuck",
        "storage_trouble",
        "table_lost",
        "tables_given_up",
        "today_not_refreshed",
    }
)
"""Errors that are logged while something is broken."""


@dataclass
class ClusterOutcome:
    """What a run has come to."""

    faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    visits: int = 0
    games: int = 0
    acknowledged: int = 0
    replaced: int = 0
    """How many of these bids took the place of another one."""
    moved: int = 0
    """How often a table got another owner."""
    refusals: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    """What the nodes have logged."""
    ownerless: list[float] = field(default_factory=list)
    """Seconds for which a killed node's tables had no owner, where nothing else happened meanwhile ..."""
    ownerless_else: list[float] = field(default_factory=list)
    """... and where more than that was broken."""
    times: Times = field(default_factory=Times)
    wrong: list[str] = field(default_factory=list)
    """Everything that was lost, or is not as it should be."""


async def run(
    place: Path,
    faults: int,
    seed: int,
    tables: int = TABLES,
    breaking: Callable[[Cluster, int], Awaitable[None]] = break_things,
    cluster: Cluster | None = None,
) -> ClusterOutcome:
    """Play, break things, mend them, let everybody finish, and compare."""
    cluster, outcome = cluster or Cluster(place, random.Random(seed)), ClusterOutcome()
    began = time.monotonic()
    try:
        await cluster.start()
        parties = [
            Party(number, 3 + number % 3, 10 + 10 * (number % 3), random.Random(seed + number))
            for number in range(tables)
        ]
        cluster.parties = parties
        programs = [it for party in parties for it in party.programs]
        cluster.heard_since = lambda since: all(it.heard > since for it in programs)
        cluster.served_since = lambda since: all(
            party.served[-1] > since for party in parties if party.served
        )
        playing = [asyncio.create_task(it.play(cluster.port)) for it in programs]
        try:
            await until(lambda: all(party.begun for party in parties), outcome, parties)
            await breaking(cluster, faults)
            for party in parties:
                party.ending = True
            await until(
                lambda: all(party.at_rest for party in parties), outcome, parties, SETTLED_SECONDS
            )
        finally:
            for party in parties:
                party.over = True
            done, late = await asyncio.wait(playing, timeout=30)
            for task in late:
                task.cancel()
            for task in done:
                if error := task.exception():
                    outcome.wrong.append(f"a program broke down: {error!r}")
        outcome.seconds = time.monotonic() - began
        await judge(cluster, parties, outcome)
    finally:
        cluster.end_all()
    return outcome


async def judge(cluster: Cluster, parties: list[Party], outcome: ClusterOutcome) -> None:
    """Stop the nodes, and look at what is left."""
    await cluster.close()
    kept = cluster.place / "tide.db"
    copied = await asyncio.to_thread(tide, "database", "copy", cluster.url, str(kept))
    assert not copied.returncode, copied.stderr
    _judge(cluster, kept, parties, outcome)


async def until(
    happened: Callable[[], bool],
    outcome: ClusterOutcome,
    parties: list[Party],
    lasting: float = 0.0,
) -> None:
    limit, since = time.monotonic() + PATIENCE, time.monotonic()
    while not happened() or time.monotonic() < since + lasting:
        if not happened():
            since = time.monotonic()
        if time.monotonic() > limit:
            outcome.wrong += ["stuck:", *(it.seen for party in parties for it in party.programs)]
            return
        await asyncio.sleep(0.1)


# ---------------------------------------------------------------- what is left


def _judge(cluster: Cluster, kept: Path, parties: list[Party], outcome: ClusterOutcome) -> None:
    outcome.faults = Counter(it.kind for it in cluster.faults)
    outcome.wrong += cluster.wrong
    for one in cluster.ownerless:
        alone = cluster.alone(one.killed, one.killed + one.seconds)
        (outcome.ownerless if alone else outcome.ownerless_else).append(one.seconds)
    outcome.times = without_service(cluster, [party.served for party in parties])
    outcome.times.returns = [
        it for party in parties for one in party.programs for it in one.returns
    ]
    outcome.moved = sum(epoch - 1 for epoch in cluster.epochs.values())
    database = sqlite3.connect(kept)
    records: dict[tuple[str, int], Record] = {}
    for origin, content in database.execute("SELECT origin, content FROM records"):
        key, _, game = origin.rpartition("-")
        records[cluster.codes.get(key, key), int(game)] = parse(content)
    outcome.games = len(records)
    _judge_tables(database, outcome)
    for party in parties:
        outcome.wrong += [f"{game} has no record" for game in party.begun - records.keys()]
        for program in party.programs:
            outcome.visits += program.visits
            outcome.acknowledged += program.bids
            outcome.replaced += program.replaced
            outcome.refusals.update(program.refusals)
            outcome.wrong += program.wrong
            outcome.wrong += _missing(program, records)
            outcome.wrong += _let_in_too_early(program, party, cluster)
    database.close()
    ended: Counter[str] = Counter()
    for node in cluster.nodes.values():
        for line in node.server.log.read_text().splitlines():
            if not line.startswith("{"):
                # It says why it does not start while a service is not there.
                if not line.startswith("tide: "):
                    outcome.wrong.append(f"{node.name}: {line[:500]}")
                continue
            logged = json.loads(line)
            if logged["event"] == "game_over":
                ended[f"{logged['table']} {logged['game']}"] += 1
            if logged["level"] in ("error", "critical"):
                outcome.errors[logged["event"]] += 1
                if logged["event"] not in _EXPECTED or "Traceback" in line:
                    outcome.wrong.append(f"{node.name}: {line[:2000]}")
    outcome.wrong += [f"{game} ended {times} times" for game, times in ended.items() if times > 1]


def _judge_tables(database: sqlite3.Connection, outcome: ClusterOutcome) -> None:
    for origin, content in database.execute("SELECT origin, content FROM records").fetchall():
        record = parse(content)
        outcome.wrong += [f"{origin}: {doubt}" for doubt in check_seed(record)]
        fold(record)
        if entries := entries_of(database, origin):  # those of a table's newest game are there
            outcome.wrong += played_again(record, entries, origin)[1]
    query = """
        SELECT table_key, position, (SELECT MAX(number) + 1 FROM entries AS e WHERE e.table_key = o.table_key)
        FROM owners AS o
    """
    for key, position, following in database.execute(query):
        if following is not None and following > position:
            outcome.wrong.append(f"{key}: entries to {following}, but position {position}")
    query = """
        SELECT person, games, (SELECT COUNT(*) FROM record_seats JOIN records ON id = record_id
            WHERE player = person AND rated = 1) FROM ratings
    """
    for person, games, played in database.execute(query):
        if games != played:
            outcome.wrong.append(
                f"{person}: the rating counts {games} games, and there are {played}"
            )
    if not database.execute("SELECT COUNT(*) FROM ratings").fetchone()[0]:
        outcome.wrong.append("nobody has a rating")
    seated: Counter[str] = Counter()
    for (content,) in database.execute("SELECT content FROM tables"):
        people = [it["player"] for it in json.loads(content)["seats"] if it["player"]]
        if len(people) > 1:  # who plays alone meanwhile leaves that to bots
            seated.update(person[0] for person in people)
    outcome.wrong += [
        f"{person} is on {seats} seats" for person, seats in seated.items() if seats > 1
    ]


def _missing(program: CardProgram, records: Mapping[tuple[str, int], Record]) -> list[str]:
    """Where another bid is in the record than the last one that was acknowledged, or that was asked for
    since and may have been accepted.
    """
    wrong = []
    for moment, card in program.acknowledged.items():
        record = records.get(moment[:2])
        if record is None:
            continue  # told elsewhere
        seat = record.players.index(program.name)
        kept = record.stages[moment.stage].bids[moment.round][seat]
        if kept not in (card, *program.asked[moment]):
            wrong.append(f"{program.name}: {card} was acknowledged in {moment}, {kept} is kept")
    return wrong


def _let_in_too_early(program: CardProgram, party: Party, cluster: Cluster) -> list[str]:
    """Where somebody was shown the lobby after all nodes had been killed, in place of the own table."""
    trouble = [it for it in cluster.faults if it.kind.startswith("PostgreSQL")]
    return [
        f"{program.name}: in the lobby, while {game} went on after all nodes had been killed"
        for at, game in program.in_lobby
        for fault in cluster.faults
        if fault.kind == ALL_KILLED.name and fault.began < at < fault.ended
        # Doors do not stay closed for ever where the database cannot be used.
        if not any(it.began < at and it.ended > fault.began for it in trouble)
        if party.goes_on(game, at)
    ]


def told(outcome: ClusterOutcome) -> list[str]:
    """A run in some lines."""
    lines = [
        f"{sum(outcome.faults.values())} faults in {outcome.seconds:.0f} s",
        f"{outcome.visits} visits, {outcome.games} games, {outcome.acknowledged} acknowledged bids "
        f"({outcome.replaced} in place of others), tables moved {outcome.moved} times",
        *told_of(outcome.times),
        f"refused: {dict(outcome.refusals.most_common())}",
        f"logged: {dict(outcome.errors.most_common())}",
    ]
    for what, times in (
        ("after a kill alone", outcome.ownerless),
        ("after a kill while more was broken", outcome.ownerless_else),
    ):
        if times:
            lines.append(
                f"without an owner {what}: p50 {quantile(times, 0.5):.2f} s, p99 "
                f"{quantile(times, 0.99):.2f} s ({len(times)} kills)"
            )
    return lines


def main() -> None:
    faults = int(sys.argv[1]) if sys.argv[1:] else 10
    seed = int(sys.argv[2]) if sys.argv[2:] else random.SystemRandom().randrange(1 << 32)
    print(f"{faults} faults, seed {seed}", flush=True)
    place = Path(tempfile.mkdtemp(prefix="tide-cluster-"))
    outcome = asyncio.run(run(place, faults, seed))
    print("\n".join(told(outcome)))
    if outcome.wrong:
        print("\n".join(outcome.wrong))
        print(f"logs are in {place}; again: make cluster-kill FAULTS={faults} SEED={seed}")
    else:
        shutil.rmtree(place)
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
