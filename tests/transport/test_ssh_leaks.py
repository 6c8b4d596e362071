"""Lines that drop, hundreds of them, in every phase: afterwards everything is as it was."""

import asyncio
import gc
import os
from collections import Counter
from pathlib import Path

import pytest

from server.coordinator.messages import CreateTable, TableOptions
from tests.support.connections import GENEROUS, Open, open_server, real_frontend, until

BURST = 150
AT_A_TIME = 25
OURS = (
    "asyncssh.",
    "prompt_toolkit.",
    "server.coordinator.contract",
    "server.coordinator.lobby.lobby",
    "server.transport.",
    "server.fullscreen.router",
    "server.fullscreen.context",
    "server.terminal.keys.input",
    "server.terminal.drawing.renderer",
    *(
        f"server.fullscreen.{pages}"
        for pages in (
            "chat.overlay",
            "history.",
            "lobby.page",
            "menus.",
            "table.page",
        )
    ),
    "server.terminal.drawing.frame_encoder.FrameEncoder",
    "server.playback",
    "server.terminal.application",
)
"""What one session is made of. Pictures and snapshots are shared, and kept in caches of a fixed size."""

pytestmark = pytest.mark.slow


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def objects() -> Counter[str]:
    """How many objects of the server's own and its libraries' classes there are."""
    gc.collect()
    found: Counter[str] = Counter()
    for one in gc.get_objects():
        kind = type(one)
        # Some classes made by metaclasses have a descriptor there instead of the name of a module.
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name.startswith(OURS):
            found[name] += 1
    return found


def grown(before: Counter[str]) -> dict[str, int]:
    """What there is more of now, but for a few of a kind that come and go."""
    return {name: count for name, count in (objects() - before).items() if count > 2}


async def drop(opened: Open, number: int) -> None:
    """Come in as far as ``number`` says, and drop the line without a word."""
    phase = number % 6
    if phase < 2:
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.line.listening.port)
        if phase:
            await reader.readline()
            writer.write(b"SSH-2.0-Drop\r\n" + os.urandom(40))
        writer.transport.abort()
        return
    client = await opened.connect(f"ada{number}")
    if phase > 2:
        process = await client.create_process(term_type="xterm", encoding=None)
        if phase > 3:
            await process.stdout.read(200)
            process.stdin.write(b"l" if phase == 4 else b"?")
    client.abort()
    await client.wait_closed()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
async def test_hundreds_of_dropped_lines_leave_nothing_behind() -> None:
    async with (
        open_server(GENEROUS, real_frontend) as opened,
        opened.connect("owner") as owner,
    ):
        await owner.create_process(term_type="xterm")
        await until(lambda: opened.server.sessions)
        session = next(iter(opened.server.sessions))
        await until(lambda: session._visit)
        assert session._visit is not None
        await session._visit.submit(CreateTable(TableOptions()))
        for number in range(2 * AT_A_TIME):
            await drop(opened, number)  # what is made once and kept is made now
        await until(lambda: opened.here == len(opened.server.sessions) == 1)
        before = descriptors(), len(asyncio.all_tasks()), objects()
        for _ in range(2):
            for first in range(0, BURST, AT_A_TIME):
                await asyncio.gather(*(drop(opened, first + n) for n in range(AT_A_TIME)))
            await until(lambda: opened.here == len(opened.server.sessions) == 1)
            await until(lambda: len(asyncio.all_tasks()) <= before[1])
            assert descriptors() == before[0]
            # The lobby tells those who are left a little later, and knows the others until then.
            await until(lambda: not grown(before[2]))
