"""The threat model and the list of guards name tests and files: they are there, and each test can fail."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
THREATS = (ROOT / "docs" / "threat-model.md").read_text()
GUARDS = tomllib.loads((ROOT / "tests" / "guards.toml").read_text())["guard"]
SHOWN = [test for guard in GUARDS for test in guard["tests"]]
NAMED = sorted(set(re.findall(r"`(test_\w+)`", THREATS)))

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Found(NamedTuple):
    """A test, and the functions that it may call by their names."""

    path: Path
    test: Function
    helpers: dict[str, Function]


@cache
def functions(path: Path) -> dict[str, Function]:
    """All of a module, by name."""
    nodes = ast.walk(ast.parse(path.read_text()))
    return {node.name: node for node in nodes if isinstance(node, Function)}


@cache
def found() -> dict[str, list[Found]]:
    """Every test, by name."""
    tests: dict[str, list[Found]] = {}
    shared = {
        name: node
        for path in (ROOT / "tests" / "support").glob("*.py")
        for name, node in functions(path).items()
    }
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name, node in functions(path).items():
            if name.startswith("test_"):
                tests.setdefault(name, []).append(Found(path, node, shared | functions(path)))
    return tests


def checks(node: Function, helpers: dict[str, Function], seen: frozenset[str]) -> bool:
    """Whether this, or what it uses, can fail on purpose: it asserts, raises, or expects an exception."""
    for one in ast.walk(node):
        if isinstance(one, ast.Assert | ast.Raise):
            return True
        name = one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "")
        if name in ("raises", "timeout", "check"):
            return True
        if name in helpers and name not in seen and checks(helpers[name], helpers, seen | {name}):
            return True
    return False


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    section = THREATS.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("name", NAMED)
def test_every_test_that_is_named_is_one_that_can_fail(name: str) -> None:
    assert len(found().get(name, [])) == 1, (
        "there is one of that name, which is the one that is meant"
    )
    ((path, test, helpers),) = found()[name]
    assert checks(test, helpers, frozenset()), f"{path.name}: it checks nothing"
    marks = [ast.unparse(mark) for mark in test.decorator_list]
    marks += re.findall(r"(?m)^pytestmark = .*", path.read_text())
    assert not [mark for mark in marks if re.search(r"mark\.(skip|xfail)\b", mark)]


def test_every_guard_has_an_attack_that_is_run() -> None:
    for guard in GUARDS:
        assert all(guard[field] for field in ("name", "bounds", "attack", "quiet", "tests")), guard
    for test in SHOWN:
        file, name = test.split("::")
        (one,) = (each for each in found()[name] if each.path.name == file)
        assert checks(one.test, one.helpers, frozenset()), f"{test}: it checks nothing"


@pytest.mark.parametrize("heading", ["Who can learn what", "Attacks and the tests that cover them"])
def test_every_row_has_a_test(heading: str) -> None:
    table = rows(heading)
    assert len(table) > 14
    for row in table:
        assert all(row), row
        assert re.findall(r"`test_\w+`", row[-1]), row


def test_every_file_that_is_named_exists() -> None:
    for name in re.findall(r"`((?:[\w/]+/)+[\w.]*)`", THREATS):
        places = (ROOT / name, ROOT / "server" / name, ROOT / "server" / "transport" / name)
        assert any(place.exists() for place in places), name
