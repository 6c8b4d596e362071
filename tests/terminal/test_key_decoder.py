"""Keys from what terminals send, however it arrives, and nothing from what they send otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from server.terminal.keys.key_decoder import (
    ESCAPE_DELAY,
    LONGEST_PASTE,
    SEQUENCE_DELAY,
    SLOW_ESCAPE_DELAY,
    TEXT_DELAY,
    KeyDecoder,
    key_of,
)

NAMES = {Keys.ControlM: "enter", Keys.ControlI: "tab", Keys.ControlH: "backspace"}
ESCAPE = KeyPress(Keys.Escape, "")

KEYS = {
    *("left", "right", "up", "down", "s-left", "s-right", "s-up", "s-down", "home", "end"),
    *("pageup", "pagedown", "insert", "delete", "backspace", "enter", "tab", "s-tab", "c-c", "c-d"),
    *(f"f{number}" for number in range(1, 13)),
}


def keys(*chunks: str) -> list[str]:
    decoder = KeyDecoder()
    pressed = [press for chunk in chunks for press in decoder.feed(chunk)]
    return [
        NAMES.get(press.key, press.key.value) if isinstance(press.key, Keys) else press.key
        for press in pressed
    ]


def pasted(text: str) -> KeyPress:
    return KeyPress(Keys.BracketedPaste, text)


@pytest.mark.parametrize(
    ("sent", "pressed"),
    [
        ("a", ["a"]),
        ("é漢 ", ["é", "漢", " "]),
        ("\x1b[D\x1bOC", ["left", "right"]),
        ("\x1b[1~\x1b[4~\x1b[H\x1bOF", ["home", "end", "home", "end"]),
        (
            "\x1b[5~\x1b[6~\x1b[3~\x7f\x08",
            ["pageup", "pagedown", "delete", "backspace", "backspace"],
        ),
        ("\x1b[Z\t", ["s-tab", "tab"]),
        ("\x03\x04\x0c", ["c-c", "c-d", "c-l"]),
        ("\x1b[[A\x1b[15~\x1bOP", ["f1", "f5", "f1"]),
        ("\x9bA\x8fB", ["up", "down"]),
        # A keypad in application mode.
        ("".join(f"\x1bO{final}" for final in "pqrstuvwxy"), [*"0123456789"]),
        ("".join(f"\x1bO{final}" for final in "jklmnoX "), [*"*+,-./= "]),
        ("\x1bOM\x1bOI", ["enter", "tab"]),
        # Keys as kitty reports them, and xterm with modifyOtherKeys.
        ("\x1b[99;5u\x1b[100;5u\x1b[108;5u\x1b[117;5u", ["c-c", "c-d", "c-l", "c-u"]),
        ("\x1b[27;5;99~\x1b[27;5;100~\x1b[27;6;67~", ["c-c", "c-d", "c-c"]),
        ("\x1b[27u\x1b[27;1u\x1b[27;1;27~\x1b[91;5u", ["escape"] * 4),
        ("\x1b[13u\x1b[13;5u\x1b[13;2u\x1b[27;5;13~\x1b[27;2;13~", ["enter"] * 5),
        (
            "\x1b[9u\x1b[9;2u\x1b[27;2;9~\x1b[127u\x1b[127;2u",
            ["tab", *["s-tab"] * 2, *["backspace"] * 2],
        ),
        ("\x1b[113u\x1b[97;2u\x1b[97:65;2u\x1b[27;2;65~\x1b[233u", ["q", "A", "A", "A", "é"]),
        ("\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u\x1b[97;;97u", ["a"] * 3),
        ("\x1b[97;65u\x1b[97;129u", ["a"] * 2),  # with Caps Lock, with Num Lock
        ("\x1b[57399u\x1b[57408u\x1b[57413u\x1b[57414u\x1b[57419u", ["0", "9", "+", "enter", "up"]),
        (
            "\x1b[1;1:1A\x1b[1;1:3A\x1b[1;129B\x1b[3;1:2~\x1b[1;2:1D",
            ["up", "down", "delete", "s-left"],
        ),
        ("\x1b[57358u\x1b[57441u\x1b[97;9u\x1b[55296u\x1b[9999999u\x1b[0;0u", ["c-@"]),
        # With Alt: words, and else nothing.
        ("\x1bb\x1bf\x1bd\x1b\x7f", ["c-left", "c-right", "c-delete", "c-w"]),
        (
            "\x1b[1;3D\x1b[1;3C\x1b\x1b[D\x1b\x1bOC\x1b[98;3u",
            ["c-left", "c-right"] * 2 + ["c-left"],
        ),
        ("\x1b\x1b[A\x1b[1;3A\x1bq\x1b\r\x1b\x03\x1b[113;3u", []),
        ("\x1b\x1b[?62c\x1b\x1b]0;x\x07", ["escape", "escape"]),
        # However a line ends, it ends once.
        ("\r", ["enter"]),
        ("\n", ["enter"]),
        ("\r\n", ["enter"]),
        ("\r\0", ["enter"]),
        ("\r\r\n\n", ["enter", "enter", "enter"]),
    ],
)
def test_keys_whole_and_byte_by_byte(sent: str, pressed: list[str]) -> None:
    assert keys(sent) == pressed
    assert keys(*sent) == pressed


@pytest.mark.parametrize(
    "answer",
    [
        "\x1b[24;80R",  # cursor position
        "\x1b[?62;22c",  # device attributes
        "\x1b[>1;4000;0c",
        "\x1b[?62;1;2;4;6;9;15;16;17;18;21;22;28c",
        "\x9b?62;22c",
        "\x1b[0n",
        "\x1b[?64u",
        "\x1b[>4;2m",
        "\x1b[48;40;120;800;1200t",
        "\x1b[?2026;2$y",
        "\x1b[4;600;800t",
        "\x1b[I",
        "\x1b[O",  # focus
        "\x1b]11;rgb:0000/0000/0000\x07",
        "\x1b]11;rgb:0000/0000/0000\x1b\\",
        "\x1bP>|XTerm(380)\x1b\\",
        "\x1b_Gi=31;OK\x1b\\",
        "\x9d11;rgb:0000/0000/0000\x9c",
        "\x1b]lname\x1b\\",
        "\x1bX anything \x1b\\",
        "\x1b^a private message\x1b\\",
        "\x9ea private message\x9c",
        "\x1b[M !!",  # mouse
        "\x1b[[F",
        "\x1b[<0;10;10M",
        "\x1b[<0;10;10m",
    ],
)
def test_what_a_terminal_answers_is_not_pressed(answer: str) -> None:
    assert keys(f"a{answer}b") == ["a", "b"]
    assert keys(*f"a{answer}b") == ["a", "b"]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("\x1b]11;rgb:1414/1919/1f1f\x1b\\", ["11;rgb:1414/1919/1f1f"]),
        ("\x1b]11;rgb:ffff/ffff/ffff\x07", ["11;rgb:ffff/ffff/ffff"]),
        ("\x1b]11;rgb:ff/ff/ff\x9c\x1b]10;red\x07", ["11;rgb:ff/ff/ff", "10;red"]),
        ("\x1b]\x07", [""]),
        # Cut off, no end in sight, or something else.
        ("\x1b]11;rgb:ffff\x18", []),
        ("\x1b]11;rgb:ffff\x1b[A", []),
        ("\x1b]11;" + "f" * 10_000 + "\x07", []),
        ("\x1bP>|XTerm(380)\x1b\\", []),
    ],
)
def test_operating_system_commands_are_told_however_they_come(sent: str, told: list[str]) -> None:
    for chunks in ([sent], list(sent), [sent[:3], sent[3:]], [sent[:-1], sent[-1]]):
        heard: list[str] = []
        decoder = KeyDecoder(heard.append)
        pressed = [press.key for chunk in chunks for press in decoder.feed(f"{chunk}")]
        assert heard == told
        assert pressed in ([], [Keys.Up])


def test_all_keys_that_screens_may_ask_for_can_be_pressed() -> None:
    assert {name for sequence in ANSI_SEQUENCES for name in keys(sequence)} >= KEYS


def test_an_escape_alone_waits() -> None:
    decoder = KeyDecoder()
    delays = [decoder.delay]
    assert decoder.feed("\x1b") == []
    delays.append(decoder.delay)
    decoder.slow = True
    delays.append(decoder.delay)
    assert decoder.flush() == [ESCAPE]
    delays.append(decoder.delay)
    assert delays == [None, ESCAPE_DELAY, SLOW_ESCAPE_DELAY, None]
    decoder.feed("\x1b\x1b")
    assert decoder.flush() == [ESCAPE, ESCAPE]
    assert decoder.feed("a") == [KeyPress("a")]


def test_half_a_sequence_presses_nothing() -> None:
    decoder = KeyDecoder()
    assert decoder.feed("\x1b[1;") == []
    assert decoder.delay == SEQUENCE_DELAY
    assert decoder.flush() == []
    assert decoder.feed("x") == [KeyPress("x")]


def test_a_single_character_is_a_key_if_it_can_be_shown() -> None:
    assert key_of("q") == (KeyPress("q"),)
    assert key_of("\r") == (KeyPress(Keys.ControlM, ""),)
    assert key_of("\u0301") == (KeyPress("\u0301"),), "a mark: with the character before it"
    assert key_of("\u1161") == (KeyPress("\u1161"),), "a piece of a Korean syllable, too"
    assert key_of("\u200b") == key_of("\ufe0f") == ()


def test_an_unfinished_answer_ends_with_silence() -> None:
    decoder = KeyDecoder()
    assert decoder.feed("\x1b]0;title") == []
    assert decoder.delay == TEXT_DELAY
    assert decoder.flush() == []
    assert decoder.feed("q") == [KeyPress("q")]


@pytest.mark.parametrize("key", ["\r", "\n", "\x03", "\x04"])
@pytest.mark.parametrize("chord", ["\x1b]", "\x1bP", "\x1bX", "\x1b_"])
def test_what_looks_like_an_answer_ends_with_a_key_that_none_has(chord: str, key: str) -> None:
    decoder = KeyDecoder()
    assert decoder.feed(f"{chord}who{key}q") == [*key_of(key), KeyPress("q")]


@given(st.text("ab\x1b[201~é\n", max_size=30), st.data())
def test_pasted_text_is_one_piece(text: str, data: st.DataObject) -> None:
    text = text.replace("\x1b[201~", "")
    stream = f"x\x1b[200~{text}\x1b[201~y"
    inner = stream.split("\x1b[201~", maxsplit=1)[0][len("x\x1b[200~") :]
    decoder = KeyDecoder()
    pressed = []
    while stream:
        length = data.draw(st.integers(1, len(stream)))
        pressed += decoder.feed(stream[:length])
        stream = stream[length:]
    assert pressed[:2] == [KeyPress("x"), pasted(inner)]
    assert pressed[-1] == KeyPress("y")


def test_long_pastes_are_cut_but_end_where_they_end() -> None:
    decoder = KeyDecoder()
    pressed = decoder.feed("\x1b[200~")
    for _ in range(100):
        pressed += decoder.feed("q" * 1000)
    assert decoder.delay == TEXT_DELAY
    pressed += decoder.feed("\x1b[20") + decoder.feed("1~x")
    assert pressed == [pasted("q" * LONGEST_PASTE), KeyPress("x")]


def test_a_paste_without_an_end_is_given_up() -> None:
    decoder = KeyDecoder()
    decoder.feed("\x1b[200~abc")
    assert decoder.flush() == [pasted("abc")]
    assert decoder.feed("q") == [KeyPress("q")]


@pytest.mark.parametrize("digits", [8, 5000])
def test_numbers_too_large_for_a_key_are_none(digits: int) -> None:
    for form in (
        "\x1b[{}u",
        "\x1b[97;{}u",
        "\x1b[27;{};97~",
        "\x1b[27;5;{}~",
        "\x1b[{};5A",
        "\x1b[1;{}A",
    ):
        assert keys(form.format("9" * digits)) == []


@pytest.mark.parametrize("begin", ["\x1b[", "\x1b[<", "\x1b]0;", "\x1bP", "\x1b[200~"])
def test_endless_sequences_are_not_kept(begin: str) -> None:
    decoder = KeyDecoder()
    decoder.feed(begin)
    for _ in range(64):
        decoder.feed("1;" * 2000)
    assert len(decoder._held) <= LONGEST_PASTE + 8
    # What comes after the end is keys again.
    decoder.feed("\x1b[201~" if "200" in begin else "\x07" if begin[1] in "]P" else "m")
    assert decoder.feed("k") == [KeyPress("k")]
