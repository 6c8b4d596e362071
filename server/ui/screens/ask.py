"""A question with a few answers."""

from typing import NamedTuple

from server.ui.frame import BLANK, Frame, Row, fit, row
from server.ui.screens.chrome import page
from server.ui.screens.look import Look, shorten
from server.ui.terminal import Size


class Answer(NamedTuple):
    """One answer: the key that gives it, what it is, and what follows from it."""

    key: str
    label: str
    hint: str


def ask_screen(
    title: str, answers: tuple[Answer, ...], chosen: int, size: Size, look: Look
) -> Frame:
    """The question and its answers; ``chosen`` is what Enter would take."""
    words = look.words
    inner = min(size.columns - 4, 72)
    body: list[Row] = [BLANK] if size.rows >= 20 else []
    for number, answer in enumerate(answers):
        label = fit(f" {answer.key}   {answer.label}", inner, ellipsis=look.glyphs.more)
        mark = ">" if number == chosen else " "
        style = "selected" if number == chosen else "text"
        body.append(row(f" {mark}", (style, label)))
        body.append(row("       ", ("dim", shorten(answer.hint, size.columns - 8, look.glyphs))))
        if size.rows >= 20:
            body.append(BLANK)
    keys = (("Enter", words.t("take it")), ("Esc", words.t("stay")))
    return page(title, body, keys, ("", ""), size, look)
