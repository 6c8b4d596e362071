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
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from engine.record import Record, parse
from engine.replay import check_seed, fold
from tests.e2e.card_programs import Moment, Party
from tests.e2e.cluster import Cluster
from tests.e2e.killing import entries_of, played_again
from tests.support.patience import PATIENCE
from tests.support.servers import tide

GAP_SECONDS = (0.5, 4.0)
"""Between two faults."""
SETTLED_SECONDS = 6.0
"""Who is in the lobby when everything is mended may have a seat at a table that is about to be taken over."""
_EXPECTED = frozenset(
    {
        "bus_lost",
        "cannot come in",
        "lease_lost",
        "lease_not_renewed",
        "storage_checkpoint_failed",
        "storage_failed",
        "storage_job_failed",
        "storage_stuck",
        "storage_trouble",
        "table_lost",
        "tables_given_up",
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
    moved: int = 0
    """How often a table got another owner."""
    refusals: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    """What the nodes have logged."""
    ownerless: list[float] = field(default_factory=list)
    """Seconds for which a killed node's tables had no owner, where nothing else happened meanwhile ..."""
    ownerless_else: list[float] = field(default_factory=list)
    """... and where more than that was broken."""
    wrong: list[str] = field(default_factory=list)
    """Everything that was lost, or is not as it should be."""


async def run(
    place: Path,
    faults: int,
    seed: int,
    seconds: int = 10,
    break_things: Callable[[Cluster, int], Awaitable[None]] | None = None,
) -> ClusterOutcome:
    """Play, break things, mend them, let everybody finish, and compare."""
    cluster, outcome = Cluster(place, random.Random(seed)), ClusterOutcome()
    began = time.monotonic()
    await cluster.start()
    try:
        parties = [
            Party(number, players, max(10, seconds + 10 * number), random.Random(seed + number))
            for number, players in enumerate((3, 4, 5))
        ]
        programs = [it for party in parties for it in party.programs]
        playing = [asyncio.create_task(it.play(cluster.balancer.port)) for it in programs]
        try:
            await _until(lambda: all(party.begun for party in parties), outcome, parties)
            await (break_things or _break)(cluster, faults)
            for party in parties:
                party.ending = True
            await _until(
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
        await cluster.close()
        kept = place / "tide.db"
        copied = await asyncio.to_thread(tide, "database", "copy", cluster.url, str(kept))
        assert not copied.returncode, copied.stderr
    finally:
        for node in cluster.nodes.values():
            node.server.kill()
        cluster.nats.kill()
        cluster.postgres.stop_for_good()
    outcome.seconds = time.monotonic() - began
    _judge(cluster, kept, parties, outcome)
    return outcome


async def _until(
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


async def _break(cluster: Cluster, faults: int) -> None:
    """Return when everything is in order again."""
    happening: list[asyncio.Future[None]] = []
    while len(happening) < faults:
        await asyncio.sleep(cluster.chance.uniform(*GAP_SECONDS))
        if fault := cluster.next_fault():
            happening.append(asyncio.ensure_future(fault))
        for each in happening:
            if each.done():
                each.result()
        if len(happening) % 20 == 0 and faults > 20:
            print(f"{len(happening)} faults", flush=True)
    await asyncio.gather(*happening)


# ---------------------------------------------------------------- what is left


def _judge(cluster: Cluster, kept: Path, parties: list[Party], outcome: ClusterOutcome) -> None:
    outcome.faults = Counter(it.kind for it in cluster.faults)
    outcome.wrong += cluster.wrong
    for one in cluster.ownerless:
        alone = cluster.alone(one.killed, one.killed + one.seconds)
        (outcome.ownerless if alone else outcome.ownerless_else).append(one.seconds)
    outcome.moved = sum(epoch - 1 for epoch in cluster.epochs.values())
    database = sqlite3.connect(kept)
    codes = {
        key: json.loads(content)["id"]
        for key, content in database.execute("SELECT key, content FROM tables")
    }
    records: dict[tuple[str, int], Record] = {}
    for origin, content in database.execute("SELECT origin, content FROM records"):
        key, _, game = origin.rpartition("-")
        records[codes.get(key, key), int(game)] = parse(content)
    outcome.games = len(records)
    _judge_tables(database, outcome)
    for party in parties:
        outcome.wrong += [f"{game} has no record" for game in party.begun - records.keys()]
        for program in party.programs:
            outcome.visits += program.visits
            outcome.acknowledged += len(program.acknowledged)
            outcome.refusals.update(program.refusals)
            outcome.wrong += program.wrong
            outcome.wrong += _missing(program.name, program.acknowledged, records)
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
        seated.update(person[0] for person in people)
    outcome.wrong += [
        f"{person} is on {seats} seats" for person, seats in seated.items() if seats > 1
    ]


def _missing(
    name: str, acknowledged: dict[Moment, int], records: dict[tuple[str, int], Record]
) -> list[str]:
    """Acknowledged bids that are not in the records as they were made: nobody replaces one."""
    wrong = []
    for moment, card in acknowledged.items():
        record = records.get(moment[:2])
        if record is None:
            continue  # told elsewhere
        seat = record.players.index(name)
        bids = record.stages[moment.stage].bids[moment.round]
        if bids[seat] != card:
            wrong.append(f"{name}: {card} was acknowledged in {moment}, {bids[seat]} is kept")
    return wrong


def quantile(values: list[float], part: float) -> float:
    """The smallest value that so large a part does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def told(outcome: ClusterOutcome) -> list[str]:
    """A run in some lines."""
    lines = [
        f"{sum(outcome.faults.values())} faults in {outcome.seconds:.0f} s: "
        + ", ".join(f"{number} {kind}" for kind, number in outcome.faults.most_common()),
        f"{outcome.visits} visits, {outcome.games} games, {outcome.acknowledged} acknowledged bids, "
        f"tables moved {outcome.moved} times",
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
