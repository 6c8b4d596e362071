"""Full, locked and damaged: what was acknowledged stays, what was not is refused, and somebody says so."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.storage.databases.connection import Connection
from server.storage.databases.database import DAMAGED, CannotOpen, Damaged
from server.storage.databases.sqlite import NAME, SqliteFile
from server.storage.databases.sqlite_files import copy
from server.storage.history_store import OtherRecord
from server.storage.people import Claim, PeopleStore, Person
from server.storage.statedir import KEY, LOCK, Lock, make_private
from server.storage.store import StoredChange, StoreError
from server.storage.tables import TableStore
from server.transport.ssh.host_keys import load_or_make
from tests.support.databases import (
    around,
    begun,
    bid,
    database,
    finished,
    losing,
    nobody_is_told,
    one,
    outcomes,
    sql_store,
)
from tests.support.state import open_state


def error(code: int) -> sqlite3.OperationalError:
    made = sqlite3.OperationalError("made by the test")
    made.sqlite_errorcode = code
    return made


class Failing:
    """Every transaction asked for in ``bad`` (from 1) fails before its COMMIT."""

    def __init__(self, store: TableStore, code: int, bad: range) -> None:
        self.count, self.code, self.bad = 0, code, bad
        around(store.database.backend.writer, self.begin)

    def begin(self, _: Connection) -> None:
        self.count += 1
        if self.count in self.bad:
            raise error(self.code)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (sqlite3.SQLITE_FULL, "full"),
        (sqlite3.SQLITE_BUSY, "locked"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "locked"),
        (sqlite3.SQLITE_IOERR_FSYNC, "failed"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, "full"),
    ],
)
async def test_what_fails_before_its_commit_is_refused_and_says_why(
    tmp_path: Path, number: int, code: str
) -> None:
    async with sql_store(tmp_path) as store:
        Failing(store, number, range(2, 3))
        await store.append(begun("one"))
        with pytest.raises(StoreError) as caught:
            await store.append(StoredChange("one", None, 1, 1, [bid(0, 5)]))
        assert caught.value.code == code
        assert len((await one(store)).entries) == 1
        await store.append(StoredChange("one", None, 1, 1, [bid(0, 5)]))
        assert len((await one(store)).entries) == 2


async def test_everybody_whose_transaction_fails_is_told(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        Failing(store, sqlite3.SQLITE_FULL, range(1, 2))
        answers = await outcomes(*(store.append(begun(f"{n}")) for n in range(20)))
        failed = [answer for answer in answers if isinstance(answer, StoreError)]
        kept = {table.key for table in await store.load()}
        assert failed
        assert {f"{n}" for n, answer in enumerate(answers) if answer is None} == kept


async def test_the_operator_is_told_once_and_again_when_it_works(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        Failing(store, sqlite3.SQLITE_FULL, range(1, 4))
        with capture_logs() as lines:
            for _ in range(3):
                with pytest.raises(StoreError):
                    await store.append(begun())
            await store.append(begun())
        assert [line["event"] for line in lines] == ["storage_trouble", "storage_works_again"]
        assert lines[0]["code"] == "full"
        assert "make room" in lines[0]["advice"]


async def test_trouble_with_reading_is_over_when_something_can_be_read(tmp_path: Path) -> None:
    def broken(_: Connection) -> None:
        raise error(sqlite3.SQLITE_BUSY)

    def works(connection: Connection) -> None:
        connection.execute("SELECT 1")

    async with sql_store(tmp_path) as store:
        database = store.database
        look = database.read
        with pytest.raises(StoreError):
            await look(broken)
        assert database.trouble == "locked"
        await look(works)
        assert database.trouble == "", "nobody may write anything for half an hour"
        Failing(store, sqlite3.SQLITE_BUSY, range(1, 2))
        with pytest.raises(StoreError):
            await look(broken)
        with pytest.raises(StoreError):
            await store.append(begun())
        await look(works)
        assert database.trouble == "locked", "only a write shows that it can be written"
        await store.append(begun())
        assert database.trouble == ""


async def test_our_own_mistake_does_not_fail_the_others(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        wrong = StoredChange("wrong", {}, 2**70, 0, [bid(0, 1)])
        answers = await outcomes(
            *(store.append(change) for change in (begun("a"), wrong, begun("b")))
        )
        assert [type(answer) for answer in answers] == [type(None), OverflowError, type(None)]
        assert [table.key for table in await store.load()] == ["a", "b"]


async def fill(store: TableStore) -> tuple[str, int]:
    """Append until it fails: the code, and how many entries were acknowledged."""
    for number in range(1, 5000):
        try:
            await store.append(StoredChange("one", None, 1, number, [["bid", 0, "x" * 500]]))
        except StoreError as error:
            return error.code, number
    raise AssertionError("it is never full")


async def test_a_full_database_refuses_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """SQLite's own limit of pages stands for the disk's."""
    async with sql_store(tmp_path) as store:
        await store.append(begun())
        room: list[int] = [1]

        # SQLite never goes below the pages that are there, so 1 means: not one page more.
        around(
            store.database.backend.writer,
            lambda it: it.execute(f"PRAGMA max_page_count={room[0]}").fetchone(),
        )
        code, number = await fill(store)
        assert code == "full"
        assert len((await one(store)).entries) == number
        room[0] = 1_000_000
        await store.append(StoredChange("one", None, 1, number, [["bid", 0, "x" * 500]]))
        assert len((await one(store)).entries) == number + 1


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", place],
        check=False,
        capture_output=True,
        text=True,
    )
    if mounted.returncode:
        pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


async def test_a_full_disk_refuses_and_goes_on_when_there_is_room(tiny_disk: Path) -> None:
    async with sql_store(tiny_disk) as store:
        await store.append(begun())
        ballast = tiny_disk / "ballast"
        ballast.write_bytes(b"x" * 100_000)
        code, number = await fill(store)
        assert code == "full"
        ballast.unlink()
        assert len((await one(store)).entries) == number
        await store.append(StoredChange("one", None, 1, number, [["bid", 0, "x" * 500]]))
        kept = await one(store)
        assert len(kept.entries) == number + 1
    async with sql_store(tiny_disk) as store:
        assert await one(store) == kept


@contextlib.contextmanager
def held(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program that writes to the database."""
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield other
    finally:
        other.close()


