"""What people say to each other: who hears it, who does not, and how much of it there may be."""

import asyncio

import pytest
import structlog
from msgspec import structs
from wcwidth import wcswidth

from server.coordinator import messages as m
from server.coordinator.chat import (
    CHARACTERS,
    LINES,
    LINES_AT_ONCE,
    LINES_FROM_ONE_PLACE,
    SECONDS_A_LINE,
    keep_line,
)
from server.coordinator.contract import CHAT_LIMIT
from server.coordinator.presence import Spoken
from server.settings.settings import TableLimits
from server.storage.people import MOST_BLOCKED
from tests.support.faulty_stores import HeldStore
from tests.support.tables import UNTIMED, Guest, World, rated_game, world
from tests.support.through_frames import enter


def chat(guest: Guest) -> list[m.ChatLine]:
    """What has come since the last call."""
    guest.read()
    lines = [line for update in guest.updates for line in update.chat]
    guest.updates = [structs.replace(guest.updates[-1], chat=())]
    return lines


def texts(guest: Guest) -> list[str]:
    return [f"{line.sender}: {line.text or line.phrase}" for line in chat(guest)]


async def say(
    server: World, guest: Guest, text: str, room: m.Room = m.Room.LOBBY, to: str = ""
) -> None:
    await guest.ok(m.Say(room, text, to=to))
    await server.clock.advance(1)


async def again(server: World, name: str) -> list[str]:
    """What somebody is told who comes back over another line."""
    guest = server.enter(name)
    await server.clock.settle()
    return texts(guest)


# ---------------------------------------------------------------- who hears it


async def test_what_is_said_in_the_lobby_is_heard_there_once_also_by_who_comes_later() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(m.Say(m.Room.LOBBY, "hello"))
        await ada.ok(m.Say(m.Room.LOBBY, "anybody for a game?"))
        assert texts(bo) == []
        cem = server.enter("cem")  # before it is told
        await server.clock.advance(1)
        for guest in (ada, bo, cem):
            assert texts(guest) == ["ada: hello", "ada: anybody for a game?"]
        first, _ = chat(server.enter("dora"))
        assert (first.text, first.old, first.time) == ("hello", True, server.clock.time() - 1)
        await say(server, ada, "there you are")
        assert [line.old for line in chat(bo)] == [False]


async def test_a_table_talks_among_itself() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        cem, dora = server.enter("cem"), server.enter("dora")
        await cem.ok(m.WatchTable(ada.info.id))
        await say(server, ada, "good luck", m.Room.TABLE)
        await say(server, cem, "nice", m.Room.TABLE)
        for guest in (ada, bo, cem):
            lines = chat(guest)
            assert [(line.sender, line.watching) for line in lines] == [
                ("ada", False),
                ("cem", True),
            ]
            assert {line.place for line in lines} == {ada.info.id}
        assert texts(dora) == []
        assert await dora.code(m.Say(m.Room.TABLE, "hm")) == "no_table"
        await dora.ok(m.WatchTable(ada.info.id))
        assert texts(dora) == ["ada: good luck", "cem: nice"]


async def test_what_was_said_at_a_private_table_stays_with_those_who_were_there() -> None:
    async with world() as server:
        ada, _ = await server.table(humans=2, start=False)
        table = ada.info.id
        await say(server, ada, "hello", m.Room.TABLE)
        await ada.ok(m.SetWord("otter"))
        await say(server, ada, "let us beat dora", m.Room.TABLE)
        cem = server.enter("cem")
        await cem.ok(m.WatchTable(table, "otter"))
        assert texts(cem) == ["ada: hello", "ada: let us beat dora"], "who knows the word may hear"
        await say(server, cem, "hush", m.Room.TABLE)
        await ada.ok(m.SetWord(""))
        dora, eve = server.enter("dora"), server.enter("eve")
        await dora.ok(m.WatchTable(table))
        await eve.ok(m.JoinTable(table))
        assert texts(dora) == texts(eve) == ["ada: hello"]
        assert await dora.code(m.Mute("cem")) == "ok", "who is here is known"
        await say(server, ada, "welcome", m.Room.TABLE)
        assert texts(eve) == ["ada: welcome"]
        # Whoever was there is told all of it again after a dropped line.
        assert (await again(server, "bo"))[-3:] == [
            "ada: let us beat dora",
            "cem: hush",
            "ada: welcome",
        ]
        assert "ada: let us beat dora" in await again(server, "cem")
        await ada.ok(m.SetWord("beaver"))
        await say(server, ada, "once more", m.Room.TABLE)
        assert (await again(server, "eve"))[-2:] == ["ada: welcome", "ada: once more"]
        assert "ada: let us beat dora" not in await again(server, "dora")


