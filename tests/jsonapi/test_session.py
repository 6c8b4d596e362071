"""Whole visits of programs, with only the lines of JSON to go by."""

import json
from typing import Any

import pytest
from msgspec import structs

from engine.views import TableView
from server.coordinator import messages as m
from server.coordinator.messages import (
    DAY,
    Pace,
    Player,
    ServerMessage,
    Spectating,
    TablePublic,
    Update,
)
from server.i18n.lookup import words_for
from server.settings.settings import TableLimits
from server.viewmodels.lobby import present_lobby
from server.viewmodels.table import present_table
from tests.support.accounts import FakeAccount
from tests.support.api_program import Program
from tests.support.fake_clock import FakeClock
from tests.support.fakes import FakeVisit
from tests.support.memory_stores import MemoryStore
from tests.support.tables import World, world
from tests.support.through_frames import enter


def program(place: World, name: str = "ada", **more: Any) -> Program:
    return Program(place.enter(name).visit, place.clock, **more)


async def test_the_first_lines_say_who_one_is_and_where() -> None:
    async with world() as place, program(place) as ada:
        hello = ada.heard[0]["hello"]
        assert hello["protocol"] == 1
        assert hello["server"] == "1.2.3"
        assert hello["player"] == {"name": "ada", "guest": False}
        assert hello["rejoin"] is None
        assert ada.update["place"] == "lobby"
        assert ada.update["lobby"]["players"] == ["ada"]
        assert ada.update["table"] is ada.update["game"] is ada.update["you"] is None


async def test_what_comes_before_the_greeting_is_answered_after_it() -> None:
    async with world() as place:
        ada = program(place)
        ada.session.feed('nonsense\n{"id": 2, "do": "play"}\n')
        async with ada:
            assert next(iter(ada.heard[0])) == "hello"
            assert [each["ok"] for each in ada.heard if "ok" in each] == [False, True]


async def test_a_whole_game() -> None:
    async with world() as place, program(place) as ada:
        await ada.ok("play", options={"players": 3, "stages": 2})
        assert ada.table["options"]["players"] == 3
        id_ = ada.game["id"]
        await ada.play_out()
        kinds = [each["kind"] for each in ada.happenings]
        numbers = [each["update"]["number"] for each in ada.heard if "update" in each]
        assert isinstance(place.store, MemoryStore)
        (kept,) = place.store.finished.values()
    assert numbers == list(range(1, len(numbers) + 1))
    assert ada.game["id"] == id_
    assert str(dict(kept.record)["commitment"]).startswith(id_)
    assert kinds.count("stage_scored") == 2
    assert kinds.count("game_over") == 1
    assert ada.game["winners"]
    assert len(ada.game["deal"]) == 3
    assert ada.table["seed"]
    assert ada.you["legal"] == []


async def test_every_round_is_in_the_state_also_after_a_reconnect() -> None:
    async with world() as place, program(place, "eve") as eve:
        async with program(place) as ada:
            await ada.ok("play", options={"players": 3, "stages": 3})
            await eve.ok("watch", table=ada.table["table"])
            first = ada.you["dealt"]
            while ada.game["stage"] < 1:
                await ada.play_round()
            assert ada.game["log"] == []
            resolved = [each for each in ada.happenings if each["kind"] == "round_resolved"]
            scored = next(each for each in ada.happenings if each["kind"] == "stage_scored")
            (stage,) = history = ada.update["history"]
            assert stage["rounds"] == [each["result"] for each in resolved]
            assert stage["points"] == scored["points"]
            assert ada.you["hands"] == [first]
        async with program(place) as again:
            assert again.update["history"] == history
            assert again.you["hands"] == [first]
            await again.play_out()
            # The last stage is the one on the table.
            assert len(again.update["history"]) == 2
            assert again.game["log"]
        await place.clock.advance(0)
        eve.new()
        assert eve.update["history"] == again.update["history"]
        assert eve.update["you"] is None


