"""Characters to lines: echo, erasing, line ends of all kinds, sequences that mean nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.terminal.capabilities import Size
from server.terminal.keys.lines import LONGEST, LineTyping
from tests.support.glass import Glass
from tests.support.keys import ANSWERS


class Context:
    def __init__(self, echo: bool = True) -> None:
        self.shown = ""
        self.time = 0.0
        self.lines: list[str] = []
        self.left = 0
        self.typing = LineTyping(
            echo=echo,
            write=self._show,
            line=self.lines.append,
            leave=self._leave,
            now=lambda: self.time,
        )

    def _show(self, text: str) -> None:
        self.shown += text

    def _leave(self) -> None:
        self.left += 1


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "\r\0"])
def test_every_line_end_ends_one_line(end: str) -> None:
    context = Context()
    context.typing.feed(f"bid 4{end}hand{end}")
    assert context.lines == ["bid 4", "hand"]


def test_what_is_typed_is_shown_and_rubbed_out() -> None:
    context = Context()
    context.typing.feed("bad\x7f\x7fid")
    assert context.shown == "bad\b \b\b \bid"
    assert context.typing.pending == "bid"
    context.typing.feed("\x15hand\r")
    assert context.lines == ["hand"]
    assert context.typing.pending == ""


def test_a_far_end_that_echoes_is_told_nothing() -> None:
    context = Context(echo=False)
    context.typing.feed("hand\n")
    assert context.shown == ""
    assert context.lines == ["hand"]
    assert context.typing.pending == ""


def test_keys_without_a_meaning_leave_no_letters() -> None:
    context = Context()
    context.typing.feed("\x1b[A\x1bOB\x1b[1;5Cha\x1b[3~nd\x07\r")
    assert context.lines == ["hand"]
    assert context.shown == "hand\r\n"


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_the_leaving_keys_ask_to_leave(key: str) -> None:
    context = Context()
    context.typing.feed(f"ha{key}")
    assert context.left == 1
    context.typing.feed("yes\r")
    assert context.lines == ["yes"], "what was begun is dropped"
    assert context.shown == "ha\r  \ryes\r\n"


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        ("\x1bOt\x1bOt\x1bOM", "44"),
        ("\x1bOk\x1bOp\x1bOn\x1bOj\x1bOo\x1bOm\x1bOX\x1bOl\x1b[13u", "+0.*/-=,"),
        ("\x1b[104;1ux\x7f\x1b[105;1u\x1b[127u\x1b[13u", "h"),
        ("no\x1b[117;5uyes\x1b[27;5;109~", "yes"),
        ("a\x1b[200~b\x1b[201~c\r", "abc"),
    ],
)
def test_keys_however_they_are_reported(sent: str, line: str) -> None:
    for chunks in ([sent], sent):
        context = Context()
        for chunk in chunks:
            context.typing.feed(chunk)
        assert context.lines == [line]


@given(
    st.lists(st.sampled_from(ANSWERS) | st.text("qy4 é\x7f", max_size=5), max_size=9),
    st.booleans(),
    st.data(),
)
def test_what_a_terminal_answers_is_never_typed(
    pieces: list[str], echo: bool, data: st.DataObject
) -> None:
    alone, with_answers = Context(echo), Context(echo)
    alone.typing.feed("".join(piece for piece in pieces if piece not in ANSWERS) + "\r")
    rest = "".join(pieces) + "\r"
    while rest:
        length = data.draw(st.integers(1, len(rest)))
        with_answers.typing.feed(rest[:length])
        with_answers.time += 0.4
        rest = rest[length:]
    assert with_answers.lines == alone.lines
    assert with_answers.shown == alone.shown


@pytest.mark.parametrize(
    "begun", ["\x1b", "\x1b[", "\x1b[1;", "\x1bO", "\x1b]11;rgb", "\x1bP", "\x1b[M", "\x1b[200~"]
)
def test_what_never_ends_is_given_up_after_a_silence(begun: str) -> None:
    context = Context()
    context.typing.feed(f"ha{begun}")
    context.time += 3
    context.typing.feed("nd\r")
    assert context.lines == ["hand"]


def test_a_line_without_an_end_does_not_grow() -> None:
    context = Context()
    context.typing.feed("x" * 100_000 + "\n")
    assert context.lines == ["x" * LONGEST]


class OnGlass:
    """Somebody who types at a small terminal, and is told things meanwhile."""

    def __init__(self, *, cursor: bool = True, columns: int = 20) -> None:
        self.glass = Glass(Size(columns, 60))
        self.lines: list[str] = []
        self.typing = LineTyping(
            echo=True,
            write=self.glass.write,
            width=lambda: columns - 1,
            cursor=cursor,
            line=self.lines.append,
            leave=lambda: None,
        )

    def told(self, news: str) -> None:
        self.glass.write(f"{self.typing.taken_away}{news}\r\n{self.typing.pending}")

    @property
    def shown(self) -> list[str]:
        """The rows down to the cursor, without what is right of it."""
        assert self.glass.cursor is not None
        column, row = self.glass.cursor
        rows = self.glass.full_lines[: row + 1]
        assert not "".join(self.glass.lines[row + 1 :])
        buffer = self.glass.screen.buffer[row]
        assert not "".join(buffer[x].data for x in range(column, 20)).strip()
        return [row.rstrip() for row in rows]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("say 漢字\x7f\x7fx", "say x"),
        ("漢字漢字\x15hi", "hi"),
        ("e\u0301\x7fx", "x"),
        ("xe\u0301\x7f", "x"),
        ("漢字漢字漢字漢字漢字漢字" + "\x7f" * 4, "漢字漢字漢字漢字"),
        ("lorem ipsum dolor sit amet" + "\x7f" * 12, "lorem ipsum do"),
        ("lorem ipsum dolor sit amet" + "\x7f" * 12 + "nut", "lorem ipsum donut"),
        ("a" * 19 + "b\x7f\x7fc", "a" * 18 + "c"),
        ("a" * 60 + "\x15b", "b"),
    ],
)
@pytest.mark.parametrize("cursor", [True, False])
def test_what_is_shown_is_what_would_be_said(typed: str, said: str, cursor: bool) -> None:
    ada = OnGlass(cursor=cursor)
    for char in typed:  # as a hand types it, and not all in one piece
        ada.typing.feed(char)
    rows = ada.shown if cursor else ada.shown[-1:]
    assert said.endswith("".join(rows))
    assert not cursor or "".join(rows) == said
    ada.typing.feed("\r")
    assert ada.lines == [said]


def test_news_come_above_what_is_typed_which_stands_there_once() -> None:
    ada = OnGlass()
    ada.typing.feed("say lorem ipsum dolor sit amet")
    ada.told("bo says: hi")
    ada.typing.feed("!")
    ada.told("bo sits down.")
    assert ada.shown == ["bo says: hi", "bo sits down.", "say lorem ipsum dol", "or sit amet!"]


@given(
    st.lists(
        st.sampled_from(["a", "b ", "漢", "e\u0301", "ü", "\x7f", "\x7f\x7f\x7f", "\x15", "told"]),
        max_size=60,
    )
)
def test_the_screen_never_differs_from_the_line(pieces: list[str]) -> None:
    ada, news = OnGlass(), 0
    for piece in pieces:
        if piece == "told" and news < 20:
            news += 1
            ada.told(f"news {news}")
        elif piece != "told":
            ada.typing.feed(piece)
    shown = ada.shown
    assert shown[:news] == [f"news {number + 1}" for number in range(news)]
    ada.typing.feed("\r")
    (line,) = ada.lines
    assert _solid("".join(shown[news:])) == _solid(line)


def _solid(text: str) -> str:
    """Without blanks, which may stand at the end of a row; letters and their marks are one for pyte."""
    return unicodedata.normalize("NFC", "".join(text.split()))


def test_a_letter_goes_with_all_its_marks() -> None:
    context = Context(echo=False)
    context.typing.feed("สวัสดี\x7f\x7f\r")
    assert context.lines == ["สวั"]
