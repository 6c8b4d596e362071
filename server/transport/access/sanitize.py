"""Whatever a client sends as text is made harmless here, where it enters: see ``server.cleaning``."""

import unicodedata
from typing import Final

from server.cleaning import TEXT_WIDTH, clean_text, settled

__all__ = ["NAME_WIDTH", "TEXT_WIDTH", "clean_name", "clean_text", "clean_word", "notice_lines"]

NAME_WIDTH: Final = 12
"""Columns of a player's name: what a basin of the narrowest table shows in full."""
_NOTICE_LINES: Final = 6

_NAME_SIGNS: Final = "-_.'~*!"


def notice_lines(raw: str) -> tuple[str, ...]:
    """What an operator has to say to everybody, as a few harmless lines; none when it is nothing."""
    lines = [clean_text(line) for line in raw.splitlines()[: 4 * _NOTICE_LINES]]
    return tuple(line for line in lines if line)[:_NOTICE_LINES]


def clean_name(raw: str, width: int = NAME_WIDTH) -> str:
    """``raw`` as a player's name: letters, digits and a few signs; empty when nothing of it is left."""
    return settled(clean_text(raw[:256], 256), lambda text: _named(text, width))


def _named(text: str, width: int) -> str:
    name = "".join(
        "_" if char == " " else char
        for char in text
        if char == " " or char in _NAME_SIGNS or unicodedata.category(char)[0] in "LMN"
    )
    begin = next((at for at, char in enumerate(name) if char != "_" and not _is_mark(char)), None)
    return "" if begin is None else clean_text(name[begin:], width).rstrip("_")


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def clean_word(raw: str, length: int = 64) -> str:
    """``raw`` as a technical word (a terminal's type, a locale): visible ASCII only, cut to ``length``."""
    return "".join(char for char in raw[:length] if "!" <= char <= "~")
