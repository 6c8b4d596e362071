"""Finished games in lists, on players' pages and on the leaderboard."""

from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from engine.bots import DEFAULT_STRATEGY, STRATEGIES
from engine.editions import Edition, Rules
from engine.records.outcome import TUTORIAL_RULES, resolve
from engine.records.record_format import Record
from engine.rules import dealt_hand_of
from server.storage.databases.database import Database
from server.storage.history import PlayerPage, PlayerTotals
from server.storage.history_store import HistoryStore, OtherRecord
from server.storage.ratings import Rating, rated
from server.storage.table_store import FinishedGame, TableStore
from server.text.bots import BOT_RATINGS, level_of
from tests.support.databases import (
    ADA,
    BO,
    GUEST,
    begun,
    finished,
    keep,
    meet,
    one,
    page_of,
    sql_store,
    vouch,
)
from tests.support.games import record

pytestmark = pytest.mark.usefixtures("product")


async def test_games_are_listed_newest_first_and_page_by_page(opened: Database) -> None:
    history = HistoryStore(opened)
    assert await history.games() == ()
    for number in range(1, 6):
        await keep(opened, number, record(number), ADA, "", BO if number % 2 else "", "")
    assert [game.id for game in await history.games()] == [5, 4, 3, 2, 1]
    assert [game.id for game in await history.games(limit=2)] == [5, 4]
    assert [game.id for game in await history.games(limit=2, before=4)] == [3, 2]
    bo = await history.games(player=BO)
    assert [(game.id, game.mine) for game in bo] == [(5, 2), (3, 2), (1, 2)]
    assert [game.id for game in await history.games(player=BO, before=5, limit=1)] == [3]
    assert await history.games(player="account:nobody") == ()


async def test_a_game_of_a_private_table_is_only_for_who_has_played_it(opened: Database) -> None:
    history = HistoryStore(opened)
    await keep(opened, 1, record(1), ADA, "", BO, "")
    await keep(opened, 2, record(2, private=True), ADA, "", "", "")
    await keep(opened, 3, record(3, table='"private":true'), ADA, "", BO, "")
    assert [game.id for game in await history.games()] == [3, 1]
    assert [game.id for game in await history.games(private=True)] == [3, 2, 1], "operators"
    assert [game.id for game in await history.games(player=ADA)] == [3, 2, 1]
    for number, shown in ((1, True), (2, False), (3, True)):
        assert (await history.place(number, BO) is not None) is shown
        assert (await history.replay(number, BO) is not None) is shown
        assert await history.place(number, ADA) is not None
        assert await history.replay(number, ADA) is not None


async def test_a_listed_game_says_how_it_ended(opened: Database) -> None:
    over = record(3, seats=[{"kind": "human"}, {"kind": "bot"}, {"kind": "left"}, {"kind": 7}])
    await keep(opened, 3, over, ADA, "", "", "")
    (game,) = await HistoryStore(opened).games()
    report = resolve(over)
    assert (game.id, game.kept, game.edition, game.complete) == (1, 3.0, "amigo", True)
    assert [seat.name for seat in game.seats] == ["ada", "bo", "cem", "dora"]
    assert [seat.kind for seat in game.seats] == ["human", "bot", "left", ""]
    assert tuple(seat.score for seat in game.seats) == report.scores
    assert [at for at, seat in enumerate(game.seats) if seat.place == 1] == list(report.winners)
    ranked = sorted(report.scores, reverse=True)
    assert [seat.place for seat in game.seats] == [
        0 if seat == 2 else 1 + ranked.index(score) for seat, score in enumerate(report.scores)
    ], "who left has no place"


async def test_a_record_is_given_back_as_it_was(opened: Database) -> None:
    over = record(1, note="ü")
    await keep(opened, 1, over)
    assert await HistoryStore(opened).record(1) == over.text
    assert await HistoryStore(opened).record(2) is None


async def test_a_game_that_was_broken_off_is_listed_and_counts_for_nobody(opened: Database) -> None:
    await meet(opened)
    broken = record(1, rounds=20, ended="voted", rated=True)
    await keep(opened, 1, broken, ADA, BO, "", "")
    (game,) = await HistoryStore(opened).games()
    assert not game.complete
    assert not game.rated
    assert {seat.place for seat in game.seats} == {0}
    page = await page_of(opened, ADA)
    assert page.tally == PlayerTotals()
    assert page.rating is None
    assert page.games == (game._replace(mine=0),)


async def test_a_record_that_cannot_be_read_is_kept_all_the_same(opened: Database) -> None:
    store = TableStore(opened)
    await store.append(begun()._replace(finished=FinishedGame({"odd": 1}, ("", ""), 5.0)))
    (game,) = await HistoryStore(opened).games()
    assert not game.complete
    assert await HistoryStore(opened).record(1) == '{"odd":1}'