async def test_two_programs_at_a_table_of_their_own() -> None:
    async with world() as place, program(place) as ada, program(place, "bo") as bo:
        await ada.ok("new", options={"players": 3, "stages": 1, "pace": "untimed"})
        code = ada.table["table"]
        await bo.ok("join", table=code.upper(), seat=2)
        ada.new()
        assert ada.happenings[-1] == {"kind": "sat", "seat": 2, "name": "bo"}
        assert bo.you["seat"] == 2
        assert (await bo.do("start"))["code"] == "not_owner"
        assert (await ada.do("start"))["code"] == "seats_empty"
        await ada.ok("add")
        await ada.ok("start")
        bo.new()
        assert bo.you["to_bid"]
        assert bo.game["seats"][0]["bid"] is False
        card = ada.you["legal"][0]
        assert await ada.bid(card) == {"ok": True}
        assert ada.you["bid"] == card
        assert not ada.you["to_bid"]
        assert ada.you["legal"], "a bid can be replaced"
        bo.new()
        assert bo.game["seats"][0]["bid"] is True
        assert bo.happenings[-1] == {"kind": "bid_sealed", "seat": 0}
        await ada.ok("vote", motion="pause")
        voted = {"kind": "voted", "seat": 0, "name": "ada", "motion": "pause", "agree": True}
        assert ada.happenings[-1] == voted | {"target": None}


async def test_a_refusal_says_why_in_the_players_language() -> None:
    async with world() as place, program(place, language="de") as ada:
        await ada.ok("play")
        missing = next(card for card in range(1, 61) if card not in ada.you["legal"])
        refused = await ada.bid(missing)
        assert refused["code"] == "not_in_hand"
        assert refused["details"]["card"] == missing
        assert str(missing) in refused["text"]
        assert "You" not in refused["text"]
        late = await ada.do("bid", card=ada.you["legal"][0], stage=0, round=5)
        assert late["code"] == "wrong_round"


async def test_an_answer_comes_after_what_came_of_the_command() -> None:
    async with world() as place, program(place) as ada:
        ada.session.feed('{"do": "play"}\n')
        await place.clock.advance(0)
        *_, update, answer = ada.new()
        assert update["update"]["place"] == "table"
        assert answer == {"id": None, "ok": True}


async def test_answers_come_in_the_order_of_the_lines() -> None:
    async with world() as place, program(place) as ada:
        sent = ['{"id": 1, "do": "play"}', "nonsense", '{"id": "x", "do": "leave"}', "", "[]"]
        answers = await ada.send(*sent)
        assert [answer["id"] for answer in answers] == [1, None, "x", None]
        assert [answer["ok"] for answer in answers] == [True, False, True, False]


async def test_lines_may_come_in_pieces_and_with_returns() -> None:
    async with world() as place, program(place) as ada:
        for piece in ('{"do":', '"lo', 'ok"', "}\r", '\n{"do":"look"}', "\n"):
            ada.session.feed(piece)
        await place.clock.advance(0)
        assert [each["ok"] for each in ada.new() if "ok" in each] == [True, True]


async def test_a_ping() -> None:
    async with world() as place, program(place) as ada:
        assert await ada.do("ping") == {"ok": True, "time": place.clock.time()}


async def test_the_same_key_opens_no_second_table_also_after_a_reconnect() -> None:
    async with world() as place:
        for what in ("play", "new", "any"):
            async with program(place) as ada:
                first = await ada.do(what, key=what)
                assert first == {"ok": True, "table": ada.table["table"]}
            async with program(place) as ada:
                assert await ada.do(what, key=what) == first
                assert (await ada.do(what, key="another"))["code"] == "seated_elsewhere"
                await ada.ok("leave")
                assert await ada.do(what, key=what) == first
                assert ada.update["place"] == "lobby"
            async with program(place, "bo") as bo:
                assert (await bo.do(what, key=what))["table"] != first["table"]
                await bo.ok("leave")


async def test_of_many_keys_the_latest_are_known() -> None:
    async with world() as place, program(place) as ada:
        first = await ada.do("new", key="0")
        for number in range(1, 17):
            await ada.ok("leave")
            assert (await ada.do("new", key=f"{number}"))["ok"]
        await ada.ok("leave")
        assert await ada.do("new", key="0") != first
        assert (await ada.do("new", key="x" * 65))["details"]["field"] == "key"


