"""The page of votes: pause or end the game, let a bot bid for who is absent."""

from collections.abc import Sequence
from functools import partial

from typing_extensions import override

from server.coordinator.messages import Motion, Status, Vote
from server.fullscreen.pages.choice_page import Choice, ChoicePage
from server.fullscreen.pages.reading_page import closed_by
from server.text.events import motion_in_words


class VotePage(ChoicePage):
    """The votes that can be cast now."""

    KEYS = (*ChoicePage.KEYS, closed_by("q", "v"))

    def _motions(self) -> list[tuple[Motion, int]]:
        table = self.desk.table
        if table is None or table.seat < 0 or table.info.status is not Status.PLAYING:
            return []
        seats = enumerate(table.info.seats)
        absent = [(Motion.REPLACE, seat) for seat, who in seats if who.replaceable]
        return [*absent, (Motion.PAUSE, -1), (Motion.END, -1)]

    def _agrees(self, motion: Motion, seat: int) -> bool:
        table = self.desk.table
        assert table is not None
        return any(
            vote.motion is motion and vote.seat == seat and table.seat in vote.agreed
            for vote in table.info.votes
        )

    @override
    def title(self) -> str:
        return self.desk.words.t("Vote: the connected players decide")

    @override
    def choices(self) -> Sequence[Choice]:
        table, words = self.desk.table, self.desk.words
        answers = []
        for number, (motion, seat) in enumerate(self._motions(), 1):
            assert table is not None
            target = table.info.seats[seat].name if seat >= 0 else ""
            hint = words.t("nobody has asked for it yet")
            for vote in table.info.votes:
                if vote.motion is motion and vote.seat == seat:
                    names = ", ".join(table.info.seats[agreed].name for agreed in vote.agreed)
                    hint = words.t(
                        "for it: {names}; needed: {needed}", names=names, needed=vote.needed
                    )
            label = motion_in_words(motion, target, words)
            agrees = self._agrees(motion, seat)
            if agrees:
                label = words.t("{motion} (you agree; Enter takes it back)", motion=label)
            vote_now = partial(self.desk.do, Vote(motion, seat, not agrees))
            answers.append(Choice(str(number), label, hint, vote_now))
        nobody = Choice("", words.t("Only players of a running game vote."), "", lambda: None)
        return answers or (nobody,)