async def test_a_players_page_agrees_with_the_referee(opened: Database) -> None:
    rules = [
        Rules(players=4),
        Rules(players=3, stages=1),
        Rules(Edition.BGA, players=6),
        Rules(players=5, stages=2),
    ]
    own, with_others, others, best, wins = [], [], [], 0, 0
    await meet(opened)
    for number in range(1, 13):
        over_rules = rules[number % 4]
        players = over_rules.players
        seat = number % players
        names = tuple(f"p{each}" for each in range(players))
        over = record(number, names, rules=over_rules)
        seats = ["" for _ in names]
        seats[seat] = ADA
        await keep(opened, number, over, *seats)
        report = resolve(over)
        wins += seat in report.winners
        for stage, played in enumerate(report.stages):
            assert played.result is not None
            hand = dealt_hand_of(seat, stage, players)
            points = played.result.points[seat]
            own.append(points)
            rest = [
                each.result.points[other]
                for at, each in enumerate(report.stages)
                for other in range(players)
                if each.result and dealt_hand_of(other, at, players) == hand and other != seat
            ]
            if rest:
                with_others.append(points)
                others.append(mean(rest))
                best += points >= max(rest)
    page = await page_of(opened, ADA)
    tally = page.tally
    assert (page.name, tally.games, tally.wins, tally.stages) == ("ada", 12, wins, len(own))
    assert len(page.games) == 12
    assert tally.mean_points == pytest.approx(mean(own))
    assert tally.compared == len(others) < len(own)
    assert tally.own_with_hand == pytest.approx(mean(with_others))
    assert tally.others_with_hand == pytest.approx(mean(others))
    assert tally.best_with_hand == best


async def test_who_played_on_for_a_bot_has_the_game_in_the_list_only(opened: Database) -> None:
    kinds = [{"kind": "human"}, {"kind": "joined", "since": 2}, {"kind": "bot"}, {"kind": "bot"}]
    await meet(opened)
    await keep(opened, 1, record(1, seats=kinds), BO, ADA, "", "")
    joined, stayed = await page_of(opened, ADA), await page_of(opened, BO)
    assert [(game.mine, game.seats[1].kind) for game in joined.games] == [(1, "joined")]
    assert joined.tally == PlayerTotals()
    assert (stayed.tally.games, stayed.tally.stages) == (1, 4)
    assert stayed.tally.compared == 4, "a hand is compared with whoever has played it"


def won_by(seat: int, **more: Any) -> tuple[int, Record]:
    """The number and the record of a game that this seat alone has won."""
    for number in range(1, 100):
        over = record(number, **more)
        if resolve(over).winners == (seat,):
            return number, over
    raise AssertionError("no such game")


async def test_a_game_that_was_given_up_is_never_a_win(opened: Database) -> None:
    kinds = [{"kind": "left"}, {"kind": "human"}, {"kind": "bot"}, {"kind": "bot"}]
    number, over = won_by(0, seats=kinds, rated=True)
    await meet(opened)
    await keep(opened, number, over, ADA, BO, "", "")
    ada, bo = await page_of(opened, ADA), await page_of(opened, BO)
    assert (ada.tally.games, ada.tally.wins) == (1, 0)
    assert ada.games[0].seats[0].place == 0
    assert 1 not in {seat.place for seat in ada.games[0].seats}, "nobody else won it either"
    assert ada.rating == rated([Rating(), Rating()], [2, 1])[0]
    assert bo.rating is None, "nobody stayed to be compared with"


async def test_a_tutorial_counts_for_nobody(opened: Database) -> None:
    bot = {"kind": "bot", "strategy": "greedy"}
    await meet(opened)
    for number, kind in enumerate(("human", "left"), 1):
        over = record(
            number, rules=TUTORIAL_RULES, pace="untimed", seats=[{"kind": kind}, *[bot] * 3]
        )
        await keep(opened, number, over, ADA, "", "", "")
    page = await page_of(opened, ADA)
    assert page.tally == PlayerTotals()
    assert [game.tutorial for game in page.games] == [True, True]
    people = [{"kind": "human"}, {"kind": "human"}, bot, bot]
    others = [
        record(3, rules=TUTORIAL_RULES, pace="timed", seats=[{"kind": "human"}, *[bot] * 3]),
        record(4, rules=TUTORIAL_RULES, pace="untimed", seats=people),
        record(5, pace="untimed", seats=[{"kind": "human"}, *[bot] * 3]),
    ]
    for number, over in enumerate(others, 3):
        await keep(opened, number, over, ADA, "", "", "")
    page = await page_of(opened, ADA)
    assert page.tally.games == 3
    assert not any(game.tutorial for game in page.games[:3])


