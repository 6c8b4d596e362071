"""Options changed in the form, in line mode and by a program come out the same."""

from typing import Any

import pytest

from engine.editions import Edition, Rules
from engine.errors import BadRules
from server.coordinator.messages import DAY, Pace, TableOptions
from server.i18n.lookup import words_for
from server.jsonapi.fields import OptionsRequest, chosen
from server.viewmodels.table_options import OPTIONS, parse_options

BY_NAME = {option.name: option for option in OPTIONS}

MODIFIED = TableOptions(Rules(Edition.BGA, 6, modified_drowning=True))
SHORT = TableOptions(Rules(players=5, stages=4))
SLOW = TableOptions(pace=Pace.CORRESPONDENCE, seconds=7200)
BY_THE_DAY = TableOptions(pace=Pace.CORRESPONDENCE, seconds=DAY)


@pytest.mark.parametrize(
    ("start", "typed", "wanted", "step", "expected"),
    [
        (MODIFIED, "amigo", {"edition": Edition.AMIGO}, 1, TableOptions(Rules(Edition.AMIGO, 5))),
        (SHORT, "3 players", {"players": 3}, 1, TableOptions(Rules(players=3, stages=3))),
        (SLOW, "untimed", {"pace": Pace.UNTIMED}, -1, TableOptions(pace=Pace.UNTIMED)),
        (SLOW, "60 seconds", {"pace": Pace.TIMED}, 1, TableOptions(pace=Pace.TIMED)),
        (TableOptions(), "correspondence", {"pace": Pace.CORRESPONDENCE}, -1, BY_THE_DAY),
        (TableOptions(), "5 players", {"players": 5}, 1, TableOptions(Rules(players=5, stages=5))),
    ],
)
def test_every_face_changes_options_alike(
    start: TableOptions, typed: str, wanted: dict[str, Any], step: int, expected: TableOptions
) -> None:
    ((name, _),) = wanted.items()
    assert parse_options(typed, start, words_for("en")) == expected
    assert chosen(start, OptionsRequest(**wanted)) == expected
    assert BY_NAME[name].stepped(start, step) == expected


def test_the_order_of_the_words_means_nothing() -> None:
    words = words_for("en")
    expected = TableOptions(Rules(Edition.BGA, 6, 2, modified_drowning=True))
    for typed in ("bga 6 players 2 stages modified", "2 stages modified 6 players bga"):
        assert parse_options(typed, TableOptions(), words) == expected


@pytest.mark.parametrize("typed", ["6 players", "modified", "5 stages", "bga 7 players"])
def test_what_is_asked_for_and_does_not_exist_is_refused(typed: str) -> None:
    with pytest.raises(BadRules):
        parse_options(typed, TableOptions(), words_for("en"))
    with pytest.raises(BadRules):
        chosen(MODIFIED, OptionsRequest(edition=Edition.AMIGO, modified_drowning=True))


def test_a_time_for_correspondence_stays_when_it_is_chosen_again() -> None:
    assert parse_options("correspondence rated", SLOW, words_for("en")).seconds == 7200
    assert chosen(SLOW, OptionsRequest(pace=Pace.CORRESPONDENCE)).seconds == 7200


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", "5 players untimed"),
        ("de", "5 spieler, ohne uhr"),
        ("de", "5 mitspieler zeitlos"),
        ("pt", "5 jogadores sem relógio"),
        ("pt", "5 jogadores livre"),
        ("pt", "5 jogadores sem relogio"),
    ],
)
def test_untimed_is_typed_as_it_is_told_and_as_it_once_was(language: str, typed: str) -> None:
    expected = TableOptions(Rules(players=5), Pace.UNTIMED)
    assert parse_options(typed, TableOptions(), words_for(language)) == expected