async def test_with_delta_what_is_left_out_is_as_before() -> None:
    async with world() as place, program(place) as ada, program(place, "eve") as eve:
        await ada.ok("updates", delta=True)
        await ada.ok("play", options={"players": 3, "stages": 2})
        await eve.ok("watch", table=ada.table["table"])
        parts = {"lobby", "table", "game", "history", "you"}
        begun, state = len(ada.heard), dict(ada.update)
        assert parts <= state.keys()
        await ada.play_out()
        sizes = {"history": 0, "table": 0, "game": 0}
        updates = [each["update"] for each in ada.heard[begun:] if "update" in each]
        for update in updates:
            for name in parts & update.keys():
                assert update[name] != state[name], name
            state |= update
            assert update.keys() >= {"number", "time", "place"}
            assert all(
                update.get(name, True) for name in ("happenings", "chat", "house", "resynced")
            )
            for name in sizes:
                sizes[name] += name in update
        assert sizes["history"] == 1
        assert sizes["table"] < len(updates) / 4
        assert sizes["game"] > 20
        await place.clock.advance(0)
        eve.new()
        for name in ("table", "game", "history"):
            assert state[name] == eve.update[name]
        await ada.ok("look")
        assert parts <= ada.update.keys()
        await ada.ok("updates", delta=False)
        await ada.ok("leave")
        assert ada.update["chat"] == []


@pytest.mark.parametrize("leave", ['{"do": "quit"}\n', "\x04"])
async def test_who_leaves_is_told_so_and_keeps_the_seat(leave: str) -> None:
    async with world() as place, program(place) as ada:
        await ada.ok("play")
        hand = ada.you["hand"]
        ada.session.feed(leave)
        await place.clock.advance(0)
        assert ada.new()[-1] == {"end": {"code": "left", "text": ""}}
        assert ada.ended
        ada.visit.close()
        async with program(place) as again:
            assert again.you["hand"] == hand
            assert again.you["to_bid"]


async def test_at_the_end_of_its_output_a_program_still_gets_its_answers() -> None:
    async with world() as place, program(place) as ada:
        ada.session.feed('{"id": 1, "do": "play"}\n{"id": 2, "do": "leave"}\x04{"do": "play"}\n')
        await place.clock.advance(0)
        assert [each.get("id", "end") for each in ada.new() if "update" not in each] == [
            1,
            2,
            "end",
        ]


async def test_a_program_that_thinks_for_an_hour_plays_on() -> None:
    async with world() as place, program(place) as ada:
        await ada.ok("play")
        before = len(ada.heard)
        await place.clock.advance(3600)
        ada.new()
        assert not ada.ended
        assert not ada.table["seats"][0]["away"]
        assert all("end" not in each for each in ada.heard[before:])
        assert await ada.bid(ada.you["legal"][0]) == {"ok": True}


async def test_a_full_line_is_told_everything_later() -> None:
    async with world() as place, program(place) as ada:
        ada.paper.writable = False
        assert await ada.send('{"id": 1, "do": "play"}', '{"id": 2, "do": "look"}') == []
        await place.clock.advance(5)
        assert ada.new() == []
        ada.paper.writable = True
        ada.session.drained()
        await place.clock.advance(0)
        assert [each["id"] for each in ada.new() if "ok" in each] == [1, 2]
        assert ada.update["place"] == "table"


async def test_too_many_lines_at_once() -> None:
    async with world() as place, program(place) as ada:
        ada.paper.writable = False
        answers = await ada.send(*(f'{{"id": {n}, "do": "look"}}' for n in range(102)))
        assert [(each["id"], each["code"]) for each in answers] == [
            (100, "too_many_lines"),
            (101, "too_many_lines"),
        ]
        ada.paper.writable = True
        ada.session.drained()
        answered: list[int] = []
        while len(answered) < 100:  # two in each turn of the event loop's
            await place.clock.advance(0)
            answered += [each["id"] for each in ada.new() if "ok" in each]
        assert answered == list(range(100))


