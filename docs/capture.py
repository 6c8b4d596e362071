"""Take the pictures in the documents from a real game: `make screens`.

A server is started on a free port, ssh logs in, and somebody presses Enter until each screen has been seen.
They become `docs/screens/*.txt`, and the table also appears in the README.
"""

import re
import tempfile
from pathlib import Path
from typing import Final

from tests.support.servers import Server
from tests.support.windows import Window

ROOT: Final = Path(__file__).resolve().parent.parent
SCREENS: Final = ROOT / "docs" / "screens"
README: Final = ROOT / "README.md"
PLACE: Final = re.compile(r"(<!-- screen -->\n).*?(<!-- /screen -->)", re.DOTALL)

NAMES: Final = ("title", "table", "stage", "standings")
PRESSES: Final = 1000
QUICK: Final = {"TIDE_TIMING_BOT_LEAST": "0", "TIDE_TIMING_BOT_MOST": "0.3"}
"""Bots that hardly think: nobody watches."""


def shown(rows: list[str]) -> str:
    """Which of the screens we want this is, if any."""
    text = "\n".join(rows)
    if "round 7/12" in rows[0] and "Enter bids it" in text:
        return "table"
    if "Stage 1 of 4 is over" in rows[0]:
        return "stage"
    if "Final standings" in text:
        return "standings"
    return ""


def capture() -> dict[str, str]:
    """Play a whole game; the screens by name."""
    seen: dict[str, str] = {}
    with (
        tempfile.TemporaryDirectory() as place,
        Server(Path(place), **QUICK) as server,
        Window(server.ssh(), env=server.environ) as window,
    ):
        window.wait_for("T U R N", "Enter play")
        seen["title"] = window.text
        for _ in range(PRESSES):
            # Three cards below the last one: wins little, but stays afloat for a while.
            window.press("hhh\r" if "Enter bids it" in window.text else " ")
            window.watch(0.3)
            name = shown(window.rows)
            if name:
                seen.setdefault(name, window.picture)
            if "standings" in seen:
                break
    if len(seen) == len(NAMES):
        return seen
    raise SystemExit(f"saw only {sorted(seen)}; the last screen:\n{window.text}")


def main() -> None:
    """Write the files."""
    SCREENS.mkdir(exist_ok=True)
    screens = capture()
    for name, text in screens.items():
        (SCREENS / f"{name}.txt").write_text(f"{text.rstrip()}\n")
    picture = f"```text\n{screens['table'].rstrip()}\n```\n"
    README.write_text(PLACE.sub(lambda found: found[1] + picture + found[2], README.read_text()))


if __name__ == "__main__":
    main()
