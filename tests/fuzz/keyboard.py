"""Keys: what a terminal sends, split anywhere."""

import unicodedata

from hypothesis import strategies as st
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from server.terminal.keys.key_decoder import LONGEST_PASTE, KeyDecoder
from server.terminal.keys.lines import LONGEST, LineTyping
from tests.fuzz.harness import Harness
from tests.fuzz.inputs import decoded, text, typed

_LONGEST_SEQUENCE = 32


def check_keys(chunks: list[str]) -> None:
    """Whatever comes, every key is one that screens know, a shown character, or a paste of bounded
    length; what is held back is bounded, and given up after silence: then a key is a key again. How short
    input was split makes no difference. The same in a line: what is kept of it can be shown.
    """
    _check_line(chunks)
    decoder = KeyDecoder()
    pressed: list[KeyPress] = []
    for chunk in chunks:
        pressed += decoder.feed(chunk)
        assert len(decoder._held) <= LONGEST_PASTE + 8
    for press in pressed:
        assert isinstance(press.key, Keys) or unicodedata.category(press.key)[0] != "C"
        assert press.key is Keys.BracketedPaste or "\x1b" not in press.data
        assert len(press.data) <= LONGEST_PASTE
    stream = "".join(chunks)
    if len(stream) <= _LONGEST_SEQUENCE:
        single = KeyDecoder()
        assert [press for char in stream for press in single.feed(char)] == pressed
    decoder.flush()
    assert decoder.delay is None
    assert decoder.feed("k")[-1:] == [KeyPress("k")]


def _check_line(chunks: list[str]) -> None:
    """Nothing but shown characters gets into a line; after silence a key is a key again."""
    lines: list[str] = []
    written: list[str] = []
    now = 0.0
    typing = LineTyping(
        echo=True,
        write=written.append,
        line=lines.append,
        leave=lambda: lines.append(""),
        now=lambda: now,
    )
    for chunk in chunks:
        typing.feed(chunk)
    now = 10.0
    typing.feed("\x15ok\r")
    assert lines[-1] == "ok"
    for line in lines:
        assert len(line) <= LONGEST
        assert not any(unicodedata.category(char)[0] == "C" for char in line)
    assert "\x1b" not in "".join(written)


def _pieces(data: bytes) -> list[str]:
    return decoded(data).split("|")


KEYS = Harness(
    "keys",
    st.lists(typed() | text(), max_size=6),
    check_keys,
    (
        ["\x1b[" + "1;" * 5000],
        ["\x1b]" + "x" * 100_000],
        ["\x1b[200~" + "x" * 100_000],
        ["\x1b"] * 1000,
        ["\x9b" * 50],
    ),
    _pieces,
    examples=200,
)
