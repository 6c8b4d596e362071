import random

import pytest

from server.coordinator.lobby.tables import new_code
from server.transport.access.login import Login, parse_login


@pytest.mark.parametrize(
    ("raw", "login"),
    [
        ("ada", Login("ada")),
        ("", Login("")),
        ("ada+plain+de", Login("ada", plain=True, language="de")),
        ("ada+PT+Watch", Login("ada", language="pt", watch=True)),
        ("ada+bakedilo", Login("ada", code="bakedilo", user="bakedilo")),
        ("+watch", Login("", watch=True)),
        ("ada+bakedilo+nurosiva", Login("ada", code="bakedilo", word="nurosiva")),
        ("ada+rename", Login("ada", rename=True)),
        ("ada+RENAME+de", Login("ada", rename=True, language="de")),
        ("ada+Otter+bakedilo", Login("ada", code="bakedilo", unknown=("Otter",))),
        ("ada+bakedilo+Otter+de", Login("ada", code="bakedilo", word="otter", language="de")),
        ("ada+bakedilo+O\u0308tter+de", Login("ada", code="bakedilo", word="ötter", language="de")),
        ("ada+bakedilo+deö", Login("ada", code="bakedilo", word="deö")),
        ("ada+?!+en", Login("ada", language="en", unknown=("?!",))),
        ("ada++", Login("ada")),
        ("ada+\x1b[31mred", Login("ada", unknown=("[31mred",), user="\x1b[31mred")),
        ("today", Login("", today=True)),
        ("Today+plain", Login("", today=True, plain=True)),
        ("Bo Ek+en", Login("Bo_Ek", language="en")),
        ("CORP\\jsmith", Login("jsmith")),
        ("CORP\\jsmith+de", Login("jsmith", language="de")),
        ("NT AUTHORITY\\system", Login("system")),
        ("corp/jsmith", Login("jsmith")),
        ("jane.doe@example.com", Login("jane.doe")),
        ("jane@corp.example.com+de", Login("jane", language="de")),
        ("@jane", Login("jane")),
        ("\U0001f980", Login("", altered=True)),
        ("CORP\\", Login("", altered=True)),
        ("Maximiliane Franziska", Login("Maximiliane", altered=True)),
        ("Mu\u0308ller", Login("Müller")),
    ],
)
def test_login_names_are_taken_apart(raw: str, login: Login) -> None:
    assert parse_login(raw) == login


@pytest.mark.parametrize(
    ("raw", "name", "code"),
    [
        ("CORP+jsmith", "jsmith", ""),
        ("corp+jsmith", "jsmith", ""),
        ("AzureAD+JaneDoe", "JaneDoe", ""),
        ("MicrosoftAccount+jane@example.com", "jane", ""),
        ("corp.example.com+jo", "jo", ""),
        ("CORP+jsmith+de", "jsmith", ""),
        ("CORP+Jürgen", "Jürgen", ""),
        ("CORP+watch", "CORP", ""),
        ("CORP+jsmith+watch", "jsmith", ""),
        ("CORP+nakamura", "nakamura", ""),
        ("corp+nakamura", "nakamura", ""),
        ("corp+kudidoro", "corp", "kudidoro"),
        ("CORP+kudidoro", "CORP", "kudidoro"),
        ("CORP+jsmith+nakamura", "jsmith", "nakamura"),
        ("ada+nakamura", "ada", "nakamura"),
        ("ADA+nakamura+otter", "ADA", "nakamura"),
        ("ada+plian", "ada", ""),
        ("ada+fr", "ada", ""),
        ("ada+de+nonsense", "ada", ""),
        ("ada+?!", "ada", ""),
        ("+nonsense", "", ""),
    ],
)
def test_what_stands_before_a_plus_may_be_a_domain(raw: str, name: str, code: str) -> None:
    """There is a table kudidoro, and none that anybody may know of as nakamura."""
    login = parse_login(raw)
    login = login.without_domain(is_table=login.code == "kudidoro")
    assert (login.name, login.code) == (name, code)
    assert login.had_domain is (name not in parse_login(raw).name)
    assert name not in login.unknown


def test_codes_look_like_codes() -> None:
    rng = random.Random(7)
    for _ in range(100):
        code = new_code((), rng)
        assert parse_login(f"ada+{code}").code == code
