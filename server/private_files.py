"""Files that are written once, for this user alone unless they say otherwise, and are on the disk then."""

import os
from pathlib import Path


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