async def test_options_are_changed_one_by_one() -> None:
    async with world() as place, program(place) as ada:
        wanted = {
            "edition": "bga",
            "players": 6,
            "modified_drowning": True,
            "spectators": "delayed",
        }
        await ada.ok("new", options=wanted)
        assert ada.table["options"] == wanted | {
            "stages": 6, "assistance": False, "pace": Pace.TIMED, "seconds": 60, "rated": False,
            "bots": "greedy", "hints": True,
        }  # fmt: skip
        await ada.ok("options", options={"edition": "amigo", "pace": "correspondence"})
        options = ada.table["options"]
        assert (options["players"], options["stages"], options["seconds"]) == (5, 5, DAY)
        assert options["modified_drowning"] is False
        assert options["spectators"] == Spectating.DELAYED
        await ada.ok("options", options={"pace": "untimed", "rated": True})
        assert (ada.table["options"]["rated"], ada.table["options"]["hints"]) == (True, False)
        await ada.ok("options", options={"pace": "correspondence", "rated": False})
        assert ada.table["options"] == options
        assert (await ada.do("options", options={"players": 9}))["code"] == "players"
        assert (await ada.do("options", options={"pace": "timed", "seconds": 1}))[
            "code"
        ] == "seconds"
        assert ada.table["options"] == options


async def test_the_invitation_word_is_for_the_owner_alone() -> None:
    async with world() as place, program(place) as ada, program(place, "bo") as bo:
        await ada.ok("new")
        await ada.ok("private", word="otter")
        assert ada.table["word"] == "otter"
        code = ada.table["table"]
        assert (await bo.do("join", table=code))["code"] == "word_needed"
        await bo.ok("join", table=code, word="otter")
        assert bo.table["private"] is True
        assert bo.table["word"] is None
        assert "otter" not in bo.paper.written


async def test_a_guest_is_told_the_way_back() -> None:
    async with world() as place:
        account = FakeAccount()
        account.rejoin_code = "k7m2-p9xq-3dhw"
        async with program(place, account=account) as ada:
            assert ada.heard[0]["hello"]["rejoin"] == "k7m2-p9xq-3dhw"
            await place.lobby.close()
            await place.clock.advance(0)
            assert ada.new()[-1]["end"]["text"].endswith("log in as ada+k7m2-p9xq-3dhw")


async def test_everybody_reads_when_the_server_goes_down() -> None:
    async with world() as place, program(place) as ada:
        await ada.ok("new", options=json.loads('{"pace": "untimed"}'))
        assert ada.table["closing"] is None
        place.lobby.announce_closing(place.clock.time() + 60)
        await place.clock.advance(0)
        ada.new()
        assert ada.table["closing"] == {"when": place.clock.time() + 60}
        assert ada.happenings[-1]["kind"] == "closing"
        await place.lobby.close()
        await place.clock.advance(0)
        assert ada.new()[-1]["end"]["code"] == "shutdown"


@pytest.mark.parametrize("reason", ["taken_over", "shutdown", "kicked", "banned"])
async def test_why_a_session_ends(reason: str) -> None:
    clock, visit = FakeClock(), FakeVisit()
    async with Program(visit, clock) as ada:
        word = ServerMessage("broadcast", "good night")
        visit.feed.push(Update(None, None, (), True, reason, said=(word,)))
        await clock.advance(0)
        update, end = ada.new()
        assert update["update"]["place"] == "nowhere"
        assert update["update"]["resynced"] is True
        assert update["update"]["house"][0]["text"] == "good night"
        assert end["end"]["code"] == reason
        assert ada.ended


FAST: dict[str, Any] = {"players": 3, "stages": 1, "pace": "fast"}


def a_program(place: World, name: str = "ada") -> Program:
    """Which nobody steers."""
    return Program(enter(place.lobby, Player(f"id-{name}", name, False, True)), place.clock)


async def test_that_games_of_others_go_on_is_no_update_but_told_when_asked() -> None:
    async with world() as place, program(place) as ada, program(place, "bo") as bo:
        await ada.ok("play", options={"players": 3, "pace": "untimed"})
        await place.clock.advance(3)
        bo.new()
        (game,) = bo.update["lobby"]["games"]
        assert game == {
            "table": ada.table["table"],
            "round": 0,
            "levels": [0, 0, 0],
            "points": [0, 0, 0],
            "life_preservers": [seat["life_preservers"] for seat in ada.game["seats"]],
        }
        await ada.play_round()
        await place.clock.advance(3)
        assert not bo.new()
        await bo.ok("look")
        (game,) = bo.update["lobby"]["games"]
        assert (game["round"], game["levels"]) == (1, [it["level"] for it in ada.game["seats"]])
        news = m.News(("ada", ""), ("bo",), bots=1, points=9)
        place.lobby.feed.tell_news((news,), m.TodayNow(1, "2026-11-24", (("ada", 5),), 2))
        await place.clock.advance(3)
        bo.new()
        (told,) = bo.update["lobby"]["news"]
        assert (told["winners"], told["against"], told["bots"]) == (["ada", None], ["bo"], 1)
        assert bo.update["lobby"]["today"] == {
            "played": 1,
            "day": "2026-11-24",
            "tries": 2,
            "best": [["ada", 5]],
        }


