"""The page with a hint."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.fullscreen.widgets.chrome import menu_row, paragraph
from server.i18n.catalogues import gettext_noop as _
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row
from server.terminal.keys.key_table import KeyTable
from server.text.hints import hint_in_words
from server.text.history import decimal


class HintPage(ReadingPage):
    """The card that the strongest bot would play, why, and each card's risk as a small chart."""

    KEYS = KeyTable["HintPage"](*ReadingPage.KEYS, closed_by("H"))
    ACTION = "hint"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        assert context.hint is not None
        self._hint: Final = context.hint

    @override
    def title(self) -> str:
        stage, round_ = self._hint.stage + 1, self._hint.round + 1
        return self.words.t("Hint for stage {stage}, round {round}", stage=stage, round=round_)

    @override
    def lines(self, width: int) -> Sequence[Row]:
        hint, words, glyphs = self._hint, self.words, self.context.look.glyphs
        told = paragraph(" ".join(hint_in_words(hint, words)), width)
        heads = (words.t("card"), words.t("points"), words.t("lower"), words.t("risk"))
        told += [BLANK, row("  ", ("heading", "".join(fit(head, 8) for head in heads).rstrip()))]
        for card in hint.cards:
            cells = (str(card.card), decimal(card.points, words))
            shares = (f"{100 * share:.0f} %" for share in (card.highest, card.risk))
            line: Span = ("text", "".join(fit(cell, 8) for cell in (*cells, *shares)))
            bar: Span = ("bad", glyphs.bar[0] * round((width - 36) * card.risk))
            told.append(menu_row(card.card == hint.best, (line, bar), width))
        text = _(
            "Points in the stage, how often the card takes the lower tide, and the risk of losing"
            " a life preserver in this round: estimates from what you can know."
        )
        if not hint.life_preservers:
            text = _(
                "Points in the stage, how often the card takes the lower tide, and the risk of being"
                " out after this round: estimates from what you can know."
            )
        return [*told, BLANK, *paragraph(words.t(text), width, "dim")]
