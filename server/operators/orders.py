"""Operators' orders: who may give them, carrying them out, and the log of what was done."""

import asyncio
import json
import math
from collections.abc import Callable
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
from server.coordinator.table.ports import unwritten
from server.coordinator.table.steps import Close
from server.operators.moderation import Reports, Sanctions
from server.operators.online_people import (
    ActionRefused,
    Actor,
    OnlinePeople,
    Operation,
    limited,
    table_rows,
)
from server.session.tournament_plan import planned
from server.storage.moderation import AUDIT_SECONDS, ModerationStore


def tournament_rows(tournaments: Directory) -> list[TournamentFacts]:
    """List the running tournaments, and the last ones that are over."""
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


async def carry_out(
    tournaments: Directory, action: asked.AboutTournaments | asked.SeeRecord
) -> OperatorReply:
    """Do it, or say why not. Raises ``StoreError``."""
    try:
        match action:
            case asked.TournamentOrder():
                plan = planned(action.name, action.chosen)
                reply = await tournaments.carry_out(None, m.OpenTournament(plan))
                reply.raise_if_refused()
                return OperatorReply(facts={"code": reply.details["tournament"]})
            case asked.DirectingOrder(code, what, name):
                known = {each.value: each for each in m.Directing}
                if what not in known:
                    return OperatorReply("no_such_direction")
                command = m.DirectTournament(code.lower(), known[what], name)
                (await tournaments.carry_out(None, command)).raise_if_refused()
                return OperatorReply(facts={"code": code.lower()})
            case asked.SeeRecord(code):
                record = await tournaments.record(code.lower())
                document = json.dumps(record, separators=(",", ":"), sort_keys=True)
                return OperatorReply(document=document)
    except m.Refused as refused:
        return OperatorReply(refused.reply.code, {**refused.reply.details})
    except BadRules as error:
        return OperatorReply(error.code, dict(error.details))
    except StoreError as error:
        return OperatorReply(unwritten(error).code, {"reason": error.code})


log = structlog.get_logger("office")

TIDY_SECONDS: Final = 6 * 60 * 60.0
"""After so long, old entries are forgotten."""
_LOOK_AGAIN: Final = 1.0
"""Seconds between two looks at whether anybody still plays."""


