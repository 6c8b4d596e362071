"""All harnesses, by name."""

from typing import Final

from tests.fuzz import callers, decisions, files, frontends, keyboard, neighbours, texts

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
        neighbours.ADMIN,
        neighbours.FRAME,
        neighbours.ANNOUNCED,
        frontends.SCREEN,
        frontends.LINES_TYPED,
        frontends.API_LINES,
        frontends.DRAWING,
        decisions.DECISIONS,
    )
}
TABLES: Final = "tables"
"""The machine in ``tests.fuzz.tables`` is one, too, but of its own kind."""