async def test_a_line_that_was_down_while_the_table_was_private_misses_nothing() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2, start=False)
        await ada.ok(m.SetWord("otter"))
        await say(server, ada, "one", m.Room.TABLE)
        bo.visit.close()
        cem = server.enter("cem")
        await cem.ok(m.JoinTable(ada.info.id, word="otter"))
        await ada.ok(m.SetWord(""))
        assert (await again(server, "bo"))[-1:] == ["ada: one"]


async def test_who_waits_at_a_table_hears_the_lobby_and_who_plays_does_not() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(m.CreateTable(UNTIMED))
        await say(server, bo, "what do you play?")
        assert texts(ada) == ["bo: what do you play?"]
        player = await server.quick(name="cem")
        chat(player)
        await say(server, bo, "anybody?")
        assert texts(player) == []
        await say(server, player, "in a minute")
        assert texts(player) == ["cem: in a minute"]
        assert texts(bo)[-1] == "cem: in a minute"
        await player.ok(m.LeaveTable())
        assert "bo: anybody?" in texts(player)


async def test_direct_lines_reach_one_person_anywhere() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        cem, dora = server.enter("cem"), server.enter("dora")
        await say(server, cem, "psst", m.Room.DIRECT, "ADA")
        (line,) = chat(ada)
        assert (line.sender, line.to, line.text, line.room) == ("cem", "ada", "psst", m.Room.DIRECT)
        assert texts(cem) == ["cem: psst"]
        assert texts(bo) == texts(dora) == []
        assert await cem.code(m.Say(m.Room.DIRECT, "hello", to="cem")) == "own_name"
        dora.visit.close()
        assert await cem.code(m.Say(m.Room.DIRECT, "hello", to="dora")) == "nobody_called"
        # They come again after a dropped line.
        ada = server.enter("ada")
        await server.clock.settle()
        assert texts(ada) == ["cem: psst"]


async def test_a_phrase_travels_as_a_code() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(m.Say(m.Room.LOBBY, "ignored", m.Phrase.GOOD_LUCK))
        await server.clock.advance(1)
        (line,) = chat(bo)
        assert (line.text, line.phrase) == ("", "good_luck")
        assert await ada.code(m.Say(m.Room.LOBBY, "", "sv\x1b[2J")) == "no_such_phrase"


async def test_a_table_that_is_closed_takes_its_chat_along() -> None:
    async with world() as server:
        ada = server.enter("ada")
        await ada.ok(m.CreateTable(UNTIMED))
        code = ada.info.id
        await ada.ok(m.Say(m.Room.TABLE, "nobody will read this"))
        await ada.ok(m.LeaveTable())
        await server.clock.advance(1)
        assert await ada.code(m.JoinTable(code)) == "no_such_table"
        assert texts(ada) == []


# ---------------------------------------------------------------- rated games


async def test_players_of_a_rated_game_hear_no_spectator_until_it_is_over() -> None:
    async with world() as server:
        ada, bo, cem = players = await rated_game(server)
        dora, eve = server.enter("dora"), server.enter("eve")
        await dora.ok(m.WatchTable(ada.info.id))
        await eve.ok(m.WatchTable(ada.info.id))
        await say(server, dora, "bo holds the 60", m.Room.TABLE)
        await say(server, bo, "good luck", m.Room.TABLE)
        assert texts(eve) == ["dora: bo holds the 60", "bo: good luck"]
        for player in players:
            assert texts(player) == ["bo: good luck"]
        # Coming back over another line is no way around it, and neither is a direct line.
        ada = server.enter("ada")
        await server.clock.settle()
        assert texts(ada) == ["bo: good luck"]
        reply = await eve.submit(m.Say(m.Room.DIRECT, "psst", to="cem"))
        assert reply.code == "rated_round"
        assert (await bo.submit(m.Say(m.Room.DIRECT, "psst", to="cem"))).code == "rated_round"
        await server.play_out(ada, bo, cem)
        assert ada.status() is m.Status.OVER
        await say(server, dora, "well played", m.Room.TABLE)
        await say(server, eve, "indeed", m.Room.DIRECT, "cem")
        # Now it can be told what was said around them; to who came back meanwhile as well.
        lines = chat(bo)
        assert [(line.sender, line.text, line.old) for line in lines] == [
            ("dora", "bo holds the 60", True),
            ("dora", "well played", False),
        ]
        assert texts(cem) == ["dora: bo holds the 60", "dora: well played", "eve: indeed"]


