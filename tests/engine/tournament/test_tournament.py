"""Entering, rounds, seating, scores and records of tournaments."""

import json
import time
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.editions import Rules
from engine.errors import TournamentError
from engine.tournament import LEAST_PLAYERS, MOST_PLAYERS
from engine.tournament.progress import (
    BOT,
    SeatScore,
    Tournament,
    close_round,
    end,
    register,
    seat_round,
    with_result,
    with_round,
    withdraw,
)
from engine.tournament.standings import record_of, seat_means, standings
from tests.support.cups import totals


def entered(count: int, *, players: int = 4, rounds: int = 3) -> Tournament:
    """One with so many entrants."""
    tournament = Tournament(Rules(players=players), rounds)
    for number in range(count):
        tournament = register(tournament, f"id{number}", f"player {number}")
    return tournament


def played(tournament: Tournament, points: list[list[int]] | None = None) -> Tournament:
    """The same after another round."""
    tournament = with_round(tournament, seat_round(tournament))
    assert tournament.open_round is not None
    for number, table in enumerate(tournament.open_round.tables):
        row = points[number] if points else [0] * len(table.seats)
        tournament = with_result(tournament, number, [SeatScore(each) for each in row])
    return close_round(tournament)


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    """Any that can come about: people enter, withdraw and leave games, tables are broken off."""
    tournament = entered(
        draw(st.integers(LEAST_PLAYERS, 26)),
        players=draw(st.integers(3, 5)),
        rounds=draw(st.integers(1, 5)),
    )
    for number in range(draw(st.integers(0, tournament.planned))):
        if number and draw(st.booleans()):
            for at in draw(st.sets(st.integers(0, len(tournament.entrants) - 1), max_size=4)):
                who = tournament.entrants[at]
                if who.until is None:
                    tournament = withdraw(tournament, who.player)
                else:
                    tournament = register(tournament, who.player, who.name)
            late = f"late{number}"
            tournament = register(tournament, late, late)
        tournament = with_round(tournament, seat_round(tournament))
        assert tournament.open_round is not None
        for table, _ in enumerate(tournament.open_round.tables):
            size = tournament.rules.players
            scores = st.builds(SeatScore, st.integers(-4, 20), st.booleans())
            row = draw(st.none() | st.lists(scores, min_size=size, max_size=size))
            tournament = with_result(tournament, table, row, f"{number}-{table}")
        tournament = close_round(tournament)
    return tournament


@given(tournaments())
@settings(deadline=None)
def test_whoever_is_there_has_one_seat_and_tables_are_of_one_size(tournament: Tournament) -> None:
    if tournament.over:
        return
    tables = seat_round(tournament)
    assert sorted(it for seats in tables for it in seats if it != BOT) == tournament.present
    assert {len(seats) for seats in tables} <= {tournament.rules.players}
    bots = [seats.count(BOT) for seats in tables]
    assert not bots or (len(bots) >= 2 and max(bots) - min(bots) <= 1)
    assert tables == seat_round(tournament)


@given(tournaments())
@settings(deadline=None)
def test_standings_follow_from_the_record_alone(tournament: Tournament) -> None:
    record = json.loads(json.dumps(record_of(tournament, [("", "")] * 9, {"name": "cup"})))
    again = totals(record)
    assert {row["player"]: Fraction(row["total"]) for row in record["standings"]} == again
    rows = standings(tournament)
    assert sorted(row.entrant for row in rows) == list(range(len(tournament.entrants)))
    for above, below in pairwise(rows):
        one = (above.came, above.total, above.opponents, above.best)
        other = (below.came, below.total, below.opponents, below.best)
        assert one >= other
        assert (above.place == below.place) == (one == other)


@given(tournaments())
@settings(deadline=None)
def test_scores_of_a_seat_sum_up_to_nothing(tournament: Tournament) -> None:
    """Of everybody at that seat, bots included: what one wins others lose."""
    for each in tournament.rounds:
        means = seat_means(each)
        for seat, mean in enumerate(means):
            rows = [table.scores[seat] for table in each.tables if table.scores is not None]
            assert not rows or sum((row.points - (mean or 0) for row in rows), Fraction(0)) == 0


@given(tournaments())
@settings(deadline=None)
def test_the_record_of_a_tournament_tells_no_ids(tournament: Tournament) -> None:
    assert "id0" not in json.dumps(record_of(tournament, [("", "")] * 9, {}))


