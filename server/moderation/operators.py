"""What operators do: all of it goes through ``Moderation.act``, and is written down first."""

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog
from msgspec.structs import asdict, replace
from typing_extensions import override

from server.cleaning import clean_text
from server.coordinator.moderation import orders as asked
from server.coordinator.moderation.orders import MOST_ROWS, AboutSomebody, Action, OperatorReply
from server.coordinator.people.names import skeleton
from server.moderation.people import ActionRefused, Actor, OnlinePeople, Plan, limited
from server.moderation.reports import TEXT_WIDTH, Reports
from server.moderation.sanctions import Sanctions
from server.storage.moderation import AUDIT_SECONDS, AuditRow
from server.storage.moderation_sql import SqlModeration
from server.storage.store import StoreError
from server.transport.session.account import OperatorServices
from server.transport.session.server import Session

log = structlog.get_logger("office")

_TIDY_SECONDS: Final = 6 * 60 * 60.0
_LOOK_AGAIN: Final = 1.0
"""Seconds between two looks at whether anybody still plays."""


@dataclass(eq=False)
class Moderation:
    """One for each server. ``reload`` reads the settings again, and says what came of it; ``stop`` asks the
    server to stop politely.
    """

    online: OnlinePeople
    store: SqlModeration
    reload: Callable[[], OperatorReply]
    stop: Callable[[], None]
    _draining: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.reports = Reports(self.store, self.online)
        self._sanctions = Sanctions(self.store, self.online)

    async def open(self) -> None:
        """Take over what the store has, and be there for sessions. Raises ``StoreError``."""
        await self._sanctions.fill()
        await self.reports.fill()
        self.online.server.operator_services = lambda session: ConnectionModeration(self, session)

    async def close(self) -> None:
        """Finish what was begun."""
        self._end_draining()
        await self.reports.finish()

    async def keep_tidy(self) -> None:
        """Forget what is old now and again, until cancelled."""
        while True:
            with suppress(StoreError):  # which has been logged, and there is no hurry
                await self.store.forget(self.online.clock.time() - AUDIT_SECONDS)
            await self.online.clock.sleep_until(self.online.clock.time() + _TIDY_SECONDS)

    # ---------------------------------------------------------------- what operators do

    async def act(self, actor: Actor, action: Action, *, allowed: bool = True) -> OperatorReply:
        """Do it, or say why not. Neither happens before it has been written down who wanted it."""
        now, name = self.online.clock.time(), asked.name_of(action)
        try:
            try:
                if not allowed:
                    raise ActionRefused("not_operator")
                plan = await self._plan(actor, action)
            except ActionRefused as refusal:
                plan = Plan(refusal.answer, _named(action), _as_asked(action))
            details = dict(plan.details)
            number = await self.store.note(
                AuditRow(0, now, actor.who, actor.name, name, plan.about, details)
            )
        except StoreError:
            return OperatorReply("storage")
        told = await self._do(plan, name)
        with suppress(StoreError):  # it has been logged, and what was done is done
            await self.store.settle(number, told.code)
        log.info("operator", who=actor.who, action=name, about=plan.about, outcome=told.code)
        return told

    async def look_again(self, actor: Actor, action: Action, *, allowed: bool) -> OperatorReply:
        """What a list has by now that is still being looked at (``OperatorActions.look_again``)."""
        if not allowed or not isinstance(action, asked.Seeing):
            return OperatorReply("not_operator")
        return await self._do(await self._plan(actor, action), asked.name_of(action))

    async def _do(self, plan: Plan, action: str) -> OperatorReply:
        try:
            return await plan.do()
        except StoreError:
            return OperatorReply("storage")
        except Exception as error:
            # Our own mistake; the message may name anything, so it is not told.
            log.error("operator_failed", action=action, error=type(error).__name__)
            return OperatorReply("internal")

    async def _plan(self, actor: Actor, action: Action) -> Plan:
        """What is to be done. Raises ``ActionRefused`` or ``StoreError``."""
        match action:
            case asked.SeePeople():
                return Plan(self.online.rows)
            case asked.SeeTables():
                return Plan(self._tables)
            case asked.SeeReports(closed):
                return Plan(lambda: self.reports.rows(closed), details={"closed": closed})
            case asked.SeeBans():
                return Plan(self._sanctions.rows)
            case asked.SeeAudit(before):
                return Plan(lambda: self._audit(before), details={"before": before})
            case asked.CloseTable(code):
                code = _clean(code).lower()
                return Plan(lambda: self._close_table(code), code)
            case asked.Broadcast(text):
                return self.online.tell(_clean(text))
            case asked.Drain(stop):
                return Plan(lambda: self._drain(stop), details={"stop": stop})
            case asked.Undrain():
                return Plan(self._undrain)
            case asked.Reload():
                return Plan(self._reread)
            case _:
                return await self._plan_about_somebody(actor, action)

    async def _plan_about_somebody(self, actor: Actor, action: AboutSomebody) -> Plan:
        match action:
            case asked.MutePerson(who, seconds, reason):
                return self._sanctions.mute(who, seconds, _clean(reason), actor)
            case asked.UnmutePerson(who):
                return await self._sanctions.unmute(who)
            case asked.Vouch(who) | asked.Unvouch(who):
                on = isinstance(action, asked.Vouch)
                return Plan(lambda: self._vouch(who, on=on), _clean(who))
            case asked.Kick(who, reason):
                return self.online.kick(who, _clean(reason))
            case asked.BanSomebody():
                return self._sanctions.ban(replace(action, reason=_clean(action.reason)), actor)
            case asked.Unban(number):
                return await self._sanctions.unban(number)
            case asked.AnswerReport(number, text):
                if not _clean(text):
                    raise ActionRefused("no_text")
                return self.reports.close(number, _clean(text), actor)
            case asked.CloseReport(number):
                return self.reports.close(number, "", actor)

    async def _vouch(self, who: str, *, on: bool) -> OperatorReply:
        """About an account, whose owner need not be here."""
        name = await self.store.vouch(skeleton(who), on=on)
        return OperatorReply("ok" if name else "no_account", {"name": name or _clean(who)})

    async def _close_table(self, code: str) -> OperatorReply:
        reply = await self.online.lobby.close_table(code)
        return OperatorReply(reply.code, {} if reply.ok else {"code": code})

    async def _drain(self, stop: bool) -> OperatorReply:
        """No new games from now on, while those in progress go on; then perhaps the end."""
        lobby = self.online.lobby
        self._end_draining()
        if not lobby.closing:
            lobby.announce_closing(math.inf)
        if stop:
            self._draining = asyncio.create_task(self._until_dry(), name="drain")
        return OperatorReply(facts={"games": lobby.in_play(), "stop": int(stop)})

    async def _undrain(self) -> OperatorReply:
        """New games again."""
        if self.online.lobby.closing != math.inf:
            return OperatorReply("not_draining")
        self._end_draining()
        self.online.lobby.announce_closing(0.0)
        return OperatorReply()

    def _end_draining(self) -> None:
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

    async def _tables(self) -> OperatorReply:
        return limited(self.online.lobby.facts())

    async def _reread(self) -> OperatorReply:
        return self.reload()

    async def _audit(self, before: int) -> OperatorReply:
        found = await self.store.audit(MOST_ROWS + 1, before)
        if found and not before and found[0].action == "audit":
            found = (replace(found[0], outcome="ok"), *found[1:])  # which is being done
        return limited(list(found))


