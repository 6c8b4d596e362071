"""The threat model names tests and files: they are there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECURITY = (ROOT / "SECURITY.md").read_text()


def functions() -> set[str]:
    """Every test's name."""
    return {
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    section = SECURITY.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", SECURITY))
    assert len(named) > 50
    assert not named - functions()


def test_every_attack_has_a_test() -> None:
    attacks = rows("Attacks and the tests that cover them")
    assert len(attacks) > 30
    for attack, happens, shown in attacks:
        assert happens, attack
        assert re.findall(r"`test_\w+`", shown), attack


def test_every_file_that_is_named_exists() -> None:
    for name in re.findall(r"`((?:[\w/]+/)+[\w.]*)`", SECURITY):
        places = (ROOT / name, ROOT / "server" / name, ROOT / "server" / "transport" / name)
        assert any(place.exists() for place in places), name