async def test_a_change_of_an_own_game_is_told_while_those_of_others_go_on() -> None:
    async with world() as place, program(place) as ada, program(place, "bo") as bo:
        await ada.ok("play", options={"players": 3, "pace": "untimed"})
        await place.clock.advance(3)
        bo.new()
        names, playing = ("bo", "cem", "Reef"), m.Status.PLAYING
        own = m.CorrespondenceGame(
            "kadubilo", "Reef", m.TableOptions(), playing, names, 0, 1, due=0, waits=False
        )
        feed, lobby = place.lobby.people["id-bo"].feed, place.lobby.feed.snapshot()
        (game,) = lobby.games
        feed.offer_lobby(structs.replace(lobby, games=(structs.replace(game, round=5),)))
        feed.offer_correspondence((own,))
        await place.clock.advance(3)
        bo.new()
        assert [game["table"] for game in bo.update["correspondence"]] == ["kadubilo"]


async def test_programs_are_marked_for_everybody() -> None:
    async with world() as place, a_program(place) as ada, program(place, "bo") as bo:
        assert [each.heard[0]["hello"]["program"] for each in (ada, bo)] == [True, False]
        await place.clock.advance(2)
        bo.new()
        assert bo.update["lobby"]["programs"] == ["ada"]
        await ada.ok("new", options={"players": 3, "stages": 1})
        await place.clock.advance(2)
        bo.new()
        (row,) = bo.update["lobby"]["tables"]
        assert row["programs"] == ["ada"]
        await bo.ok("join", table=row["table"])
        await ada.ok("add")
        assert [seat["program"] for seat in bo.table["seats"]] == [True, False, False]
        lobby = place.lobby.feed.snapshot()
        (line,) = present_lobby(lobby, words_for("de")).tables
        assert line.names.startswith("ada (Programm), bo, ")
        await ada.ok("start")
        bo.new()
        words = words_for("en")
        tags = [seat.tag for seat in present_table(*place_of(bo), words).seats]
        assert tags == ["program", "", "bot"]
        while bo.table["status"] == "playing":
            await ada.play_round()
            await bo.play_round()
        assert isinstance(place.store, MemoryStore)
        (kept,) = place.store.finished.values()
        kinds = [dict(seat)["kind"] for seat in dict(kept.record)["seats"]]
        assert kinds == ["program", "human", "bot"]


def place_of(one: Program) -> tuple[TablePublic, TableView]:
    """What a screen would show."""
    table = one.session.table
    assert table is not None
    assert table.table is not None
    return table.info, table.table


async def test_whoever_connects_last_says_whether_a_program_plays() -> None:
    async with world() as place, program(place, "bo") as bo:
        async with a_program(place) as ada:
            await ada.ok("new")
            await bo.ok("join", table=ada.table["table"])
            assert bo.table["seats"][0]["program"] is True
        async with program(place, "ada"):
            await place.clock.advance(0)
            bo.new()
            assert bo.table["seats"][0]["program"] is False


async def test_a_fast_game_takes_no_time_and_takes_no_people() -> None:
    async with world() as place, a_program(place) as ada, a_program(place, "cy") as cy:
        await ada.ok("new", options=FAST | {"seconds": 1})
        code = ada.table["table"]
        async with program(place, "bo") as bo:
            assert (await bo.do("new", options=FAST))["code"] == "programs_only"
            assert (await bo.do("join", table=code))["code"] == "programs_only"
            await bo.ok("new")
            assert (await bo.do("options", options=FAST))["code"] == "programs_only"
            await bo.ok("leave")
        await cy.ok("join", table=code)
        await ada.ok("add")
        await ada.ok("start")
        begun = place.clock.time()
        while ada.table["status"] == "playing":
            for one in (ada, cy):
                one.new()
                if one.table["status"] == "playing" and one.you["to_bid"]:
                    await one.bid(one.you["legal"][0])
        assert place.clock.time() == begun
        async with program(place, "bo") as bo:
            await bo.ok("watch", table=code)
            assert (await bo.do("join", table=code))["code"] == "programs_only"


