"""What docs/storage.md says of a damaged database: its line rescues what can be read."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from server.storage.databases.sqlite import NAME
from tests.support.state_dirs import filled, tide

ROOT = Path(__file__).resolve().parents[2]
GAMES = 20


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="there is no sqlite3 here")
def test_the_documented_line_rescues_what_can_be_read(tmp_path: Path) -> None:
    state = filled(tmp_path / "state", GAMES)
    text = (ROOT / "docs/storage.md").read_text()
    (line,) = re.findall(r"^ *(sqlite3 tide\.db .*rescued\.db)$", text, re.MULTILINE)
    with (state / NAME).open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(size // 8192 * 4096)
        file.write(b"\xa5" * 4096)
    assert "damaged" in tide("records", "prune", "--older", "52w", "--state", state).err
    subprocess.run(["sh", "-c", line], cwd=state, capture_output=True, check=True)
    for old in state.glob(f"{NAME}*"):
        old.unlink()
    (state / "rescued.db").rename(state / NAME)
    told = tide("records", "list", "-n", "99", "--state", state)
    assert told.status == 0
    assert GAMES - 5 <= len([line for line in told.lines if "bo" in line]) <= GAMES
