"""The title screen: the sea, and who looks out over it."""

from functools import lru_cache
from typing import Final, NamedTuple

from server.fullscreen.widgets.drawing import DrawContext, footer, shorten, wrap_to
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span, fit, row, text_width

_SHEEP: Final[tuple[Span, ...]] = (
    ("sheep", "                ▄▄▄▄▄▄▄▄▄▄▄▄       "),
    ("sheep", "     ▄▄▄▄▄▄  ▄████████████████▄    "),
    ("sheep", "   ▀██▄██▄██▀███████████████████▌  "),
    ("sheep", "     █ ██ █  ████████████████████  "),
    ("sheep", "     ▀█▄▄█▀ ▄███████████████████▌  "),
    ("warm", "  ▄███▀▀▀▀███▀▀▀▀▀███▀▀▀▀▀███▀▀▀██▄"),
    ("warm", "  ▀███▄▄▄▄███▄▄▄▄▄███▄▄▄▄▄███▄▄▄██▀"),
)
_ASCII_SHEEP: Final[tuple[Span, ...]] = (
    ("sheep", r"           .-''''''''-.     "),
    ("sheep", r"    __   .'            '.   "),
    ("sheep", r"  <(o o)( @ @ @ @ @ @ @  )  "),
    ("sheep", r"    \_/  ( @ @ @ @ @ @ @ )  "),
    ("warm", r"   (===(###)====(###)====)  "),
)
"""A sheep that has found a life preserver."""
_KEY: Final = 5
_MOST_SAID: Final = 4
"""Rows of what there is to say."""
SWELL: Final = ("▁▂▃▄▅▆▅▄▃▂", "_.-~^^~-._")


class TitleModel(NamedTuple):
    """What the title screen says."""

    title: str
    subtitle: str
    you: str
    """"You are ada."."""
    here: str
    """Who else is here, in words."""
    choices: tuple[tuple[str, str], ...]
    """Keys and what they do, most wanted first."""
    keys: tuple[tuple[str, str], ...]
    """The footer."""
    phase: int
    """How far the swell has come: it moves with every key."""


def title_screen(model: TitleModel, message: Span, size: Size, look: DrawContext) -> Frame:
    """The title, the way in, and the sea below."""
    width, height = size
    head: list[Row] = [
        _centre(("title", _spaced(model.title, width)), width),
        _centre(("dim", shorten(model.subtitle, width - 2, look.glyphs)), width),
    ]
    choices = _choices(model.choices, width, look)
    said: list[Row] = [
        _centre(("strong", shorten(model.you, width - 2, look.glyphs)), width),
        _centre(("dim", shorten(model.here, width - 2, look.glyphs)), width),
    ]
    sea = () if look.thin else _sea(model.phase, size, look)
    art = () if look.thin else _SHEEP if look.glyphs.full == "█" else _ASCII_SHEEP
    sheep: list[Row] = []
    if art and height >= len(head) + len(choices) + len(said) + len(art) + len(sea) + 4:
        at = max(0, (width - len(art[0][1])) // 2)
        sheep = [_moved(line, at) for line in art]
    # Where there is no room for both, what there is to say comes in place of who is here.
    room = height - 1 - len(head) - len(choices) - 2
    below = _message(message, _MOST_SAID, width, look)
    if below and room < len(said) + len(below) + 1:
        said, below = _message(message, max(1, room), width, look), []
    body = [*head, BLANK, *said, BLANK, *choices, *([BLANK] if below else []), *below]
    free = height - 1 - len(body) - len(sheep) - len(sea)
    above = max(0, min(free, (free + 1) // 2))
    rows = [*([BLANK] * above), *body, *([BLANK] * max(0, free - above)), *sheep, *sea]
    return Frame((*rows[: height - 1], footer(model.keys, width)))


def _message(message: Span, most: int, width: int, look: DrawContext) -> list[Row]:
    """What there is to say, in so many rows; none when it is nothing."""
    lines = wrap_to(message[1], width - 4, most, look.glyphs)
    return [_centre((message[0], line), width) for line in lines]


@lru_cache(maxsize=256)
def _choices(
    choices: tuple[tuple[str, str], ...], width: int, look: DrawContext
) -> tuple[Row, ...]:
    """One below the other, in the middle."""
    widest = max(text_width(label) for _, label in choices) + _KEY + 2
    left = max(1, (width - widest) // 2)
    return tuple(_choice(key, label, left, width, look) for key, label in choices)


def _choice(key: str, label: str, left: int, width: int, look: DrawContext) -> Row:
    """A key, and what it does."""
    text = _clause(label, width - left - _KEY - 2, look)
    return row(" " * left, ("key", fit(key, _KEY, ">")), "  ", ("text", text))


def _clause(label: str, room: int, look: DrawContext) -> str:
    """``label``, or as many of its clauses as fit: half of one would say nothing."""
    text = label
    while text_width(text) > room and (ends := max(text.rfind(", "), text.rfind(": "))) > 0:
        text = text[:ends]
    return shorten(text, room, look.glyphs)


@lru_cache(maxsize=512)
def _moved(span: Span, columns: int) -> Row:
    return row(" " * columns, span)


def _spaced(title: str, width: int) -> str:
    wide = " ".join(title.upper())
    return wide if text_width(wide) + 4 <= width else title


@lru_cache(maxsize=1024)
def _centre(span: Span, width: int) -> Row:
    return row(" " * max(0, (width - text_width(span[1])) // 2), span)


@lru_cache(maxsize=256)
def _sea(phase: int, size: Size, look: DrawContext) -> tuple[Row, ...]:
    """Swell of ``width`` columns, three rows of it where there is room."""
    pattern = SWELL[0 if look.glyphs.full == "█" else 1]
    width, height = size
    long = pattern * (width // len(pattern) + 2)
    at = phase % len(pattern)
    rows = [row(("water.1", long[at : at + width]))]
    deep = 1 if height < 20 else 2 if height < 30 else 4
    rows += [row((f"water.{min(4, n + 1)}", look.glyphs.full * width)) for n in range(deep)]
    return tuple(rows)
