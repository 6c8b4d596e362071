"""The state directory, for this user alone and one server at a time; copying to another database.

What a server keeps in it is opened for the server itself, for a look from beside, or for a copy.
"""

import asyncio
import fcntl
import os
import secrets
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
    suppress,
)
from pathlib import Path
from typing import Final

from server.private_files import draft_of, write_new
from server.storage.databases.connection import Connection
from server.storage.databases.database import Backend, CannotOpen, Database, InUse
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite import NAME, VERSIONED, SqliteFile, copy, filled
from server.storage.table_store import TableStore

LOCK: Final = "lock"
"""The file in it that says which process uses the directory. Both are locked: anybody may delete the file."""

PARENT: Final = "parent"
"""The file in it that says which process has started all others of a server with doors."""

DOORS: Final = "doors.sock"
"""The socket in it through which doors reach the coordinator."""

FIGURES: Final = ".figures"
"""How the names of the sockets end through which those processes tell of themselves."""

ADMIN: Final = "admin.sock"
"""The socket in it through which a running server takes orders (``tide admin``)."""

KEY: Final = "address.key"
"""The file with the key of the marks of addresses (``TableStore``). It is in no backup of the database."""
_KEY_BYTES: Final = 32

_OURS: Final = frozenset(
    {LOCK, PARENT, DOORS, ADMIN, KEY, "tide.toml", "lost+found"}
    | {f"{NAME}{end}" for end in ("", "-wal", "-shm", "-open", "-journal", ".new", ".new-journal")}
)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_private(state: Path, keys: Path | None = None) -> None:
    """Create the directory with mode 0700, or make it so. Raises ``CannotOpen``.

    A directory that holds other things is not touched: somebody may have typed ``--state /tmp``. The
    directory ``keys`` may be in it, and be there first.
    """
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not stat.S_IMODE(state.stat().st_mode) & _OTHERS:
            return
        foreign = sorted(
            path.name
            for path in state.iterdir()
            if path.name not in _OURS
            and not path.name.startswith(VERSIONED)
            and path.suffix != FIGURES
            and path != keys
        )
        if not foreign:
            state.chmod(0o700)
            return
    except OSError as error:
        if state.is_file():
            raise IsFile(state) from None
        raise CannotOpen(
            f"The state directory {state} cannot be used: {error.strerror}. Choose another one with --state."
        ) from None
    raise CannotOpen(
        f"The state directory {state} can be read by others and holds other files ({foreign[0]}). It "
        f"keeps hidden hands: choose an empty one with --state, or run `chmod 700 {state}` if it is this "
        "server's own."
    )


_TRY_AGAIN: Final = 0.02
"""Seconds after which a process that waits for another one of its server to end looks again ..."""
_LOOK_AGAIN: Final = 1.0
"""... and one that waits for another server."""


class IsFile(CannotOpen):
    """There is a file where the state directory is to be."""

    def __init__(self, state: Path) -> None:
        super().__init__(f"{state} is a file. Choose a directory with --state.")
        self.state: Final = state


class NothingKept(CannotOpen):
    """No server has kept anything in the state directory."""


