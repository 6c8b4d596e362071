"""Stores that misbehave: one that dawdles at random, one that is full."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from server import StoreError
from server.storage.table_store import StoredChange
from tests.support.memory_stores import MemoryStore


@dataclass(eq=False)
class RaceStore(MemoryStore):
    """Lets others run a random number of times before and after each write."""

    rng: random.Random = field(default_factory=lambda: random.Random(0))

    async def append(self, change: StoredChange) -> None:
        await self._dawdle()
        await super().append(change)
        await self._dawdle()

    async def _dawdle(self) -> None:
        for _ in range(self.rng.randrange(8)):
            await asyncio.sleep(0)


@dataclass(eq=False)
class FullStore(MemoryStore):
    """Refuses to write while ``full``."""

    full: bool = False

    async def append(self, change: StoredChange) -> None:
        if self.full:
            raise StoreError("full")
        await super().append(change)

    async def drop(self, key: str) -> None:
        if self.full:
            raise StoreError("full")
        await super().drop(key)


@dataclass(eq=False)
class HeldStore(MemoryStore):
    """Holds every write back until it is let through."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: int = 0
    refuses: bool = False

    async def append(self, change: StoredChange) -> None:
        self.waiting += 1
        await self.gate.wait()
        self.waiting -= 1
        if self.refuses:
            raise StoreError("full")
        await super().append(change)


@dataclass(eq=False)
class RefusingStore(MemoryStore):
    """Refuses what it ``refuses``."""

    refuses: Callable[[StoredChange], bool] = lambda _: False
    refused: int = 0

    async def append(self, change: StoredChange) -> None:
        if self.refuses(change):
            self.refused += 1
            raise StoreError("unreachable")
        await super().append(change)


def begins_an_events_game(change: StoredChange) -> bool:
    """Whether somebody enters the event with it."""
    return bool(change.entered)
