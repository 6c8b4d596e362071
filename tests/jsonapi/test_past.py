"""Games that are over, results, and reports, as a program asks for them."""

import json
import re

import pytest

from engine.bots.estimates import JUDGE, Why
from engine.records.outcome import resolve
from engine.records.record_format import parse
from server.terminal.capabilities import ConnectionStats
from tests.support.accounts import FakeAccount, FakeLibrary
from tests.support.api_program import Program
from tests.support.days import a_day
from tests.support.fake_clock import FakeClock
from tests.support.fakes import FakeVisit
from tests.support.games import record as made
from tests.support.hints import hint_for
from tests.support.snapshots import Game


def asking(library: FakeLibrary | None, language: str = "en") -> Program:
    account = FakeAccount(library=library)
    return Program(FakeVisit(), FakeClock(), account, language)


async def test_the_list_of_games_and_the_next_ones() -> None:
    async with asking(library := FakeLibrary(1_000_000.0)) as ada:
        games = (await ada.do("games"))["games"]
        assert games[0]["game"] == 99
        assert games[0]["mine"] == 0
        assert {seat["place"] for seat in games[0]["seats"]} >= {1}
        more = (await ada.do("games", mine=False, before=games[-1]["game"]))["games"]
        assert more[0]["game"] == games[-1]["game"] - 1
    assert library.asked == [(True, 0), (False, games[-1]["game"])]


async def test_a_record_is_whole_and_can_be_read_again() -> None:
    async with asking(FakeLibrary(1_000_000.0)) as ada:
        record = (await ada.do("record", game=98))["record"]
        assert parse(json.dumps(record)).players
        assert (await ada.do("record", game=95))["code"] == "no_such_game"


async def test_the_summary_of_a_game_and_its_text() -> None:
    library = FakeLibrary(1_000_000.0)
    game = await library.game(98)
    assert game is not None
    async with asking(library, "de") as ada:
        told = (await ada.do("summary", game=98))["summary"]
        report = resolve(made(2))
        assert told["totals"] == [list(stage.scores) for stage in report.stages]
        assert told["highlights"]
        assert told["highlights"][0].keys() == {"kind", "stage", "seat", "hand", "points", "other"}
        assert told["course"][0].startswith("Nach Durchgang 1: ")
        assert told["text"][0] == "Land unter (Amigo, 4 Spieler): ada hat gewonnen"
        assert (await ada.do("summary", game=95))["code"] == "no_such_game"
        assert told["replay"] is None, "nobody knows the address"
        ada.session.facts = lambda: ConnectionStats(way_in="-p 2222 tide.example")
        told = (await ada.do("summary", game=98))["summary"]
        assert told["replay"] == f"ssh -t -p 2222 tide.example replay {game.code}"
        assert told["text"][-2:] == [told["replay"], "ssh -p 2222 tide.example"]


async def test_a_review_of_a_game() -> None:
    library = FakeLibrary(1_000_000.0)
    library.viewpoint = 1
    async with asking(library) as ada:
        told = (await ada.do("review", game=98))["review"]
        assert told["seat"] == 1
        assert [bid["round"] for bid in told["bids"]] == list(range(6))
        costly = [told["bids"][place] for place in told["costliest"]]
        assert all(bid["sure"] and bid["grade"] != "good" for bid in costly)
        assert {bid["reason"]["kind"] for bid in told["bids"]} <= {*Why}
        assert told["judge"] == {"bot": JUDGE.bot, "version": JUDGE.version}
        cost, stake = (sum(bid[name] for bid in told["bids"]) for name in ("cost", "stake"))
        assert told["accuracy"] == pytest.approx(1 - cost / stake, abs=0.01)
        assert (await ada.do("review", game=98, seat=0))["review"]["seat"] == 0
        assert (await ada.do("review", game=98, seat=4))["code"] == "no_such_seat"
        assert (await ada.do("review", game=95))["code"] == "no_such_game"


async def test_a_hint_has_the_points_and_the_risk_of_each_card_and_the_reason() -> None:
    visit, own = FakeVisit(), Game().snapshot(viewer=0).own
    assert own is not None
    async with Program(visit, FakeClock()) as ada:
        visit.replies.append(hint_for(own))
        told = (await ada.do("hint"))["hint"]
    assert [card["card"] for card in told["cards"]] == list(own.hand)
    assert (told["best"], told["other"], told["sure"]) == (own.hand[1], own.hand[0], True)
    assert told["reason"] == {"kind": "leaves", "tide": 9, "seat": 1, "share": 0.62}


async def test_where_nothing_is_kept() -> None:
    async with asking(None) as ada:
        assert (await ada.do("games"))["code"] == "no_games"


async def test_what_one_has_made_of_a_day_is_there_to_be_shared() -> None:
    library = FakeLibrary(1_000_000.0)
    library.viewpoint = 0
    found = a_day("played", tries=True)
    own = found.tries[1]._replace(player=FakeVisit().player.id)
    library.days = [found._replace(tries=(found.tries[0], own)), found]
    async with asking(library) as ada:
        ada.session.facts = lambda: ConnectionStats(way_in="tide.example")
        line = "Turn the Tide 2025-11-21: 4 points, place 2 of 2"
        assert (await ada.do("today"))["share"] == [line, "▅×▅▅▅▅▅×▃▅▃▁ ssh today@tide.example"]
        assert (await ada.do("today", before=1))["share"] == []


async def test_of_a_game_of_an_open_event_there_is_what_oneself_has_seen() -> None:
    library = FakeLibrary(1_000_000.0)
    library.viewpoint, library.held = 1, True
    whole = made(2)
    seed = whole.fields()["seed"]
    async with asking(library) as bo:
        for refused in (
            await bo.do("record", game=98),
            await bo.do("review", game=98, seat=0),
        ):
            assert refused["code"] == "event_open"
            assert refused["text"].startswith("Others may still play this deal")
        assert (await bo.do("review", game=98))["review"]["seat"] == 1
        assert (await bo.do("review", game=98, seat=1))["ok"]
        what_if = {"game": 98, "stage": 0, "round": 1, "card": 99}
        assert (await bo.do("what_if", **what_if))["code"] == "not_in_hand"
        what_if["card"] = whole.stages[0].bids[2][1] or 0
        (one,) = (await bo.do("what_if", **what_if))["review"]["bids"]
        assert (one["stage"], one["round"], one["bid"]) == (0, 1, what_if["card"])
        assert (await bo.do("what_if", **what_if, seat=0))["code"] == "event_open"
        told = (await bo.do("own", game=98))["own_game"]
        assert told["seat"] == 1
        assert told["stages"][0]["hand"] == list(whole.deal[1])
        assert told["stages"][1]["hand"] == list(whole.deal[0])
        for stage, kept in zip(told["stages"], whole.stages, strict=True):
            assert stage["bids"] == [list(bids) for bids in kept.bids]
            assert stage["tides"] == [list(pair) for pair in kept.tides]
        summary = (await bo.do("summary", game=98))["summary"]
        assert summary["totals"]
        (line,) = summary["text"]
        assert re.fullmatch(r"Turn the Tide, game 98: -?\d+ points? \([-+ \d]+\)", line)
        assert (await bo.do("own", game=95))["code"] == "no_such_game"
        assert seed not in bo.paper.written
        library.held = False
        assert (await bo.do("own", game=98))["own_game"] == told
        assert (await bo.do("record", game=98))["record"]["seed"] == seed
        library.viewpoint = -1
        assert (await bo.do("own", game=98))["code"] == "no_such_game"
