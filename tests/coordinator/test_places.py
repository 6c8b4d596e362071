"""Where somebody is follows from the tables alone, and from where he or she wants to be."""

from typing import Any

import pytest
from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.presence import TableIndex
from server.coordinator.table.state import EMPTY, Member, Table, human
from tests.support.tables import RATED, UNTIMED

ADA = "id-ada"
PEOPLE = {ADA: Member(m.Player(ADA, "ada", False))}


def table(code: str, status: m.Status, created: float = 0.0, **more: Any) -> Table:
    """Where ada has a seat."""
    seats = (human(PEOPLE[ADA].player), EMPTY, EMPTY)
    made = Table(code, code, UNTIMED, created, seats=seats, status=status, people=PEOPLE)
    return replace(made, **more)


def watched(code: str) -> Table:
    return table(code, m.Status.PLAYING, people={}, spectators=PEOPLE)


def places(*tables: Table) -> TableIndex:
    made = TableIndex()
    for each in tables:
        assert [*made.put(each)] == [ADA]
    return made


def test_somebody_can_have_several_seats_and_looks_at_one_table() -> None:
    made = places(
        table("a", m.Status.OVER), table("b", m.Status.OPEN), table("c", m.Status.PLAYING)
    )
    assert made.seats(ADA) == ["a", "b", "c"]
    assert made.at(ADA, "") == "c"
    made.remove("c")
    assert (made.at(ADA, ""), made.plays(ADA)) == ("b", True)
    assert [*made.put(replace(made.tables["b"], people={}))] == []
    assert (made.at(ADA, ""), made.plays(ADA)) == ("a", False)
    made.remove("a")
    assert (made.at(ADA, ""), made.of(ADA)) == ("", ())


@pytest.mark.parametrize(
    ("seat", "goal", "at"),
    [
        (m.Status.PLAYING, "watched", "seat"),
        (m.Status.OPEN, "watched", "seat"),
        (m.Status.OVER, "watched", "watched"),
        (m.Status.OVER, "", "seat"),
        (None, "watched", "watched"),
        (None, "", ""),
        (None, "gone", ""),
    ],
)
def test_a_seat_at_a_game_comes_first_then_what_is_watched_on_purpose(
    seat: m.Status | None, goal: str, at: str
) -> None:
    made = places(watched("watched"), *([table("seat", seat)] if seat is not None else []))
    assert made.at(ADA, goal) == at


def test_of_two_games_the_rated_then_the_older_one_is_looked_at() -> None:
    older, newer = table("a", m.Status.PLAYING, 1.0), table("b", m.Status.PLAYING, 2.0)
    assert places(newer, older).at(ADA, "b") == "a"
    rated = table("b", m.Status.PLAYING, 2.0, options=RATED)
    assert places(older, rated).at(ADA, "a") == "b"
