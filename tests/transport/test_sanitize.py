import unicodedata

import pytest

from server.cleaning import clean_name, clean_text, clean_word, is_cut
from server.terminal.keys.lines import LONGEST


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("hello  there ", "hello there"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("a\x9b2Jb", "a2Jb"),
        ("two\r\nlines\there", "two lines here"),
        ("\u202eevil\u202c", "evil"),
        ("a\u200bd\u2060a\ufeff", "ada"),
        ("\ufb01sh \uff21 10\u00b2 \u00bd \ufdfa", "\ufb01sh \uff21 10\u00b2 \u00bd \ufdfa"),
        ("\u0e19\u0e49\u0e33 \u0e33", "\u0e19\u0e49\u0e33 \u0e33"),
        ("\u0e01" + "\u0e49" * 40, "\u0e01\u0e49\u0e49"),
        ("e" + "\u0301" * 40, "\u00e9\u0301\u0301"),
        ("\u0301leading", "leading"),
        ("a\u20dd", "a"),
        ("\u3164\u2800x\u115f", "x"),
        ("heart\u2764\ufe0f", "heart\u2764"),
        ("\U0001f1e9\U0001f1eaflag", "flag"),
        ("\ue000private", "private"),
        ("grüße \u6f6e", "grüße \u6f6e"),
        ("\ud800lone", "lone"),
        ("", ""),
    ],
)
def test_what_becomes_of_a_text(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    "text",
    [
        "\u0627\u0644\u0652\u0639\u064e\u0631\u064e\u0628\u0650\u064a\u0651\u064e\u0629\u064f",  # Arabic
        "\u05e9\u05c1\u05bc\u05b8\u0591",  # Hebrew, with five signs on one letter
        "\u0f67\u0fb2\u0f90\u0fb5\u0fa8\u0fb3\u0fba\u0f83",  # Tibetan
        "\u1019\u103c\u103d\u103e\u1031\u102c\u1037",  # Burmese
        "\u0939\u093f\u0928\u094d\u0926\u0940",  # Hindi
    ],
)
def test_scripts_keep_their_marks(text: str) -> None:
    assert clean_text(text) == unicodedata.normalize("NFC", text)


def test_what_is_left_out_at_the_end_is_known() -> None:
    assert is_cut("x" * 6, 5)
    assert is_cut(("b\u0308\u0323" * LONGEST)[:LONGEST]), "as much as front ends keep of a line"
    assert is_cut("xxxxx \u6f6e", 5)
    assert not is_cut("x" * 5 + "  \u200b", 5)


def test_texts_are_cut_by_columns_not_characters() -> None:
    assert clean_text("\u6f6e" * 10, 7) == "\u6f6e" * 3
    assert clean_text("x" * 10_000, 5) == "xxxxx"


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("ada", "ada"),
        ("Ada Lovelace", "Ada_Lovelace"),
        ("  x  ", "x"),
        ("<script>", "script"),
        ("a/b:c@d", "abcd"),
        ("Jürgen-2", "Jürgen-2"),
        ("\u202e\u200b", ""),
        ("a very long name indeed", "a_very_long"),
        ("\u6f6e\u6c50\u6f6e\u6c50\u6f6e\u6c50\u6f6e", "\u6f6e\u6c50\u6f6e\u6c50\u6f6e\u6c50"),
    ],
)
def test_what_becomes_of_a_name(raw: str, clean: str) -> None:
    assert clean_name(raw) == clean


def test_words_are_visible_ascii() -> None:
    assert clean_word("xterm\x1b[0m 256\u00e9color") == "xterm[0m256color"
    assert len(clean_word("x" * 1000)) == 64
