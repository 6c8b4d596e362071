"""The socket for ``tide admin``: a real one, with real clients."""

import asyncio
import json
import os
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.coordinator.messages.operator_orders import (
    Broadcast,
    Kick,
    OperatorReply,
    PersonRow,
    SeePeople,
)
from server.operators import admin_socket
from server.operators.admin_socket import LONGEST, AdminSocket, NoServer, ask
from server.storage.statedir import ADMIN
from tests.support.operators import Place, place


@asynccontextmanager
async def listening(folder: Path, state: Path | None = None) -> AsyncIterator[tuple[Place, Path]]:
    state = state or folder / "state"
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    async with place(folder) as here:
        orders = AdminSocket(here.operator_actions, state)
        await orders.open()
        try:
            yield here, state
        finally:
            await orders.close()


async def test_orders_are_carried_out_and_audited_as_the_users(tmp_path: Path) -> None:
    async with listening(tmp_path) as (here, state):
        bo = await here.enter("bo")
        told = await asyncio.to_thread(ask, state, SeePeople())
        (row,) = told.rows
        assert isinstance(row, PersonRow)
        assert row.name == "bo"
        told = await asyncio.to_thread(ask, state, Kick("bo", "rude"))
        assert told == OperatorReply(facts={"name": "bo"})
        await here.world.clock.settle()
        assert not bo.here
        assert [(entry.who, entry.action, entry.outcome) for entry in await here.audit()] == [
            (f"uid {os.geteuid()}", "people", "ok"),
            (f"uid {os.geteuid()}", "kick", "ok"),
        ]


async def test_it_is_for_its_user_alone_and_goes_with_the_server(tmp_path: Path) -> None:
    async with listening(tmp_path) as (_, state):
        found = (state / ADMIN).stat()
        assert stat.S_ISSOCK(found.st_mode)
        assert stat.S_IMODE(found.st_mode) == 0o600
    assert not (state / ADMIN).exists()


async def test_somebody_else_is_not_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(tmp_path) as (here, state):
        monkeypatch.setattr(admin_socket, "LET_IN", frozenset({12345}))
        with pytest.raises(NoServer, match="hung up"):
            await asyncio.to_thread(ask, state, SeePeople())
        assert await here.audit() == []


async def test_one_that_a_dead_server_left_is_replaced(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(state / ADMIN))
    left.close()
    with pytest.raises(NoServer, match="no server is running"):
        ask(state, SeePeople())
    async with listening(tmp_path) as (_, state):
        assert (await asyncio.to_thread(ask, state, SeePeople())).ok


async def test_the_state_directory_may_lie_deep(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["deeper and deeper"] * 8)
    async with listening(tmp_path, deep) as (_, state):
        assert len(str(state / ADMIN)) > 108
        assert (await asyncio.to_thread(ask, state, SeePeople())).ok


def test_without_a_server_it_is_said_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoServer, match="tide serve"):
        ask(tmp_path, SeePeople())
    with pytest.raises(NoServer, match="tide serve"):
        ask(tmp_path / "nowhere", SeePeople())


@pytest.mark.parametrize(
    "line",
    [
        b"hello\n",
        b"{}\n",
        b'{"action":"fly"}\n',
        b'{"action":"kick"}\n',
        b'{"action":"people","x":1}\n',
    ]
    + [
        b'{"action":"mute","who":"bo","seconds":-1}\n',
        b"\xff\xfe\n",
        b'{"action":"unban","number":"1"}\n',
    ],
)
async def test_what_means_nothing_is_said_to_mean_nothing(tmp_path: Path, line: bytes) -> None:
    async with listening(tmp_path) as (here, state):
        reader, writer = await asyncio.open_unix_connection(state / ADMIN)
        writer.write(line)
        answer = json.loads(await reader.readline())
        assert answer["code"] == "not_understood"
        writer.write(b'{"action":"people"}\n')
        assert json.loads(await reader.readline())["code"] == "ok"
        writer.close()
        assert [entry.action for entry in await here.audit()] == ["people"]


async def test_a_line_without_an_end_ends_the_connection(tmp_path: Path) -> None:
    async with listening(tmp_path) as (_, state):
        reader, writer = await asyncio.open_unix_connection(state / ADMIN)
        writer.write(b"x" * (4 * LONGEST))
        assert await reader.read() == b""
        writer.close()


async def test_there_are_only_so_many_at_a_time(tmp_path: Path) -> None:
    async with listening(tmp_path) as (_, state):
        lines = [await asyncio.open_unix_connection(state / ADMIN) for _ in range(9)]
        for reader, writer in lines[:8]:
            writer.write(b'{"action":"people"}\n')
            assert await reader.readline()
        assert await lines[8][0].read() == b""
        for _, writer in lines:
            writer.close()


async def test_a_server_that_ends_during_an_order_logs_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    at_work = asyncio.Event()

    async def act(*_: object) -> OperatorReply:
        at_work.set()
        return await asyncio.Future()

    async with listening(tmp_path) as (here, state):
        monkeypatch.setattr(here.operator_actions, "act", act)
        reader, writer = await asyncio.open_unix_connection(state / ADMIN)
        writer.write(b'{"action":"people"}\n')
        await at_work.wait()
    assert await reader.read() == b""
    writer.close()
    assert errors == []


async def test_a_long_text_is_refused_and_a_wild_one_cleaned(tmp_path: Path) -> None:
    async with listening(tmp_path) as (here, state):
        bo = await here.enter("bo")
        assert (await asyncio.to_thread(ask, state, Broadcast("\x1b[2Jhello\u202e"))).ok
        await here.world.clock.settle()
        assert bo.reader.said == [("broadcast", "[2Jhello")]
        told = await asyncio.to_thread(ask, state, Broadcast("x" * 5000))
        assert told.code == "not_understood"
