"""The write-ahead log of a SQLite database, and the marker that says that it must be there.

SQLite reads a log up to the first frame that is not valid, and takes a missing log for an empty one: it
cannot know more. A server makes the log as long as it may get, writes a marker beside it, and removes that
when everything is in the database. While the marker is there, a log that is gone, cut or damaged is noticed.
The format: sqlite.org/fileformat2.html, section 4.
"""

import os
import struct
from pathlib import Path
from typing import Final

from server.private_files import sync, write_new

BYTES: Final = 16 * 1024 * 1024
"""The length of the log, in holes at first. While somebody reads for long, as a backup does, it grows; when
it begins anew, SQLite cuts it to this. (A longer one would make a killed server's log too short.)
"""

_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_ORDERS: Final = {0x377F0682: "<", 0x377F0683: ">"}
"""Byte order of what checksums are made of, by the first four bytes."""
_NOTE: Final = """\
A server uses tide.db, or was killed: what was written last is in tide.db-wal alone. See docs/storage.md.
"""


def log_of(path: Path) -> Path:
    """Return where the log of the database ``path`` is."""
    return path.with_name(f"{path.name}-wal")


def marker_of(path: Path) -> Path:
    """Return where its marker is."""
    return path.with_name(f"{path.name}-open")


def mark(path: Path) -> None:
    """Lengthen the log, which has a transaction, and write the marker. Raises ``OSError``."""
    log, marker = log_of(path), marker_of(path)
    if log.stat().st_size < BYTES:
        os.truncate(log, BYTES)
        sync(log)
    if not marker.exists():
        write_new(marker, _NOTE.encode("ascii"))
    sync(path.parent)


def unmark(path: Path) -> None:
    """Remove the marker: everything is in the database. Raises ``OSError``."""
    marker_of(path).unlink()
    sync(path.parent)


def is_whole(log: Path) -> bool:
    """Return whether a marked log has its full length, and everything that was acknowledged.

    What SQLite cannot read at its end may be what a power failure has left of the last transaction. But no
    other one may follow: that is only written when the one before is on the disk. Takes a second at most.
    """
    try:
        file = log.open("rb")
    except FileNotFoundError:
        return False
    with file:
        if os.fstat(file.fileno()).st_size < BYTES:
            return False
        header = file.read(_HEADER)
        magic, page_size, salts, sums = struct.unpack(">I4xI4x8s8s", header)
        order = _ORDERS.get(magic)
        if not order or _checksum(header[:24], order) != sums:
            return False
        readable, before = True, sums
        while len(frame := file.read(_FRAME_HEADER + page_size)) == _FRAME_HEADER + page_size:
            commits, own_salts, sums = struct.unpack_from(">4xI8s8s", frame)
            data = frame[:8] + frame[_FRAME_HEADER:]
            follows = own_salts == salts and before and sums == _checksum(data, order, before)
            if follows and not readable:
                file.seek(0)
                return file.read(_HEADER) != header  # a command beside has begun it anew meanwhile
            readable = readable and bool(follows)
            before = sums if readable or (commits and own_salts == salts) else b""
    return True


def _checksum(data: bytes, order: str, before: bytes = bytes(8)) -> bytes:
    first, second = struct.unpack(">II", before)
    for one, two in struct.iter_unpack(f"{order}II", data):
        first = (first + one + second) & 0xFFFF_FFFF
        second = (second + two + first) & 0xFFFF_FFFF
    return struct.pack(">II", first, second)
