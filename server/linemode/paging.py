"""Long answers come a screen at a time; what does not fit waits until it is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from server.i18n.catalogues import Words
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import text_width

_LEAST: int = 5
"""Rows of a piece, however small the screen."""


@dataclass(slots=True)
class Pager:
    """What is still to be read of the last long answer, in one session."""

    _rest: Sequence[str] = ()
    _then: Callable[[], None] | None = None

    @property
    def more(self) -> bool:
        """Whether something is left to be read."""
        return bool(self._rest) or self._then is not None

    def begin(self, lines: Sequence[str], then: Callable[[], None] | None = None) -> None:
        """``lines`` are to be read; ``then`` fetches what comes after all of them."""
        self._rest, self._then = lines, then

    def go_on(self, size: Size, words: Words) -> list[str]:
        """The next piece; nothing when more has to be fetched first, which has been asked for then."""
        if not self._rest and self._then is not None:
            then, self._then = self._then, None
            then()
            return []
        room = max(_LEAST, size.rows - 2)
        said = 0
        for line in self._rest:
            room -= max(1, -(-text_width(line) // size.columns))
            if room < 0 and said:
                break
            said += 1
        piece, self._rest = list(self._rest[:said]), self._rest[said:]
        if count := len(self._rest):
            more = words.n(
                "{count} more line: say more, or press Enter.",
                "{count} more lines: say more, or press Enter.",
                count,
            )
            return [*piece, more]
        if self._then:
            piece.append(words.t("There is more: say more, or press Enter."))
        return piece
