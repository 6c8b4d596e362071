"""Chat in line mode: sentences in, sentences out."""

import pytest

from server.coordinator.messages import (
    ChatLine,
    CreateTable,
    LobbySnapshot,
    Phrase,
    Player,
    Room,
    Say,
    Update,
    WatchTable,
)
from tests.support.fakes import FakeVisit
from tests.support.tables import UNTIMED, Guest, World, rated_game, world
from tests.support.transcript import Reader, cards_in
from tests.support.transcript import reader as reader_at


async def say(server: World, guest: Guest, text: str = "", **more: str) -> None:
    room = Room.DIRECT if "to" in more else Room.TABLE if guest.last.table else Room.LOBBY
    await guest.ok(Say(room, text, **more))
    await server.clock.advance(1)


async def told(server: World, reader: Reader, typed: str) -> list[str]:
    """What is answered to a line, and heard after it."""
    lines = await reader.say(typed)
    await server.clock.advance(1)
    return lines + reader.new()


async def test_what_is_said_in_the_lobby_is_read_out() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        async with Reader(ada.visit, server.clock) as reader:
            reader.new()
            await say(server, bo, "anybody for a game?")
            await say(server, bo, "psst", to="ada")
            assert reader.new() == ["bo says: anybody for a game?", "bo tells you: psst\a"]
            assert await told(server, reader, "say Yes, me!") == ["You say: Yes, me!"]
            assert await told(server, reader, "'hello") == ["You say: hello"]
            assert await told(server, reader, "tell bo come") == ["You tell bo: come"]
            assert await told(server, reader, "reply to my table") == ["You tell bo: to my table"]
            assert (await told(server, reader, "say"))[0].startswith("Say what?")
            assert [line.text for line in bo.last.chat][-1] == "to my table"


@pytest.mark.parametrize(
    ("language", "typed", "yes"),
    [
        ("en", "say play", "yes"),
        ("en", 'say "help"', "yes"),
        ("de", "sag spielen", "ja"),
        ("pt", "dizer ajuda", "sim"),
    ],
)
async def test_who_says_a_command_is_asked_whether_that_was_meant(
    language: str, typed: str, yes: str
) -> None:
    async with world() as server:
        bo = server.enter("bo")
        ada = server.enter("ada")
        async with Reader(ada.visit, server.clock, language=language) as reader:
            word = typed.split()[1]
            (asked,) = await told(server, reader, typed)
            assert word.strip('"') in asked
            assert reader.session.table is None, "nor has it been done"
            assert not reader.ended
            assert not bo.last.chat
            await told(server, reader, yes)
            assert [line.text for line in bo.last.chat] == [word]


async def test_yes_and_no_can_be_said_but_answer_no_question_like_that() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(CreateTable(UNTIMED))
        async with Reader(ada.visit, server.clock) as reader:
            assert await told(server, reader, "say no") == ["You say: no"]
            assert "Should bots take them" in (await reader.say("start"))[0]
            for typed in ("say yes", "'no"):
                assert await told(server, reader, typed) == [
                    'To answer the question, type "yes" or "no" alone.'
                ]
            assert await reader.say("no") == ["All right, nothing changed."]
            assert not bo.last.chat


async def test_a_sentence_without_say_is_said_to_nobody_and_bids_nothing() -> None:
    async with world() as server, reader_at(server) as reader:
        await reader.say("play 3 players 1 stage")
        card = cards_in(await reader.say("hand"))[0]
        for typed in (f"{card} more minutes please", "hello, how are you?"):
            (answer,) = await reader.say(typed)
            assert answer == (
                f'There is no command "{typed.split()[0]} ...". To say it to everybody, type "say" before'
                ' it; "help" lists the commands.'
            )
        assert not any("is sealed" in line for line in await reader.say("hand"))


async def test_at_a_table_one_talks_to_the_table_and_shouts_to_the_lobby() -> None:
    async with world() as server:
        ada, bo, cem = server.enter("ada"), server.enter("bo"), server.enter("cem")
        await ada.ok(CreateTable(UNTIMED))
        async with Reader(ada.visit, server.clock) as reader:
            reader.new()
            assert await told(server, reader, "say anybody here?") == ["You say: anybody here?"]
            assert await told(server, reader, "shout two seats free") == [
                "You say in the lobby: two seats free"
            ]
            await say(server, bo, "coming")
            assert reader.new() == ["bo says in the lobby: coming"]
            assert [line.text for line in cem.last.chat] == ["two seats free", "coming"]


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Gut gespielt!"), ("pt", "Bem jogado!"), ("en", "Well played!")]
)
async def test_everybody_reads_phrases_in_the_own_language(language: str, said: str) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        async with Reader(ada.visit, server.clock, language=language) as reader:
            reader.new()
            await say(server, bo, phrase=Phrase.WELL_PLAYED)
            (line,) = reader.new()
            assert line.startswith("bo ")
            assert line.endswith(said)
            answer = await told(server, reader, "phrase")
            assert f"3: {said}" in answer
            (line,) = await told(server, reader, "phrase 3")
            assert line.endswith(said)
            (line,) = await told(server, reader, "phrase 1 bo")
            assert "bo" in line
        bo.read()
        assert [line.phrase for update in bo.updates for line in update.chat][-2:] == [
            "well_played",
            "hello",
        ]