async def test_who_is_blocked_does_not_learn_who_plays_a_rated_game() -> None:
    async with world() as server:
        eve, *idle = (server.enter(name) for name in ("eve", "dora"))
        players = await rated_game(server)
        for one in (*players, *idle):
            await one.ok(m.Block("eve"))
        names = [one.visit.player.name for one in (*players, *idle)]
        codes = {await eve.code(m.Say(m.Room.DIRECT, "psst", to=name)) for name in names}
        assert codes == {"not_listening"}


async def test_who_follows_the_busiest_table_is_given_what_was_said_there() -> None:
    async with world() as server:
        ada = await server.quick()
        await say(server, ada, "anybody watching?", m.Room.TABLE)
        bo = server.enter("bo")
        await bo.ok(m.FollowBusiest())
        await server.clock.advance(5)
        assert texts(bo) == ["ada: anybody watching?"]


# ---------------------------------------------------------------- how much


async def test_pasted_lines_pass_and_a_flood_is_told_when_it_may_go_on() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        for number in range(LINES_AT_ONCE):
            await ada.ok(m.Say(m.Room.LOBBY, f"line {number}"))
        reply = await ada.submit(m.Say(m.Room.LOBBY, "one more"))
        assert (reply.code, reply.details["seconds"]) == ("chat_wait", 2)
        assert await ada.code(m.Say(m.Room.DIRECT, "one more", to="bo")) == "chat_wait"
        await server.clock.advance(SECONDS_A_LINE)
        await ada.ok(m.Say(m.Room.LOBBY, "now"))
        assert await ada.code(m.Say(m.Room.LOBBY, "and again")) == "chat_wait"
        await server.clock.advance(1)
        assert len(texts(bo)) == LINES_AT_ONCE + 1
        # Another connection of the same person is not another person.
        assert await server.enter("ada").code(m.Say(m.Room.LOBBY, "me again")) == "chat_wait"
        await server.clock.advance(LINES_AT_ONCE * SECONDS_A_LINE)
        for number in range(3):
            await bo.ok(m.Say(m.Room.LOBBY, f"pasted {number}"))


async def test_coming_back_as_other_guests_is_no_way_around_the_limit() -> None:
    async with world() as server:
        said, reply = 0, m.Reply()
        for number in range(3 * LINES_FROM_ONE_PLACE):
            player = m.Player(f"guest:{number}", f"spam{number}", True)
            guest = Guest(enter(server.lobby, player, None, "192.0.2.1"))
            reply = await guest.submit(m.Say(m.Room.LOBBY, "buy now"))
            said += reply.ok
            guest.visit.close()
        assert said == LINES_FROM_ONE_PLACE
        assert (reply.code, reply.details["seconds"]) == ("chat_wait", 1)
        elsewhere = Guest(enter(server.lobby, m.Player("id", "ada", True), None, "192.0.2.2"))
        await elsewhere.ok(m.Say(m.Room.LOBBY, "hello"))


async def test_what_is_refused_uses_up_nothing() -> None:
    async with world() as server:
        ada = server.enter("ada")
        for _ in range(2 * LINES_AT_ONCE):
            assert await ada.code(m.Say(m.Room.LOBBY, "  \u200b\x07 ")) == "nothing_said"
            assert await ada.code(m.Say(m.Room.DIRECT, "hi", to="nobody")) == "nobody_called"
        await ada.ok(m.Say(m.Room.LOBBY, "hello"))


