"""A question with a few answers."""

from typing import NamedTuple

from server.fullscreen.widgets.chrome import page
from server.fullscreen.widgets.drawing import DrawContext
from server.terminal.capabilities import Size
from server.terminal.frame import BLANK, Frame, Row, fit, row
from server.terminal.text_layout import wrap


class QuestionChoice(NamedTuple):
    """One answer: the key that gives it, what it is, and what follows from it."""

    key: str
    label: str
    hint: str


def ask_screen(
    title: str, answers: tuple[QuestionChoice, ...], chosen: int, size: Size, look: DrawContext
) -> Frame:
    """The question and its answers; ``chosen`` is what Enter would take."""
    words = look.words
    inner = min(size.columns - 4, 72)
    body: list[Row] = [BLANK] if size.rows >= 20 else []
    for number, answer in enumerate(answers):
        mark = ">" if number == chosen else " "
        style = "selected" if number == chosen else "text"
        for line, text in enumerate(wrap(answer.label, inner - 6)):
            key = answer.key if line == 0 else ""
            body.append(row(f" {mark}", (style, fit(f" {key:<1}   {text}", inner))))
            mark = " "
        body += [row("       ", ("dim", text)) for text in wrap(answer.hint, size.columns - 8)]
        if size.rows >= 20:
            body.append(BLANK)
    keys = (("Enter", words.t("choose")), ("Esc", words.t("stay")))
    return page(title, body, keys, ("", ""), size, look)
