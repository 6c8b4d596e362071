"""When a tournament has ended: who played in it sees the podium, everybody else is told who has won."""

from collections.abc import Callable, Sequence
from typing import Final

from server.coordinator import messages as m
from server.fullscreen.context import SessionContext
from server.fullscreen.tournaments.page import TournamentPage
from server.text.tournaments import just_over, won_in_words


class EndedTournaments:
    """What one session has to show of them; ``found`` is called when there is something."""

    def __init__(self, context: SessionContext, found: Callable[[], None]) -> None:
        self._context: Final = context
        self._found: Final = found
        self.waiting: m.TournamentView | None = None
        """The player's own, whose podium has not been shown yet."""

    def heard(self, before: Sequence[m.TournamentInfo], now: Sequence[m.TournamentInfo]) -> None:
        """There is news of tournaments."""
        context = self._context
        for cup in just_over(before, now):
            won = won_in_words(cup, context.words)
            context.note(won)
            if cup.entered:
                context.spawn(self._read(cup.id))
            elif context.table is None and context.standings is None:
                context.notify(won)

    async def _read(self, which: str) -> None:
        reply = await self._context.submit(m.AskTournament(which))
        self.waiting = reply.tournament
        self._found()

    def show(self, cup: m.TournamentView) -> None:
        """Show the podium, once nothing else is shown and the player does not play."""
        context, table = self._context, self._context.table
        busy = context.overlays or context.reveal.scene is not None or context.standings is not None
        plays = table is not None and table.seat >= 0 and table.info.status is m.Status.PLAYING
        if any(page.which == cup.info.id for page in context.overlays):
            self.waiting = None  # it is on the screen
        elif not busy and not plays:
            self.waiting = None
            context.greeted, context.pressed = True, None
            context.open(TournamentPage(context, cup.info.id, view=cup))
