"""Characters to lines: echo, erasing, line ends of all kinds, sequences that mean nothing."""

import pytest

from server.terminal.keys.line_input import LONGEST, LineTyping


class Context:
    def __init__(self, echo: bool = True) -> None:
        self.shown = ""
        self.lines: list[str] = []
        self.left = 0
        self.typing = LineTyping(
            echo=echo, write=self._show, line=self.lines.append, leave=self._leave
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


def test_a_line_end_may_come_in_two_pieces() -> None:
    context = Context()
    context.typing.feed("a\r")
    context.typing.feed("\nb\r\n")
    assert context.lines == ["a", "b"]


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
    assert context.lines == []


def test_a_line_without_an_end_does_not_grow() -> None:
    context = Context()
    context.typing.feed("x" * 100_000 + "\n")
    assert context.lines == ["x" * LONGEST]
