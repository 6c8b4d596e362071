"""Nothing on the wire and on disk changes its name by accident.

What players' programs, MUD clients, hosts and databases rely on is compared with the files in ``golden/``.
After a change that is wanted write them anew with ``python -m tests.contract``, and read the difference: what
has gone, or has another name, is missed by somebody.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.contract.declared import declared
from tests.contract.observed import observed

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).parent / "golden"


def compare(found: dict[str, list[str]]) -> None:
    wrong = []
    for name, lines in found.items():
        known = Counter((GOLDEN / f"{name}.txt").read_text().splitlines())
        now = Counter(lines)
        wrong += [f"{name}: gone: {line}" for line in (known - now).elements()]
        wrong += [f"{name}: new: {line}" for line in (now - known).elements()]
    assert not wrong, "\n".join(wrong)


def test_what_the_code_declares() -> None:
    compare(declared(ROOT))


def test_log_events_are_snake_case() -> None:
    events = [line.partition(":")[0].split(" ", 1)[1] for line in declared(ROOT)["log_events"]]
    assert not [each for each in events if not re.fullmatch(r"[a-z]+(_[a-z]+)*", each)]


@pytest.mark.slow
def test_what_a_server_sends_and_keeps(tmp_path: Path) -> None:
    found = observed(tmp_path)
    compare(found)
    assert {*found, *declared(ROOT)} == {file.stem for file in GOLDEN.glob("*.txt")}
