"""The page with the votes that can be cast."""

from collections.abc import Sequence
from functools import partial

from typing_extensions import override

from server.coordinator.messages import Motion, Refusal, Reply, Status, Vote
from server.fullscreen.pages.choice_page import Choice, ChoicePage
from server.i18n.lookup import _
from server.terminal.keys.key_table import Key, KeyTable
from server.text.refusals import refusal
from server.text.votes import MOTIONS, motion_in_words


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
