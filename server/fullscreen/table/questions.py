"""What is asked at a table: a hint, a vote."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from engine.bots.estimates import Analysis
from server.coordinator.messages import AskHint, Motion, Refusal, Reply, Status, Vote
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import Choice, ChoicePage
from server.fullscreen.pages.page import BACK, ENTER_RESTS
from server.fullscreen.pages.reading import PAGING, SCROLL, SCROLLING, TAB, ReadingPage
from server.fullscreen.widgets.chrome import menu_row, paragraph
from server.i18n.lookup import _
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row
from server.terminal.keys.bindings import Key, KeyTable
from server.text.bots import hint_in_words
from server.text.happenings import MOTIONS, motion_in_words
from server.text.refusals import refusal
from server.viewmodels.table import seat_names

_CARD: Final = 6
_NUMBER: Final = 8
_WIDE: Final = 60
"""Columns of a screen from which it also says how often a card takes the lower tide."""


class HintPage(ReadingPage):
    """The card that the strongest bot would play, why, and what each card brings as a small chart."""

    KEYS = KeyTable["HintPage"]()

    def __init__(self, context: SessionContext, bid: Callable[[int], None]) -> None:
        """``bid`` a card, as if it had been chosen on the page below."""
        super().__init__(context)
        assert self.table.table is not None
        self._place: Final = (self.table.table.stage, self.table.table.round)
        self._names: Final = seat_names(self.table.info)
        self._bid: Final = bid
        self._hint: Analysis | None = None
        """``None`` while it is thought about."""
        self._since = 0.0

    @override
    def opened(self) -> None:
        self.context.do(AskHint(), self._show, lambda _code: self.go_back())

    def _show(self) -> None:
        self._hint, self._since = self.context.hint, self.context.clock.time()

    @override
    def title(self) -> str:
        stage, round_ = self._place
        return self.words.t(
            "Hint for stage {stage}, round {round}", stage=stage + 1, round=round_ + 1
        )

    @override
    def lines(self, width: int) -> Sequence[Row]:
        hint, words, glyphs = self._hint, self.words, self.context.look.glyphs
        if hint is None:
            return paragraph(words.t("Thinking ..."), width, "dim")
        told = paragraph(" ".join(hint_in_words(hint, self._names, words)), width)
        wide = width >= _WIDE
        bar = width - 2 - _CARD - (2 + wide) * _NUMBER
        heads = [(words.t("card"), _CARD), (words.t("points"), _NUMBER + bar)]
        heads += [(words.t("lower"), _NUMBER)] * wide + [(words.t("risk"), _NUMBER)]
        heading = "".join(fit(head, columns) for head, columns in heads)
        told += [BLANK, row("  ", ("heading", heading.rstrip()))]
        points = [card.points for card in hint.cards]
        least, most = min(points), max(points)
        for card in hint.cards:
            # A difference of a point is a whole bar, unless there is a larger one: small ones look small.
            full = glyphs.bar[0] * round((bar - 1) * (card.points - least) / max(1.0, most - least))
            shares = (card.highest, card.risk) if wide else (card.risk,)
            told_shares = [words.t("{share}%", share=f"{100 * share:.0f}") for share in shares]
            cells: list[Span] = [
                ("text", fit(str(card.card), _CARD) + fit(words.decimal(card.points), _NUMBER)),
                ("good", fit(full, bar)),
                ("text", "".join(fit(share, _NUMBER) for share in told_shares)),
            ]
            told.append(menu_row(card.card in {hint.best, *hint.alike}, cells, width))
        text = _("Bars: points above the weakest card. Risk: chance of losing a life preserver.")
        if not hint.life_preservers:
            text = _("Bars: points above the weakest card. Risk: chance of being out.")
        said = [words.t(text)]
        if wide:
            said.append(words.t("Lower: chance of taking the lower tide."))
        said.append(words.t("Estimated from what you know."))
        return [*told, BLANK, *paragraph(" ".join(said), width, "dim")]

    @property
    def can_bid(self) -> bool:
        """The recommended card can still be bid in its round."""
        hint, table = self._hint, self.context.table
        own = table.own if table is not None else None
        if hint is None or table is None or own is None or table.info.pause:
            return False
        now = (own.table.stage, own.table.round) == (hint.stage, hint.round)
        return now and own.table.offer is not None and hint.best in own.hand

    @KEYS.add("enter", when=lambda page: page.can_bid, footer=_("bid"))
    def bid_it(self) -> None:
        """Bid the recommended card, unless Enter was meant for what was there before."""
        if self._hint is not None and self.context.clock.time() >= self._since + ENTER_RESTS:
            self.go_back()
            self._bid(self._hint.best)

    KEYS.include(SCROLL, SCROLLING[0].named("down", "j"), *PAGING, BACK, TAB)


class VotePage(ChoicePage):
    """The votes that can be cast now."""

    TITLE = _("Vote: the connected players decide")
    KEYS = KeyTable["VotePage"](*ChoicePage.KEYS, Key("q", "v", does=lambda page: page.go_back()))

    @override
    def items(self) -> Sequence[Choice]:
        table, words = self.context.table, self.words
        if table is None or table.seat < 0 or table.info.status is not Status.PLAYING:
            return (
                Choice("", words.t("Only players in a running game can vote."), "", lambda: None),
            )
        if table.info.event:
            return (Choice("", refusal(Reply(Refusal.EVENT_GAME), words), "", lambda: None),)
        seats = table.info.seats
        absent = [seat for seat, who in enumerate(seats) if who.replaceable]
        about = {Motion.REPLACE: absent}
        votes = {(vote.motion, vote.seat): vote for vote in table.info.votes}
        answers: list[Choice] = []
        for motion, seat in ((each, seat) for each in MOTIONS for seat in about.get(each, [-1])):
            label = motion_in_words(motion, seats[seat].name if seat >= 0 else "", words)
            hint, agrees = words.t("no votes yet"), False
            if vote := votes.get((motion, seat)):
                names = ", ".join(seats[agreed].name for agreed in vote.agreed)
                hint = words.t("for it: {names}; needed: {needed}", names=names, needed=vote.needed)
                agrees = table.seat in vote.agreed
            if agrees:
                label = words.t("{motion} (you agree; Enter takes it back)", motion=label)
            vote_now = partial(self.context.do, Vote(motion, seat, not agrees))
            answers.append(Choice(str(len(answers) + 1), label, hint, vote_now))
        return answers
