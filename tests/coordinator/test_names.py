"""Names that look alike are one; some nobody may have; and there is always another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from engine.bots.manners import NAMES as BOT_NAMES
from server.cleaning import NAME_WIDTH, clean_name
from server.coordinator.people.names import (
    GUEST,
    Claims,
    called,
    forbidden_words,
    is_machine_name,
    is_reserved,
    shown_forms,
    skeleton,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ada", "ADA"),
        ("ada", "Аdа"),
        ("ada", "ａｄａ"),
        ("ada", "ádå"),
        ("ada", "αda"),
        ("ada", "a.d-a"),
        ("Harry", "Ηаrrу"),
        ("HARRY", "ΗΑꓣꓣΥ"),
        ("bill", "B1lI"),
        ("bo", "b0"),
        ("bo", "bø"),
        ("Straße", "strasse"),
        ("coral", "ςоrаl"),
        ("Istanbul", "ıstanbul"),
        ("7up", "٧up"),
        ("ᏢᎪᎢ", "PAT"),
        ("bഠt", "bot"),
        ("ᕼost", "host"),
        ("ᗰᗪ", "MD"),
        ("ⵝⵔ", "xo"),
        ("𐌁𐊆𐐛𐐛", "BELL"),
        ("𑣈𑣘𑣜", "ouy"),
        ("〇tter", "otter"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@given(st.text(min_size=1, max_size=12))
def test_a_name_and_its_skeleton_look_alike(name: str) -> None:
    assert skeleton(name)
    if any(char.isalnum() for char in skeleton(name)):
        assert skeleton(skeleton(name)) == skeleton(name)


@pytest.mark.parametrize(
    "name", ["system", "SYSTEM", "οperator", "bഠt", "ᕼost", "B0t", "t0day", *BOT_NAMES, "Ρuffin"]
)
def test_names_of_the_house_are_nobodys(name: str) -> None:
    assert is_reserved(name)
    assert not list(Claims(name, exact=True))
    assert not is_reserved(next(iter(Claims(name))).name)


@pytest.mark.parametrize(
    "name",
    [
        *("The_house", "the.house", "tide-admin", "tide_server", "tide_host", "the-server"),
        *("adrnin", "rnoderator", "sy5tem", "5erver", "h0st", "H.O.S.T", "TideServer", "thehouse"),
        *("admin_bo", "Bo-Admin", "x_5y5tem", "die_aufsicht", "o_servidor", "tide_host_7", "b-o-t"),
        # With a number, as some terminal shows it, or cut.
        *("admin2", "Аdmіn_1", "operator007", "SYSTEM10", "B0t3"),
        *("\u00e6dmin", "syst\u00e8m", "\u0430dmin", "\u00e6dmin_bo"),
        *(clean_name("Administrator"), clean_name("administrador")),
    ],
)
def test_names_that_read_as_the_houses_are_nobodys(name: str) -> None:
    assert clean_name(name) == name
    assert is_reserved(name)
    assert not list(Claims(name, exact=True))
    assert next(iter(Claims(name))).name == GUEST


@pytest.mark.parametrize(
    "name",
    [
        # English, German, Portuguese.
        *("Stafford", "House_M", "Houseman", "Botham", "Abbot", "Hosta", "red_tide", "High-Tide"),
        *("tide_rider", "Tideswell", "Arnold", "Barn_Owl", "Theo", "Seth", "Bo", "Otto", "Vivvi"),
        *(
            "Hausmann",
            "Dietmar",
            "Bernd",
            "Flut",
            "Hostmann",
            "Dieter",
            "Gastwirt",
            "Arne",
            "Oberst",
        ),
        *("Casa_Verde", "Botelho", "Maré", "Adão", "Marina", "Botão", "Sidónio", "Inês", "Osvaldo"),
        *("4you", "5ven", "B8", "r2d2", "R.Stern", "li_na", "Ana~Bo"),
    ],
)
def test_ordinary_names_are_free(name: str) -> None:
    assert not is_reserved(name)
    assert next(iter(Claims(name))).name == name


@pytest.mark.parametrize("name", [*BOT_NAMES, "1", "007", "ole", "lol", "bottle", "Ali"])
def test_a_number_behind_another_name_is_fine(name: str) -> None:
    assert not is_reserved(f"{name}2")


@given(st.text(max_size=20))
def test_every_variant_is_clean_and_fits(raw: str) -> None:
    name = clean_name(raw)
    for claim in Claims(name):
        assert wcswidth(claim.name) <= NAME_WIDTH
        assert clean_name(claim.name) == claim.name
        assert skeleton(claim.name) == claim.skeleton


@pytest.mark.parametrize("name", ["root", "Pi", "ubuntu", "deck", "u0_a257"])
def test_machines_name_people(name: str) -> None:
    assert is_machine_name(name)
    assert not is_machine_name(f"{name}-bo")


@given(st.text(st.characters(categories=["L", "M", "N"]), min_size=1, max_size=12))
def test_a_name_is_found_as_it_is_shown(raw: str) -> None:
    if name := clean_name(raw):
        assert all(called([name], shown) == 0 for shown in shown_forms(name))
        ascii_only = list(shown_forms(name))[1:3]
        assert all(shown.isascii() and skeleton(shown) for shown in ascii_only)


@pytest.mark.parametrize(
    "name", ["fuck", "FUCK", "f_u_c_k", "xxfuckxx", "fυck", "5h1t", "s.h.i.t", "bigfuck7"]
)
def test_what_the_host_forbids_is_in_no_new_name(name: str) -> None:
    forbidden = forbidden_words("fuck, Shit")
    assert next(iter(Claims(name, forbidden=forbidden))).name == GUEST
    assert not list(Claims(name, exact=True, forbidden=forbidden))
    assert next(iter(Claims(name))).name == name


@pytest.mark.parametrize("listed", ["", " , ,", "fuck"])
def test_all_other_names_are_free(listed: str) -> None:
    forbidden = forbidden_words(listed)
    for name in ("ada", "hell", "Tuck", "øyvind", "guest7"):
        assert next(iter(Claims(name, forbidden=forbidden))).name == name
