"""A first game with the guide, by sentences alone."""

from unittest.mock import patch

import pytest

from server.coordinator.messages import Command, Reply, Status
from server.i18n.lookup import languages, words_for
from server.session.preferences import SOLO
from server.session.tutorial import Lesson, Topic, lesson_in_words
from tests.support.tables import world
from tests.support.transcript import reader


@pytest.mark.parametrize("language", languages())
async def test_a_whole_first_game_by_sentences(language: str) -> None:
    words = words_for(language)
    mark = words.t("Guide: {lesson}", lesson="")
    async with world() as place, reader(place, language=language) as ada:
        await ada.say(words.p("line command", "learn"))
        heard = [line for line in ada.paper.lines if line.startswith(mark)]
        assert len(heard) == 4
        for _ in range(300):
            table = ada.session.table
            assert table is not None
            if table.info.status is Status.OVER:
                break
            if table.own is not None and table.own.hand and not table.own.bid:
                await ada.say(f"{table.own.hand[len(table.own.hand) // 2]}")
            await place.clock.next()
        else:
            raise AssertionError("the game did not end")
        heard = [line for line in ada.paper.lines if line.startswith(mark)]
        assert len(set(heard)) == len(heard) >= 8
        assert heard[0] == lesson_in_words(Lesson(Topic.WELCOME, {"count": 12}), words)
        assert heard[-2:] == [
            lesson_in_words(Lesson(topic), words) for topic in (Topic.POINTS, Topic.FULL_GAME)
        ]
        await ada.say(words.p("line command", "again"))
        await place.clock.advance(0)
        table = ada.session.table
        assert table is not None
        assert (table.info.status, table.info.options) == (Status.PLAYING, SOLO)


async def test_the_guide_is_there_when_the_table_is_told_before_the_answer() -> None:
    async with world() as place, reader(place) as ada:
        submit = ada.session.submit

        async def answered_late(command: Command) -> Reply:
            reply = await submit(command)
            ada.session.catch_up()  # as in the next turn of the event loop
            return reply

        with patch.object(ada.session, "submit", answered_late):
            said = await ada.say("learn")
        assert not [line for line in said if line.startswith("To bid a card")]
        assert len([line for line in said if line.startswith("Guide: ")]) == 4


async def test_the_guide_comes_to_a_running_game_and_goes() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play")
        said = await ada.say("learn")
        assert said[0] == "The guide is here."
        assert said[1].startswith("Guide: Stay dry!")
        assert await ada.say("learn") == ["The guide leaves."]
        await ada.say("leave", "yes", "learn")
        await place.clock.advance(0)
        assert ada.session.table is not None
        assert ada.session.table.info.options.rules.stages == 1
        assert ada.session.guide.here
