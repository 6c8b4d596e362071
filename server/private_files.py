"""Private files, written durably, and texts that are read whole."""

import errno
import os
import secrets
import stat
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LONGEST: Final = 1024 * 1024
"""Maximum bytes of a text: no file of settings is longer, but a device has no end."""
_LONGEST_PATH: Final = 100
"""Maximum bytes of a socket's path on any system."""


@contextmanager
def short_path(path: Path) -> Iterator[Path]:
    """Yield a short path for a socket, however long that of its directory is."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield path
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield Path(f"/proc/self/fd/{folder}") / path.name
    finally:
        os.close(folder)


def write_new(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a new file. Raises ``OSError``, also if it exists."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Sync a file or directory to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def draft_of(path: Path, data: bytes) -> Iterator[Path]:
    """Write a file beside ``path``, to be renamed in the block, after which it is deleted."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        write_new(draft, data)
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def give_to_owner_of(example: Path, *files: Path) -> None:
    """Give files that root has made to the owner of ``example``, as whom the server runs."""
    if os.geteuid() == 0:
        owner = example.stat()
        for each in files:
            os.chown(each, owner.st_uid, owner.st_gid)


def read_with_mode(path: Path, most: int) -> tuple[bytes, int]:
    """Return at most ``most`` bytes of a text, without a byte order mark, and the mode of its file.

    Both are of the same file: nobody can replace it in between.
    """
    with path.open("rb") as file:
        return file.read(most).removeprefix(BOM_UTF8), stat.S_IMODE(os.fstat(file.fileno()).st_mode)


def read_text(path: Path) -> str:
    """Return a text in UTF-8. Raises ``OSError``, also if it is too long, and ``UnicodeDecodeError``."""
    data, _ = read_with_mode(path, LONGEST + 1)
    if len(data) > LONGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data.decode()