async def test_a_reader_who_does_not_read_keeps_the_newest_lines_and_nobody_waiting() -> None:
    async with world() as server:
        ada, bo, slow = server.enter("ada"), server.enter("bo"), server.enter("slow")
        for number in range(3 * CHAT_LIMIT):
            await say(server, ada, f"line {number}")
            await server.clock.advance(SECONDS_A_LINE)
            chat(bo)
        read = texts(slow)
        assert len(read) == CHAT_LIMIT
        assert read[-1] == f"ada: line {3 * CHAT_LIMIT - 1}"


def test_a_history_is_bounded_in_lines_and_in_characters() -> None:
    def line(number: int, text: str) -> Spoken:
        return Spoken(m.ChatLine(number, m.Room.LOBBY, "ada", text, 0.0), "id-ada", False)

    history: list[Spoken] = []
    for number in range(3 * LINES):
        keep_line(history, line(number, "short"))
    assert [each.line.number for each in history] == list(range(2 * LINES, 3 * LINES))
    for number in range(3 * LINES):
        keep_line(history, line(number, "x" * 400))
    assert sum(len(each.line.text) for each in history) <= CHARACTERS
    assert [each.line.number for each in history][-1] == 3 * LINES - 1


async def test_a_crowd_is_told_in_turns() -> None:
    async with world() as server:
        crowd = [server.enter() for _ in range(200)]
        await crowd[0].ok(m.Say(m.Room.LOBBY, "hello"))
        turns: list[int] = []

        async def others() -> None:
            while len(turns) < 50 and not crowd[-1].visit.feed.take():
                turns.append(1)
                await asyncio.sleep(0)

        for guest in crowd:
            guest.read()
        task = asyncio.create_task(others())
        await server.clock.advance(1)
        await task
        assert len(turns) >= 200 // 32
        assert all(texts(guest) == ["player0: hello"] for guest in crowd[:-1])


# ---------------------------------------------------------------- what


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ("\x1b[2J\x1b]0;owned\x07hi", "[2J]0;ownedhi"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("a\u200b\u2060b\ufeff", "ab"),
        ("two\r\nlines", "two lines"),
        ("z" + "\u0301" * 500, "\u017a\u0301\u0301"),
        ("https://example.org/?a=1&b=2 @bo", "https://example.org/?a=1&b=2 @bo"),
        ("100% {name} %(x)s <b>", "100% {name} %(x)s <b>"),
    ],
)
async def test_whatever_is_sent_only_harmless_text_is_heard(typed: str, heard: str) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await say(server, ada, typed)
        await say(server, ada, typed, m.Room.DIRECT, "bo")
        assert [line.text for line in chat(bo)] == [heard, heard]


async def test_long_texts_are_cut_by_columns_and_odd_names_told_clean() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        for room in (m.Room.LOBBY, m.Room.DIRECT):
            reply = await ada.submit(m.Say(room, "\u6f6e" * 10_000, to="bo"))
            assert reply.details == {"cut": 400}
            await server.clock.advance(1)
            (line,) = chat(bo)
            assert wcswidth(line.text) == 400
        assert (await ada.submit(m.Say(m.Room.LOBBY, "x" * 400 + "  "))).details == {}
        reply = await ada.submit(m.Say(m.Room.DIRECT, "hi", to="\x1b[31m" + "x" * 1000))
        assert reply.details["name"] == "[31m" + "x" * 36


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("J\u00f6rg", ("Joerg", "Jorg")),
        ("\u7528\u6237", ("pcjr",)),
        ("\u0418\u0432\u0430\u043d", ("ivan",)),
    ],
)
async def test_somebody_can_be_called_as_any_terminal_shows_the_name(
    name: str, shown: tuple[str, ...]
) -> None:
    async with world() as server:
        ada, other = server.enter("ada"), server.enter(name)
        for typed in shown:
            await say(server, ada, "psst", m.Room.DIRECT, typed)
            for command in (m.Mute, m.Block):
                done = await ada.submit(command(typed))
                assert done.details == {"person": f"id-{name}", "name": name}
                await ada.ok(command(typed, on=False))
        assert [line.to for line in chat(other)] == [name] * len(shown)


