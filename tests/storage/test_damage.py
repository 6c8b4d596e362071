"""Files of a killed server that somebody or something has harmed since: the next server refuses them, and
changes nothing, or has every bid that was acknowledged. The line in docs/storage.md rescues what can be read.
"""

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import pytest

from server.storage.databases.database import DAMAGED, CannotOpen
from server.storage.databases.sqlite import NAME, SqliteFile, copy
from server.storage.statedir import KEY, LOCK
from server.storage.table_store import StoredChange
from tests.support.databases import begun, bid
from tests.support.state import open_state
from tests.support.state_dirs import filled, tide

LOG, INDEX, MARKER = f"{NAME}-wal", f"{NAME}-shm", f"{NAME}-open"
BIDS = 40
LOG_SIZE = 16 * 1024 * 1024
FRAME = 24 + 4096
"""Bytes that a page takes in the log."""
CHANGES = {"commit", "execute", "executescript", "fsync", "open", "truncate", "unlink", "close"}
"""Functions that change files."""
MUCH = 80 * FRAME
"""More than the log has."""

Harm = Callable[[Path], object]


def deleted(*names: str) -> Harm:
    def harm(state: Path) -> None:
        for name in names:
            (state / name).unlink()

    return harm


def cut(name: str, size: int) -> Harm:
    return lambda state: os.truncate(state / name, size)


def garbled(name: str, at: int, size: int = 4096, byte: bytes = b"\xa5") -> Harm:
    """Overwrite ``size`` bytes from ``at`` on."""

    def harm(state: Path) -> None:
        with (state / name).open("r+b") as file:
            file.seek(at)
            file.write(byte * size)

    return harm


def written(name: str, data: bytes) -> Harm:
    return lambda state: (state / name).write_bytes(data)


def restored(*moved: str) -> Harm:
    """A backup is put in the place of the database, and these are moved away."""
    return lambda state: [(state / "backup").replace(state / NAME), deleted(*moved)(state)]


def linked(state: Path) -> None:
    (state / NAME).rename(state / "elsewhere")
    (state / NAME).symlink_to(state / "elsewhere")


def replaced_by_a_folder(state: Path) -> None:
    (state / NAME).unlink()
    (state / NAME).mkdir()


def tidied_up_by_a_shell(state: Path) -> None:
    with closing(sqlite3.connect(state / NAME)) as shell:
        shell.execute("SELECT COUNT(*) FROM tables").fetchone()
    assert not (state / LOG).exists()


