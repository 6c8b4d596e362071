"""Sessions whose answers are counted, and a lobby full of tables."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncssh

from server.coordinator.messages import CreateTable, Player
from server.session.preferences import NEW_TABLE
from tests.support.clients import Keyless
from tests.support.connections import Open
from tests.support.through_frames import enter


class Count(asyncssh.SSHClientSession[bytes]):
    """A session that counts."""

    def __init__(self) -> None:
        self.received = self.answers = 0
        """``answers`` are those to a program."""

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.received += len(data)
        self.answers += data.count(b'"ok":')


@asynccontextmanager
async def over_ssh(
    opened: Open,
    name: str,
    command: str | None,
    size: tuple[int, int] | None,
    address: str = "127.0.0.1",
) -> AsyncIterator[tuple[Any, Count]]:
    """A session over SSH from that address, and its channel."""
    async with opened.connect(name, client_factory=Keyless, local_addr=(address, 0)) as client:
        how = {"term_type": "xterm-256color", "term_size": size} if size else {}
        channel, count = await client.create_session(Count, command, encoding=None, **how)
        yield channel, count


async def fill(opened: Open, tables: int) -> None:
    """So many tables, of as many players."""
    for number in range(tables):
        player = Player(f"id{number}", f"player-{number:04}", True)
        visit = enter(opened.lobby, player, source=str(number))
        await visit.submit(CreateTable(NEW_TABLE))