@pytest.mark.parametrize(
    ("count", "players", "rounds"), [(16, 4, 5), (40, 4, 6), (100, 4, 8), (9, 3, 4), (200, 5, 8)]
)
def test_nobody_meets_anybody_twice_where_that_is_possible(
    count: int, players: int, rounds: int
) -> None:
    tournament = entered(count, players=players, rounds=rounds)
    met = set()
    for _ in range(rounds):
        tournament = played(tournament)
        for table in tournament.rounds[-1].tables:
            people = sorted(seat for seat in table.seats if seat != BOT)
            for pair in combinations(people, 2):
                assert pair not in met
                met.add(pair)
    seats = [[0] * players for _ in range(count)]
    for each in tournament.rounds:
        for table in each.tables:
            for seat, one in enumerate(table.seats):
                if one != BOT:
                    seats[one][seat] += 1
    assert max(max(row) - min(row) for row in seats) <= 2


def test_two_hundred_are_seated_within_a_second() -> None:
    tournament = entered(MOST_PLAYERS, rounds=8)
    for _ in range(7):
        tournament = played(tournament)
    began = time.process_time()
    assert len(seat_round(tournament)) == 50
    assert time.process_time() - began < 1


def test_a_score_is_points_less_the_mean_of_that_seat() -> None:
    tournament = entered(8, rounds=1)
    tournament = played(tournament, [[10, 4, 0, 7], [6, 4, 3, -1]])
    rows = {row.entrant: row for row in standings(tournament)}
    first, second = tournament.rounds[0].tables
    assert [rows[it].total for it in first.seats] == [2, 0, Fraction(-3, 2), 4]
    assert [rows[it].total for it in second.seats] == [-2, 0, Fraction(3, 2), -4]
    assert standings(tournament)[0].entrant == first.seats[3]
    assert tournament.over


def test_what_a_bot_wins_for_who_has_gone_is_nobodys() -> None:
    tournament = with_round(entered(8), seat_round(entered(8)))
    away = SeatScore(10, stayed=False)
    tournament = with_result(tournament, 0, [away, SeatScore(0, stayed=False), *[SeatScore(5)] * 2])
    tournament = with_result(tournament, 1, [SeatScore(4)] * 4)
    tournament = close_round(tournament)
    rows = {row.entrant: row for row in standings(tournament)}
    seats = tournament.rounds[0].tables[0].seats
    assert [rows[it].total for it in seats] == [0, -2, Fraction(1, 2), Fraction(1, 2)]


def test_who_never_comes_is_below_everybody_who_plays() -> None:
    tournament = with_round(entered(8), seat_round(entered(8)))
    away = SeatScore(10, stayed=False)
    tournament = with_result(tournament, 0, [away, *[SeatScore(1)] * 3])
    tournament = with_result(tournament, 1, [SeatScore(8), *[SeatScore(3)] * 3])
    tournament = close_round(tournament)
    absent, *losers = tournament.rounds[0].tables[0].seats
    rows = standings(tournament)
    assert {row.total for row in rows if row.entrant in losers} == {-1}
    assert [(row.entrant, row.place, row.total) for row in rows if not row.came] == [
        (absent, 8, Fraction(0))
    ]
    # Until a game of the second one is over, all is as it was.
    again = with_round(tournament, seat_round(tournament))
    assert standings(again)[-1].entrant == absent


def test_who_has_played_is_ahead_of_who_has_not_with_the_same_total() -> None:
    tournament = with_round(entered(8), seat_round(entered(8)))
    for number in (0, 1):
        row = [SeatScore(5, stayed=seat > 0) for seat in range(4)]
        tournament = with_result(tournament, number, row)
    rows = standings(close_round(tournament))
    assert [row.place for row in rows] == [1] * 6 + [7] * 2
    assert {row.total for row in rows} == {0}


def test_at_a_game_that_is_broken_off_everybody_counts_as_having_been_there() -> None:
    tournament = with_round(entered(8), seat_round(entered(8)))
    tournament = with_result(tournament, 0, None)
    tournament = with_result(tournament, 1, [SeatScore(8, stayed=False), *[SeatScore(3)] * 3])
    tournament = close_round(tournament)
    absent = tournament.rounds[0].tables[1].seats[0]
    assert [row.entrant for row in standings(tournament) if not row.came] == [absent]


def test_an_open_round_counts_for_nothing_yet() -> None:
    tournament = with_round(entered(8), seat_round(entered(8)))
    tournament = with_result(tournament, 0, [SeatScore(9)] * 4)
    assert {row.total for row in standings(tournament)} == {0}
    assert {row.place for row in standings(tournament)} == {1}
    assert len(end(tournament).rounds) == 0