async def test_a_fast_game_has_a_clock_and_waits_for_a_person_who_has_come_back() -> None:
    async with world() as place:
        async with a_program(place) as ada:
            await ada.ok("play", options=FAST | {"stages": 2, "seconds": 5})
            assert ada.table["due"] == place.clock.time() + 5
            await place.clock.advance(5)
            ada.new()
            assert ada.game["round"] == 1
        async with program(place, "ada") as ada:
            await ada.bid(ada.you["legal"][0])
            while ada.game["round"] < 2:
                assert await place.clock.next()
                ada.new()
            assert ada.table["due"] > place.clock.time() + 5


async def test_a_server_may_keep_programs_out_of_rated_games() -> None:
    rated = {"players": 3, "rated": True}
    for welcome in (True, False):
        limits = TableLimits(rated_programs=welcome)
        async with (
            world(limits=limits) as place,
            a_program(place) as ada,
            program(place, "bo") as bo,
        ):
            told = await ada.do("new", options=rated)
            assert told.get("code", "") == ("" if welcome else "rated_programs")
            await bo.ok("new", options=rated)
            if not welcome:
                told = await ada.do("join", table=bo.table["table"])
                assert told["code"] == "rated_programs"
                await bo.ok("options", options={"rated": False})
                await ada.ok("join", table=bo.table["table"])
                assert (await bo.do("options", options=rated))["code"] == "rated_programs"


async def test_ten_times_as_many_fast_games_may_begin() -> None:
    limits = TableLimits(games_per_player=1)
    async with world(limits=limits) as place, a_program(place) as ada:
        for fast in (True, False):
            options = FAST if fast else {}
            await ada.ok("play", options=options)
            await ada.ok("leave")
            refused = await ada.do("play", options=options)
            assert refused["details"]["seconds"] == (1 if fast else 10)


async def test_games_by_correspondence_are_played_without_going_there() -> None:
    async with world() as place, program(place) as ada:
        await ada.ok("play", options={"players": 3, "pace": "correspondence"})
        code = ada.table["table"]
        await ada.ok("lobby")
        assert ada.update["place"] == "lobby"
        await ada.ok("play", options={"players": 3})
        live = ada.table["table"]
        (game,) = ada.update["correspondence"]
        assert (game["table"], game["your_turn"], game["stage"], game["round"]) == (
            code,
            True,
            0,
            0,
        )
        ada.new()
        seen = (await ada.do("look", table=code))["seen"]
        assert (seen["table"]["table"], seen["you"]["to_bid"]) == (code, True)
        bid = {"card": seen["you"]["legal"][0], "stage": 0, "round": 0, "table": code}
        await ada.ok("bid", **bid)
        assert not ada.update["correspondence"][0]["your_turn"]
        await place.clock.advance(20.0)
        ada.new()
        # The bots have bid: the next round waits, and says so while the live game is looked at.
        said = [word for each in ada.heard if "update" in each for word in each["update"]["house"]]
        assert [word["about"] for word in said if word["kind"] == "your_turn"][-1:] == [code]
        assert ada.table["table"] == live
        assert ada.update["correspondence"][0]["round"] == 1
        assert (await ada.do("bid", **bid))["code"] == "too_late"
        assert (await ada.do("look", table="nowhere"))["code"] == "not_seated"
        assert (await ada.do("leave", table="nowhere"))["code"] == "not_seated"
        await ada.ok("leave", table=code)
        assert ada.update["correspondence"] == []
        assert ada.table["table"] == live


async def test_options_of_a_named_table_are_those_that_change() -> None:
    async with world() as place, program(place) as ada:
        await ada.ok("new", options={"players": 3, "pace": "correspondence", "seconds": 7200})
        code = ada.table["table"]
        await ada.ok("lobby")
        await ada.ok("options", options={"players": 4}, table=code.upper())
        (game,) = ada.update["correspondence"]
        assert (game["options"]["players"], game["options"]["seconds"]) == (4, 7200)
        answer = await ada.do("options", options={"pace": "untimed"}, table=code)
        assert answer["code"] == "by_correspondence"
