"""What is laid over the table: the log of the stage, the cards played in it, the votes that can be cast."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Final

from typing_extensions import override

from server.coordinator.messages import Motion, Refusal, Reply, Status, Vote
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.choice_page import Choice, ChoicePage
from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.fullscreen.table.log import round_blocks, tick_rows
from server.fullscreen.widgets.chrome import menu_row, paragraph
from server.fullscreen.widgets.drawing import labelled, wrap_facts
from server.i18n.catalogues import gettext_noop as _
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row
from server.terminal.keys.key_table import KeyTable
from server.text.happenings import motion_in_words
from server.text.hints import hint_in_words
from server.text.history import decimal
from server.text.refusals import refusal
from server.viewmodels.table import TableModel, present_table, seat_names

_LABEL: Final = 15
"""Columns of a name before cards: they begin where the marks of the played cards do."""
_CARDS: Final = 12
"""In a hand."""


class OfStage(ReadingPage):
    """Nothing while there is no game."""

    @override
    def lines(self, width: int) -> Sequence[Row]:
        table = self.context.table
        if table is None or table.table is None:
            return ()
        return self.told(present_table(table.info, table.table, self.words), width)

    def told(self, model: TableModel, width: int) -> list[Row]:
        """All there is to read of this table."""
        raise NotImplementedError


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


class LogPage(OfStage):
    """The log of this stage, with what happened beside the cards."""

    TITLE = _("Log of this stage, newest first")
    KEYS = KeyTable["LogPage"](*ReadingPage.KEYS, closed_by("L"))
    ACTION = "log"

    @override
    def told(self, model: TableModel, width: int) -> list[Row]:
        look = self.context.look
        lines: list[Row] = []
        for number in range(model.round + 1, 0, -1):
            # A round is in the log when its bids are revealed: after whatever else happened in it.
            for entry in model.log:
                if entry.number == number:
                    lines += chain(*round_blocks(entry, False, width, look))
            for notice in reversed(self.context.notices):
                if (notice.stage + 1, notice.round + 1) == (model.stage, number):
                    lines += paragraph(notice.text, width, "dim", " ")
        nothing = look.words.t("Nothing has been revealed in this stage yet.")
        return lines or paragraph(nothing, width)


class PlayedPage(OfStage):
    """Every seat's cards of this stage in order of play; with assistance those of earlier stages."""

    KEYS = KeyTable["PlayedPage"](*ReadingPage.KEYS, closed_by("p"))
    ACTION = "played"

    @override
    def title(self) -> str:
        words, table = self.words, self.context.table
        if table is not None and table.info.options.rules.assistance:
            return words.t("Played cards, with assistance: of earlier stages too")
        return words.t("Cards played in this stage, in order")

    @override
    def told(self, model: TableModel, width: int) -> list[Row]:
        words, table = self.words, self.context.table
        lines: list[Row] = []
        for seat in model.seats:
            lines += self._facts(seat.name, seat.played or words.t("none yet"), "text", width)
            if seat.earlier:
                lines += self._facts(f"  {words.t('before')}", seat.earlier, "dim", width)
        if width >= 78:
            lines += [BLANK, *tick_rows(model, len(model.seats) + 1, width, self.context.look)]
        if table is not None and table.own is not None and table.own.own_earlier:
            names = seat_names(table.info)
            told = words.t("Hands that you have played, and who holds them now:")
            lines += [BLANK, *paragraph(told, width)]
            for hand in table.own.own_earlier:
                lines += self._facts(names[hand.holder], hand.cards, "text", width)
        return lines

    def _facts(self, name: str, cards: Iterable[int] | str, style: str, width: int) -> list[Row]:
        """A name, and beside it cards in columns, or a word."""
        look, room = self.context.look, width - _LABEL - 4
        gap = "  " if room >= 4 * _CARDS - 2 else " "
        facts = (cards,) if isinstance(cards, str) else tuple(f"{card:2}" for card in cards)
        return labelled(("seat", name), _LABEL + 1, wrap_facts(facts, room, look, gap), style, look)


class VotePage(ChoicePage):
    """The votes that can be cast now."""

    TITLE = _("Vote: the connected players decide")
    KEYS = KeyTable["VotePage"](*ChoicePage.KEYS, closed_by("q", "v"))

    @override
    def choices(self) -> Sequence[Choice]:
        table, words = self.context.table, self.words
        if table is None or table.seat < 0 or table.info.status is not Status.PLAYING:
            return (Choice("", words.t("Only players of a running game vote."), "", lambda: None),)
        if table.info.event:
            return (Choice("", refusal(Reply(Refusal.EVENT_GAME), words), "", lambda: None),)
        seats = table.info.seats
        absent = [(Motion.REPLACE, seat) for seat, who in enumerate(seats) if who.replaceable]
        votes = {(vote.motion, vote.seat): vote for vote in table.info.votes}
        answers: list[Choice] = []
        for motion, seat in (*absent, (Motion.PAUSE, -1), (Motion.END, -1)):
            label = motion_in_words(motion, seats[seat].name if seat >= 0 else "", words)
            hint, agrees = words.t("nobody has asked for it yet"), False
            if vote := votes.get((motion, seat)):
                names = ", ".join(seats[agreed].name for agreed in vote.agreed)
                hint = words.t("for it: {names}; needed: {needed}", names=names, needed=vote.needed)
                agrees = table.seat in vote.agreed
            if agrees:
                label = words.t("{motion} (you agree; Enter takes it back)", motion=label)
            vote_now = partial(self.context.do, Vote(motion, seat, not agrees))
            answers.append(Choice(str(len(answers) + 1), label, hint, vote_now))
        return answers
