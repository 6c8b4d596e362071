"""What SQLite keeps for itself, and we read: https://sqlite.org/walformat.html. Its format is the same in all
versions of SQLite 3 since 3.7; ``tests/storage/test_sqlite_hooks.py`` compares it with what SQLite does.
"""

import os
import sys
from typing import Final

_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_FRAMES_AT: Final = 16
"""Where the write-ahead log's index says how many frames of the log were committed."""


def committed_bytes(index: int, page_size: int) -> int:
    """How long the part of the write-ahead log is that was committed. ``index`` is a descriptor of the file
    that ends with ``-shm``; to close it takes SQLite its locks on that file.
    """
    frames = int.from_bytes(os.pread(index, 4, _FRAMES_AT), sys.byteorder)
    return _LOG_HEADER + frames * (_FRAME_HEADER + page_size)
