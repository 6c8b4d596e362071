"""Text in lines of so many columns."""

from server.terminal.drawing.frame import cut, text_width


def wrap(text: str, width: int, indent: str = "") -> tuple[str, ...]:
    """``text`` in lines of at most ``width`` columns, the second and later ones begun with ``indent``. Words
    are broken only where they are longer than a line.
    """
    lines: list[str] = []
    line = ""
    room = max(1, width - len(indent))
    words = text.split()
    short = " ".join(words)
    if short and text_width(short) <= room:
        return (short,)  # most texts
    for whole in words:
        for word in pieces(whole, room) if 2 * len(whole) > room else (whole,):
            longer = f"{line} {word}" if line.strip() else f"{line}{word}"
            if line.strip() and text_width(longer) > width:
                lines.append(line)
                line = indent + word
            else:
                line = longer
    return (*lines, line) if line.strip() else tuple(lines)


def pieces(word: str, width: int) -> list[str]:
    """A word in parts of at most ``width`` columns each: one, if it is no longer than that."""
    parts: list[str] = []
    while word:
        parts.append(cut(word, width) or word[0])
        word = word[len(parts[-1]) :]
    return parts
