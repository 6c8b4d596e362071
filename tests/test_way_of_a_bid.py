"""docs/architecture.md tells the way of a bid, file by file: one is followed to see that it goes there."""

import re
from typing import Final

from tests.way_of_a_bid import ROOT, followed

TEXT: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SECTION: Final = TEXT.partition("## The way of a bid\n")[2].partition("\n## ")[0]
STATIONS: Final = re.findall(r"^\d+\. `([\w/.]+)` \(`([\w.]+)`\)", SECTION, re.MULTILINE)
"""Files and functions, in order."""
MOST: Final = 12
MOST_FILES: Final = 72
MOST_FUNCTIONS: Final = 382
"""Bounds of what ``tests.way_of_a_bid`` counts; a change that needs more has to say why."""


def test_the_way_is_short_and_its_files_are_there() -> None:
    files = [file for file, _ in STATIONS]
    assert 8 <= len(files) == len({*files}) <= MOST
    assert [file for file in files if not (ROOT / file).is_file()] == []


async def test_a_bid_goes_that_way() -> None:
    calls = await followed()
    assert len({file for file, _ in calls}) <= MOST_FILES
    assert len({*calls}) <= MOST_FUNCTIONS
    back = (
        ("server/session/client.py", "SessionClient.catch_up"),
        ("server/fullscreen/router.py", "Router.happened"),
    )
    at = 0
    for station in (*STATIONS[:-1], *back, STATIONS[-1]):
        assert station in calls[at:], station
        at += calls[at:].index(station) + 1
