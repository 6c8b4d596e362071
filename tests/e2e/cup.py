"""A tournament on a real server: people who play, drop out and come late, and a kill in the middle.

python -m tests.e2e.cup 40 [SEED]

Most play as programs; one watches the standings on a full screen, one follows them in line mode. In the end
the standings are worked out again from the records of the games, with other code than the server's.
"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import asyncssh

from tests.engine.oracle import play_round, points_of, sit_down
from tests.support.clients import Screen, connect
from tests.support.connections import until
from tests.support.servers import AT_ONCE, Server, tide

Data = dict[str, Any]

LONGEST: Final = 900.0
"""Seconds that a tournament may take."""
_GONE: Final = (OSError, asyncssh.Error)


@dataclass
class Cup:
    """One tournament and everybody in it."""

    server: Server
    chance: random.Random
    players: "list[Entrant]" = field(default_factory=list)
    code: str = ""
    phase: str = ""
    round: int = 0
    bids: int = 0
    over: asyncio.Event = field(default_factory=asyncio.Event)
    early: list[str] = field(default_factory=list)
    """What anybody was told of a round that was not over."""

    async def order(self, *words: str) -> str:
        """What ``tide tournament`` says."""
        state = str(self.server.place / "state")
        done: subprocess.CompletedProcess[str] = await asyncio.to_thread(
            tide, "tournament", *words, "--state", state
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def enlist(self, players: int) -> None:
        """So many are to play: a tenth drops out in each way, and the last one comes late."""
        for number in range(players):
            drops = {3: "line", 7: "leaves"}.get(number % 10, "")
            late = number == players - 1
            self.players.append(Entrant(self, f"p{number}", drops="" if late else drops, late=late))

    async def opened(self, rounds: int, stages: int) -> None:
        """By an operator."""
        told = await self.order(
            *("open", "Friday cup", "--rounds", str(rounds), "--stages", str(stages)),
            *("--seconds", "10", "--call", "5", "--pause", "1", "--bots", "cautious", "--json"),
        )
        self.code = json.loads(told)["facts"]["code"]

    def saw(self, told: Data) -> None:
        """What everybody is told of the tournament."""
        self.phase, self.round = told["phase"], told["round"]
        if self.phase == "over":
            self.over.set()


class Entrant:
    """Somebody who plays as a program, and comes back when the connection is lost."""

    def __init__(self, cup: Cup, name: str, *, drops: str = "", late: bool = False) -> None:
        self.cup: Final = cup
        self.name: Final = name
        self.drops: Final = drops
        """``line``: disappears in the first round; ``leaves``: withdraws and leaves the table then."""
        self.late: Final = late
        self.gone = False
        self.entered = False
        self._key: Final = asyncssh.generate_private_key("ssh-ed25519")
        self._from: Final = (
            f"127.0.{1 + len(cup.players)}.1" if sys.platform == "linux" else "127.0.0.1"
        )
        self._bid_for: tuple[Any, ...] = ()

    async def come(self) -> None:
        """Until the tournament is over, or this one drops out."""
        while not self.cup.over.is_set() and not self.gone:
            with suppress(*_GONE):
                # As if from many houses: so many new accounts are not given to one address.
                async with connect(
                    self.cup.server.ssh_port, self.name, [self._key], local_addr=(self._from, 0)
                ) as client:
                    process = await client.create_process("api", encoding="utf-8")
                    await self._play(process)
            await asyncio.sleep(0.2)

    async def _play(self, process: asyncssh.SSHClientProcess[str]) -> None:
        update: Data = {}
        async for line in process.stdout:
            if not line:
                return  # when the server has ended the session
            data = json.loads(line)
            if data.get("code") in ("storage", "moving") and update:
                # What was asked has not been done, perhaps.
                self._bid_for = ()
                asyncio.get_running_loop().call_later(0.3, self._take, process, update)
            if "update" not in data:
                continue
            update = data["update"]
            self._take(process, update)
            if self.cup.over.is_set() or self.gone:
                return

    def _take(self, process: asyncssh.SSHClientProcess[str], update: Data) -> None:
        cup, table = self.cup, update["table"]
        for told in update["tournaments"]:
            if told["tournament"] == cup.code:
                cup.saw(told)
                self.entered = told["entered"]
                # Whoever was played for, and not there when the next round began, registers again.
                wants = bool(told["round"]) if self.late else not (self.drops and told["round"])
                if not self.entered and wants:
                    _send(process, "enter", tournament=cup.code)
        if table is None or not table["event"]:
            return
        if cup.phase == "playing" and (table["seed"] or (update["game"] or {}).get("deal")):
            cup.early.append(f"{self.name} was told of {table['event']} in round {cup.round}")
        game, you = update["game"], update["you"]
        moment = (table["event"], game["stage"], game["round"]) if game else ()
        if you and you["to_bid"] and moment != self._bid_for:
            if self.drops and cup.bids > len(cup.players):
                self._drop_out(process)
                return
            self._bid_for = moment
            cup.bids += 1
            card = cup.chance.choice(you["legal"])
            _send(process, "bid", card=card, stage=game["stage"], round=game["round"])

    def _drop_out(self, process: asyncssh.SSHClientProcess[str]) -> None:
        if self.drops == "leaves":
            _send(process, "withdraw", tournament=self.cup.code)
            _send(process, "leave")
        self.gone = True


def _send(process: asyncssh.SSHClientProcess[str], do: str, **fields: Any) -> None:
    if not process.stdin.is_closing():
        process.stdin.write(json.dumps({"do": do, **fields}) + "\n")


@dataclass
class Outcome:
    """What is left of a tournament."""

    record: Data
    standings: list[Data]
    games: list[Data]
    """The records of its games."""
    screen: str
    """What the big screen showed in the end."""
    lines: str
    """What was said in line mode."""
    early: list[str]

    def wrong(self, players: int) -> list[str]:
        """What is not as it should be."""
        found = list(self.early)
        again = worked_out_again(self.games, self.record["id"])
        told = {row["name"]: Fraction(row["total"]) for row in self.standings}
        if len(told) != players:
            found.append(f"{len(told)} players instead of {players}")
        found += [
            f"{name} has {total}, but the records say {again.get(name, 0)}"
            for name, total in told.items()
            if total != again.get(name, 0)
        ]
        if not any(told.values()):
            found.append("all have the same")
        best = self.standings[0]["name"]
        if best not in self.screen:
            found.append(f"the screen lacks {best}")
        if best not in self.lines:
            found.append(f"the lines lack {best}")
        tables = [table for each in self.record["rounds"] for table in each["tables"]]
        if not self.record["over"] or any(table["points"] is None for table in tables):
            found.append("not all tables have a result")
        return found


def worked_out_again(games: list[Data], tournament: str) -> dict[str, Fraction]:
    """Everybody's total, by name, from the records of the games: points by the oracle's rules."""
    rounds: dict[str, list[Data]] = defaultdict(list)
    for game in games:
        if str(game.get("event", "")).startswith(f"tournament/{tournament}/"):
            rounds[game["event"]].append(game)
    totals: dict[str, Fraction] = defaultdict(Fraction)
    for tables in rounds.values():
        scores = [played_out(game) for game in tables]
        deals = {json.dumps([game["deal"], game["seed"]]) for game in tables}
        assert len(deals) == 1, "a round has one deal"
        for game, points in zip(tables, scores, strict=True):
            for seat, who in enumerate(game["seats"]):
                if who["kind"] == "bot":
                    continue
                mean = Fraction(sum(each[seat] for each in scores), len(scores))
                score = points[seat] - mean
                stayed = who["kind"] != "left"
                totals[game["players"][seat]] += score if stayed else min(score, Fraction(0))
    return totals


def played_out(record: Data) -> list[int]:
    """The points of each seat."""
    hands, totals = record["deal"], [0] * len(record["players"])
    for stage in record["stages"]:
        table = sit_down(hands)
        for pair, row in zip(stage["tides"], stage["bids"], strict=True):
            bids = {card: seat for seat, card in enumerate(row) if card is not None}
            play_round(table, pair, bids, passing_on=True)
        totals = [one + more for one, more in zip(totals, points_of(table), strict=True)]
        hands = [hands[-1], *hands[:-1]]
    return totals


async def hold(
    place: Path, players: int, seed: int, *, rounds: int = 3, stages: int = 2
) -> Outcome:
    """Play a tournament of so many; a tenth drops out, one comes late, and the server is killed."""
    settings = {
        **AT_ONCE,
        "TIDE_TIMING_RECOVERY": "2",
        "TIDE_TIMING_AWAY": "0",
        "TIDE_LIMITS_ATTEMPTS": "10000",
    }
    server = await Server(place, "--no-telnet", **settings).started()
    cup = Cup(server, random.Random(seed))
    cup.enlist(players)
    screen, said = Screen(100, 50), list[str]()
    try:
        async with asyncio.timeout(LONGEST):
            await cup.opened(rounds, stages)
            comers = [*(each.come() for each in cup.players), watch(cup, screen), listen(cup, said)]
            there = [asyncio.create_task(each) for each in comers]
            await until(lambda: sum(each.entered for each in cup.players) >= players - 1)
            await cup.order("start", cup.code)
            # The first round is well on its way.
            await until(lambda: cup.bids > 3 * players)
            server.kill()
            await asyncio.to_thread(server.wait)
            await server.started()
            await cup.over.wait()
            record = json.loads(await cup.order("export", cup.code))
            best = record["players"][record["standings"][0]["player"] - 1]["name"]
            await until(lambda: best in screen.text and best in "".join(said))
            for task in there:
                task.cancel()
            ended = await asyncio.gather(*there, return_exceptions=True)
            assert not [each for each in ended if isinstance(each, Exception)]
        standings = [
            {**row, "name": record["players"][row["player"] - 1]["name"]}
            for row in record["standings"]
        ]
        exported = await asyncio.to_thread(
            tide, "records", "export", "--state", str(place / "state")
        )
        games = [json.loads(line) for line in exported.stdout.splitlines()]
    finally:
        server.close()
    return Outcome(record, standings, games, screen.text, "".join(said), cup.early)


async def watch(cup: Cup, screen: Screen) -> None:
    """The big screen: whoever logs in with ``+watch`` sees the standings, once it has begun."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    while True:
        with suppress(*_GONE):
            while not cup.round:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            async with connect(cup.server.ssh_port, "screen+watch", [key]) as client:
                await client.create_session(
                    lambda: screen, term_type="xterm-256color", term_size=(100, 50), encoding=None
                )
                await client.wait_closed()
        await asyncio.sleep(0.2)


async def listen(cup: Cup, said: list[str]) -> None:
    """Somebody in line mode, who asks for the standings now and then."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    while True:
        with suppress(*_GONE):
            async with connect(cup.server.ssh_port, "reader+plain", [key]) as client:
                process = await client.create_process(encoding="utf-8", errors="replace")
                asking = asyncio.create_task(_ask(process, cup.code))
                try:
                    while line := await process.stdout.readline():
                        said.append(line)
                finally:
                    asking.cancel()
        await asyncio.sleep(0.2)


async def _ask(process: asyncssh.SSHClientProcess[str], code: str) -> None:
    while not process.stdin.is_closing():
        process.stdin.write(f"tournament {code}\n")
        await asyncio.sleep(0.7)


def main() -> None:
    players = int(sys.argv[1]) if sys.argv[1:] else 40
    seed = int(sys.argv[2]) if sys.argv[2:] else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(hold(Path(folder), players, seed, rounds=5, stages=4))
    for row in outcome.standings:
        print(f"{row['place']:>3}. {row['name']:<8} {float(Fraction(row['total'])):+.2f}")
    wrong = outcome.wrong(players)
    print(f"{len(outcome.games)} games;", *(wrong or ["all is well"]), sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
