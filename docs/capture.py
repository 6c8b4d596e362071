"""Take the pictures in the documents from a real game: `make screens`.

A server is started on a free port, ssh logs in from a terminal with true colour, and plays until each screen
has been seen. They become docs/screens/*.svg.
"""

import os
import re
import tempfile
from pathlib import Path
from typing import Any, Final

from docs.svg import svg
from tests.support.servers import Server
from tests.support.windows import Window

SCREENS: Final = Path(__file__).resolve().parent / "screens"
TITLES: Final = {
    "title": "The title screen",
    "table": "A table in the middle of a game: tides on offer, four players and their water levels, a hand",
    "stage": "The end of a stage",
    "standings": "The final standings of a game",
}
PRESSES: Final = 300
QUICK: Final = {"TIDE_TIMING_BOT_LEAST": "0", "TIDE_TIMING_BOT_MOST": "0.3"}
"""Bots that hardly think: nobody watches."""


def shown(rows: list[str]) -> str:
    """Which of the screens we want this is, if any."""
    text = "\n".join(rows)
    if re.search(r"round [6-8]/12", rows[0]) and "Enter bid" in text:
        return "table"
    if "Stage 1 of 4 is over" in rows[0]:
        return "stage"
    if "Final standings" in text:
        return "standings"
    return ""


def capture() -> dict[str, list[list[Any]]]:
    """Play a whole game; the cells of the screens by name."""
    seen: dict[str, list[list[Any]]] = {}
    with (
        tempfile.TemporaryDirectory() as place,
        Server(Path(place), **QUICK) as server,
        Window(
            server.ssh("-o", "SendEnv=COLORTERM"), env={**server.environ, "COLORTERM": "truecolor"}
        ) as window,
    ):
        window.wait_for("T U R N", "Enter learn")
        window.watch(0.5)
        seen["title"] = window.cells
        window.press("b")
        for _ in range(PRESSES):
            bidding = "hoose a card" in window.text
            if bidding:
                # One of the lower cards: wins little, but stays afloat for a while.
                window.press("hhh")
                window.watch(0.3)
            name = shown(window.rows)
            if name:
                seen.setdefault(name, window.cells)
            if "standings" in seen:
                break
            window.press("\r" if bidding else " ")
            window.watch(0.3)
    if seen.keys() == TITLES.keys():
        return seen
    raise SystemExit(f"saw only {sorted(seen)}; the last screen:\n{window.text}")


def main() -> None:
    """Write the files."""
    os.makedirs(SCREENS, exist_ok=True)
    for name, cells in capture().items():
        (SCREENS / f"{name}.svg").write_text(svg(cells, TITLES[name]))


if __name__ == "__main__":
    main()
