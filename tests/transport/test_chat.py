"""Chat over real connections."""

import asyncio
from functools import partial

import asyncssh

from server.coordinator.messages import Block, Room, Say
from server.session.account import VisitorAccount
from server.storage.people import blocked_in
from server.timers import SystemClock
from server.transport.session.frontends import frontend_for
from tests.support.connections import Open, key, open_server
from tests.support.patience import PATIENCE


def test_only_what_is_a_list_of_people_is_taken_from_the_settings() -> None:
    assert blocked_in({}) == blocked_in({"blocked": ["bo"]}) == {}
    assert blocked_in({"blocked": {"id": "bo", "id2": 3, 4: "x"}}) == {"id": "bo"}
    assert len(blocked_in({"blocked": {f"id{number}": "x" for number in range(1000)}})) == 50


async def test_who_is_blocked_stays_so_over_another_connection() -> None:
    async with open_server() as opened, opened.connect("bo", [key("bo")]) as bo:
        await bo.create_process(term_type="xterm")
        other = (await opened.frontend(0)).visit
        async with opened.connect("ada", [key("ada")]) as ada:
            await ada.create_process(term_type="xterm")
            frontend = await opened.frontend(1)
            assert (await frontend.submit(Block("bo"))).ok
        await frontend.ended.wait()
        async with opened.connect("ada", [key("ada")]) as ada:
            await ada.create_process(term_type="xterm")
            frontend = await opened.frontend(2)
            reply = await other.submit(Say(Room.DIRECT, "hello", to="ada"))
            assert reply.code == "not_listening"
            assert list(frontend.account.settings["blocked"].values()) == ["bo"]
            assert (await frontend.submit(Block("bo", on=False))).ok
            assert (await other.submit(Say(Room.DIRECT, "hello", to="ada"))).ok


async def test_who_has_been_forgotten_is_not_brought_back_by_who_had_blocked_that_person() -> None:
    async with open_server() as opened:
        for name in ("ada", "bo", "cem"):
            client = await opened.connect(name, [key(name)])
            await client.create_process(term_type="xterm")
        frontends = [await opened.frontend(number) for number in range(3)]
        ada = next(frontend for frontend in frontends if frontend.visit.player.name == "ada")
        store = opened.people.store
        for other in ("bo", "cem"):
            assert (await ada.submit(Block(other))).ok
        (bo,) = [who for who, name in ada.account.settings["blocked"].items() if name == "bo"]
        await store.forget(bo)
        ada.account.remember({**ada.account.settings, "theme": "clear"})
        assert isinstance(ada.account, VisitorAccount)
        await ada.account.kept()
        kept = await store.find("id", ada.visit.player.id)
        assert kept is not None
        assert kept.settings["theme"] == "clear"
        assert list(kept.settings["blocked"].values()) == ["cem"]


async def _lines(opened: Open, name: str) -> asyncssh.SSHClientProcess[str]:
    """Somebody who has come in line mode."""
    client = await opened.connect(name)
    process: asyncssh.SSHClientProcess[str] = await client.create_process(term_type=None)
    return process


async def _until(process: asyncssh.SSHClientProcess[str], words: str) -> str:
    async with asyncio.timeout(PATIENCE):
        read = ""
        while words not in read:
            read += await process.stdout.read(4096)
        return read


async def test_two_people_talk_over_real_lines_and_nothing_harmful_arrives() -> None:
    async with open_server(make_frontend=partial(frontend_for, SystemClock())) as opened:
        ada, bo = await _lines(opened, "ada"), await _lines(opened, "bo")
        await _until(ada, '"help" for more')
        await _until(bo, '"help" for more')
        ada.stdin.write("say \x1b]0;owned\x07 hello \u202eevil\u202c \x9b2J https://example.org\n")
        heard = await _until(bo, "example.org")
        assert "ada says: " in heard
        assert not set("\x1b\x07\x9b\u202e\u202c") & set(heard)
        bo.stdin.write("tell ada hello yourself\n")
        assert "bo tells you: hello yourself" in await _until(ada, "hello yourself")
        ada.stdin.write("phrase 2\n")
        assert "ada says: Good luck!" in await _until(bo, "luck")
