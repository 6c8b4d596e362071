"""What players report about players, and what operators answer."""

from contextlib import suppress
from typing import Final

import structlog

from engine.bots.manners import NAMES as BOT_NAMES
from server.cleaning import REPORT_WIDTH, clean_text, is_cut
from server.coordinator.arrivals import Here
from server.coordinator.messages import Player, ServerMessage
from server.coordinator.messages.operator_orders import OperatorReply
from server.coordinator.people.names import skeleton
from server.coordinator.table.ports import unwritten
from server.networks import network_of
from server.operators.online_people import ActionRefused, OnlinePeople, Operation, limited
from server.rate_limiter import RateLimiter, take_all
from server.storage.moderation import ReportRow, StoredReport
from server.storage.moderation_store import ModerationStore
from server.storage.store import StoreError

_MOST: Final = 10_000
"""Reports that are counted."""
_AT_ONCE: Final = 3
"""Reports from one person, and five times as many from one address ..."""
_SECONDS: Final = 300.0
"""... then one in so long."""

log = structlog.get_logger("office")

_BOTS: Final = frozenset(map(skeleton, BOT_NAMES))


class Reports:
    """Keeps what has to be told to those who report."""

    def __init__(self, store: ModerationStore, online: OnlinePeople) -> None:
        self._store: Final = store
        self._online: Final = online
        self._patience: Final = RateLimiter(_AT_ONCE, _SECONDS)
        self._patience_there: Final = RateLimiter(5 * _AT_ONCE, _SECONDS / 5)
        self._untold: Final[dict[int, StoredReport]] = {}
        """Whose answers wait for whoever reported, by number."""

    async def fill(self) -> None:
        """Take over what the store has. Raises ``StoreError``."""
        untold = await self._store.untold()
        self._untold.clear()
        self._untold.update({report.row.id: report for report in untold})

    # ---------------------------------------------------------------- for players

    async def report(self, here: Here, about: str, text: str) -> str:
        """A player reports another one; a code of ``Account.report``."""
        player, cut = here.player, is_cut(text, REPORT_WIDTH)
        text = clean_text(text, REPORT_WIDTH)
        if not text:
            return "no_text"
        if skeleton(about) in _BOTS:
            return "bot_called"
        try:
            found = await self._meant(about)
            if found is None:
                return "nobody_called"
            if found.id == player.id:
                return "own_name"
            now, there = self._online.clock.time(), network_of(here.arrival.address)
            if take_all(((self._patience, player.id), (self._patience_there, there)), now):
                return "report_wait"
            place = self._online.lobby.place_of(player.id)
            title = place.title if place else ""
            row = ReportRow(0, now, player.name, found.name, title, text)
            number = await self._store.report(StoredReport(row, player.id, found.id))
        except StoreError as error:
            return unwritten(error).code
        log.info("report", number=number, reporter=player.name, about=found.name)
        self._tell_operators(row)
        return "cut" if cut else "ok"

    def _tell_operators(self, report: ReportRow) -> None:
        word = ServerMessage("report", report.text, about=report.about)
        for operator in self._online:
            if self._online.is_operator(operator):
                operator.visit.feed.say(word)

    async def _meant(self, name: str) -> Player | None:
        """Who is here, or has been, and is called so."""
        with suppress(ActionRefused):
            return self._online.find(name).player
        person = await self._online.arrivals.people.store.find("skeleton", skeleton(name))
        return Player(person.id, person.name, person.guest) if person else None

    async def arrived(self, here: Here) -> None:
        """Who has just come is told what has been answered meanwhile; an operator, how much is open."""
        person = here.player.id
        for report in [each for each in self._untold.values() if each.reporter == person]:
            await self._tell(report)
        if self._online.is_operator(here):
            count = 0
            with suppress(StoreError):
                count = len(await self._store.reports(_MOST, closed=False))
            self._online.lobby.say_to(person, ServerMessage("operator", str(count)))

    async def _tell(self, report: StoredReport) -> None:
        number, row = report.row.id, report.row
        if self._online.lobby.say_to(
            report.reporter, ServerMessage("answer", row.answer, about=row.about)
        ):
            self._untold.pop(number, None)
            with suppress(StoreError):  # then it is told once more
                await self._store.told(number)
        else:
            self._untold[number] = report

    # ---------------------------------------------------------------- for operators

    async def rows(self, closed: bool) -> OperatorReply:
        """The reports, the newest first."""
        found = await self._store.reports(_MOST, closed=closed)
        return limited([report.row for report in found])

    async def close(self, operation: Operation, number: int, text: str = "") -> OperatorReply:
        """Deal with a report; with a text, its author is told."""
        await operation.begin(f"report {number}", **({"text": text} if text else {}))
        now, who = self._online.clock.time(), operation.actor.signature
        report = await self._store.close(number, text, now, who)
        if report is None:
            raise ActionRefused("no_such_report", id=number)
        if text:
            await self._tell(report)
        return OperatorReply(facts={"id": number, "name": report.row.reporter})
