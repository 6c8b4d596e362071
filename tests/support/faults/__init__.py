"""Random faults of one server with a fake clock: it is killed and stopped, cut off from the database, which
is slow or loses answers; people come back, and play on.

In the end everything is mended, and must be right again after some seconds: ``checks``.
"""

import asyncio
import random
import secrets
import traceback
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any, Final
from unittest.mock import patch

from structlog.testing import capture_logs

from server.coordinator import messages as m
from tests.support.faults import checks, kinds
from tests.support.faults.people import People
from tests.support.faults.world import World

MENDED_SECONDS: Final = 25.0
"""After the last fault, until all is right."""


class Faults:
    """``run`` does so many random things, mends everything and checks it."""

    def __init__(self, seed: int, *, verbose: bool = False) -> None:
        self._world: Final = World(seed, verbose=verbose)
        self._people: Final = People(self._world)

    @property
    def done(self) -> Counter[str]:
        """How often each kind of thing was done."""
        return self._world.done

    async def run(self, steps: int) -> None:
        """Raises ``AssertionError`` with all that has happened, and what is wrong."""
        world, people = self._world, self._people
        asyncio.get_running_loop().set_exception_handler(self._broken)
        ids = partial(_token_hex, world.rng)  # the same for the same seed
        with patch.object(secrets, "token_hex", ids), capture_logs() as world.logged:
            checks.register(world.store)
            await world.start()
            if world.rng.random() < 0.4:
                await world.direct()
            await people.all_in()
            for _ in range(steps):
                await self._step()
            await kinds.mend(world, people)
            await world.clock.advance(MENDED_SECONDS)
            try:
                await self._check_all()
            finally:
                await world.end()
                await world.store.database.close()

    async def _step(self) -> None:
        world, people, rng = self._world, self._people, self._world.rng
        for _ in range(rng.randrange(1, 12)):
            people.act(rng.choice(world.people))
            await world.clock.advance(rng.choice((0.0, 0.01, 0.1, 0.5)))
        if rng.random() < 0.15:
            people.come(rng.choice(world.people))
        if world.cup and rng.random() < 0.1:
            await world.direct(m.Directing.BEGIN)
        await kinds.happen(world, people)
        await world.clock.advance(rng.choice((0.1, 0.5, 2.0, 4.0)))
        world.wrong.extend(checks.eavesdropped(world))

    async def _check_all(self) -> None:
        world, people = self._world, self._people
        await people.all_in()
        self._check(checks.logged(world), checks.places(world))
        self._check(await people.play_out())
        self._check(checks.logged(world), checks.places(world), checks.records(world))
        self._check(checks.ratings(world), checks.today(world), checks.chat(world))
        self._check(await checks.standings(world))

    def _check(self, *found: Iterable[str]) -> None:
        wrong = [*self._world.wrong, *(each for checked in found for each in checked)]
        assert not wrong, "\n".join([*self._world.log, *wrong])

    def _broken(self, _loop: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        text = "".join(traceback.format_exception(error)) if error is not None else ""
        self._world.wrong.append(f"{context.get('message')}: {text}")


def _token_hex(rng: random.Random, nbytes: int | None = None) -> str:
    return rng.randbytes(nbytes or 32).hex()
