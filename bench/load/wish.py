"""The yardstick in Go, where it can be built: ``python -m bench.load.wish CORE FOLDER``.

It needs Debian's ``golang-go`` and ``golang-github-charmbracelet-wish-dev``; its source is in ``go/``.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.load.serve import pinned
from bench.rounds import frames
from bench.stock import THEME
from server.terminal.drawing.frame import Row
from server.terminal.drawing.theme import FLAGS

SOURCE: Final = Path(__file__).with_name("go")
PACKAGES: Final = Path("/usr/share/gocode")
THINKS: Final = "thinking"
SEALED: Final = "▐█▌ sealed"
_BUILD_SECONDS: Final = 120.0


def available() -> bool:
    """Return whether it can be built here."""
    wish = PACKAGES / "src/github.com/charmbracelet/wish"
    return shutil.which("go") is not None and wish.is_dir()


def screen() -> str:
    """Return what it shows, as ``main.go`` reads it: each seat's own screen, with a row that says who has
    bid.
    """
    seats = [[_styled(line) for line in frame.rows] for frame in asyncio.run(frames())]
    said = {"quiet": f"{THINKS:<16}", "sealed": f"{SEALED:<16}"}
    return json.dumps({"seats": seats, "status": len(seats[0]) - 2, **said})


def _styled(line: Row) -> str:
    parts = []
    for style, text in line:
        look = THEME.cell_style(style)
        flags = [FLAGS[name] for name in FLAGS if getattr(look, name)]
        parts.append(f"\x1b[{';'.join(filter(None, (look.fg, look.bg, *flags)))}m{text}\x1b[m")
    return "".join(parts)


def main() -> None:
    """Build the program, and become it, on its core."""
    core, folder = int(sys.argv[1]), Path(sys.argv[2])
    target, shown = folder / "wish", folder / "wish.json"
    settings = {**os.environ, "GO111MODULE": "off", "GOPATH": str(PACKAGES), "GOFLAGS": ""}
    build = ["go", "build", "-o", str(target), "."]
    subprocess.run(build, cwd=SOURCE, env=settings, check=True, timeout=_BUILD_SECONDS)
    shown.write_text(screen())
    pinned(core)
    os.execv(target, [str(target), str(shown)])


if __name__ == "__main__":
    main()
