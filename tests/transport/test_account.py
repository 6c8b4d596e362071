"""What a player has chosen is answered when it is on the disk, and not otherwise."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from server import StoreError
from server.coordinator.messages import Block, ServerMessage
from server.storage.people import blocked_in
from tests.support.clients import program
from tests.support.connections import (
    FakeFrontend,
    Open,
    fingerprint,
    key,
    open_server,
    real_frontend,
)
from tests.support.memory_stores import MemoryPeople
from tests.support.patience import PATIENCE


class Disk(MemoryPeople):
    """Writes settings down when it may, or refuses."""

    def __init__(self) -> None:
        super().__init__()
        self.full = False
        self.asked, self.may = asyncio.Event(), asyncio.Event()
        self.may.set()

    async def set_settings(self, person: str, settings: Mapping[str, Any]) -> None:
        self.asked.set()
        await self.may.wait()
        if self.full:
            raise StoreError("full")
        await super().set_settings(person, settings)


async def two_people(opened: Open, disk: Disk) -> FakeFrontend:
    opened.people.store = disk  # type: ignore[misc]
    for name in ("bo", "ada"):
        client = await opened.connect(name, [key(name)])
        await client.create_process(term_type="xterm")
        await opened.frontend(0 if name == "bo" else 1)
    return opened.frontends[1]


async def kept(disk: Disk, ada: FakeFrontend) -> Mapping[str, Any]:
    person = await disk.find("id", ada.visit.player.id)
    assert person is not None
    return person.settings


@pytest.mark.slow
async def test_a_block_is_answered_when_it_is_written_down() -> None:
    async with open_server() as opened:
        disk = Disk()
        ada = await two_people(opened, disk)
        disk.may.clear()
        blocking = asyncio.create_task(ada.submit(Block("bo")))
        await asyncio.wait_for(disk.asked.wait(), PATIENCE)
        assert not blocking.done()
        disk.may.set()
        assert (await blocking).ok
        assert list(blocked_in(await kept(disk, ada)).values()) == ["bo"]
        disk.full = True
        assert (await ada.submit(Block("bo", on=False))).code == "not_kept"
        assert blocked_in(ada.account.settings) == {}, "for this visit it holds"


@pytest.mark.slow
async def test_a_program_is_answered_when_its_settings_are_written_down() -> None:
    async with open_server(make_frontend=real_frontend) as opened:
        disk = opened.people.store = Disk()  # type: ignore[misc]
        async with opened.connect("ada", [key("ada")]) as client:
            ada = await program(client)
            await ada.next("hello")
            disk.may.clear()
            setting = asyncio.create_task(ada.do("set", settings={"bell": False}))
            await asyncio.wait_for(disk.asked.wait(), PATIENCE)
            assert not setting.done()
            disk.may.set()
            assert (await setting)["ok"]
            person = await disk.find("key", fingerprint("ada"))
            assert person is not None
            assert person.settings["bell"] is False
            disk.full = True
            answer = await ada.do("set", settings={"bell": True})
        assert (answer["ok"], answer["code"]) == (False, "not_kept")
        assert "only holds for this visit" in answer["text"]


@pytest.mark.slow
async def test_who_chooses_on_a_screen_is_told_once_that_it_was_not_kept() -> None:
    async with open_server() as opened:
        disk = Disk()
        ada = await two_people(opened, disk)
        ada.visit.feed.take()
        told: list[ServerMessage] = []

        async def choose(**chosen: Any) -> None:
            ada.account.remember({**ada.account.settings, **chosen})
            await ada.account.keep(ada.account.settings)
            await asyncio.sleep(0)
            update = ada.visit.feed.take()
            told.extend(update.said if update else ())

        disk.full = True
        await choose(bell=True)
        await choose(bell=False)
        assert told == [ServerMessage("not_kept")]
        disk.full = False
        await choose(bell=True)
        assert (await kept(disk, ada))["bell"] is True
        disk.full = True
        await choose(bell=False)
        assert told == [ServerMessage("not_kept")] * 2
