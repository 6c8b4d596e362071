"""All harnesses, by name."""

from typing import Final

from tests.fuzz import callers, faces, files, keyboard, texts

HARNESSES: Final = {
    one.name: one
    for one in (
        texts.TEXT,
        texts.NAME,
        texts.LOGIN,
        texts.TERMINAL,
        keyboard.KEYS,
        files.RECORD,
        files.SETTINGS,
        files.STORED,
        callers.TELNET,
        callers.SSH_BYTES,
        callers.SSH_PACKETS,
        faces.SCREEN,
        faces.LINES_TYPED,
        faces.DRAWING,
    )
}
TABLES: Final = "tables"
"""The machine in ``tests.fuzz.tables`` is one, too, but of its own kind."""
