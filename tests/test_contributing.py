"""CONTRIBUTING.md's table of what to touch: every file in it is there, and what it is to have in it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_TABLE = TEXT.partition("| to add | touch |\n|---|---|\n")[2].partition("\n\n")[0]
ROWS = dict(re.findall(r"^\| (.+?) \| (.+) \|$", _TABLE, re.MULTILINE))
"""What to add, and what to touch for that."""
_SOMETHING = re.compile(r"\b[A-Z]{3,}\b")
"""In a path: the name of what is added."""
_IN_FILE = re.compile(r"`([\w./]+/[\w.]*)` \(([^)]*)\)")
"""A file, and what there is to say of it."""
_NAME = re.compile(r"`(\w[\w.]*)`")


def _files(name: str) -> list[Path]:
    """What is called so: a file, or those of a folder, without what Python has made of them."""
    found = sorted(ROOT.glob(_SOMETHING.sub("*", name)))
    files = [file for each in found for file in ([each] if each.is_file() else each.rglob("*.*"))]
    return [file for file in files if file.suffix != ".pyc"]


def test_the_table_is_read_whole() -> None:
    assert len(ROWS) == _TABLE.count("\n") + 1 >= 10


@pytest.mark.parametrize("row", ROWS)
def test_the_files_of_a_row_are_there(row: str) -> None:
    names = [name for name in re.findall(r"`([^` ]+)`", ROWS[row]) if "/" in name or ".md" in name]
    assert names
    assert [name for name in names if not _files(name)] == []


@pytest.mark.parametrize("row", ROWS)
def test_what_a_row_wants_in_a_file_is_in_it(row: str) -> None:
    for file, said in _IN_FILE.findall(ROWS[row]):
        text = "".join(each.read_text(encoding="utf-8") for each in _files(file))
        for name in _NAME.findall(said):
            if not _files(name):
                assert re.search(rf"\b{name.rpartition('.')[2]}\b", text), (file, name)
