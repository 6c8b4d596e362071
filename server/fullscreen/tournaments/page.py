"""One tournament: standings, cross-table, who sits where; and what its director does, also about players."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from engine.tournament import LEAST_PLAYERS
from server.coordinator import messages as m
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import ListPage, ask_yes_or_no, people_key
from server.fullscreen.pages.page import BACK
from server.fullscreen.pages.reading import AGAIN, PAGING, SCROLL, LoadedPage, SharePage
from server.fullscreen.standings.podium import CeremonyPage
from server.fullscreen.tournaments.view import (
    cross_table_rows,
    ended_rows,
    registered_rows,
    standings_page,
    tables_rows,
)
from server.fullscreen.widgets.boxes import Pane, facts_pane
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.lookup import _
from server.session.sharing import Shared, shared_tournament
from server.session.tournament_plan import direct, may_direct
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span
from server.terminal.keys.bindings import Key, KeyTable
from server.text.refusals import refusal
from server.text.tournaments import (
    begins_in_words,
    needs_in_words,
    phase_in_words,
    plan_facts,
    plan_in_words,
    record_in_words,
)
from server.timers import OneTimer


def info_in(context: SessionContext, which: str) -> m.TournamentInfo | None:
    """How a tournament is now, as far as it is in the news."""
    return next((each for each in context.tournaments if each.id == which), None)


_AGAIN: Final = 3.0
"""Seconds after which it is looked how far the tables of a round are."""
_When = Callable[["TournamentPage"], bool]


def is_over(view: m.TournamentView) -> bool:
    """Whether that is what it came to."""
    return view.info.phase is m.TournamentPhase.OVER


def _phase(*phases: m.TournamentPhase) -> _When:
    return lambda page: page.info is not None and page.info.phase in phases


def _directs(phase: _When) -> _When:
    """Return whether the visitor directs the tournament, in such a phase."""
    return lambda page: may_direct(page.context, page.info) and phase(page)


_waits = _phase(m.TournamentPhase.OPEN, m.TournamentPhase.BREAK)
_plays = _phase(m.TournamentPhase.PLAYING)
_goes_on = _phase(m.TournamentPhase.OPEN, m.TournamentPhase.BREAK, m.TournamentPhase.PLAYING)


class TournamentPage(LoadedPage[m.TournamentView], CeremonyPage):
    """One tournament, as it is now."""

    SAYS = True
    HEADING = _("standings")
    LARGEST = Size(200, 80)
    KEYS = KeyTable["TournamentPage"]()

    def __init__(
        self, context: SessionContext, which: str = "", *, view: m.TournamentView | None = None
    ) -> None:
        """With the ``view`` of one that has just ended, it has opened by itself, and a key leads on."""
        super().__init__(context)
        self.which = which
        self.leads_on: Final = view is not None
        self._found = view
        self._seen: m.TournamentInfo | None = None
        self._shows = "standings"
        self._again: Final = OneTimer(context.clock)

    @override
    def opened(self) -> None:
        if self.leads_on:
            self.begin()
        self._seen = None
        self._refresh()

    @override
    def updated(self, update: m.Update) -> None:
        self._refresh()

    @property
    def info(self) -> m.TournamentInfo | None:
        """How it is now."""
        kept = self._found.info if self._found is not None else None
        return info_in(self.context, self.which) or kept

    @property
    def entered(self) -> bool:
        """The player is registered."""
        return self.info is not None and self.info.entered

    @property
    def waited_for(self) -> bool:
        """Whether there is a table to go to, and the player is not there."""
        table, info = self.context.table, self.info
        code = info.table if info is not None else ""
        return bool(code) and (table is None or table.info.id != code)

    @property
    def shows_tables(self) -> bool:
        """The player has asked who sits where."""
        return self._shows == "tables"

    @property
    def is_over(self) -> bool:
        """What is known of it is what it came to."""
        return self._found is not None and is_over(self._found)

    @property
    def has_standings(self) -> bool:
        """A round has been closed; until then, who sits where is all that there is to see."""
        return any(row.rounds for row in self.rows)

    def _refresh(self) -> None:
        """Ask for the standings when something has changed."""
        now = info_in(self.context, self.which)
        if self._found is None or now != self._seen:
            self._seen = now
            super().opened()

    @override
    async def load(self) -> m.TournamentView | None:
        reply = await self.context.submit(m.AskTournament(self.which))
        view = reply.tournament
        if view is None and self._found is None:
            self.unread = refusal(reply, self.words)
        elif view is not None and self._found is not None and not self.is_over and is_over(view):
            self.turn("standings")
            self.begin()
        self._found = self._found or view  # the first counts, also if it is asked for anew by now
        if view is not None and view.tables:
            self._again.after(_AGAIN, super().opened)
        return view or self._found

    @override
    def closed(self) -> None:
        super().closed()
        self._again.cancel()

    @override
    def title(self) -> str:
        info = self.info
        return info.plan.name if info is not None else self.words.t("Tournament")

    @override
    def aside(self) -> str:
        return phase_in_words(self.info, self.words) if self.info is not None else ""

    @override
    def lines_on(self, size: Size) -> Sequence[Row]:
        view, words, info, width = self._found, self.words, self.info, size.columns
        if view is None or info is None:
            return self.waiting_rows(width)
        if self._ended:
            room, look = self.room_on(size), self.context.look
            ended = ended_rows(view, size, room, look, self._now(), self.standing)
            about = f"{plan_in_words(info, words)}. {record_in_words(info, words)}"
            return [*ended, BLANK, *paragraph(about, width, "dim")]
        if self._shows == "cross":
            return cross_table_rows(view, width, words)
        if self._shows_only_tables:
            return tables_rows(view, width, self.context.look, self._now())
        if not info.round:
            return registered_rows(view, width, words)
        rows = self.room_on(size) - len(paragraph(self._facts(info), width)) - 1
        return standings_page(view, width, rows, self.context.look, self._now())

    @property
    def _shows_only_tables(self) -> bool:
        """Whether the seating alone is shown: it was asked for, or there is nothing else."""
        first = self._found is not None and bool(self._found.tables) and not self.has_standings
        return self.shows_tables or first

    @property
    def _ended(self) -> bool:
        """How it has ended is shown, and nothing beside that."""
        return self._shows == "standings" and self.is_over and self.has_standings

    @override
    def heading(self) -> str:
        if self._shows == "cross":
            return self.words.t("cross-table")
        if self._shows_only_tables:
            return self.words.t("tables")
        if self.info is not None and not self.info.round:
            return self.words.t("players")
        return super().heading()

    def _facts(self, info: m.TournamentInfo, *, planned: bool = True) -> str:
        """What comes next, and how it is ``planned``."""
        facts = [
            plan_in_words(info, self.words) if planned else "",
            begins_in_words(info, self._now(), self.words),
            self._next_step(info),
        ]
        if self.waited_for:
            why = self.words.t("the others are waiting at your table: press Enter to go there")
            facts.append(why)
        return " ".join(f"{fact[:1].upper()}{fact[1:]}." for fact in facts if fact)

    @override
    def together(self, lines: Sequence[Row], side: Sequence[Pane], width: int) -> Sequence[Row]:
        if self._found is None or self.info is None or self._ended:
            return lines
        return [*paragraph(self._facts(self.info), width, "dim"), BLANK, *lines]

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        view, words, info, look = self._found, self.words, self.info, self.context.look
        if view is None or info is None or self._ended:
            return ()
        side = [facts_pane(words.t("how it is played"), plan_facts(info, words), size, look)]
        if said := self._facts(info, planned=False):
            side.insert(0, Pane(words.t("what comes next"), partial(paragraph, said, style="warm")))
        if view.tables and self.has_standings and not self.shows_tables:
            title = words.p("tournament", "round {round}", round=info.round)
            side.append(Pane(title, lambda width: tables_rows(view, width, look, self._now())))
        return side

    def _next_step(self, info: m.TournamentInfo) -> str:
        """What the first round waits for, also for who is to begin it."""
        ready = info.phase is m.TournamentPhase.OPEN and info.players >= LEAST_PLAYERS
        if ready and may_direct(self.context, info):
            return self.words.t("press b to begin the first round")
        return needs_in_words(info, self.words)

    def _now(self) -> float:
        return self.context.clock.time()

    def turn(self, to: str) -> None:
        """Show that, or the standings again."""
        self._shows = "standings" if self._shows == to else to
        self._top = 0

    @KEYS.add("enter", footer=_("to your table"), shown=lambda page: page.waited_for)
    def go_to_table(self) -> None:
        """To the own seat; whoever plays at another is told to leave there first."""
        info = self.info
        if self.waited_for and info is not None:
            self.context.do(m.JoinTable(info.table))

    @KEYS.add(
        "enter",
        when=lambda page: page.leads_on,
        footer=_("go on"),
        shown=lambda page: page.leads_on,
    )
    def lead_on(self) -> None:
        """To the lobby, where somebody has just seen who has won."""
        self.go_back()
        table = self.context.table
        if table is not None and table.info.status is m.Status.OVER:
            self.context.do(m.LeaveTable())

    @KEYS.add(
        "r",
        footer=_("register"),
        shown=lambda page: _goes_on(page) and not page.entered,
    )
    def register(self) -> None:
        self.context.do(m.EnterTournament(self.which))

    @KEYS.add(
        "r",
        when=lambda page: page.entered,
        footer=_("withdraw"),
        shown=lambda page: _goes_on(page) and page.entered,
    )
    def withdraw(self) -> None:
        self.context.do(m.WithdrawFromTournament(self.which))

    KEYS.include(
        Key(
            "c",
            does=lambda page: page.turn("cross"),
            footer=_("cross-table"),
            shown=lambda page: page.info is not None and page.info.round > 0,
        ),
        Key(
            "t",
            does=lambda page: page.turn("tables"),
            when=lambda page: page.shows_tables or (_plays(page) and page.has_standings),
            footer=_("tables"),
        ),
    )

    @KEYS.add("b", when=_directs(_waits), footer=_("begin the round"))
    def begin_round(self) -> None:
        self.direct(m.Directing.BEGIN)

    @KEYS.add("x", when=_directs(_plays), footer=_("close the round"))
    def ask_to_close(self) -> None:
        self.ask_whether(
            self.words.t("Close this round?"),
            self.words.t("games that are not over are cancelled, and count for nobody"),
            m.Directing.CLOSE,
        )

    @KEYS.add("z", when=_directs(_goes_on), footer=_("end"))
    def ask_to_end(self) -> None:
        self.ask_whether(
            self.words.t("End this tournament?"),
            self.words.t("a round in progress does not count"),
            m.Directing.END,
        )

    @KEYS.add("p", when=_directs(_goes_on), footer=_("players"))
    def show_players(self) -> None:
        """Show the registered players, for the director to remove."""
        self.context.open(PlayersPage(self))

    KEYS.include(
        Key(
            "s",
            does=lambda page: page.share(),
            when=lambda page: page.is_over and page.has_standings,
            footer=_("share"),
        ),
        AGAIN,
        SCROLL,
        *PAGING,
        people_key(of=lambda page: [row.name for row in page.rows], footer=_("people")),
        BACK,
        Key("tab", "e", does=lambda page: page.go_back()),
        Key("down", "j", does=lambda page: page.scroll(1)),
    )

    def share(self) -> None:
        """Show a text to copy."""
        if (view := self._found) is not None:

            async def find(unicode: bool) -> Shared:
                return shared_tournament(self.context, view)

            self.context.open(SharePage(self.context, find))

    def ask_whether(self, question: str, hint: str, what: m.Directing, name: str = "") -> None:
        """Have it done after a yes."""
        ask_yes_or_no(self.context, question, hint, lambda: self.direct(what, name))

    @property
    def rows(self) -> Sequence[m.TournamentRow]:
        """Everybody who has a place in the standings."""
        return self._found.rows if self._found is not None else ()

    def direct(self, what: m.Directing, name: str = "") -> None:
        """Have it done, with the player of that name."""
        if self.info is not None:
            work = direct(self.context, self.info, what, name)
            self.context.spawn(tell_refusal(self.context, work))


async def tell_refusal(context: SessionContext, work: Awaitable[str]) -> None:
    """Do it, and say why not, if so."""
    if error := await work:
        context.say("error", error)
    context.changed()


class PlayersPage(ListPage[str]):
    """Registered players: places can be made free, and the share of one address lifted."""

    TITLE = _("Registered players")
    KEYS = KeyTable["PlayersPage"](*ListPage.KEYS)

    def __init__(self, tournament: TournamentPage) -> None:
        super().__init__(tournament.context)
        self._tournament: Final = tournament

    @override
    def items(self) -> Sequence[str]:
        return [row.name for row in self._tournament.rows if not row.withdrawn]

    @property
    def lifted(self) -> bool:
        """One address has no share any more."""
        return self._tournament.info is not None and self._tournament.info.lifted

    @override
    def line(self, item: str, width: int) -> Span:
        return ("text", item)

    @override
    def nothing(self) -> Sequence[str]:
        return (self.words.t("Nobody has registered yet."),)

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        words = self.words
        limit = (
            words.t("Any number of players from one address can register.")
            if self.lifted
            else words.t("At most half the places can go to one address.")
        )
        return (Pane(words.t("places"), partial(paragraph, limit), least=2),)

    @KEYS.add("enter", footer=_("remove"), shown=lambda page: bool(page.items()))
    def ask_to_remove(self) -> None:
        """The player that is chosen."""
        if self.chosen is not None:
            self._tournament.ask_whether(
                self.words.t("Remove {name}?", name=self.chosen),
                self.words.t("no seat in further rounds; registering again is possible"),
                m.Directing.REMOVE,
                self.chosen,
            )

    @KEYS.add("x", footer=_("remove the absent"), shown=lambda page: bool(page.items()))
    def ask_to_remove_absent(self) -> None:
        """Everybody who is not connected."""
        self._tournament.ask_whether(
            self.words.t("Remove everybody who is not connected?"),
            self.words.t("no seat in further rounds; registering again is possible"),
            m.Directing.REMOVE_ABSENT,
        )

    @KEYS.add("l", when=lambda page: not page.lifted, footer=_("lift the limit"))
    def ask_to_lift(self) -> None:
        """For good."""
        self._tournament.ask_whether(
            self.words.t("Lift the limit for one address?"),
            self.words.t("then one address can take all places; this cannot be undone"),
            m.Directing.LIFT,
        )

    KEYS.include(BACK)