async def test_a_strength_is_shown_once_there_is_a_rated_game(opened: Database) -> None:
    await meet(opened)
    history = HistoryStore(opened)
    assert await history.strength(ADA) == (None, [])
    await keep(opened, 1, record(1, rated=True), ADA, BO, GUEST, "")
    page = await page_of(opened, ADA)
    assert page.rating is not None
    assert await history.strength(ADA) == (page.rating.shown, [])
    assert await history.strength(GUEST) == (None, [])
    assert level_of([]) == 0


async def test_somebody_new_has_an_empty_page_and_a_stranger_none(opened: Database) -> None:
    await meet(opened)
    history = HistoryStore(opened)
    assert await history.page(GUEST) == PlayerPage("cem", PlayerTotals(), None, 0, ())
    assert await history.page("account:nobody") is None


# ---------------------------------------------------------------- ratings


async def test_only_rated_games_between_accounts_change_ratings(opened: Database) -> None:
    await meet(opened)
    history = HistoryStore(opened)
    await keep(opened, 1, record(1), ADA, BO, "", "")
    await keep(opened, 2, record(2, rated="yes"), ADA, BO, "", "")
    await keep(opened, 3, record(3, rated=True), ADA, GUEST, "", "account:nobody")
    assert await history.best() == ()
    over = record(4, rated=True)
    await keep(opened, 4, over, ADA, GUEST, BO, "")
    await keep(opened, 4, over, ADA, GUEST, BO, "")
    scores = resolve(over).scores
    places = [1 + (scores[2] > scores[0]), 1 + (scores[0] > scores[2])]
    expected = rated([Rating(), Rating()], places)
    ada, bo = await page_of(opened, ADA), await page_of(opened, BO)
    assert [ada.rating, bo.rating] == expected
    assert [ada.rank, bo.rank] == [0, 0], "one game puts nobody on the leaderboard"
    await vouch(opened, "ada", "bo")
    ada, bo = await page_of(opened, ADA), await page_of(opened, BO)
    assert sorted([ada.rank, bo.rank]) == ([1, 1] if places == [1, 1] else [1, 2])
    assert [game.rated for game in await history.games()] == [True, True, False, False]


async def test_the_leaderboard_has_the_strongest_first(opened: Database) -> None:
    await meet(opened)
    history = HistoryStore(opened)
    for number in range(1, 21):
        over = record(number, rated=True)
        scores = resolve(over).scores
        # Ada always has the seat that did better.
        seats = (ADA, BO, "", "") if scores[0] >= scores[1] else (BO, ADA, "", "")
        await keep(opened, number, over, *seats)
    assert await history.best() == ()
    await vouch(opened, "ada", "bo")
    first, second = await history.best()
    assert (first.rank, first.player, first.name) == (1, ADA, "ada")
    assert (second.rank, second.player) == (2, BO)
    assert first.rating.games == second.rating.games == 20
    assert first.rating.shown > second.rating.shown >= 0
    assert await history.best(1) == (first,)


def test_every_bot_has_a_rating_and_the_usual_one_is_the_measure() -> None:
    assert tuple(BOT_RATINGS) == STRATEGIES
    assert BOT_RATINGS[DEFAULT_STRATEGY].mu == Rating().mu
    worth = [rating.mu for rating in BOT_RATINGS.values()]
    assert worth == sorted(worth), "STRATEGIES has the weakest first"


@pytest.mark.parametrize(("place", "level"), [(1, 5), (4, 3)])
async def test_who_beats_bots_is_stronger_than_who_loses_to_them(
    opened: Database, place: int, level: int
) -> None:
    """By the newest games against bots; those among people say nothing of bots."""
    bots = [{"kind": "bot", "strategy": "tidal"}] * 3
    await meet(opened)
    history, kept = HistoryStore(opened), 0
    for number in range(60):
        over = record(number, seats=[{"kind": "human"}, *bots])
        scores = resolve(over).scores
        if 1 + sum(other > scores[0] for other in scores) == place:
            kept += 1
            await keep(opened, number + 1, over, ADA, "", "", "")
    await keep(opened, 61, record(1, seats=[{"kind": "human"}] * 4), ADA, BO, "", "")
    rating, games = await history.strength(ADA)
    assert rating is None
    assert [game.place for game in games] == [place] * min(kept, 12)
    assert games[0].bots[0][0] == "tidal"
    found = level_of(games)
    assert found >= level if place == 1 else found <= level


async def test_another_record_of_the_same_game_is_an_error(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        over = begun()._replace(finished=finished())
        await store.append(over)
        await store.append(over._replace(expected=1))
        other = finished()._replace(record={"format": "turn-the-tide", "players": ["bo", "Gull"]})
        with pytest.raises(OtherRecord):
            await store.append(over._replace(row={"title": "changed"}, finished=other, expected=2))
        assert (await one(store)).row == begun().row, "all or nothing"
