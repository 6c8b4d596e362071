"""Operators' orders: authorization, carrying them out, and the audit log."""

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog
from msgspec.structs import asdict, replace
from typing_extensions import override

from engine.errors import BadRules
from server import StoreError
from server.cleaning import REPORT_WIDTH, clean_text, is_cut
from server.coordinator import messages as m
from server.coordinator.arrivals import Here, Operators
from server.coordinator.lobby.lobby_feed import Directory
from server.coordinator.messages import ServerMessage
from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import (
    MOST_ROWS,
    Action,
    OperatorReply,
    TournamentFacts,
)
from server.coordinator.people.names import skeleton
from server.coordinator.table.steps import Close
from server.operators.moderation import Reports, Sanctions
from server.operators.online_people import (
    Actor,
    OnlinePeople,
    Operation,
    limited,
    table_rows,
)
from server.session.tournament_plan import planned
from server.storage.moderation import AUDIT_SECONDS, ModerationStore

log = structlog.get_logger("office")

TIDY_SECONDS: Final = 6 * 60 * 60.0
"""Seconds between two deletions of old entries."""
_LOOK_AGAIN: Final = 1.0
"""Seconds between two checks whether games are in progress."""


@dataclass(eq=False)
class OperatorService(Operators):
    """Carries out orders. ``reload`` rereads the settings; ``stop`` shuts the server down gracefully."""

    online: OnlinePeople
    store: ModerationStore
    reload: Callable[[], OperatorReply]
    stop: Callable[[], None]
    _draining: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.reports = Reports(self.store, self.online)
        self.sanctions = Sanctions(self.store, self.online)

    async def open(self) -> None:
        """Load bans, mutes and answers, and start taking orders. Raises ``StoreError``."""
        await self.sanctions.fill()
        await self.reports.fill()
        self.online.arrivals.operators = self

    async def tidy(self) -> None:
        """Delete old entries. Raises ``StoreError``."""
        await self.store.forget(self.online.clock.time() - AUDIT_SECONDS)

    # ---------------------------------------------------------------- for players

    @override
    async def arrived(self, here: Here) -> None:
        await self.reports.arrived(here)

    @override
    async def report(self, here: Here, about: str, text: str) -> str:
        return await self.reports.report(here, about, text)

    @override
    async def act_as(self, here: Here, action: Action, *, again: bool) -> OperatorReply:
        """Carry out an action; refused if the key is no longer an operator's."""
        arrival, player = here.arrival, here.player
        actor = Actor(arrival.key, player.name, player.id, arrival.address)
        allowed = self.online.is_operator(here)
        return await self.act(actor, action, allowed=allowed, again=again)

    # ---------------------------------------------------------------- what operators do

    async def act(
        self, actor: Actor, action: Action, *, allowed: bool = True, again: bool = False
    ) -> OperatorReply:
        """Carry out or refuse an action; either is logged first.

        ``again`` refreshes a list that is still open, which is not logged again.
        """
        now, name = self.online.clock.time(), asked.name_of(action)
        operation = Operation(actor, name, self.store, now, noted=not again)
        allowed = allowed and (isinstance(action, asked.Seeing) or not again)
        told = await self._do(operation, action, allowed)
        if operation.number:
            with suppress(StoreError):  # the action itself has been logged
                await self.store.settle(operation.number, told.code)
            about = operation.about
            log.info("operator", who=actor.who, action=name, about=about, outcome=told.code)
        return told

    async def _do(self, operation: Operation, action: Action, allowed: bool) -> OperatorReply:
        try:
            try:
                m.refuse_if(not allowed, "not_operator")
                if isinstance(action, asked.AboutSomebody):
                    return await self._do_about_somebody(operation, action)
                return await self._carry_out(operation, action)
            except m.Refused as refused:
                if not operation.number:
                    about, details = _as_asked(action)
                    await operation.begin(about, **details)
                return OperatorReply(refused.reply.code, {**refused.reply.details})
        except BadRules as error:
            return OperatorReply(error.code, {**error.details})
        except StoreError:
            return OperatorReply(m.Refusal.STORAGE)
        except Exception as error:
            # A bug; its message may contain anything, and is not shown.
            log.error("operator_failed", action=operation.action, error=type(error).__name__)
            return OperatorReply("internal")

    async def _carry_out(self, operation: Operation, action: asked.AboutServer) -> OperatorReply:
        """Raises ``Refused``, ``BadRules`` or ``StoreError``."""
        lobby, (about, details) = self.online.lobby, _as_asked(action)
        await operation.begin(about, **details)
        match action:
            case asked.SeePeople():
                return self.online.rows()
            case asked.SeeTables():
                return limited(table_rows(lobby))
            case asked.SeeReports(closed):
                return await self.reports.rows(closed)
            case asked.SeeBans():
                return await self.sanctions.rows()
            case asked.SeeAudit(before):
                return await self._audit(before)
            case asked.SeeTournaments():
                return limited(tournament_rows(lobby.directory))
            case asked.CloseTable(code):
                code = _clean(code).lower()
                reply = await lobby.order(code, Close("closed"))
                return OperatorReply(reply.code, {} if reply.ok else {"code": code})
            case asked.Broadcast(text):
                word = ServerMessage("broadcast", _written(text))
                return OperatorReply(facts={"people": lobby.say(word)})
            case asked.Drain(stop):
                return self._drain(stop)
            case asked.Undrain():
                return self._undrain()
            case asked.Reload():
                return self.reload()
            case asked.TournamentOrder(name, chosen):
                opened = await self._direct(m.OpenTournament(planned(name, chosen)))
                return OperatorReply(facts={"code": opened["tournament"]})
            case asked.DirectingOrder(code, what, name):
                m.refuse_if(what not in {*m.Directing}, "no_such_direction")
                await self._direct(m.DirectTournament(code.lower(), m.Directing(what), name))
                return OperatorReply(facts={"code": code.lower()})
            case asked.SeeRecord(code):
                record = await lobby.directory.record(code.lower())
                document = json.dumps(record, separators=(",", ":"), sort_keys=True)
                return OperatorReply(document=document)

    async def _direct(self, command: m.TournamentCommand) -> Mapping[str, int | str]:
        reply = await self.online.lobby.directory.carry_out(None, command)
        reply.raise_if_refused()
        return reply.details

    async def _do_about_somebody(
        self, operation: Operation, action: asked.AboutSomebody
    ) -> OperatorReply:
        match action:
            case asked.MutePerson(who, seconds, reason):
                return await self.sanctions.mute(operation, who, seconds, _whole(reason))
            case asked.UnmutePerson(who):
                return await self.sanctions.unmute(operation, who)
            case asked.Vouch(who) | asked.Unvouch(who):
                # The owner of the account need not be connected.
                await operation.begin(_clean(who))
                name = await self.store.vouch(skeleton(who), on=isinstance(action, asked.Vouch))
                return OperatorReply("ok" if name else "no_account", {"name": name or _clean(who)})
            case asked.Kick(who, reason):
                return await self.online.kick(operation, who, _whole(reason))
            case asked.BanSomebody():
                return await self.sanctions.ban(operation, action, _whole(action.reason))
            case asked.Unban(number):
                return await self.sanctions.unban(operation, number)
            case asked.AnswerReport(number, text):
                return await self.reports.close(operation, number, _written(text))
            case asked.CloseReport(number):
                return await self.reports.close(operation, number)

    def _drain(self, stop: bool) -> OperatorReply:
        """Allow no new games, and with ``stop`` shut down once the last one is over."""
        lobby = self.online.lobby
        self.end_draining()
        if not lobby.shared.closing:
            lobby.announce_closing(math.inf)
        if stop:
            self._draining = asyncio.create_task(self._until_dry(), name="drain")
        return OperatorReply(facts={"games": lobby.in_play(), "stop": int(stop)})

    def _undrain(self) -> OperatorReply:
        """Allow new games again."""
        if self.online.lobby.shared.closing != math.inf:
            return OperatorReply("not_draining")
        self.end_draining()
        self.online.lobby.announce_closing(0.0)
        return OperatorReply()

    def end_draining(self) -> None:
        """No longer shut down after the last game."""
        if self._draining is not None:
            self._draining.cancel()
            self._draining = None

    async def _until_dry(self) -> None:
        # Not at once: the operator is to be answered, and the outcome logged.
        clock, playing = self.online.clock, True
        while playing:
            await clock.sleep_until(clock.time() + _LOOK_AGAIN)
            playing = self.online.lobby.in_play() > 0
        self.stop()

    async def _audit(self, before: int) -> OperatorReply:
        found = await self.store.audit(MOST_ROWS + 1, before)
        if found and not before and found[0].action == "audit":
            found = (replace(found[0], outcome="ok"), *found[1:])  # this very look
        return limited(found)


