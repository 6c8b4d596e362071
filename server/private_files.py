"""Files that are written once, for this user alone unless they say otherwise, and are on the disk then.

And texts that are read whole.
"""

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
"""Bytes of a text that is read whole: no file of settings is longer, but a device has no end."""


_LONGEST_PATH: Final = 100
"""Bytes of a path that every system takes as a socket's."""


@contextmanager
def short_path(path: Path) -> Iterator[Path]:
    """A path of a socket that is short enough to be one, however deep its directory lies."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield path
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield Path(f"/proc/self/fd/{folder}") / path.name
    finally:
        os.close(folder)


def write_new(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file where there is none. Raises ``OSError``."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Have the file or directory written to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def draft_of(path: Path, data: bytes) -> Iterator[Path]:
    """A new file beside ``path``, to be put in its place at once; gone in the end if it has not been."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        write_new(draft, data)
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def give_to_owner_of(example: Path, *files: Path) -> None:
    """What root has made for a server that runs as somebody else must be readable there."""
    if os.geteuid() == 0:
        owner = example.stat()
        for each in files:
            os.chown(each, owner.st_uid, owner.st_gid)


def read_with_mode(path: Path, most: int) -> tuple[bytes, int]:
    """Return a text and the mode of its file, read at once: nobody can swap it in between.

    At most ``most`` bytes, without the mark that some editors put before it.
    """
    with path.open("rb") as file:
        return file.read(most).removeprefix(BOM_UTF8), stat.S_IMODE(os.fstat(file.fileno()).st_mode)


def read_text(path: Path) -> str:
    """Return a text in UTF-8. Raises ``OSError`` when it is too long as well, and ``UnicodeDecodeError``."""
    data, _ = read_with_mode(path, LONGEST + 1)
    if len(data) > LONGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data.decode()