class Lock:
    """Held by the one server that uses a state directory, until it ends, however it ends."""

    def __init__(self, state: Path) -> None:
        """Take it. Raises ``InUse`` when another process has it, or ``CannotOpen``."""
        path = state / LOCK
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._held: list[int] = []
        try:
            for opened in ((state, os.O_RDONLY | os.O_CLOEXEC), (path, flags)):
                self._held.append(os.open(*opened, 0o600))
                fcntl.flock(self._held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise InUse(
                f"A server is already using {state} ({_holder(path)}). Stop it first, or give this one a "
                "state directory of its own with --state."
            ) from None
        except OSError as error:
            self.release()
            raise CannotOpen(
                f"{path} cannot be opened: {error.strerror}. Choose another state directory with --state."
            ) from None
        os.ftruncate(self._held[-1], 0)
        os.pwrite(self._held[-1], f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        """Give it back."""
        while self._held:
            os.close(self._held.pop())


def hold(state: Path) -> int:
    """Mark the state directory as in use by the parent of a server with doors.

    For as long as the descriptor that is returned is open. Raises ``InUse``.
    """
    held = os.open(state / PARENT, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise InUse(f"A server with doors is already using {state}. Stop it first.") from None
    os.ftruncate(held, 0)
    os.pwrite(held, f"{os.getpid()}\n".encode("ascii"), 0)
    return held


def parent_of(state: Path) -> int | None:
    """The process that has started all others of the server with doors that uses ``state``, if one does."""
    try:
        with (state / PARENT).open() as file, suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return None
        return int((state / PARENT).read_text("ascii"))
    except (OSError, ValueError):
        return None


def _holder(lock: Path) -> str:
    try:
        holder = lock.read_text("ascii").strip()
    except (OSError, ValueError):
        holder = ""
    return f"process {holder}" if holder.isdigit() else "another process"


def key_in(state: Path) -> bytes:
    """Return the key of this directory, and make it if there is none. Raises ``CannotOpen``."""
    path = state / KEY
    try:
        key = path.read_bytes() if path.exists() else b""
        if len(key) == _KEY_BYTES:
            return key
        # New, or cut short when the power failed: what marks there are then are like none that come.
        key = secrets.token_bytes(_KEY_BYTES)
        with draft_of(path, key) as draft:
            draft.replace(path)
    except OSError as error:
        raise CannotOpen(
            f"{path} cannot be used: {error.strerror}. Check who owns it, or choose another state directory "
            "with --state."
        ) from None
    return key


def backend_of(state: Path, url: str = "", *, serves: bool = False) -> Backend:
    """What a server keeps everything in: a file in its state directory, or, given a URL, PostgreSQL.

    For the server itself, which ``serves``, or for something beside it. Raises ``CannotOpen``.
    """
    if not url:
        return SqliteFile(state / NAME, serves=serves)
    try:
        from server.storage.databases.postgres import Postgres
    except ImportError:
        raise CannotOpen(
            "PostgreSQL needs a package that is not installed: run `make install-postgres`, or install "
            "turn-the-tide[postgres]. Without the setting database, a file in the state directory is used."
        ) from None
    return Postgres(url, serves=serves)


async def open_in_turn(
    stack: AsyncExitStack, state: Path, url: str = "", keys: Path | None = None
) -> TableStore:
    """As ``open_state``, once no other server uses the directory, and then the database."""
    make_private(state, keys)
    while True:
        try:
            stack.callback(Lock(state).release)
            break
        except InUse:
            await asyncio.sleep(_TRY_AGAIN)
    database = Database(backend_of(state, url, serves=True))
    stack.push_async_callback(database.close)
    while True:
        try:
            await database.open()
            return TableStore(database, key_in(state))
        except InUse:
            await asyncio.sleep(_LOOK_AGAIN)


async def open_state(
    stack: AsyncExitStack, state: Path, url: str = "", keys: Path | None = None
) -> TableStore:
    """Open a state directory for a server, and the database at ``url`` if given.

    Until the stack is closed. The directory ``keys`` may be in it. Raises ``InUse`` or ``CannotOpen``.
    """
    make_private(state, keys)
    stack.callback(Lock(state).release)
    database = Database(backend_of(state, url, serves=True))
    stack.push_async_callback(database.close)
    await database.open()
    return TableStore(database, key_in(state))


def bring_key(old: Path, new: Path) -> Path | None:
    """Where nothing has been marked yet, mark with the key of the other directory, if it has one.

    The database came from there. The file, if it was made now. Raises ``OSError``.
    """
    if not (old / KEY).exists() or (new / KEY).exists():
        return None
    new.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_new(new / KEY, (old / KEY).read_bytes())
    return new / KEY


def back_up(state: Path, target: Path) -> Path:
    """Copy what a server keeps in ``state``, also while it runs; what was copied.

    Raises ``CannotOpen``, or ``OSError`` for ``target``; then that is as it was.
    """
    path = state / NAME
    if not path.is_file() or not path.stat().st_size:
        raise CannotOpen(f"there is no database in {state}; --state names another directory")
    try:
        lock = Lock(state)
    except CannotOpen:
        pass  # a server uses it, and has seen that it is whole
    else:
        try:
            SqliteFile(path).check(alone=True)
        finally:
            lock.release()
    copy(path, target)
    return path


@asynccontextmanager
async def open_archive(state: Path, url: str = "") -> AsyncIterator[Database]:
    """Open what a server has kept, beside it or without one.

    In ``state`` or at ``url``, to look at finished games, and to add or remove some. Raises ``CannotOpen``.
    """
    lock: Lock | None = None
    if not url:
        if not (state / NAME).is_file():
            raise NothingKept(state)
        with suppress(CannotOpen):
            lock = Lock(state)
    database = Database(backend_of(state, url))
    try:
        try:
            # Where a server runs, the schema is its business.
            await database.open(migrate=lock is not None)
        finally:
            if lock:
                lock.release()
        yield database
    finally:
        await database.close()


ROWS: Final = 1000
"""Rows that are read and written at a time."""


def file_at(place: Path) -> Path:
    """Return the SQLite file meant by a path to it or to a state directory."""
    is_file = place.is_file() or (place.suffix == ".db" and not place.is_dir())
    return place if is_file else place / NAME


@contextmanager
def source(place: Path | str) -> Iterator[Connection]:
    """A database that nobody else uses meanwhile: a state directory, a file, or the URL of one.

    Nothing in it is changed. Raises ``CannotOpen``.
    """
    with ExitStack() as stack:
        if isinstance(place, str):
            connection = stack.enter_context(_on_server(place, migrate=False))
        else:
            path = file_at(place)
            alone = path.name == NAME and path.is_file()
            if alone:
                stack.callback(Lock(path.parent).release)
            connection = stack.enter_context(SqliteFile(path).looked_at(alone=alone))
            try:
                way_out = "use the release that it is of."
                versions.checked(connection, migrate=False, way_out=way_out)
            except versions.WrongVersion as wrong:
                raise CannotOpen(f"{path}: {wrong}") from None
        yield connection


@contextmanager
def target(place: Path | str) -> Iterator[Connection]:
    """An empty database, in which all is kept that is written within, or nothing.

    Raises ``CannotOpen``, and ``OSError`` for a file.
    """
    with ExitStack() as stack:
        if isinstance(place, str):
            connection = stack.enter_context(_on_server(place, migrate=True))
            for table in versions.tables():
                rows = f"SELECT 1 FROM {table} LIMIT 1"
                if table != "numbers" and connection.execute(rows).fetchone():
                    raise CannotOpen(
                        f"the database there is not empty (table {table}); nothing has been changed. Make a "
                        "new one with createdb"
                    )
        else:
            path = file_at(place)
            if path.name == NAME:
                make_private(path.parent)
                stack.callback(Lock(path.parent).release)
            for there in (path, Path(f"{path}-wal")):
                if there.exists():
                    raise CannotOpen(f"{there} already exists; nothing has been overwritten")
            connection = stack.enter_context(filled(path))
        yield connection


@contextmanager
def _on_server(url: str, *, migrate: bool) -> Iterator[Connection]:
    from server.storage.databases.postgres import Postgres

    with closing(Postgres(url, exclusive=True)) as backend:
        backend.open(migrate=migrate)
        with backend.writer.transaction() as connection:
            connection.stay_patient()
            yield connection


def copy_rows(origin: Connection, goal: Connection) -> dict[str, int]:
    """Copy every row of every table, and the numbers given so far; how many rows, by table.

    Raises ``CannotOpen`` for what the other database cannot hold.
    """
    copied = {}
    goal.execute("DELETE FROM numbers")
    for table in versions.tables():
        found = goal.execute(f"SELECT * FROM {table} LIMIT 0").description or ()
        columns = [column[0] for column in found]
        try:
            copied[table] = sum(
                goal.insert(table, *(dict(zip(columns, row, strict=True)) for row in rows))
                for rows in origin.read(f"SELECT {', '.join(columns)} FROM {table}", ROWS)
            )
        except (origin.errors, goal.errors) as error:
            why = (str(error).splitlines() or ["failed"])[0]
            raise CannotOpen(f"the rows of the table {table} could not be copied: {why}") from None
    return copied