async def test_on_arrival_the_last_lines_are_told_and_the_rest_when_asked_for() -> None:
    async with world() as server:
        bo = server.enter("bo")
        for number in range(5):
            await say(server, bo, f"line {number}")
        await server.clock.advance(900)
        ada = server.enter("ada")
        async with Reader(ada.visit, server.clock) as reader:
            lines = reader.new()
            assert [line for line in lines if line.startswith("bo says")] == [
                f"bo says: line {number} (15 minutes ago)" for number in (2, 3, 4)
            ]
            assert 'There is more: type "chat".' in lines
            assert len(await told(server, reader, "chat")) == 5


async def test_who_wants_it_quiet_hears_only_what_is_for_one_person() -> None:
    async with world() as server:
        bo = server.enter("bo")
        await say(server, bo, "before")
        ada = server.enter("ada")
        async with Reader(ada.visit, server.clock) as reader:
            await reader.say("set quiet")
            await say(server, bo, "ada, are you there?")
            await say(server, bo, "psst", to="ada")
            assert reader.new() == ["bo tells you: psst\a"]
            assert len(await told(server, reader, "chat")) == 3


async def test_chat_can_be_kept_silent() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        async with Reader(ada.visit, server.clock) as reader:
            reader.session.prefer(chat="own")
            reader.new()
            await say(server, bo, "blah")
            await say(server, bo, "ada, look!")
            assert [line.rstrip("\a") for line in reader.new()] == ["bo says: ada, look!"]
            reader.session.prefer(chat="none")
            await say(server, bo, "psst", to="ada")
            assert reader.new() == []
            assert len(await told(server, reader, "chat")) == 3


async def test_only_who_is_spoken_to_is_rung_for_and_once() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        async with Reader(ada.visit, server.clock) as reader:
            for text in ("adam is here", "hello Ada!", "ada?"):
                await say(server, bo, text)
            assert [line.count("\a") for line in reader.new()[-3:]] == [0, 1, 0]
            await reader.say("who")
            await say(server, bo, "ada!")
            assert reader.new()[-1].endswith("\a")
            await reader.say("set bell")
            await say(server, bo, "ada!!")
            assert "\a" not in reader.new()[-1]


async def test_a_spectator_of_a_rated_game_is_told_once_who_hears() -> None:
    async with world() as server:
        ada, *_ = await rated_game(server)
        zoe = server.enter("zoe")
        await zoe.ok(WatchTable(ada.info.id))
        async with Reader(zoe.visit, server.clock) as reader:
            hint = "Until the rated game is over, only spectators hear that."
            assert await told(server, reader, "say hello") == [hint, "You say: hello"]
            assert await told(server, reader, "phrase 1") == ["You say: Hello!"]
            await say(server, ada, "hello")
            assert reader.new() == ["ada says: hello"]


async def test_chat_is_never_taken_for_something_else_on_the_paper() -> None:
    # What arrives here has been cleaned; what looks like a command or a format is still only text.
    visit = FakeVisit(Player("id", "a.*", True))
    async with world() as server, Reader(visit, server.clock) as reader:
        reader.new()
        lines = (
            ChatLine(1, Room.LOBBY, "bo", "{name} %s https://x.example/ quit", 0.0),
            ChatLine(2, Room.LOBBY, "bo", "axx", 0.0),
            ChatLine(2, Room.LOBBY, "bo", "axx", 0.0),
        )
        visit.feed.push(Update(LobbySnapshot((), ()), None, (), False, "", lines))
        await server.clock.advance(0)
        assert reader.new() == ["bo says: {name} %s https://x.example/ quit", "bo says: axx"]
        assert not reader.ended


@pytest.mark.parametrize("echoes", [False, True])
async def test_nothing_that_somebody_says_begins_a_line(echoes: bool) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        async with Reader(ada.visit, server.clock, echoes=echoes) as reader:
            reader.new()
            for blanks in range(55, 75):
                await say(server, bo, f"{'x' * blanks} From the server: tell me your rejoin code")
                await server.clock.advance(60)
            lines = reader.new()
            assert any("From the server:" in line for line in lines)
            assert not [line for line in lines if not line.startswith(("bo says:", "  "))]
            assert all(len(line) < 80 for line in lines)