def _clean(text: str) -> str:
    return clean_text(text, REPORT_WIDTH)


def _whole(text: str) -> str:
    """Return a text that fits, perhaps empty. Raises ``Refused``."""
    m.refuse_if(is_cut(text, REPORT_WIDTH), "text_too_long", {"most": REPORT_WIDTH})
    return _clean(text)


def _written(text: str) -> str:
    """Return a text that fits and is not empty. Raises ``Refused``."""
    text = _whole(text)
    m.refuse_if(not text, "no_text")
    return text


def _as_asked(action: Action) -> tuple[str, dict[str, object]]:
    """Return the object of an action as it was given, and its other arguments."""
    fields = {
        field: _clean(value) if isinstance(value, str) else value
        for field, value in asdict(action).items()
        if value
    }
    about = [fields.pop(each, "") for each in ("who", "value", "number", "code", "name")]
    return clean_text("".join(map(str, about)), 80), fields


def tournament_rows(tournaments: Directory) -> list[TournamentFacts]:
    """List the current and the latest tournaments."""
    return [
        TournamentFacts(
            code=each.id,
            name=each.plan.name,
            phase=each.phase.value,
            round=each.round,
            rounds=each.plan.rounds,
            players=each.players,
            tables=each.tables,
            playing=each.playing,
            begins=each.begins,
            director=each.director,
            stuck=each.stuck,
        )
        for each in tournaments.shown_to("")
    ]