async def test_what_is_said_is_never_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with structlog.testing.capture_logs() as logs:
        async with world(limits=TableLimits(tables_per_player=1)) as server:
            ada, _bo = server.enter("ada"), server.enter("bo")
            await say(server, ada, "my-secret-words")
            await say(server, ada, "my-secret-words", m.Room.DIRECT, "bo")
            await ada.submit(m.Say(m.Room.DIRECT, "my-secret-words", to="nobody"))
            await ada.ok(m.QuickGame(UNTIMED))
            await say(server, ada, "my-secret-words", m.Room.TABLE)
            await ada.ok(m.LeaveTable())
            assert await ada.code(m.QuickGame(UNTIMED)) == "too_many_opened"
    assert logs, "what is logged can be seen here"
    assert "my-secret-words" not in f"{logs}{caplog.text}"


# ---------------------------------------------------------------- whom one does not want to hear


async def test_who_is_muted_is_not_heard_until_one_leaves() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await say(server, bo, "before")
        reply = await ada.submit(m.Mute("BO"))
        assert (reply.code, reply.details["name"]) == ("ok", "bo")
        await say(server, bo, "spam")
        assert texts(ada) == ["bo: before"]
        assert await bo.code(m.Say(m.Room.DIRECT, "psst", to="ada")) == "not_listening"
        assert await ada.code(m.Say(m.Room.DIRECT, "psst", to="bo")) == "own_block"
        await ada.ok(m.Mute("bo", on=False))
        await say(server, bo, "sorry")
        assert texts(ada) == ["bo: sorry"]
        await ada.ok(m.Mute("bo"))
        ada.visit.close()
        assert "bo: sorry" in texts(server.enter("ada"))


async def test_who_is_blocked_stays_so_whatever_the_name() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        reply = await ada.submit(m.Block("bo"))
        assert reply.details == {"person": "id-bo", "name": "bo"}
        assert await bo.code(m.Say(m.Room.DIRECT, "psst", to="ada")) == "not_listening"
        ada.visit.close()
        bo.visit.close()
        bob = Guest(enter(server.lobby, m.Player("id-bo", "bob", False)))
        ada = Guest(enter(server.lobby, m.Player("id-ada", "ada", False), {"id-bo": "bo"}))
        assert await bob.code(m.Say(m.Room.DIRECT, "psst", to="ada")) == "not_listening"
        await say(server, bob, "new name, same me")
        assert texts(ada) == []
        # Under the name that is known, or the one of today.
        await ada.ok(m.Block("bob", on=False))
        await say(server, bob, "friends again?")
        assert texts(ada) == ["bob: friends again?"]


async def test_who_has_left_can_be_blocked_as_long_as_the_words_are_there() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await say(server, bo, "and away")
        bo.visit.close()
        assert (await ada.submit(m.Block("bo"))).details["person"] == "id-bo"
        assert await ada.code(m.Block("nobody")) == "nobody_called"
        assert await ada.code(m.Block("ada")) == "own_name"
        assert await ada.code(m.Block("zoe", on=False)) == "nobody_called"
        assert texts(ada) == ["bo: and away"], "what has been shown is shown"
        assert texts(server.enter("ada")) == []


async def test_nobody_can_block_without_end() -> None:
    async with world() as server:
        ada = Guest(
            enter(
                server.lobby,
                m.Player("id-ada", "ada", False),
                {f"id-{number}": f"x{number}" for number in range(MOST_BLOCKED)},
            )
        )
        server.enter("bo")
        assert await ada.code(m.Block("bo")) == "too_many_blocked"
        await ada.ok(m.Block("x7", on=False))
        await ada.ok(m.Block("bo"))


async def test_another_face_gets_what_the_first_one_has_shown() -> None:
    async with world() as server:
        ada = server.enter("ada")
        await say(server, ada, "hello")
        assert [line.old for line in chat(ada)] == [False]
        ada.visit.feed.rewind()
        assert [(line.text, line.old) for line in chat(ada)] == [("hello", True)]


async def test_who_is_about_to_sit_down_hears_what_is_said_then_once() -> None:
    store = HeldStore()
    store.gate.set()
    async with world(store=store) as server:
        (ada,) = await server.table(UNTIMED, start=False)
        bo = server.enter("bo")
        store.gate.clear()
        joining = asyncio.create_task(bo.submit(m.JoinTable(ada.info.id)))
        await server.clock.settle()
        await say(server, ada, "sit down", m.Room.TABLE)
        assert texts(bo) == []
        store.gate.set()
        await joining
        await server.clock.settle()
        assert texts(bo) == ["ada: sit down"]