async def test_another_writer_delays_and_then_is_named(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        await store.append(begun())
        with held(tmp_path / NAME), capture_logs() as lines:
            with pytest.raises(StoreError) as caught:
                await store.append(begun("two"))
            assert caught.value.code == "locked"
            assert len(await store.load()) == 1, "reading needs no lock"
        assert "Another program" in lines[0]["advice"]
        await store.append(begun("two"))


async def test_a_reader_sees_no_half_transaction_while_others_write(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        pairs = [StoredChange(f"{n}", {"n": n}, 1, 0, [bid(0, 1), bid(1, 2)]) for n in range(100)]
        writing = asyncio.gather(*(store.append(change) for change in pairs))
        while not writing.done():
            assert all(len(table.entries) == 2 for table in await store.load())
        await writing


async def test_work_that_raises_is_undone_and_leaves_the_others_alone(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:

        def rename(connection: Connection) -> None:
            connection.execute("UPDATE tables SET content = '{}'")
            raise LookupError("no such thing")

        def count(connection: Connection) -> int:
            return int(connection.scalar("SELECT COUNT(*) FROM tables"))

        answers = await outcomes(
            store.append(begun()), store.database.change(rename), store.database.change(count)
        )
        assert answers[0] is None
        assert isinstance(answers[1], LookupError)
        assert answers[2] == 1
        assert (await one(store)).row == begun().row


async def test_after_closing_everything_is_refused(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        writing = asyncio.gather(*(store.append(begun(f"{n}")) for n in range(5)))
        await asyncio.sleep(0)
        await store.database.close()
        await writing
        with pytest.raises(StoreError):
            await store.append(begun())
        with pytest.raises(StoreError):
            await store.load()
    async with sql_store(tmp_path) as store:
        assert len(await store.load()) == 5


# ---------------------------------------------------------------- opening


@pytest.fixture
async def filled(tmp_path: Path) -> Path:
    async with sql_store(tmp_path) as store:
        for number in range(50):
            change = StoredChange(f"{number}", {"title": "x" * 500}, 1, 0, [bid(0, 1)] * 20)
            await store.append(change)
    return tmp_path / NAME


def content(path: Path) -> bytes:
    return path.read_bytes()


def spoilt(path: Path) -> bytes:
    """Overwrite the file's second page; what is in it now."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 4096)
    return content(path)


def cut(path: Path) -> None:
    os.truncate(path, len(content(path)) // 2)


async def refusal(folder: Path) -> str:
    with pytest.raises(CannotOpen) as caught:
        async with database(folder):
            pass
    return str(caught.value)


async def test_a_damaged_page_is_noticed_before_anything_is_written(filled: Path) -> None:
    before = spoilt(filled)
    message = await refusal(filled.parent)
    assert "is damaged" in message
    assert "tide backup" in message
    assert content(filled) == before


@pytest.mark.parametrize("found_by", ["read", "change"])
async def test_once_damage_has_shown_nothing_more_is_accepted(
    tmp_path: Path, found_by: str
) -> None:
    def fill(connection: Connection) -> None:
        connection.execute("CREATE TABLE much (text)")
        connection.execute("INSERT INTO much VALUES (hex(zeroblob(1000000)))")

    def count(connection: Connection) -> object:
        return connection.scalar("SELECT sum(length(text)) FROM much")

    async with sql_store(tmp_path) as store:
        opened = store.database
        await store.append(begun("one"))
        await opened.change(fill)
        await opened.checkpoint()
        with (tmp_path / NAME).open("r+b") as file:
            file.seek(-1_000_000, os.SEEK_END)
            file.write(b"\xa5" * 500_000)
        await store.append(StoredChange("one", None, 1, 1, [bid(0, 5)]))  # nobody can know yet
        for pool in (opened.backend.readers, opened.backend.writer):
            with pool.idle() as connection:
                connection.execute("PRAGMA shrink_memory")
        lost = losing(opened)
        with capture_logs() as said:
            asking = asyncio.ensure_future(getattr(opened, found_by)(count))
            assert (await lost).status == DAMAGED
            later = store.append(StoredChange("one", None, 1, 2, [bid(1, 6)]))
            await nobody_is_told(asking, later, store.load())
        assert opened.trouble == "lost"
        assert [line["event"] for line in said] == ["storage_lost"]
        assert "tide backup" in said[0]["reason"]


async def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"something else entirely, of some length\n" * 200)
    message = await refusal(tmp_path)
    assert "not a database" in message
    assert "tide backup" in message
    assert content(tmp_path / NAME).startswith(b"something else")


async def test_a_truncated_file_is_noticed(filled: Path) -> None:
    cut(filled)
    assert "tide backup" in await refusal(filled.parent)


async def test_a_database_that_another_program_holds_is_no_mystery(filled: Path) -> None:
    other = sqlite3.connect(filled, isolation_level=None)
    try:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN EXCLUSIVE")
        message = await refusal(filled.parent)
    finally:
        other.close()
    assert "Another program" in message


async def test_a_path_that_cannot_be_written_is_no_mystery(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    assert "cannot be opened" in await refusal(tmp_path)


async def test_only_one_server_uses_a_state_directory(tmp_path: Path) -> None:
    state = tmp_path / "state"
    opened = await open_state(state)
    try:
        with pytest.raises(CannotOpen, match=f"already using .* \\(process {os.getpid()}\\)"):
            await open_state(state)
    finally:
        await opened.close()
    again = await open_state(state)
    await again.close()


async def test_a_refused_start_gives_the_lock_back(tmp_path: Path) -> None:
    state = tmp_path / "state"
    make_private(state)
    (state / NAME).write_bytes(b"nonsense" * 1000)
    with pytest.raises(CannotOpen):
        await open_state(state)
    Lock(state).release()


async def test_files_and_directory_are_private_whatever_the_umask(tmp_path: Path) -> None:
    state = tmp_path / "state"
    before = os.umask(0)
    try:
        opened = await open_state(state)
        try:
            await opened.tables.append(begun())
            modes = {path.name: path.stat().st_mode & 0o777 for path in state.iterdir()}
        finally:
            await opened.close()
    finally:
        os.umask(before)
    assert state.stat().st_mode & 0o777 == 0o700
    assert set(modes) == {"lock", KEY, NAME, *(f"{NAME}-{it}" for it in ("wal", "shm", "open"))}
    assert set(modes.values()) == {0o600}


async def test_files_that_others_could_read_become_private(tmp_path: Path) -> None:
    state = tmp_path / "state"
    await (await open_state(state)).close()
    state.chmod(0o755)
    (state / NAME).chmod(0o644)
    await (await open_state(state)).close()
    assert state.stat().st_mode & 0o777 == 0o700
    assert (state / NAME).stat().st_mode & 0o777 == 0o600


def test_a_directory_with_other_things_in_it_is_not_touched(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "holiday.jpg").touch()
    with pytest.raises(CannotOpen, match=r"holiday\.jpg"):
        make_private(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    tmp_path.chmod(0o700)
    make_private(tmp_path)


@pytest.mark.parametrize("foreign", [False, True])
async def test_the_keys_may_be_in_it_and_be_there_first(tmp_path: Path, foreign: bool) -> None:
    state = tmp_path / "state"
    load_or_make(state / "keys")
    state.chmod(0o755)
    if foreign:
        (state / "photos").mkdir()
        with pytest.raises(CannotOpen, match="photos"):
            await open_state(state, keys=state / "keys")
    else:
        await (await open_state(state, keys=state / "keys")).close()
    assert state.stat().st_mode & 0o777 == (0o755 if foreign else 0o700)


def test_a_state_directory_that_is_a_file_is_no_mystery(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    with pytest.raises(CannotOpen, match="is a file"):
        make_private(tmp_path / "state")
    # Where the disk is missing that it is on, another directory is no remedy.
    (tmp_path / "link").symlink_to(tmp_path / "missing" / "disk")
    with pytest.raises(CannotOpen, match="cannot be used"):
        make_private(tmp_path / "link")


def test_a_link_in_place_of_the_database_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch()
    (tmp_path / NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotOpen, match="cannot be opened"):
        SqliteFile(tmp_path / NAME).open(migrate=True)


async def test_a_copy_is_whole_private_and_never_overwrites(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        for number in range(20):
            await store.append(begun(f"{number}"))
        writing = asyncio.gather(*(store.append(begun(f"later {n}")) for n in range(50)))
        (tmp_path / "copy").mkdir()
        target = tmp_path / "copy" / NAME
        await asyncio.to_thread(copy, tmp_path / NAME, target)
        await writing
        assert target.stat().st_mode & 0o777 == 0o600
        with pytest.raises(FileExistsError):
            await asyncio.to_thread(copy, tmp_path / NAME, target)
    assert [path.name for path in target.parent.iterdir()] == [NAME]
    async with sql_store(target.parent) as store:
        assert {f"{n}" for n in range(20)} <= {table.key for table in await store.load()}


def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    """The power cannot be cut here; whether SQLite has every commit written to the disk can be seen."""
    file = SqliteFile(tmp_path / "tide.db")
    try:
        for pool in (file.readers, file.writer):
            with pool.transaction() as connection:
                asked = [
                    connection.scalar(f"PRAGMA {name}") for name in ("journal_mode", "synchronous")
                ]
            assert asked == ["wal", 2], "2 is FULL"
    finally:
        file.close()


# ---------------------------------------------------------------- something is missing


async def killed(state: Path, tables: int = 5) -> None:
    """Leave the files as a killed server that had just begun would."""
    opened = await open_state(state)
    for number in range(tables):
        await opened.tables.append(begun(f"{number}"))
    left = {state / name: content(state / name) for name in (NAME, LOG)}
    await opened.close()
    for path, data in left.items():
        path.write_bytes(data)


LOG = f"{NAME}-wal"


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda state: os.truncate(state / NAME, 0), "is empty (0 bytes)"),
        (lambda state: (state / NAME).unlink(), "is missing"),
    ],
    ids=["database empty", "database deleted"],
)
async def test_a_server_does_not_begin_with_less_than_there_was(
    tmp_path: Path, harm: Callable[[Path], object], said: str
) -> None:
    state = tmp_path / "state"
    await killed(state)
    harm(state)
    before = content(state / LOG)
    for _ in range(2):
        with pytest.raises(Damaged) as caught:
            await open_state(state)
        assert said in str(caught.value)
        assert "tide backup" in str(caught.value)
        assert "\n" not in str(caught.value)
        assert content(state / LOG) == before, "nothing has been changed"


async def test_after_a_kill_everything_is_there_and_nothing_is_asked(tmp_path: Path) -> None:
    state = tmp_path / "state"
    await killed(state)
    opened = await open_state(state)
    assert len(await opened.tables.load()) == 5
    assert not opened.database.backend.new
    await opened.close()


async def test_an_sqlite_shell_that_tidied_up_after_a_kill_is_no_damage(tmp_path: Path) -> None:
    state = tmp_path / "state"
    await killed(state)
    with contextlib.closing(sqlite3.connect(state / NAME)) as shell:
        shell.execute("SELECT COUNT(*) FROM tables").fetchone()
    assert not (state / LOG).exists()
    opened = await open_state(state)
    assert len(await opened.tables.load()) == 5
    await opened.close()


async def test_a_new_database_is_called_new_and_is_whole_from_the_start(tmp_path: Path) -> None:
    state = tmp_path / "state"
    make_private(state)
    (state / f"{NAME}.new").write_bytes(b"what was left when the first start was killed")
    opened = await open_state(state)
    assert opened.database.backend.new
    with contextlib.closing(sqlite3.connect(f"file:{state / NAME}?immutable=1", uri=True)) as file:
        assert file.execute("SELECT COUNT(*) FROM tables").fetchone() == (0,), "without the log"
    await opened.close()
    opened = await open_state(state)
    assert not opened.database.backend.new
    await opened.close()


async def test_a_checkpoint_brings_what_is_new_into_the_database(tmp_path: Path) -> None:
    state = tmp_path / "state"
    opened = await open_state(state)
    await opened.tables.append(begun())
    await opened.database.checkpoint()
    with contextlib.closing(sqlite3.connect(f"file:{state / NAME}?immutable=1", uri=True)) as file:
        assert file.execute("SELECT COUNT(*) FROM tables").fetchone() == (1,), "without the log"
    await opened.close()


async def test_a_state_directory_taken_away_under_the_server_ends_it(tmp_path: Path) -> None:
    state = tmp_path / "state"
    opened = await open_state(state)
    lost = losing(opened.database)
    await opened.tables.append(begun("before"))
    state.rename(tmp_path / "away")
    shutil.copytree(tmp_path / "away", state)
    with capture_logs() as lines:
        asking = asyncio.ensure_future(opened.tables.append(begun("during")))
        assert (await lost).status == DAMAGED
        await nobody_is_told(asking, opened.tables.load())
    assert [line["event"] for line in lines] == ["storage_lost"]
    assert "removed or replaced" in lines[0]["reason"]
    await opened.close()


async def test_without_the_lock_file_there_is_one_server_all_the_same(tmp_path: Path) -> None:
    state = tmp_path / "state"
    opened = await open_state(state)
    (state / LOCK).unlink()
    with pytest.raises(CannotOpen, match=r"already using .* \(another process\)"):
        await open_state(state)
    await opened.close()
    await (await open_state(state)).close()


# ---------------------------------------------------------------- rows that nobody can read


async def test_a_table_that_is_no_json_stays_and_the_others_go_on(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        for key in ("row", "entry", "sound"):
            await store.append(begun(key))

        def spoil(connection: Connection) -> None:
            connection.execute("UPDATE tables SET content = '{' WHERE key = 'row'")
            connection.execute("UPDATE entries SET content = ']' WHERE table_key = 'entry'")

        await store.database.change(spoil)
        with capture_logs() as lines:
            assert [table.key for table in await store.load()] == ["sound"]
        assert [(line["event"], line["key"]) for line in lines] == [
            ("table_unreadable", "row"),
            ("table_unreadable", "entry"),
        ]
        count = "SELECT COUNT(*) FROM tables"
        assert await store.database.read(lambda it: it.scalar(count)) == 3


@pytest.mark.parametrize("content", ["", "VALUES (6), (7)", "VALUES ('six')"])
async def test_a_schema_of_no_known_version_is_no_mystery(tmp_path: Path, content: str) -> None:
    async with database(tmp_path):
        pass
    with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as other:
        other.execute("DELETE FROM schema_version")
        if content:
            other.execute(f"INSERT INTO schema_version {content}")
        other.commit()
    message = await refusal(tmp_path)
    assert "does not say which version" in message
    assert "tide backup" in message


# ---------------------------------------------------------------- neighbours in a transaction


async def test_a_failing_neighbour_changes_nothing_for_anybody(tmp_path: Path) -> None:
    """What is wrong with one does not run the others twice, nor use up what they were given."""
    async with sql_store(tmp_path) as store:
        people, runs = PeopleStore(store.database), list[int]()
        wanted = (Claim(name, name) for name in ("ada", "ada2"))
        person = Person("account:1", "", False, 1.0, 1.0)

        def count(_: Connection) -> None:
            runs.append(1)

        def wrong(connection: Connection) -> None:
            connection.execute("INSERT INTO tables (key, place, content) VALUES ('x', 0, '')")
            connection.execute("SELECT * FROM nothing")

        with capture_logs() as lines:
            answers = await outcomes(
                people.add(person, wanted, key="a"),
                store.database.change(count),
                store.database.change(wrong),
                store.append(StoredChange("wrong", {}, 2**70, 0, [bid(0, 1)])),
                store.append(begun()),
            )
        assert isinstance(answers[0], Person)
        assert answers[0].name == "ada"
        assert runs == [1]
        assert [type(answer) for answer in answers[2:]] == [StoreError, OverflowError, type(None)]
        assert [table.key for table in await store.load()] == ["one"], "and not x"
        assert [line["event"] for line in lines] == ["storage_job_failed"]
        assert store.database.trouble == ""


async def test_another_record_of_the_same_game_is_an_error(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        over = begun()._replace(finished=finished())
        await store.append(over)
        await store.append(over._replace(expected=1))
        other = finished()._replace(record={"format": "turn-the-tide", "players": ["bo", "Gull"]})
        with pytest.raises(OtherRecord):
            await store.append(over._replace(row={"title": "changed"}, finished=other, expected=2))
        assert (await one(store)).row == begun().row, "all or nothing"
