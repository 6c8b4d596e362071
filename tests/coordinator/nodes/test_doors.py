"""Link codes and limits of who comes in count on all nodes."""

from pathlib import Path

import pytest

from server.config import Settings
from server.coordinator.nodes.doors import DoorsOfNodes
from server.coordinator.people.people import (
    ACCOUNTS,
    WRONG_CODES,
    Credential,
    People,
    new_code,
)
from server.storage.people_sql import SqlPeople
from server.transport.access import password, policy
from server.transport.access.limiter import ConnectionLimiter
from server.transport.access.policy import AccessPolicy
from tests.support.nodes import House, house


def people_of(here: House, name: str) -> People:
    node = here.nodes[name]
    people = People(SqlPeople(here.store.database), here.clock, seated=node.lobby.knows)
    DoorsOfNodes(people, node.node.channels)
    return people


async def test_a_link_code_of_one_node_works_on_another_once() -> None:
    async with house("a", "b") as here:
        a, b = people_of(here, "a"), people_of(here, "b")
        ada = (await a.admit(Credential(key="K1"), "ada")).player
        first, code = a.link_code(ada.id), a.link_code(ada.id)
        await here.settle()
        assert await b.link(Credential(key="K2", code=first)) == "code_unknown"
        admitted = await b.admit(Credential(key="K2", code=code), "")
        assert admitted.notes == ("linked",)
        assert admitted.player.id == ada.id
        await here.settle()
        assert await a.link(Credential(key="K3", code=code)) == "code_unknown"


async def test_a_node_that_has_missed_it_is_told_of_a_link_code() -> None:
    async with house("a", "b") as here:
        a, b = people_of(here, "a"), people_of(here, "b")
        ada = (await a.admit(Credential(key="K1"), "ada")).player
        here.nodes["a"].bus.lost = lambda topic: topic == "door.link"
        code = a.link_code(ada.id)
        await here.settle()
        here.nodes["a"].bus.lost = lambda _topic: False
        assert await b.link(Credential(key="K2", code=code)) == "code_unknown"
        await here.clock.advance(2.0)
        assert await b.link(Credential(key="K2", code=code)) == "linked"


async def test_wrong_codes_count_everywhere() -> None:
    async with house("a", "b") as here:
        doors = people_of(here, "a"), people_of(here, "b")
        answers = []
        for number in range(WRONG_CODES + 1):
            wrong = Credential(code=new_code(), source="192.0.2.7")
            if number % 4 < 2:
                admitted = await doors[number % 2].admit(wrong, "")
                answers.append(admitted.notes[0])
            else:
                answers.append(await doors[number % 2].link(wrong))
            await here.settle()
        assert answers == ["code_unknown"] * WRONG_CODES + ["code_wait"]


async def test_new_accounts_count_everywhere() -> None:
    async with house("a", "b") as here:
        doors = people_of(here, "a"), people_of(here, "b")
        guests = []
        for number in range(ACCOUNTS + 1):
            key = Credential(key=f"K{number}", source="192.0.2.7")
            guests.append((await doors[number % 2].admit(key, "")).player.guest)
            await here.settle()
        assert guests == [False] * ACCOUNTS + [True]


async def test_wrong_passwords_count_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "WRONG_WORDS", 3)
    password.write(tmp_path / password.FILE, "sesame")
    settings = Settings(door="word", keys=tmp_path)
    async with house("a", "b") as here:
        asked = []
        for name in ("a", "b"):
            limiter = ConnectionLimiter(settings.limits, here.clock.time)
            people = People(SqlPeople(here.store.database), here.clock)
            asked.append(AccessPolicy(settings, limiter, people.store.word_of))
            asked[-1].share(DoorsOfNodes(people, here.nodes[name].node.channels))
        for number in range(3):
            assert not (await asked[number % 2].says("guess", "192.0.2.7")).must_wait
            await here.settle()
        for each in asked:
            assert (await each.says("sesame", "192.0.2.7")).must_wait
            assert (await each.says("sesame", "192.0.2.8")).word
            each.close()
