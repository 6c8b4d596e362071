"""Strategies for text and bytes as an enemy would choose them."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

NASTY = (
    "\x1b[2J", "\x1b]0;owned\x07", "\x1b]52;c;aGk=\x07", "\x1bP+q\x1b\\", "\x9b31m", "\x1b[6n", "\x1bc",
    "\u202eevil\u202c", "\u2066\u2069", "\u200b\u200d\ufeff", "e" + "\u0301" * 30, "\u0489" * 9,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\u2764\ufe0f",
    "\u3164", "\u115f", "\u2800", "\ufdfa" * 3, "\U000e0041", "\ud800", "\udfff", "\ue000", "\ufffe",
    "\0", "\x7f", "\x85", "\u2028", "\u2029", "\r\n", "\b\b\b", "\a", "\x08", "\x0e", "\x0f", "\x05",
    "%s%n", "{0}{name}", "\\x1b[31m", "$(reboot)", "'; --", "+plain", "+watch", "+de", "\u6f6e\u6c50",
    "\u1100\u1161\u11a8", "\u0e33", "\u0f77", "\uff21", "\u1d2c", "\ufb03", "\u00ad", "\u061c", "\U0001f3fb",
)  # fmt: skip
"""Pieces that have broken terminals, or programs before them."""

SURROGATES_TOO = st.characters(codec=None)


def text(longest: int = 60) -> SearchStrategy[str]:
    """Any characters, half surrogates included, with nasty pieces between them."""
    piece = st.sampled_from(NASTY) | st.text(SURROGATES_TOO, max_size=12)
    return st.lists(piece, max_size=8).map(lambda pieces: "".join(pieces)[:longest])


def decoded(data: bytes) -> str:
    """Any bytes as text: what is no UTF-8 becomes half surrogates, which are worth trying as well."""
    return data.decode("utf-8", "surrogateescape")


KEYS = (
    "\r", "\n", "\x1b", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F",
    "\t", "\x1b[Z", " ", "\x7f", "\x03", "\x04", "\x0c", "\x15", "\x1b[200~", "\x1b[201~", "?", "l", "t",
    "r", "n", "c", "o", "L", "p", "v", "y", "q", "h", "b", "s", "a", "x", "1", "2", "9", "0", "/",
)  # fmt: skip
"""Those that mean something somewhere."""


def typed(longest: int = 12) -> SearchStrategy[str]:
    """Something that comes from a keyboard in one piece."""
    piece = st.sampled_from(KEYS) | st.sampled_from(NASTY) | st.text(max_size=4)
    return st.lists(piece, min_size=1, max_size=longest).map("".join)
