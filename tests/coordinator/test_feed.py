"""Feeds: what is not taken is merged, and nobody waits for a slow reader."""

import structlog
from msgspec import structs

from server.coordinator.contract import LIMIT, WORDS, Feed
from server.coordinator.messages import LobbySnapshot, Sat, ServerMessage, TableSnapshot
from tests.support.tables import world


def lobby(*names: str) -> LobbySnapshot:
    return LobbySnapshot((), names)


async def snapshots(count: int) -> list[TableSnapshot]:
    """Of one table, all different."""
    async with world() as server:
        ada = await server.quick()
        one = ada.table
    return [
        structs.replace(one, info=structs.replace(one.info, spectators=number))
        for number in range(count)
    ]


async def test_the_newest_snapshot_wins_and_happenings_queue() -> None:
    feed = Feed()
    one, two = await snapshots(2)
    feed.offer_table(one, [Sat(0, "ada")])
    feed.offer_table(two, [Sat(1, "bo")])
    update = feed.take()
    assert update is not None
    assert update.table is two
    assert update.happenings == (Sat(0, "ada"), Sat(1, "bo"))
    assert not update.resynced
    assert feed.take() is None


async def test_too_many_happenings_are_dropped_and_said_so() -> None:
    feed = Feed()
    pictures = await snapshots(LIMIT + 10)
    for picture in pictures:
        feed.offer_table(picture, [Sat(0, "ada")])
    update = feed.take()
    assert update is not None
    assert update.table is pictures[-1]
    assert update.resynced
    assert len(update.happenings) < LIMIT
    feed.offer_table(pictures[0], [Sat(1, "bo")])
    after = feed.take()
    assert after is not None
    assert (after.resynced, after.happenings) == (False, (Sat(1, "bo"),))


async def test_listeners_are_called_once_until_something_is_taken() -> None:
    feed, calls = Feed(), list[int]()
    feed.offer_lobby(lobby("ada"))
    feed.listen(lambda: calls.append(1))
    assert calls == [1]
    feed.offer_lobby(lobby("bo"))
    assert calls == [1]
    assert feed.take() is not None
    feed.offer_lobby(lobby("cem"))
    assert calls == [1, 1]


async def test_nothing_new_is_no_update() -> None:
    feed = Feed()
    (picture,) = await snapshots(1)
    here = lobby("ada")
    for _ in range(2):
        feed.offer_lobby(here)
    assert feed.take() is not None
    feed.offer_lobby(here)
    assert feed.take() is None
    feed.offer_table(picture, [])
    assert feed.take() is not None
    feed.offer_table(structs.replace(picture), [])
    assert feed.take() is None


async def test_a_broken_listener_harms_nobody() -> None:
    feed = Feed()

    def broken() -> None:
        raise RuntimeError("44")

    feed.listen(broken)
    with structlog.testing.capture_logs() as logs:
        feed.offer_lobby(lobby("ada"))
    assert [log["event"] for log in logs] == ["listener_failed"]
    assert "44" not in str(logs)
    assert feed.take() is not None


async def test_after_the_end_nothing_comes_and_nothing_hangs() -> None:
    feed = Feed()
    feed.offer_lobby(lobby("ada"))
    feed.close("shutdown")
    feed.close("left")
    feed.offer_lobby(lobby("bo"))
    update = feed.take()
    assert update is not None
    assert (update.closed, update.lobby) == ("shutdown", lobby("ada"))
    assert feed.take() is None
    assert feed.closed == "shutdown"


async def test_going_from_table_to_lobby_leaves_the_tables_news_behind() -> None:
    feed = Feed()
    (picture,) = await snapshots(1)
    feed.offer_table(picture, [Sat(0, "ada")])
    feed.offer_lobby(lobby("ada"))
    update = feed.take()
    assert update is not None
    assert (update.table, update.happenings) == (None, ())


async def test_what_the_house_says_comes_once_and_at_a_place() -> None:
    feed = Feed()
    (picture,) = await snapshots(1)
    feed.say(ServerMessage("broadcast", "one"))
    assert feed.take() is None, "there is no place to show yet"
    feed.offer_lobby(lobby("ada"))
    feed.say(ServerMessage("broadcast", "two"))
    feed.offer_table(picture, [])
    update = feed.take()
    assert update is not None
    assert [word.text for word in update.said] == ["one", "two"], "also after going elsewhere"
    feed.say(ServerMessage("broadcast", "three"))
    update = feed.take()
    assert update is not None
    assert [word.text for word in update.said] == ["three"]


async def test_of_too_much_that_the_house_says_the_newest_is_kept() -> None:
    feed = Feed()
    feed.offer_lobby(lobby("ada"))
    for number in range(WORDS + 5):
        feed.say(ServerMessage("broadcast", str(number)))
    update = feed.take()
    assert update is not None
    assert [word.text for word in update.said] == [str(number) for number in range(5, WORDS + 5)]


async def test_the_last_word_comes_with_the_end() -> None:
    feed = Feed()
    feed.say(ServerMessage("kicked", "loud"))
    feed.close("kicked")
    feed.say(ServerMessage("broadcast", "nobody is there"))
    update = feed.take()
    assert update is not None
    assert (update.closed, [word.text for word in update.said]) == ("kicked", ["loud"])
