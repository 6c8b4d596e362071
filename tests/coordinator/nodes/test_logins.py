"""Who comes in: link codes and limits count on all nodes, and seats are kept that no node has yet."""

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from structlog.testing import capture_logs

from server.coordinator.messages import (
    CreateTable,
    LeaveTable,
    QuickGame,
    QuickJoin,
    StartGame,
    Trouble,
)
from server.coordinator.nodes.logins import LoginsOfNodes
from server.coordinator.people.people import (
    ACCOUNTS,
    WRONG_CODES,
    Credential,
    People,
    new_code,
)
from server.i18n.lookup import words_for
from server.settings.settings import Settings
from server.storage.nodes import NodeStore
from server.storage.people import PeopleStore
from server.storage.store import StoreError
from server.text.happenings import return_in_words
from server.transport.access import password, policy
from server.transport.access.limiter import ConnectionLimiter
from server.transport.access.policy import AccessPolicy
from tests.support.nodes import House, TestNode, house
from tests.support.tables import RATED, UNTIMED


def people_of(here: House, name: str) -> People:
    node = here.nodes[name]
    people = People(PeopleStore(here.store.database), here.clock, seated=node.lobby.knows)
    LoginsOfNodes(people, node.node.peers)
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
    settings = Settings(access="password", keys=tmp_path)
    async with house("a", "b") as here:
        asked = []
        for name in ("a", "b"):
            limiter = ConnectionLimiter(settings.limits, here.clock.time)
            people = People(PeopleStore(here.store.database), here.clock)
            asked.append(AccessPolicy(settings, limiter, people.store.word_of))
            logins = LoginsOfNodes(people, here.nodes[name].node.peers)
            logins.share("words", asked[-1].patience, limiter.now)
        for number in range(3):
            assert not (await asked[number % 2].says("guess", "192.0.2.7")).must_wait
            await here.settle()
        for each in asked:
            assert (await each.says("sesame", "192.0.2.7")).must_wait
            assert (await each.says("sesame", "192.0.2.8")).word
            each.close()


class Locked(NodeStore):
    """Nodes in a database in which somebody else holds what a claim needs."""

    locked = True

    async def claim(self, id_: str) -> Sequence[str]:
        if self.locked:
            raise StoreError("locked")
        return await super().claim(id_)


@pytest.mark.parametrize("rated", [False, True])
async def test_who_has_a_seat_that_could_not_be_claimed_is_told_and_keeps_it(rated: bool) -> None:
    async with house("a") as here:
        a = here.nodes["a"]
        ada, bo, cem = (a.guest(name) for name in ("ada", "bo", "cem"))
        await ada.ok(CreateTable(RATED if rated else UNTIMED))
        code = ada.info.id
        await here.seat(code, bo, cem)
        await ada.ok(StartGame())
        await ada.bid()
        await here.settle()
        hand = bo.own.hand
        await here.kill("a")
        here.lapse("a")

        stores: list[Locked] = []

        def lock(made: TestNode) -> None:
            stores.append(Locked(made.node.membership._store.database))
            made.node.membership._store = stores[0]

        began = here.clock.time()
        with capture_logs() as logged:
            b = await here.start("b", lock)
        assert here.clock.time() - began >= 15.0
        assert "tables_not_claimed" in [each["event"] for each in logged]

        bo, eve = b.guest("bo"), b.guest("eve")
        assert bo.heard(Trouble) == [Trouble("kept")]
        assert "Your seat is kept" in return_in_words(bo.heard(Trouble), words_for("en"))
        assert not eve.heard(Trouble)
        for press in (QuickGame(UNTIMED), QuickJoin(UNTIMED), CreateTable(UNTIMED)):
            assert await bo.code(press) == "seated_elsewhere"
        assert await bo.code(LeaveTable()) == "moving"
        await eve.ok(QuickGame(UNTIMED))
        # Nobody forgets it, however long it takes.
        await here.clock.advance(60.0)
        assert await bo.code(QuickGame(UNTIMED)) == "seated_elsewhere"

        stores[0].locked = False
        await here.clock.advance(3.0)
        assert bo.table.info.id == code
        assert bo.own.hand == hand
        assert (await bo.bid()).ok
        assert not any(seat.left for seat in bo.info.seats)
        # Who comes only then finds the seat as always.
        ada = b.guest("ada")
        await here.settle()
        assert ada.table.seat == 0


async def test_who_has_come_before_the_seats_could_be_read_is_told_then() -> None:
    async with house("a") as here:
        ada = here.nodes["a"].guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        await here.settle()
        code = ada.info.id
        await here.kill("a")
        here.lapse("a")

        stores: list[Locked] = []

        async def unreadable() -> Sequence[str]:
            raise StoreError("locked")

        def lock(made: TestNode) -> None:
            stores.append(Locked(made.node.membership._store.database))
            stores[0].unclaimed = unreadable  # type: ignore[method-assign]
            made.node.membership._store = stores[0]

        ada = (await here.start("b", lock)).guest("ada")
        assert not ada.heard(Trouble)
        stores[0].unclaimed = AsyncMock(side_effect=LookupError)  # type: ignore[method-assign]
        await here.clock.advance(1.0)
        assert here.nodes["b"].node.membership._lease.valid, "a mistake of ours ends no node"
        del stores[0].unclaimed
        await here.clock.advance(1.0)
        assert ada.heard(Trouble) == [Trouble("kept")]
        assert await ada.code(QuickGame(UNTIMED)) == "seated_elsewhere"
        stores[0].locked = False
        await here.clock.advance(3.0)
        assert ada.table.info.id == code
