import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.transport.names import Names, skeleton
from server.transport.sanitize import NAME_WIDTH
from server.ui.frame import text_width


def test_a_taken_name_gets_a_free_variant() -> None:
    names = Names()
    assert names.claim("ada", "key:1") == "ada"
    assert names.claim("Ada", "key:2") == "Ada2"
    assert names.claim("ada", "guest:3") == "ada3"


def test_the_same_player_keeps_the_name() -> None:
    names = Names()
    names.claim("ada", "key:1")
    assert names.claim("bo", "key:2") == "bo"
    assert names.claim("ada", "key:1") == "ada"
    assert names.claim("cem", "key:1") == "cem"
    assert names.claim("ada", "key:3") == "ada"


def test_a_name_given_up_is_free_again() -> None:
    names = Names()
    names.claim("ada", "guest:1")
    names.release("guest:1")
    assert names.claim("ada", "guest:2") == "ada"


@pytest.mark.parametrize(
    "like",
    ["ADA", "Аdа", "ａｄａ", "ádá", "αda"],
    ids=["case", "cyrillic", "wide", "marks", "greek"],
)
def test_names_that_look_alike_are_the_same(like: str) -> None:
    names = Names()
    names.claim("ada", "key:1")
    assert skeleton(names.claim(like, "key:2")) != skeleton("ada")


def test_nobody_is_called_like_the_house_or_its_bots() -> None:
    names = Names(["Gull"])
    assert names.claim("system", "key:1") == "system2"
    assert names.claim("gu1l", "key:2") == "gu1l2"


def test_names_in_use_elsewhere_are_left_alone() -> None:
    names = Names(in_use=lambda name: name == "ada")
    assert names.claim("ada", "key:1") == "ada2"


def test_no_name_at_all_makes_a_guest() -> None:
    names = Names()
    assert names.claim("", "guest:1") == "guest"
    assert names.claim("\u200b", "guest:2") == "guest2"


def test_thousands_may_ask_for_the_same_name() -> None:
    names = Names()
    given = {names.claim("a name too long for it", f"guest:{number}") for number in range(3000)}
    assert len(given) == 3000
    assert all(text_width(name) <= NAME_WIDTH for name in given)


@given(st.lists(st.tuples(st.text(max_size=6), st.integers(0, 5)), max_size=30))
def test_no_two_players_ever_share_a_name(wishes: list[tuple[str, int]]) -> None:
    names = Names()
    held: dict[int, str] = {}
    for wish, player in wishes:
        held[player] = names.claim(wish, str(player))
        assert len({skeleton(name) for name in held.values()}) == len(held)
