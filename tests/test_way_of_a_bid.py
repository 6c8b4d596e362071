"""docs/architecture.md tells the way of a bid, file by file: one is followed to see that it goes there."""

import re
import sys
from pathlib import Path
from types import FrameType
from typing import Final

from server.coordinator.messages import Pace, QuickGame
from server.session.usual_tables import SOLO
from tests.support.pilot import NORMAL, Sitting

ROOT: Final = Path(__file__).resolve().parents[1]
TEXT: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SECTION: Final = TEXT.partition("## The way of a bid\n")[2].partition("\n## ")[0]
STATIONS: Final = re.findall(r"^\d+\. `([\w/.]+)` \(`([\w.]+)`\)", SECTION, re.MULTILINE)
"""Files and functions, in order."""
MOST: Final = 12


def test_the_way_is_short_and_its_files_are_there() -> None:
    files = [file for file, _ in STATIONS]
    assert 8 <= len(files) == len({*files}) <= MOST
    assert [file for file in files if not (ROOT / file).is_file()] == []


async def test_a_bid_goes_that_way() -> None:
    calls: list[tuple[str, str]] = []

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(ROOT)):
            file = Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()
            calls.append((file, frame.f_code.co_qualname))

    sitting = Sitting(NORMAL)
    async with sitting.pilot:
        await sitting.wait()
        await sitting.visit.submit(QuickGame(SOLO.changed(pace=Pace.UNTIMED)))
        await sitting.wait(5)
        await sitting.press("right")
        await sitting.wait(5)
        sys.setprofile(called)
        try:
            await sitting.press("enter")
            await sitting.wait(5)
        finally:
            sys.setprofile(None)
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()
    back = (
        ("server/session/client.py", "SessionClient.catch_up"),
        (
            "server/fullscreen/router.py",
            "Router.happened",
        ),
    )
    at = 0
    for station in (*STATIONS[:-1], *back, STATIONS[-1]):
        assert station in calls[at:], station
        at += calls[at:].index(station) + 1
