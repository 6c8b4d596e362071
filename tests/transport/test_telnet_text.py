"""Characters and ends of lines on a telnet line, and what a client is taken for."""

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from server.fullscreen.widgets.chrome import SWELL
from server.fullscreen.widgets.drawing import UNICODE
from server.i18n.lookup import words_for
from server.terminal.capabilities import Colours
from server.transport.net.bandwidth import SLOW_LINE_SPEED
from server.transport.net.terminal_detection import Charset, charset_of
from server.transport.telnet.protocol import Client


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("UTF-8", "utf-8"),
        ("de_DE.UTF-8", "utf-8"),
        ("de_DE.ISO-8859-1@euro", "latin-1"),
        ("ISO_8859-7", ""),
        ("C", "ascii"),
        ("", ""),
        ("../../etc/passwd", ""),
    ],
)
def test_character_sets_by_name(name: str, codec: str) -> None:
    assert charset_of(name) == codec


def test_sentences_stay_legible_without_the_characters() -> None:
    said = "„Größe“ – não, ½ × Ærø … Ж 10² 🦀"
    plain = Charset("ascii").encoded(said, cells=False)
    assert plain == b'"Groesse" - nao,  1/2 x AEro ... Z 10^2 ?'
    assert Charset("latin-1").encoded("Größe – Ж", cells=False) == ("Größe - Z".encode("latin-1"))


SKIN_TONES = [chr(code) for code in range(0x1F3FB, 0x1F400)]  # are never drawn


@given(
    st.text(
        st.characters(exclude_categories=["Cc", "Cs"], exclude_characters=SKIN_TONES), max_size=20
    )
)
def test_a_full_screen_keeps_its_columns(text: str) -> None:
    width = wcswidth(text)
    if width < 0 or any("\u2500" <= char <= "\u259f" for char in text):
        return
    shown = Charset("ascii").encoded(text, cells=True)
    assert len(shown) == width
    assert shown.isascii()


def test_who_asks_for_blocks_gets_them() -> None:
    text = Charset("ascii")
    assert text.encoded("é", cells=True) == b"e"
    assert text.encoded("█", cells=True) == "█".encode()
    assert text.encoded("é", cells=True) == "é".encode()


def client(*types: str, **known: object) -> Client:
    about = Client(answered=bool(types), size=(80, 24))
    for name in types:
        about.add_type(name)
    for name, value in known.items():
        setattr(about, name, value)
    return about


@pytest.mark.parametrize(
    ("about", "lines", "cursor", "unicode", "wraps", "colours"),
    [
        (client("XTERM-256COLOR"), False, True, True, False, Colours.INDEXED),
        (client("VT220"), False, True, False, False, Colours.NONE),
        (client("LINUX"), False, True, True, False, Colours.SIXTEEN),
        (client("ANSI", "VT100"), False, True, False, False, Colours.SIXTEEN),
        (client("SYNCTERM"), False, True, False, False, Colours.SIXTEEN),
        (client("DUMB"), True, False, False, False, Colours.NONE),
        (client("XTERM", size=None), True, True, True, True, Colours.INDEXED),
        (client("XTERM", charset="latin-1"), False, True, False, False, Colours.INDEXED),
        (client("MUDLET", "ANSI-TRUECOLOR", "MTTS 2349"), True, False, True, True, Colours.TRUE),
        (client("TINTIN++", "XTERM", "mtts 15"), True, True, True, True, Colours.INDEXED),
        (client("TINTIN++", "XTERM", "MTTS 9"), True, False, False, True, Colours.INDEXED),
        (client("TINTIN++", "XTERM", "MTTS 64"), True, False, False, True, Colours.NONE),
        (client("MUSHclient", "MUSHclient"), True, False, True, True, Colours.SIXTEEN),
        (client("XTERM", mud_options=True), True, True, True, True, Colours.INDEXED),
        (client("TINYFUGUE", "ANSI-ATTR", "ANSI"), True, False, False, True, Colours.SIXTEEN),
        (client("KBtin", "hardcopy", "unknown"), True, False, True, True, Colours.SIXTEEN),
        (client("TINYFUGUE", charset="utf-8"), True, False, True, True, Colours.SIXTEEN),
        (client("Gnome-Mud 0.11", "XTERM"), True, False, True, True, Colours.INDEXED),
        (client("VT52"), True, False, False, False, Colours.NONE),
        (client("ADM3A"), True, False, False, False, Colours.SIXTEEN),
        (client(), True, False, True, False, Colours.SIXTEEN),
        (Client(), True, False, True, True, Colours.SIXTEEN),
    ],
)
def test_what_clients_are_taken_for(
    about: Client, lines: bool, cursor: bool, unicode: bool, wraps: bool, colours: Colours
) -> None:
    found = about.abilities()
    assert (found.lines, found.cursor, found.unicode) == (lines, cursor, unicode)
    assert (found.wraps, found.colours) == (wraps, colours)
    assert about.abilities(plain=True).lines


def test_the_environment_is_heeded() -> None:
    about = client("XTERM")
    about.add_environment(
        {"lang": "pt_BR.ISO-8859-1", "NO_COLOR": "1", "PATH": "x", "COLORTERM": ""}
    )
    assert set(about.environment) == {"LANG", "NO_COLOR"}
    found = about.abilities()
    assert found.colours is Colours.NONE
    assert not found.unicode
    assert about.known_charset == "latin-1"
    assert found.language == words_for("pt").language
    assert about.abilities("de").language == "de"


def test_slow_terminals_are_thin_from_the_start() -> None:
    assert client("VT100", speed=SLOW_LINE_SPEED).abilities().thin
    assert not client("VT100", speed=9_600).abilities().thin
    assert not client("VT100").abilities().thin


def test_the_linux_console_gets_only_what_its_fonts_have() -> None:
    drawn = "".join(
        part
        for field in (*astuple(UNICODE), *SWELL, "▔▀")
        for part in (field if isinstance(field, tuple) else (field,))
    )
    shown = Charset("utf-8", "linux").encoded(drawn, cells=True).decode()
    assert wcswidth(shown) == wcswidth(drawn)
    # Its fonts have arrows as well, in places where CP437 has control characters.
    assert shown.replace("←", "").replace("→", "").encode("cp437")
    assert Charset("utf-8", "xterm").encoded(drawn, cells=True).decode() == drawn
