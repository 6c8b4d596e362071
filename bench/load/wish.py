"""The yardstick in Go, where it can be built: ``python -m bench.load.wish CORE BINARY``.

It needs Debian's ``golang-go`` and ``golang-github-charmbracelet-wish-dev``; its source is in ``go/``.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.frame import QUIET, SEATS, Picture, seat_frame
from bench.load.processes import Failed, end_with_parent
from bench.stock import THEME
from server.terminal.drawing.frame import Row
from server.terminal.drawing.sgr import FLAGS, CellStyle

SOURCE: Final = Path(__file__).with_name("go")
PACKAGES: Final = Path("/usr/share/gocode")
SEALED: Final = "▐█▌ sealed"
_BUILD_SECONDS: Final = 120.0


def available() -> bool:
    """Whether it can be built here."""
    wish = PACKAGES / "src/github.com/charmbracelet/wish"
    return shutil.which("go") is not None and wish.is_dir()


def build(folder: Path) -> Path:
    """The program, built into ``folder``. Raises ``Failed``."""
    target = folder / "wish"
    settings = {"GO111MODULE": "off", "GOPATH": str(PACKAGES), "GOFLAGS": ""}
    try:
        subprocess.run(
            ["go", "build", "-o", str(target), "."],
            cwd=SOURCE,
            env={**os.environ, **settings},
            check=True,
            capture_output=True,
            text=True,
            timeout=_BUILD_SECONDS,
        )
    except subprocess.CalledProcessError as error:
        raise Failed(f"go build: {error.stderr.strip()}") from None
    except subprocess.TimeoutExpired:
        raise Failed("go build takes too long") from None
    return target


def screen() -> str:
    """What it shows, as ``main.go`` reads it: the picture of the other yardsticks, in the same colours."""
    quiet, sealed = (Picture((said,) * len(SEATS)) for said in (QUIET[0], SEALED))
    seats = [[_styled(line) for line in seat_frame(quiet, seat).rows] for seat in range(len(SEATS))]
    both = zip(seat_frame(quiet, 0).rows, seat_frame(sealed, 0).rows, strict=True)
    status, (thinks, has_bid) = next(
        (number, rows) for number, rows in enumerate(both) if rows[0] != rows[1]
    )
    said = {"quiet": _styled(thinks[:1]), "sealed": _styled(has_bid[:1])}
    return json.dumps({"seats": seats, "status": status, **said})


def _styled(line: Row) -> str:
    return "".join(f"{_sgr(THEME.look(style))}{text}\x1b[m" for style, text in line)


def _sgr(look: CellStyle) -> str:
    flags = [FLAGS[name] for name in FLAGS if getattr(look, name)]
    parts = [part for part in (look.fg, look.bg, *flags) if part]
    return f"\x1b[{';'.join(parts)}m" if parts else ""


def main() -> None:
    """Become the program, on its core."""
    end_with_parent()
    core, binary = sys.argv[1:]
    os.sched_setaffinity(0, {int(core)})
    picture = Path(binary).with_suffix(".json")
    picture.write_text(screen())
    os.execv(binary, [binary, str(picture)])


if __name__ == "__main__":
    main()
