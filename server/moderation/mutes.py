"""Silences: who may not speak, kept like bans, so that a restart lets nobody speak sooner."""

from dataclasses import dataclass, field

from server.coordinator.messages import ServerMessage
from server.coordinator.moderation.orders import OperatorReply
from server.coordinator.people.names import skeleton
from server.moderation.actions import ActionRefused, Actor, Plan
from server.moderation.people import OnlinePeople, whereabouts
from server.storage.moderation import MuteRow, StoredMute
from server.storage.moderation_sql import SqlModeration


@dataclass
class Mutes:
    """Keeps what the chat knows of silences like the store."""

    store: SqlModeration
    online: OnlinePeople
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Whom the store knows as silenced: id and name, by what the name looks like."""

    async def fill(self) -> None:
        """Take over what the store has. Raises ``StoreError``."""
        mutes = await self._in_force()
        for mute in mutes:
            self.online.lobby.chat.silence(mute.person, mute.row.until)
        self.names = {
            skeleton(mute.row.name): (mute.person, mute.row.name) for mute in reversed(mutes)
        }

    async def rows(self) -> list[MuteRow]:
        """The silences in force, the newest first."""
        return [mute.row for mute in await self._in_force()]

    async def _in_force(self) -> list[StoredMute]:
        now = self.online.clock.time()
        return [mute for mute in await self.store.mutes() if now < mute.row.until]

    def mute(self, who: str, seconds: float, reason: str, actor: Actor) -> Plan:
        """Silence somebody who is here."""
        session, player = self.online.find(who)
        if not seconds:
            raise ActionRefused("no_time")
        now = self.online.clock.time()
        until = now + seconds
        kept = StoredMute(MuteRow(player.name, reason, now, actor.signature, until), player.id)

        async def do() -> OperatorReply:
            await self.store.mute(kept)
            await self.fill()
            self.online.lobby.say_to(player.id, ServerMessage("muted", reason, until))
            return OperatorReply(facts={"name": player.name, "until": until})

        details = {**whereabouts(session), "until": round(until), "reason": reason}
        return Plan(player.name, do, details)

    def unmute(self, who: str) -> Plan:
        """Let somebody speak again, who need not be here."""
        person, name, details = self._meant(who)

        async def do() -> OperatorReply:
            await self.store.unmute(person)
            self.online.lobby.chat.silence(person, 0.0)
            await self.fill()
            self.online.lobby.say_to(person, ServerMessage("unmuted"))
            return OperatorReply(facts={"name": name})

        return Plan(name, do, details)

    def _meant(self, who: str) -> tuple[str, str, dict[str, str]]:
        """Id, name and whereabouts of who is to speak again: of several alike, who is silenced."""
        kept = self.names.get(skeleton(who))
        try:
            session, player = self.online.find(who)
        except ActionRefused:
            if kept is None:
                raise
            return *kept, {}
        if kept is not None and not self.online.lobby.chat.silenced_until(player.id):
            return *kept, {}
        return player.id, player.name, whereabouts(session)
