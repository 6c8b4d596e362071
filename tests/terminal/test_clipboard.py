"""Texts for the player's clipboard."""

import base64
import re

from hypothesis import given
from hypothesis import strategies as some

from server.terminal.capabilities import MOST, clipboard


@given(some.text(max_size=3 * MOST))
def test_whatever_it_is_no_control_character_gets_out_or_is_copied(text: str) -> None:
    found = re.fullmatch(r"\x1b\]52;c;([A-Za-z0-9+/]*={0,2})\x1b\\", clipboard(text))
    assert found is not None
    copied = base64.b64decode(found[1], validate=True).decode()
    assert len(copied) <= MOST
    assert all(char == "\n" or char.isprintable() for char in copied)
    if text.isprintable() and len(text) <= MOST:
        assert copied == text
