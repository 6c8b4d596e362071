"""The page of votes: pause or end the game, let a bot bid for who is absent."""

from prompt_toolkit.buffer import Buffer

from server.coordinator.messages import Motion, Status, Vote
from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.question import QuestionChoice, ask_screen
from server.terminal.capabilities import Size
from server.terminal.frame import Frame
from server.text.events import motion_in_words


class VotePage:
    """See the module."""

    entry: Buffer | None = None

    def __init__(self, desk: SessionContext) -> None:
        self._desk = desk
        self._chosen = 0

    def _motions(self) -> list[tuple[Motion, int]]:
        table = self._desk.table
        if table is None or table.seat < 0 or table.info.status is not Status.PLAYING:
            return []
        seats = enumerate(table.info.seats)
        absent = [(Motion.REPLACE, seat) for seat, who in seats if who.replaceable]
        return [*absent, (Motion.PAUSE, -1), (Motion.END, -1)]

    def _agrees(self, motion: Motion, seat: int) -> bool:
        table = self._desk.table
        assert table is not None
        return any(
            vote.motion is motion and vote.seat == seat and table.seat in vote.agreed
            for vote in table.info.votes
        )

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        desk, table, words = self._desk, self._desk.table, self._desk.words
        answers = []
        for number, (motion, seat) in enumerate(self._motions()):
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
            if self._agrees(motion, seat):
                label = words.t("{motion} (you agree; Enter takes it back)", motion=label)
            answers.append(QuestionChoice(str(number + 1), label, hint))
        if not answers:
            answers = [QuestionChoice("", words.t("Only players of a running game vote."), "")]
        title = words.t("Vote: the connected players decide")
        return ask_screen(title, tuple(answers), self._chosen % len(answers), size, desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        motions = self._motions()
        count = max(1, len(motions))
        match name:
            case "up" | "k":
                self._chosen = (self._chosen - 1) % count
            case "down" | "j" | "tab":
                self._chosen = (self._chosen + 1) % count
            case "escape" | "q" | "v":
                self._desk.close(self)
            case "enter":
                self._take(self._chosen, motions)
            case _ if name.isdecimal() and 1 <= int(name) <= len(motions):
                self._take(int(name) - 1, motions)

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _take(self, number: int, motions: list[tuple[Motion, int]]) -> None:
        self._desk.close(self)
        if motions:
            motion, seat = motions[number % len(motions)]
            self._desk.do(Vote(motion, seat, not self._agrees(motion, seat)))
