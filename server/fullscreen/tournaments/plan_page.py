"""The form for a new tournament."""

from collections.abc import Awaitable, Sequence

from typing_extensions import override

from server.coordinator import messages as m
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, FormPage
from server.i18n.catalogues import gettext_noop as _
from server.session.directing import open_tournament
from server.session.tournament_plan import PLAN, usual_plan
from server.terminal.keys.key_table import KeyTable
from server.viewmodels.table_options import OptionLine


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
    def lines(self) -> Sequence[OptionLine]:
        return [each.line(self._plan, self.words, self._take) for each in PLAN]

    def _take(self, plan: m.TournamentPlan) -> None:
        self._plan = plan

    @KEYS.add("enter", footer=_("open it"))
    def finish(self) -> None:
        """Open it."""
        self.go_back()
        self.context.spawn(tell_refusal(self.context, open_tournament(self.context, self._plan)))

    KEYS.include(*FormPage.KEYS, BACK)


async def tell_refusal(context: SessionContext, work: Awaitable[str]) -> None:
    """Do it, and say why not, if so."""
    if error := await work:
        context.say("error", error)
    context.changed()
