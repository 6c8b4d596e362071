"""Chat over real connections."""

from server.coordinator.messages import Block, Room, Say
from server.session.account import VisitorAccount
from server.storage.people import blocked_in
from tests.support.connections import key, open_server


def test_only_what_is_a_list_of_people_is_taken_from_the_settings() -> None:
    assert blocked_in({}) == blocked_in({"blocked": ["bo"]}) == {}
    assert blocked_in({"blocked": {"id": "bo", "id2": 3, 4: "x"}}) == {"id": "bo"}
    assert len(blocked_in({"blocked": {f"id{number}": "x" for number in range(1000)}})) == 50


async def test_who_is_blocked_stays_so_over_another_connection() -> None:
    async with open_server() as opened, opened.comes("bo", [key("bo")]) as bo:
        other = bo.visit
        async with opened.comes("ada", [key("ada")]) as frontend:
            assert (await frontend.submit(Block("bo"))).ok
        await frontend.ended.wait()
        async with opened.comes("ada", [key("ada")]) as frontend:
            reply = await other.submit(Say(Room.DIRECT, "hello", to="ada"))
            assert reply.code == "not_listening"
            assert list(frontend.account.settings["blocked"].values()) == ["bo"]
            assert (await frontend.submit(Block("bo", on=False))).ok
            assert (await other.submit(Say(Room.DIRECT, "hello", to="ada"))).ok


async def test_who_has_been_forgotten_is_not_brought_back_by_who_had_blocked_that_person() -> None:
    async with (
        open_server() as opened,
        opened.comes("bo", [key("bo")]),
        opened.comes("cem", [key("cem")]),
        opened.comes("ada", [key("ada")]) as ada,
    ):
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
