"""Nothing on the wire and on disk changes its name by accident.

What MUD clients, hosts and databases rely on is compared with the files in ``golden/``.
After a change that is wanted write them anew with ``python -m tests.contract``, and read the difference: what
has gone, or has another name, is missed by somebody.
"""

from collections import Counter
from pathlib import Path

import pytest

from tests.contract.observed import observed

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.slow
def test_what_a_server_sends_and_keeps(tmp_path: Path) -> None:
    found = observed(tmp_path)
    wrong = []
    for name, lines in found.items():
        known = Counter((GOLDEN / f"{name}.txt").read_text().splitlines())
        now = Counter(lines)
        wrong += [f"{name}: gone: {line}" for line in (known - now).elements()]
        wrong += [f"{name}: new: {line}" for line in (now - known).elements()]
    assert not wrong, "\n".join(wrong)
    assert {*found} == {file.stem for file in GOLDEN.glob("*.txt")}