@dataclass
class ConnectionModeration(OperatorServices):
    """What one session may do."""

    moderation: Moderation
    session: Session

    @property
    @override
    def allowed(self) -> bool:
        return self.moderation.online.is_operator(self.session)

    @override
    async def report(self, about: str, text: str) -> str:
        return await self.moderation.reports.report(self.session, about, text)

    @override
    def arrived(self) -> None:
        self.moderation.reports.arrived(self.session)

    @override
    async def act(self, action: Action) -> OperatorReply:
        """Carry out an action; refused when the key has been taken off the list since."""
        return await self.moderation.act(self._actor, action, allowed=self.allowed)

    @override
    async def look_again(self, action: Action) -> OperatorReply:
        return await self.moderation.look_again(self._actor, action, allowed=self.allowed)

    @property
    def _actor(self) -> Actor:
        caller, player = self.session.caller, self.session.player
        return Actor(
            caller.identity.removeprefix("key:"),
            player.name if player is not None else "",
            player.id if player is not None else "",
            caller.address,
        )


def _clean(text: str) -> str:
    return clean_text(text, TEXT_WIDTH)


def _as_asked(action: Action) -> dict[str, object]:
    """What was asked for, for the log of what was refused."""
    return {
        field: _clean(value) if isinstance(value, str) else value
        for field, value in asdict(action).items()
        if field not in {"who", "value", "number", "code"} and value
    }


def _named(action: Action) -> str:
    """Whom or what a refused action was about, as it was typed."""
    for field in ("who", "value", "number", "code"):
        if value := getattr(action, field, ""):
            return clean_text(str(value), 80)
    return ""
