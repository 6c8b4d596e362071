"""How a server comes up."""

import asyncio
from functools import partial
from typing import Any

from server.coordinator.arrivals import Arrivals
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.people.people import People
from server.runtime.coordination import take_up
from server.settings.settings import Settings
from server.timers import SystemClock
from server.transport.net.sockets import Listening, listen
from server.transport.session.frontends import frontend_for
from server.transport.session.server import GameServer
from server.transport.ssh.server import SshServer
from tests.support import through_frames
from tests.support.clients import program as calling
from tests.support.connections import AT_ONCE, GENEROUS, Open, host_key, key, open_server, until

TURNS = 100
"""Of the event loop: in far fewer a connection that is there is let in."""


async def test_a_program_that_connects_while_tables_are_taken_up_has_its_seat_back() -> None:
    make_frontend = partial(frontend_for, SystemClock())
    async with open_server(make_frontend=make_frontend, timing=AT_ONCE) as before:
        async with before.connect("crab", [key("crab")]) as client:
            program = await calling(client)
            assert (await program.say('{"do": "play"}'))["ok"]
            ours = before.lobby.feed.snapshot().tables[0].id
        await before.empty()

    settings = Settings(ssh_port=0, limits=GENEROUS)
    let_in: list[int] = []
    clients: list[asyncio.Task[Any]] = []

    class Meanwhile(Lobby):
        async def recover(self) -> int:
            clients.append(asyncio.create_task(comes_back()))
            for _ in range(TURNS):
                await asyncio.sleep(0)
            let_in.append(server.limiter.waiting + server.limiter.inside)
            return await super().recover()

    async def comes_back() -> Any:
        return await again.connect("crab", [key("crab")])

    lobby = Meanwhile(before.lobby.shared.store, SystemClock(), timing=AT_ONCE)
    people = People(before.people.store, SystemClock(), seated=lobby.knows)
    arrivals = Arrivals(lobby, people)
    server = GameServer(settings, through_frames.of(arrivals), make_frontend)
    line = SshServer(server, Listening(listen(settings.host, 0)), host_key())
    again = Open(server, arrivals, line)
    try:
        assert await take_up(lobby, line.open) == 1
        assert let_in == [0]
        async with await clients[0] as client:
            program = await calling(client)
            update = (await program.next("update"))["update"]
            assert (update["place"], update["table"]["table"]) == ("table", ours)
        await until(lambda: not server.sessions)
    finally:
        line.listening.close()
        await lobby.close()
        await server.close()
        await line.close()
