"""The house that tests of the link play in."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.link.house import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(tmp_path)
    await made.start()
    yield made
    for _, task in made.doors:
        task.cancel()
    await asyncio.gather(*(task for _, task in made.doors), return_exceptions=True)
    await made.kill()
