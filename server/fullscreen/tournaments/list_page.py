"""The list of tournaments, the form for a new one, and those that have just ended."""

from collections.abc import Callable, Sequence
from typing import Final

from typing_extensions import override

from server.coordinator import messages as m
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import FormPage, ListPage
from server.fullscreen.pages.page import BACK
from server.fullscreen.tournaments.page import TournamentPage, tell_refusal
from server.fullscreen.widgets.boxes import Pane, facts_pane
from server.fullscreen.widgets.drawing import shortest
from server.i18n.lookup import _
from server.session.tournament_plan import LONGEST_NAME, PLAN, may_open, open_tournament, usual_plan
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Span
from server.terminal.keys.bindings import KeyTable
from server.text.tournaments import (
    briefly_in_words,
    just_over,
    plan_facts,
    tournament_in_words,
    won_in_words,
)
from server.viewmodels.table_options import OptionLine


class TournamentsPage(ListPage[m.TournamentInfo]):
    """All tournaments, the newest first."""

    TITLE = _("Tournaments")
    KEYS = KeyTable["TournamentsPage"](*ListPage.KEYS)

    @override
    def items(self) -> Sequence[m.TournamentInfo]:
        return self.context.tournaments

    @override
    def line(self, item: m.TournamentInfo, width: int) -> Span:
        words, now = self.words, self.context.clock.time()
        name, brief = item.plan.name, briefly_in_words(item, now, words)[:-1]
        if item.round:
            brief += (f"{name}: {words.p('tournament', 'round {round}', round=item.round)}",)
        forms = tournament_in_words(item, now, words), *brief, name
        return ("text", shortest(forms, width, self.context.look.glyphs))

    @override
    def nothing(self) -> Sequence[str]:
        t = self.words.t
        opens = t("Press n to open one."), t("Operators of this server open them.")
        return (t("There is no tournament."), opens[not may_open(self.context)])

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        if self.chosen is None:
            return ()
        title, facts = self.words.t("how it is played"), plan_facts(self.chosen, self.words)
        return (facts_pane(title, facts, size, self.context.look),)

    @KEYS.add("enter", footer=_("standings"), shown=lambda page: bool(page.context.tournaments))
    def choose(self) -> None:
        """Open the chosen one."""
        if self.chosen is not None:
            self.context.open(TournamentPage(self.context, self.chosen.id))

    @KEYS.add(
        "n",
        when=lambda page: may_open(page.context),
        footer=_("new tournament"),
    )
    def ask_name(self) -> None:
        """Have the name of a new one typed, and then choose the rest."""
        label = self.words.t("name of the tournament")
        self.ask(label, self._named, longest=LONGEST_NAME)

    KEYS.include(BACK)

    def _named(self, name: str) -> None:
        if name:
            self.context.open(PlanPage(self.context, name))


class PlanPage(FormPage):
    """What is chosen for a tournament with this name."""

    KEYS = KeyTable["PlanPage"]()

    def __init__(self, context: SessionContext, name: str) -> None:
        super().__init__(context)
        self._plan = usual_plan(name)

    @override
    def title(self) -> str:
        return self.words.t("New tournament: {name}", name=self._plan.name)

    @override
    def items(self) -> Sequence[OptionLine]:
        return [each.line(self._plan, self.words, self._take) for each in PLAN]

    def _take(self, plan: m.TournamentPlan) -> None:
        self._plan = plan

    @KEYS.add("enter", footer=_("open it"))
    def finish(self) -> None:
        """Open it."""
        self.go_back()
        self.context.spawn(tell_refusal(self.context, open_tournament(self.context, self._plan)))

    KEYS.include(*FormPage.KEYS, BACK)


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