@dataclass(eq=False)
class OperatorService(Operators):
    """One for each server.

    ``reload`` reads the settings again, and says what came of it; ``stop`` asks the server to stop
    politely.
    """

    online: OnlinePeople
    store: ModerationStore
    reload: Callable[[], OperatorReply]
    stop: Callable[[], None]
    _draining: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.reports = Reports(self.store, self.online)
        self.sanctions = Sanctions(self.store, self.online)

    async def open(self) -> None:
        """Take over what the store has, and be there for sessions. Raises ``StoreError``."""
        await self.sanctions.fill()
        await self.reports.fill()
        self.online.arrivals.operators = self

    async def tidy(self) -> None:
        """Forget what is old. Raises ``StoreError``."""
        await self.store.forget(self.online.clock.time() - AUDIT_SECONDS)

    # ---------------------------------------------------------------- for those who are here

    @override
    async def arrived(self, here: Here) -> None:
        await self.reports.arrived(here)

    @override
    async def report(self, here: Here, about: str, text: str) -> str:
        return await self.reports.report(here, about, text)

    @override
    async def act_as(self, here: Here, action: Action, *, again: bool) -> OperatorReply:
        """Carry out an action; refused when the key has been taken off the list since."""
        arrival, player = here.arrival, here.player
        actor = Actor(arrival.key, player.name, player.id, arrival.address)
        allowed = self.online.is_operator(here)
        return await self.act(actor, action, allowed=allowed, again=again)

    # ---------------------------------------------------------------- what operators do

    async def act(
        self, actor: Actor, action: Action, *, allowed: bool = True, again: bool = False
    ) -> OperatorReply:
        """Do it, or say why not.

        Neither happens before it has been written down who wanted it; ``again``: what a list has by
        now that is still being looked at, which has been written down.
        """
        now, name = self.online.clock.time(), asked.name_of(action)
        operation = Operation(actor, name, self.store, now, noted=not again)
        allowed = allowed and (isinstance(action, asked.Seeing) or not again)
        told = await self._do(operation, action, allowed)
        if operation.number:
            with suppress(StoreError):  # it has been logged, and what was done is done
                await self.store.settle(operation.number, told.code)
            about = operation.about
            log.info("operator", who=actor.who, action=name, about=about, outcome=told.code)
        return told

    async def _do(self, operation: Operation, action: Action, allowed: bool) -> OperatorReply:
        try:
            try:
                if not allowed:
                    raise ActionRefused("not_operator")
                if isinstance(action, asked.AboutSomebody):
                    return await self._do_about_somebody(operation, action)
                return await self._carry_out(operation, action)
            except ActionRefused as refusal:
                if not operation.number:
                    about, details = _as_asked(action)
                    await operation.begin(about, **details)
                return refusal.told
        except StoreError as error:
            return OperatorReply(unwritten(error).code)
        except Exception as error:
            # Our own mistake; the message may name anything, so it is not told.
            log.error("operator_failed", action=operation.action, error=type(error).__name__)
            return OperatorReply("internal")

    async def _carry_out(self, operation: Operation, action: asked.AboutServer) -> OperatorReply:
        """Raises ``ActionRefused`` or ``StoreError``."""
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
            case asked.TournamentOrder() | asked.DirectingOrder() | asked.SeeRecord():
                return await carry_out(lobby.directory, action)

    async def _do_about_somebody(
        self, operation: Operation, action: asked.AboutSomebody
    ) -> OperatorReply:
        match action:
            case asked.MutePerson(who, seconds, reason):
                return await self.sanctions.mute(operation, who, seconds, _whole(reason))
            case asked.UnmutePerson(who):
                return await self.sanctions.unmute(operation, who)
            case asked.Vouch(who) | asked.Unvouch(who):
                # About an account, whose owner need not be here.
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
        """No new games from now on, while those in progress go on; then perhaps the end."""
        lobby = self.online.lobby
        self.end_draining()
        if not lobby.shared.closing:
            lobby.announce_closing(math.inf)
        if stop:
            self._draining = asyncio.create_task(self._until_dry(), name="drain")
        return OperatorReply(facts={"games": lobby.in_play(), "stop": int(stop)})

    def _undrain(self) -> OperatorReply:
        """New games again."""
        if self.online.lobby.shared.closing != math.inf:
            return OperatorReply("not_draining")
        self.end_draining()
        self.online.lobby.announce_closing(0.0)
        return OperatorReply()

    def end_draining(self) -> None:
        """Stop waiting for the last game."""
        if self._draining is not None:
            self._draining.cancel()
            self._draining = None

    async def _until_dry(self) -> None:
        # Not at once: whoever asked for it is to be answered, and it has to be written down.
        clock, playing = self.online.clock, True
        while playing:
            await clock.sleep_until(clock.time() + _LOOK_AGAIN)
            playing = self.online.lobby.in_play() > 0
        self.stop()

    async def _audit(self, before: int) -> OperatorReply:
        found = await self.store.audit(MOST_ROWS + 1, before)
        if found and not before and found[0].action == "audit":
            found = (replace(found[0], outcome="ok"), *found[1:])  # which is being done
        return limited(found)


def _clean(text: str) -> str:
    return clean_text(text, REPORT_WIDTH)


def _whole(text: str) -> str:
    """What somebody may read, or nothing. Raises ``ActionRefused``."""
    if is_cut(text, REPORT_WIDTH):
        raise ActionRefused("text_too_long", most=REPORT_WIDTH)
    return _clean(text)


def _written(text: str) -> str:
    """What somebody is to read. Raises ``ActionRefused``."""
    text = _whole(text)
    if not text:
        raise ActionRefused("no_text")
    return text


def _as_asked(action: Action) -> tuple[str, dict[str, object]]:
    """Return the object of an action, as it was asked for; and what else was asked for."""
    fields = {
        field: _clean(value) if isinstance(value, str) else value
        for field, value in asdict(action).items()
        if value
    }
    about = [fields.pop(each, "") for each in ("who", "value", "number", "code", "name")]
    return clean_text("".join(map(str, about)), 80), fields
