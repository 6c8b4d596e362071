"""The lobby as it is shown."""

import pytest

from server.coordinator.messages import LobbySnapshot, Status, TableRow
from server.i18n.lookup import words_for
from server.terminal.drawing.frame import wrap
from server.viewmodels.lobby import present_lobby
from tests.support.tables import UNTIMED

WORDS = words_for("en")


def row(code: str, *names: str) -> TableRow:
    return TableRow(code, code.title(), UNTIMED, Status.OPEN, (*names, "", ""), 0, 0, 0)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_of_very_many_people_as_many_are_named_as_have_room(columns: int) -> None:
    names = tuple(f"p{number}" for number in range(5000))
    few, many = (
        present_lobby(LobbySnapshot((), names[:count]), WORDS) for count in (3, len(names))
    )
    assert few.here_in_words == "p0, p1, p2"
    assert many.people == "5000 players are here"
    assert len(many.here_in_words) < 2000
    assert len(wrap(many.here_in_words, columns)) >= 3


def test_a_table_that_has_not_changed_is_not_presented_again() -> None:
    tables = tuple(map(row, "abc"))
    before = present_lobby(LobbySnapshot(tables, ("ada",)), WORDS)
    after = present_lobby(LobbySnapshot((*tables[:2], row("c", "ada")), ("ada",)), WORDS)
    assert [one is other for one, other in zip(before.tables, after.tables, strict=True)] == [
        *(True, True, False)
    ]
