"""Who follows somebody is told when that person comes in over a real connection."""

import pytest

from server.coordinator.messages import Block, ServerMessage
from server.coordinator.people.people import SEEN_EVERY
from server.storage.databases.connection import Connection
from tests.support.connections import FakeFrontend, Open, key, open_server, until
from tests.support.patience import PATIENCE


async def two_people(opened: Open) -> tuple[FakeFrontend, str]:
    """Ada, who follows bo and stays; and the id of bo, who was here long ago."""
    for number, name in enumerate(("ada", "bo")):
        client = await opened.connect(name, [key(name)])
        await client.create_process(term_type="xterm")
        await opened.frontend(number)
        if name == "bo":
            client.close()
            await opened.frontends[1].ended.wait()
    ada, bo = opened.frontends
    assert await ada.account.follow("bo") == "ok"
    await until(lambda: len(opened.server.sessions) == 1)
    await long_ago(opened)
    return ada, bo.visit.player.id


async def long_ago(opened: Open) -> None:
    def write(connection: Connection) -> None:
        connection.execute("UPDATE people SET seen = 0")

    await opened.people.store.database.change(write)


async def seen(opened: Open, person: str) -> float:
    found = await opened.people.store.find("id", person)
    assert found is not None
    return found.seen


async def come(opened: Open) -> None:
    """Bo comes and goes again."""
    async with opened.comes("bo", [key("bo")]) as frontend:
        pass
    await frontend.ended.wait()


def said(ada: FakeFrontend) -> tuple[ServerMessage, ...]:
    update = ada.visit.feed.take()
    return update.said if update is not None else ()


@pytest.mark.direct
async def test_a_follower_is_told_once_while_the_line_flaps() -> None:
    async with open_server() as opened:
        ada, bo = await two_people(opened)
        said(ada)
        await come(opened)
        assert said(ada) == (ServerMessage("came", about="bo", sender=bo),)
        for _ in range(3):
            await come(opened)
        assert said(ada) == ()
        await long_ago(opened)
        assert (await ada.submit(Block("bo"))).ok
        await come(opened)
        assert said(ada) == ()


async def test_a_line_that_drops_while_somebody_comes_in_is_told_of_at_most_once() -> None:
    async with open_server() as opened:
        ada, _ = await two_people(opened)
        said(ada)
        for _ in range(3):
            client = await opened.connect("bo", [key("bo")])
            await client.create_process(term_type="xterm")
            client.abort()
        await until(lambda: len(opened.server.sessions) == 1)
        await come(opened)
        assert len(said(ada)) <= 1
        await long_ago(opened)
        await come(opened)
        assert [word.kind for word in said(ada)] == ["came"]


async def test_it_is_kept_until_when_somebody_was_here_for_long() -> None:
    async with open_server() as opened:
        ada, bo = await two_people(opened)
        arrivals, player = opened.arrivals, ada.visit.player
        here = {one.player.id: one for one in arrivals}
        here[player.id].since -= SEEN_EVERY
        for session in tuple(opened.server.sessions):
            session.hang_up()
        await opened.server.close()
        await arrivals.close(PATIENCE)
        assert await seen(opened, player.id) > 0
        assert await seen(opened, bo) == 0
