"""An edition, a bot and something that players can do at a table, declared by a row each
(``tests.support.added_rows``), in every frontend. Run by ``test_declared_once``, in a process of its own.
"""

import pytest

from bench.strength import report
from engine.bots import BOTS, LADDER, STRATEGIES
from engine.deal import deal_code, read_deal
from engine.editions import Edition, Rules, player_range
from engine.records.record_format import parse
from server.coordinator import messages as m
from server.coordinator.messages import Pace, Status, TableOptions
from server.i18n.lookup import languages, words_for
from server.jsonapi.schema import schema
from server.linemode.commands import help_lines
from server.operators.online_people import table_rows
from server.session.learning import rules_sections
from server.storage.history_store import HistoryStore
from server.terminal.capabilities import Size
from server.text.bots import bot_in_words
from server.text.history import game_words
from server.text.operator_orders import row_in_words
from server.text.people import bots_in_words
from tests.support.added_rows import BOT, CLAP, CLAPS, EDITION, EDITION_CALLED, NO_CLAPPING
from tests.support.api_program import Program
from tests.support.memory_stores import MemoryStore
from tests.support.pilot import Sitting
from tests.support.tables import world
from tests.support.through_frames import enter
from tests.support.transcript import play_by_sentences, reader

ENGLISH = words_for("en")
NEW = Edition(EDITION)
RULES = Rules(NEW, 3, 1, modified_drowning=True)
OPTIONS = TableOptions(RULES, Pace.UNTIMED, bots=BOT)


@pytest.mark.parametrize("edition", Edition)
def test_codes_of_deals(edition: Edition) -> None:
    for players in player_range(edition):
        for modified in {False, edition.modified_drowning}:
            rules = Rules(edition, players, modified_drowning=modified)
            assert read_deal(deal_code(bytes(32), rules)) == (bytes(32), rules)


@pytest.mark.parametrize("language", languages())
def test_words(language: str) -> None:
    words = words_for(language)
    assert BOT in bot_in_words(BOT, words)
    assert rules_sections(OPTIONS, words)
    assert bots_in_words(words)


def test_measuring_bots() -> None:
    found = report.matches()
    assert {match.bot for match in found} == set(LADDER)
    assert all(report.deals_of(match, 60) >= 0 for match in found)
    assert tuple(BOTS) == STRATEGIES


def test_what_programs_may_say() -> None:
    text = str(schema())
    assert f'"{EDITION}"' in text
    assert f'"{BOT}"' in text


async def test_line_mode_and_operators() -> None:
    async with world() as place, reader(place) as ada, reader(place, "bo") as bo:
        await ada.say(f"new {EDITION} 3 players 1 stage modified untimed {BOT}")
        await place.clock.advance(1)
        listed = await bo.say("lobby")
        assert any(EDITION_CALLED in line for line in listed)
        assert await bo.say(f"lobby {EDITION}") == listed
        (facts,) = table_rows(place.lobby)
        assert EDITION_CALLED in row_in_words(facts, ENGLISH)
        await ada.say("add", "add", "start")
        rules = " ".join(await ada.say("rules", "more", "more"))
        assert f"{EDITION_CALLED}, 3 players, 1 stage, losses not passed on" in rules
        assert any("The game is over." in line for line in await play_by_sentences(ada))


async def test_programs() -> None:
    store = MemoryStore()
    async with world(store=store) as place, Program(place.enter("ada").visit, place.clock) as ada:
        wanted = {"edition": EDITION, "players": 3, "stages": 1, "bots": BOT, "pace": "untimed"}
        await ada.ok("play", options=wanted)
        assert wanted.items() <= ada.table["options"].items()
        await ada.play_out()
        history = HistoryStore(store.database)
        (row,) = await history.games()
        assert EDITION_CALLED in game_words(row, ENGLISH)
        record = await history.record(row.id)
        assert record is not None
        found = parse(record)
        assert found.rules.edition is NEW
        await ada.ok("leave")
        await ada.ok("play", deal=deal_code(bytes(32), found.rules))
        assert ada.table["options"]["edition"] == EDITION


@pytest.mark.parametrize("columns", [40, 80, 200])
async def test_the_full_screen(columns: int) -> None:
    sitting = Sitting(Size(columns, 40))
    async with sitting.pilot:
        await sitting.wait()
        bo = enter(sitting.lobby, m.Player("bo-id", "bo", True))
        await bo.submit(m.CreateTable(OPTIONS))
        await sitting.press("l")
        await sitting.wait(1)
        assert "Coral" in sitting.pilot.text
        await sitting.press("n", *["right"] * Edition._member_names_.index("ATOLL"))
        assert EDITION_CALLED in sitting.pilot.text
        await sitting.press("escape")
        await sitting.visit.submit(m.QuickGame(OPTIONS))
        await sitting.wait(0.5)
        await sitting.press("?")
        await sitting.press("escape")
        for _ in range(200):
            if sitting.status is Status.OVER and sitting.controller.context.reveal.scene is None:
                break
            await sitting.press(" ", "right", "enter")
            await sitting.wait(4)
        assert sitting.status is Status.OVER
        await sitting.press("r")
        await sitting.wait(1)
        assert "round 1/12" in sitting.pilot.text
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()


# ---------------------------------------------------------------- something that players can do at a table


async def test_an_action_of_line_mode_and_programs() -> None:
    async with (
        world() as place,
        reader(place) as ada,
        Program(place.enter("bo").visit, place.clock) as bo,
    ):
        await ada.say("new 3 players untimed", "add")
        await bo.ok("join", table=ada.session.here.info.id)
        assert "The game has not begun yet." in await ada.say(CLAP)
        await ada.say("start")
        assert "clap: clap." in help_lines("bid", ENGLISH)
        assert CLAPS.format(name="ada") in await ada.say(CLAP)
        bo.new()
        assert {"kind": "clapped", "seat": 0, "name": "ada"} in bo.happenings
        await bo.ok(CLAP)
        await place.clock.advance(1)
        assert CLAPS.format(name="bo") in ada.new()
        await bo.play_round()
        refused = await bo.do(CLAP)
        assert (refused["code"], refused["text"]) == ("clapped", NO_CLAPPING)
    assert f'"{CLAP}"' in str(schema())


async def test_an_action_of_the_full_screen() -> None:
    sitting = Sitting(Size(100, 40))
    async with sitting.pilot:
        await sitting.wait()
        await sitting.visit.submit(m.QuickGame(OPTIONS))
        await sitting.wait(0.5)
        await sitting.press("C")
        await sitting.wait(0.5)
        assert " claps." in sitting.pilot.text
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()