SIZES = (0, 1, 32, 32 + 2 * FRAME + 99, 32 + 6 * FRAME, LOG_SIZE // 2, LOG_SIZE - 1)
"""No header, a part of one, no frame, in a frame, between two frames, in the middle, all but a byte."""
GONE = "tide.db-wal is missing or damaged"
REFUSED: Final[dict[str, tuple[Harm, str]]] = {
    "database deleted": (deleted(NAME), "is missing"),
    "database and log deleted": (deleted(NAME, LOG), "is missing"),
    "database empty": (cut(NAME, 0), "is empty (0 bytes)"),
    "database cut to its header": (cut(NAME, 100), "damaged"),
    "database cut in the middle": (cut(NAME, 150_000), "damaged"),
    "database without its header": (garbled(NAME, 0, 100), "not a database"),
    "database with another page 2": (garbled(NAME, 4096), "is damaged"),
    "database with a page of zeros": (garbled(NAME, 8192, byte=b"\0"), "is damaged"),
    "database of text": (written(NAME, b"something else entirely\n" * 999), "not a database"),
    "database a folder": (replaced_by_a_folder, "cannot be opened"),
    "database a link": (linked, "cannot be opened"),
    "backup over the database": (restored(), "is not the log of"),
    "backup, log moved": (restored(LOG, INDEX), GONE),
    "log deleted": (deleted(LOG), GONE),
    "log and index deleted": (deleted(LOG, INDEX), GONE),
    "log tidied up": (tidied_up_by_a_shell, f"nothing is lost: remove {MARKER}"),
    **{f"log cut to {size} bytes": (cut(LOG, size), GONE) for size in SIZES},
    "log of text": (written(LOG, b"something else entirely\n" * 999_999), GONE),
    # Magic number, version, size of a page, number of the log, salt, checksum.
    **{f"log's header wrong at {at}": (garbled(LOG, at, 4), GONE) for at in (0, 4, 8, 12, 16, 24)},
    "log without its header": (garbled(LOG, 0, 32, b"\0"), GONE),
    "log without its first page": (garbled(LOG, 0), GONE),
    "log with another first frame": (garbled(LOG, 32), GONE),
    "log with a bit in its first frame": (garbled(LOG, 32 + 99, 1), GONE),
    "log with another salt in a frame": (garbled(LOG, 32 + 4 * FRAME + 8, 8), GONE),
    "log with a frame of zeros": (garbled(LOG, 32 + 5 * FRAME, FRAME, b"\0"), GONE),
    "log with several other frames": (garbled(LOG, 32 + 6 * FRAME, 5 * FRAME), GONE),
}
WHOLE: Final[dict[str, Harm]] = {
    "nothing": lambda _: None,
    "log garbled behind what counts": garbled(LOG, LOG_SIZE // 2),
    "end of the log garbled": garbled(LOG, LOG_SIZE - 4096),
    "log longer": cut(LOG, 20_000_000),
    "index deleted": deleted(INDEX),
    "index empty": cut(INDEX, 0),
    "index garbled": garbled(INDEX, 0),
    "index of text": written(INDEX, b"something else entirely\n" * 999),
    "marker deleted": deleted(MARKER),
    "marker empty": cut(MARKER, 0),
    "lock deleted": deleted(LOCK),
    "lock of text": written(LOCK, b"something else"),
    "key cut": cut(KEY, 5),
    "journal of text": written(f"{NAME}-journal", b"something else entirely\n" * 99),
    "draft of a new one": written(f"{NAME}.new", b"half of it"),
}


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a killed server has left: its log has begun anew, and old frames are behind those that count."""
    folder = tmp_path_factory.mktemp("damage")
    asyncio.run(leave(folder / "state", folder / "left"))
    return folder / "left"


async def leave(state: Path, left: Path) -> None:
    opened = await open_state(state)
    await opened.tables.append(begun())
    for number in range(BIDS):
        if number == BIDS // 2:
            copy(state / NAME, state / "backup")
            await opened.database.checkpoint()
        await opened.tables.append(StoredChange("one", None, 1, number + 1, [bid(0, number)]))
    copied(state, left)
    await opened.aclose()


@pytest.fixture
def state(left: Path, tmp_path: Path) -> Path:
    return copied(left, tmp_path / "state")


def copied(state: Path, place: Path) -> Path:
    """Copy the files as they are, but not the holes in the log."""
    place.mkdir(mode=0o700)
    for path in state.iterdir():
        with path.open("rb") as file:
            (place / path.name).write_bytes(file.read(MUCH))
        os.truncate(place / path.name, path.stat().st_size)
    return place


def contents(state: Path) -> dict[str, bytes]:
    """Return the contents of the files that a rescue needs."""
    return {name: (state / name).read_bytes() for name in (NAME, LOG) if (state / name).is_file()}


async def cards(state: Path) -> list[int]:
    opened = await open_state(state)
    async with opened.stack:
        return [entry[2] for it in await opened.tables.load() for entry in it.entries[1:]]


@pytest.mark.parametrize(("harm", "said"), REFUSED.values(), ids=REFUSED)
async def test_what_is_damaged_is_refused_and_left_as_it_is(
    state: Path, harm: Harm, said: str
) -> None:
    harm(state)
    before = contents(state)
    for _ in range(2):
        with pytest.raises(CannotOpen) as caught:
            await open_state(state)
        why = str(caught.value)
        assert said in why
        assert "\n" not in why
        assert len(why.replace(str(state), "/var/lib/tide")) < 580, "a terminal shows all of it"
        if "cannot be opened" not in said:
            assert caught.value.status == DAMAGED
            assert said == "is not the log of" or "put a copy made by `tide backup`" in why
        told = tide("backup", state.with_name("copy.db"), "--state", state)
        assert told.status, "there is no copy of less than there was"
        assert contents(state) == before


@pytest.mark.parametrize("harm", WHOLE.values(), ids=WHOLE)
async def test_what_is_not_refused_is_whole(state: Path, harm: Harm) -> None:
    harm(state)
    for _ in range(2):
        assert await cards(state) == [*range(BIDS)]
    assert not (state / LOG).exists(), "it ended by itself"
    assert not (state / MARKER).exists()


def instants(state: Path, work: Callable[[], object]) -> list[Path]:
    """What a kill at any instant of the work would leave."""
    left: dict[Any, Path] = {}

    def look(_: object, event: str, called: Any) -> None:
        if event == "c_return" and called.__name__ in CHANGES:
            files = sorted(path for path in state.iterdir() if path.name != INDEX)
            found = tuple((it.name, it.stat().st_size, it.read_bytes()[:MUCH]) for it in files)
            if found not in left:
                left[found] = copied(state, Path(mkdtemp(dir=state.parent), "state"))

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return [*left.values()]


async def test_no_instant_of_a_start_or_an_end_is_taken_for_damage(
    state: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    new.mkdir(mode=0o700)
    for folder, there in ((state, [*range(BIDS)]), (state, [*range(BIDS)]), (new, [])):
        server = SqliteFile(folder / NAME, serves=True)
        for work in (partial(server.open, migrate=True), server.close):
            found = instants(folder, work)
            assert len(found) >= 3
            for place in found:
                assert await cards(place) == there


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="there is no sqlite3 here")
def test_the_documented_line_rescues_what_can_be_read(tmp_path: Path) -> None:
    games = 20
    state = filled(tmp_path / "state", games)
    text = Path("docs/storage.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ *(sqlite3 tide\.db .*rescued\.db)$", text, re.MULTILINE)
    garbled(NAME, (state / NAME).stat().st_size // 8192 * 4096)(state)
    assert "damaged" in tide("records", "prune", "--older", "52w", "--state", state).err
    subprocess.run(["sh", "-c", line], cwd=state, capture_output=True, check=True)
    for old in state.glob(f"{NAME}*"):
        old.unlink()
    (state / "rescued.db").rename(state / NAME)
    told = tide("records", "list", "-n", "99", "--state", state)
    assert told.status == 0
    assert games - 5 <= len([line for line in told.lines if "bo" in line]) <= games
