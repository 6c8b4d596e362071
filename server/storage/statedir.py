"""The state directory: private, locked by one server at a time; and copies of its database.

A server opens it with ``open_state``, a command beside it with ``open_archive``.
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
"""The file with the id of the process that uses the directory.

The directory is locked, too, as anybody may delete the file.
"""

PARENT: Final = "parent"
"""The file with the id of the parent process of a server with doors."""

DOORS: Final = "doors.sock"
"""The socket through which doors reach the coordinator."""

FIGURES: Final = ".figures"
"""Suffix of the sockets on which those processes report their figures."""

ADMIN: Final = "admin.sock"
"""The socket on which a running server takes operators' orders (``tide admin``)."""

KEY: Final = "address.key"
"""The file with the key for marks of addresses (``TableStore``), which is in no backup of the database."""
_KEY_BYTES: Final = 32

_OURS: Final = frozenset(
    {LOCK, PARENT, DOORS, ADMIN, KEY, "tide.toml", "lost+found"}
    | {f"{NAME}{end}" for end in ("", "-wal", "-shm", "-open", "-journal", ".new", ".new-journal")}
)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_private(state: Path, keys: Path | None = None) -> None:
    """Create the directory with mode 0700, or change its mode. Raises ``CannotOpen``.

    A directory with other files is not touched: somebody may have typed ``--state /tmp``. The directory
    ``keys`` may be in it already.
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
"""Seconds between two looks whether another process of the same server has ended ..."""
_LOOK_AGAIN: Final = 1.0
"""... and whether another server has."""


class IsFile(CannotOpen):
    """The state directory is a file."""

    def __init__(self, state: Path) -> None:
        super().__init__(f"{state} is a file. Choose a directory with --state.")
        self.state: Final = state


class NothingKept(CannotOpen):
    """There is no database in the state directory."""


class Lock:
    """The lock on a state directory; released when the process ends, however it ends."""

    def __init__(self, state: Path) -> None:
        """Take the lock. Raises ``InUse`` if another process has it, or ``CannotOpen``."""
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
        """Release the lock."""
        while self._held:
            os.close(self._held.pop())


def hold(state: Path) -> int:
    """Mark the state directory as used by this process, the parent of a server with doors.

    Returns a descriptor; the mark lasts until it is closed. Raises ``InUse``.
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
    """Return the parent process of the server with doors that uses ``state``; ``None`` without one."""
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
    """Return the key for marks of addresses, a new one if there is none. Raises ``CannotOpen``."""
    path = state / KEY
    try:
        key = path.read_bytes() if path.exists() else b""
        if len(key) == _KEY_BYTES:
            return key
        # New, or cut short by a power failure: earlier marks match none of the new ones.
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
    """Return the backend: a file in the state directory, or PostgreSQL at a URL. Raises ``CannotOpen``.

    ``serves`` is for the server itself, and not for a command beside it.
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


async def open_state(
    stack: AsyncExitStack,
    state: Path,
    url: str = "",
    keys: Path | None = None,
    *,
    in_turn: bool = False,
) -> TableStore:
    """Open a state directory for a server, and the database at ``url`` if given, until the stack is closed.

    The directory ``keys`` may be in it. With ``in_turn``, wait until no other server uses the directory, and
    then the database. Raises ``InUse`` (without ``in_turn``) or ``CannotOpen``.
    """
    make_private(state, keys)
    while True:
        try:
            stack.callback(Lock(state).release)
            break
        except InUse:
            if not in_turn:
                raise
            await asyncio.sleep(_TRY_AGAIN)
    database = Database(backend_of(state, url, serves=True))
    stack.push_async_callback(database.close)
    while True:
        try:
            await database.open()
            return TableStore(database, key_in(state))
        except InUse:
            if not in_turn:
                raise
            await asyncio.sleep(_LOOK_AGAIN)


def bring_key(old: Path, new: Path) -> Path | None:
    """Copy the key for marks of addresses to the directory to which the database was copied.

    Returns the new file; ``None`` if there was no key or the new directory has one. Raises ``OSError``.
    """
    if not (old / KEY).exists() or (new / KEY).exists():
        return None
    new.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_new(new / KEY, (old / KEY).read_bytes())
    return new / KEY


def back_up(state: Path, target: Path) -> Path:
    """Copy the database in ``state``, also while a server runs, and return its path.

    Raises ``CannotOpen``, or ``OSError`` for ``target``, which is then as it was.
    """
    path = state / NAME
    if not path.is_file() or not path.stat().st_size:
        raise CannotOpen(f"there is no database in {state}; --state names another directory")
    try:
        lock = Lock(state)
    except CannotOpen:
        pass  # a server uses it, and has checked it
    else:
        try:
            SqliteFile(path).check(alone=True)
        finally:
            lock.release()
    copy(path, target)
    return path


@asynccontextmanager
async def open_archive(state: Path, url: str = "") -> AsyncIterator[Database]:
    """Open the database in ``state`` or at ``url`` for a command, whether a server runs or not.

    Raises ``CannotOpen``.
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
            # While a server runs, only the server changes the schema.
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
    """Open a state directory, a file or a URL for reading everything, while nobody else uses it.

    Raises ``CannotOpen``.
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
    """Open an empty database, in which everything that is written in the block is stored, or nothing.

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
    """Copy all rows of all tables, and return how many by table.

    Raises ``CannotOpen`` for rows that the other database cannot store.
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
