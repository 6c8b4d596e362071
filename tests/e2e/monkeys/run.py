"""A run of twelve monkeys, in memory or at a real server, and what it comes to."""

import asyncio
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.e2e.monkeys.company import Company, Finding
from tests.e2e.monkeys.goals import MOODS, goal_of
from tests.e2e.monkeys.lines import Who
from tests.e2e.monkeys.memory import hurried, open_house
from tests.e2e.monkeys.monkey import Gone, Monkey, Seat
from tests.e2e.monkeys.programs import open_server

MOOD_TURNS: Final = 300
"""For so many turns of all of them they are in one mood."""
TURNS: Final = 1500
"""Of a short run."""


def seats(chance: random.Random) -> list[Seat]:
    """Who comes, from where, to what."""

    def who(name: str, language: str, *, keyed: bool = True) -> Who:
        return Who(name, language, chance.randbytes(32), keyed)

    return [
        Seat(who("anke", "de")),
        Seat(who("bert", "en"), "ssh", (120, 40)),
        Seat(who("caio", "pt"), "ssh", (40, 15)),
        Seat(who("doro", "en"), "ssh", (300, 80)),
        Seat(who("enzo", "pt"), "ssh", (100, 30)),
        Seat(who("fritz", "de", keyed=False), "telnet", (80, 24)),
        Seat(who("gwen", "en", keyed=False), "telnet", (60, 20)),
        Seat(who("hugo", "en"), "ssh", (132, 43)),
        Seat(who("inga", "de"), "ssh", (80, 24), "+watch"),
        Seat(who("joana", "pt", keyed=False), "telnet", (80, 24), "+plain"),
        Seat(who("karl", "de"), "ssh", (80, 24), "+plain"),
        Seat(who("lucy", "en"), "ssh", (80, 24), "+plain"),
    ]


def _future() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


@dataclass
class Turn(AbstractAsyncContextManager[object]):
    """A monkey waits in it until the turn is given, and has it until it leaves."""

    _given: asyncio.Future[None] = field(default_factory=_future)
    _over: asyncio.Future[None] = field(default_factory=_future)

    async def __aenter__(self) -> None:
        await self._given
        self._given = _future()

    async def __aexit__(self, *_error: object) -> None:
        self._over.set_result(None)

    async def give(self, monkey: asyncio.Task[None]) -> None:
        """Have it do one thing. Raises what is wrong with the monkey itself."""
        self._over = _future()
        self._given.set_result(None)
        await asyncio.wait({monkey, self._over}, return_when=asyncio.FIRST_COMPLETED)
        if monkey.done():
            monkey.result()


async def live(monkey: Monkey) -> None:
    """One goal after another, for ever."""
    while True:
        try:
            if monkey.line is None:
                await monkey.come()
            mood = monkey.company.turns // MOOD_TURNS % len(MOODS)
            await goal_of(monkey, mood)(monkey)
        except Gone:
            pass


def in_memory(seed: int, turns: int, told: Callable[[Finding], object] = print) -> Company:
    """So many turns, given out by lot; the same again with the same seed."""
    chance = random.Random(seed)
    began = time.monotonic()
    company = Company(chance, lambda: time.monotonic() - began, told=told)

    async def main() -> None:
        company.now = asyncio.get_running_loop().time
        with tempfile.TemporaryDirectory() as place:
            operators = Path(place) / "operators"
            async with open_house(company, operators) as house:
                taken = seats(chance)
                _appoint(taken[1].who, operators)
                given = [(Turn(), seat) for seat in taken]
                monkeys = [
                    (turn, Monkey(seat, company, house, turn, random.Random(chance.random())))
                    for turn, seat in given
                ]
                tasks = [(turn, asyncio.create_task(live(monkey))) for turn, monkey in monkeys]
                await asyncio.sleep(0)
                while company.turns < turns:
                    turn, task = chance.choice(tasks)
                    await turn.give(task)
                    house.look_for_rests()
                for _, task in tasks:
                    task.cancel()
                await asyncio.wait([task for _, task in tasks])
                for _, monkey in monkeys:
                    monkey.hang_up()

    hurried(main, company, seed)
    return company


def _appoint(who: Who, operators: Path) -> None:
    """As an operator."""
    assert who.key is not None
    operators.write_bytes(who.key.export_public_key("openssh"))
    operators.chmod(0o600)


async def at_a_server(
    seed: int, minutes: float, told: Callable[[Finding], object] = print
) -> Company:
    """At a real one, all of them at the same time. The seed is what they want, not what comes of it."""
    chance = random.Random(seed)
    company = Company(chance, time.monotonic, told=told)
    taken = seats(chance)
    with tempfile.TemporaryDirectory() as place:
        async with open_server(Path(place), taken[1].who, company) as house:
            monkeys = [
                Monkey(seat, company, house, nullcontext(), random.Random(chance.random()))
                for seat in taken
            ]
            tasks = [asyncio.create_task(live(monkey)) for monkey in monkeys]
            done, _ = await asyncio.wait(
                tasks, timeout=60 * minutes, return_when=asyncio.FIRST_EXCEPTION
            )
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            for monkey in monkeys:
                monkey.hang_up()
            for task in done:
                task.result()
    return company
