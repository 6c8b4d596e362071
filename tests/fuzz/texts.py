"""Names, chat and words: cleaned where they enter."""

import unicodedata

from wcwidth import wcswidth

from server.cleaning import (
    NAME_WIDTH,
    TEXT_WIDTH,
    clean_name,
    clean_text,
    clean_word,
)
from server.i18n.lookup import languages
from server.terminal.drawing.frame import text_width
from server.transport.access.login import CODE, Login, parse_login
from server.transport.net.terminal_detection import abilities_of, can_place_cursor, clamp
from server.transport.ssh.session import ExecAnswer, answer
from server.transport.telnet.login import login_of
from server.transport.telnet.protocol import MOST_TYPES, Client
from tests.fuzz.harness import Harness
from tests.fuzz.inputs import NASTY, decoded, text
from tests.fuzz.ours import strange_in

# What is taken out between marks, or before a sign, once left a name that was another one when cleaned again.
_ONCE_UNSETTLED = ("Q\u05ac\udcd6\u05b7'", ";\u0320 s", "\u0320_\u0320_s")
_FLOODS = ("\u0301" * 10_000, "\ufdfa" * 10_000, "\u202e" * 10_000, "x" * 1_000_000)


def check_text(raw: str) -> None:
    """A cleaned text is one line of shown characters, as wide as was asked for at most, with no more than
    two marks on one character; screens and terminals agree on its width; cleaning it again changes
    nothing.
    """
    for width in (1, NAME_WIDTH, TEXT_WIDTH):
        clean = clean_text(raw, width)
        assert 0 <= wcswidth(clean) == text_width(clean) <= width
        assert not strange_in(clean)
        assert not set(clean) & set("\r\n\b\a\t")
        assert clean == clean.strip()
        assert "  " not in clean
        marks = 0
        for char in clean:
            marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
            assert marks <= 2
        assert len(clean) <= 3 * width
        assert clean_text(clean, width) == clean


def check_name(raw: str) -> None:
    """A cleaned name is a cleaned text of twelve columns at most without blanks and without any sign that
    means something in a login name, an address or a shell; cleaning it again changes nothing.
    """
    name = clean_name(raw)
    assert wcswidth(name) <= NAME_WIDTH
    assert name == clean_text(name, NAME_WIDTH)
    assert not set(name) & set(' +/@#:;,<>|&$()[]{}\\"`=%?^')
    assert not name.startswith("_")
    assert clean_name(name) == name


def check_login(raw: str) -> None:
    """Any login name is read: its parts are clean, and there are few of them. So is any answer at telnet's
    door, and any command for SSH, whose answer is plain text.
    """
    for login in (parse_login(raw), login_of(raw)):
        assert login.name == clean_name(login.name)
        assert not login.code or CODE.fullmatch(login.code)
        assert not login.language or login.language in languages()
        assert len(login.unknown) <= 8
        assert all(word == clean_word(word, 16) for word in login.unknown)
    for language in languages():
        said = answer(raw, Login("ada"), language)
        if isinstance(said, ExecAnswer):
            assert not strange_in(said.text)
            assert not set(said.text) & set("\r\b\a")
            assert said.status in {0, 2}


def check_terminal(raw: str) -> None:
    """Whatever a client says of its terminal, in its type or its environment: what is kept is short and
    visible ASCII, a language is one that there is, and the size can be drawn.
    """
    parts = (raw.split("|") + [""] * 8)[:8]
    names = ("LANG", "LC_ALL", "LANGUAGE", "COLORTERM", "TERM_PROGRAM", "LD_PRELOAD")
    environment = dict(zip(names, parts, strict=False))
    client = Client()
    for part in parts:
        client.add_type(part)
    client.add_environment(environment)
    client.size = (len(parts[0]) * 7919, len(parts[1]) - 1)
    assert len(client.types) <= MOST_TYPES
    assert all(not strange_in(name) and name.isascii() and len(name) <= 64 for name in client.types)
    assert "LD_PRELOAD" not in client.environment
    assert all(len(value) <= 128 and value.isascii() for value in client.environment.values())
    for found in (abilities_of(parts[6], environment), client.abilities()):
        assert found.language in languages()
    can_place_cursor(parts[7])
    size = clamp(*client.size)
    assert 1 <= size.columns <= 300
    assert 1 <= size.rows <= 100


TEXT = Harness("text", text(), check_text, (*NASTY, *_FLOODS, *_ONCE_UNSETTLED), decoded)
NAME = Harness("name", text(), check_name, (*NASTY, *_FLOODS, *_ONCE_UNSETTLED), decoded)
LOGIN = Harness(
    "login",
    text(200),
    check_login,
    ("+" * 1000, "a+" + "b" * 500, "watch " + "\x1b" * 2000, "sftp\x1b[31m", *NASTY),
    decoded,
)
TERMINAL = Harness(
    "terminal",
    text(200),
    check_terminal,
    ("xterm|" * 20, "\x1b[c|\x1b]0;x\x07", "MTTS 999999|MTTS -1", "a" * 4000),
    decoded,
)