def test_late_comers_drop_outs_and_who_comes_back() -> None:
    tournament = played(entered(8, rounds=4))
    tournament = register(withdraw(tournament, "id3"), "late", "late")
    assert tournament.present == [0, 1, 2, 4, 5, 6, 7, 8]
    tournament = played(tournament)
    tournament = register(tournament, "id3", "back")
    tournament = played(tournament)
    rows = {row.entrant: row for row in standings(tournament)}
    assert [cell is not None for cell in rows[8].rounds] == [False, True, True]
    assert [cell is not None for cell in rows[3].rounds] == [True, False, True]
    assert tournament.entrants[3].name == "back"


def test_who_is_away_has_no_seat_in_that_round_and_a_place_all_the_same() -> None:
    tournament = entered(10)
    tournament = with_round(tournament, seat_round(tournament, {3, 9}))
    assert tournament.open_round is not None
    seated = {seat for table in tournament.open_round.tables for seat in table.seats} - {BOT}
    assert seated == {0, 1, 2, 4, 5, 6, 7, 8}
    tournament = close_round(tournament)
    assert tournament.present == list(range(10))
    cells = {row.entrant: row.rounds for row in standings(tournament)}
    assert cells[3] == cells[9] == (None,)
    assert seat_round(tournament, range(10)) == ()
    few = entered(8)
    with pytest.raises(TournamentError, match="too_few"):
        with_round(few, seat_round(few, {0}))


def test_places_of_who_has_withdrawn_are_free_and_who_comes_back_needs_one() -> None:
    tournament = played(entered(8))
    for number in range(8, 12):
        tournament = register(tournament, f"id{number}", "late", places=12)
    tournament = withdraw(tournament, "id0")
    tournament = register(tournament, "more", "more", places=12)
    with pytest.raises(TournamentError, match="full"):
        register(tournament, "id0", "back", places=12)
    tournament = register(withdraw(tournament, "more"), "id0", "back", places=12)
    assert tournament.entrants[0].until is None


def test_who_comes_and_goes_without_a_seat_leaves_nothing() -> None:
    tournament = played(entered(8, rounds=4))
    for number in range(1000):
        tournament = withdraw(register(tournament, f"x{number}", "x"), f"x{number}")
    assert len(tournament.entrants) == 8
    # Others have been seated since: that one's number stays.
    tournament = close_round(with_round(tournament, seat_round(tournament)))
    late = register(register(tournament, "away", "away"), "late", "late")
    late = close_round(with_round(late, seat_round(late, {8})))
    gone = withdraw(late, "away")
    assert [each.player for each in gone.entrants[8:]] == ["away", "late"]
    assert gone.rounds == late.rounds
    assert len(withdraw(gone, "late").entrants) == 10


def test_with_few_people_left_there_are_two_tables_all_the_same() -> None:
    tournament = played(entered(8))
    for number in range(1, 8):
        tournament = withdraw(tournament, f"id{number}")
    tables = seat_round(tournament)
    assert sorted(seats.count(BOT) for seats in tables) == [3, 4]
    assert seat_round(withdraw(tournament, "id0")) == ()


def test_what_cannot_be_done_is_refused_with_a_code() -> None:
    few = entered(7)

    def code(act: Any) -> str:
        with pytest.raises(TournamentError) as refused:
            act()
        return refused.value.code

    assert code(lambda: with_round(few, seat_round(few))) == "too_few"
    assert code(lambda: register(few, "id0", "again")) == "entered"
    assert code(lambda: withdraw(few, "nobody")) == "not_entered"
    assert code(lambda: close_round(few)) == "no_round"
    assert code(lambda: with_result(few, 0, None)) == "no_round"
    assert code(lambda: register(entered(MOST_PLAYERS), "more", "more")) == "full"
    going_on = with_round(entered(8), seat_round(entered(8)))
    assert code(lambda: with_round(going_on, seat_round(going_on))) == "round_open"
    assert code(lambda: with_result(going_on, 2, None)) == "no_table"
    over = end(going_on)
    for act in (lambda: register(over, "x", "x"), lambda: withdraw(over, "id0"), lambda: end(over)):
        assert code(act) == "over"
    assert len(withdraw(few, "id6").entrants) == 6


def test_a_table_that_is_done_stays_as_it_is() -> None:
    tournament = with_round(entered(8), seat_round(entered(8)))
    once = with_result(tournament, 0, [SeatScore(1)] * 4, "a")
    assert with_result(once, 0, [SeatScore(2)] * 4, "b") is once
    broken = close_round(once)
    assert broken.rounds[0].tables[1].scores is None
    assert {row.total for row in standings(broken)} == {0}
