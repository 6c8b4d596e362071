"""Bans and silences: what is meant by one, keeping it, and telling or sending away whom it hits.

They are kept in the store, so that a restart lets nobody in or speak sooner.
"""

import re
from dataclasses import dataclass
from typing import Final

from server.cleaning import clean_name
from server.coordinator.messages import ServerMessage
from server.coordinator.messages.operator_orders import BanSomebody, OperatorReply
from server.coordinator.people.bans import Bans, address_matched, network_of_ban
from server.coordinator.people.names import is_called, skeleton
from server.logs import shortened
from server.operators.online_people import (
    ActionRefused,
    OnlinePeople,
    Operation,
    limited,
    whereabouts,
)
from server.storage.moderation import BanRow, MuteRow
from server.storage.moderation_store import ModerationStore

_WIDEST: Final = {4: 8, 6: 20}
"""Shortest prefixes of networks that may be banned: a slip must not shut out half of the world."""
_FINGERPRINT: Final = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
"""Of 32 bytes."""


@dataclass
class Sanctions:
    """Keeps ``Bans``, the index that is looked at for everybody who comes in, and what the chat knows of
    silences like the store.
    """

    store: ModerationStore
    online: OnlinePeople

    async def fill(self) -> int:
        """Take over what the store has, and send away whom that hits: how many. Raises ``StoreError``."""
        self.online.arrivals.bans.fill(await self.store.bans())
        mutes = await self._mutes()
        self.online.lobby.chat.silence_only({person: row.until for person, row in mutes.items()})
        return self._enforce()

    async def rows(self) -> OperatorReply:
        """Who may not come in, then who may not speak; each the newest first."""
        now, bans = self.online.clock.time(), (await self.store.bans()).values()
        in_force = [ban for ban in bans if not ban.until or now < ban.until]
        return limited([*in_force, *(await self._mutes()).values()])

    async def _mutes(self) -> dict[str, MuteRow]:
        """Those in force, by the person's id."""
        now, mutes = self.online.clock.time(), await self.store.mutes()
        return {person: row for person, row in mutes.items() if now < row.until}

    async def ban(self, operation: Operation, wanted: BanSomebody, reason: str) -> OperatorReply:
        """Let somebody in no more."""
        actor, kind, now = operation.actor, wanted.kind, self.online.clock.time()
        shown, matched = await self._banned(kind, wanted.value.strip())
        until = now + wanted.seconds if wanted.seconds else 0.0
        ban = BanRow(0, kind, shown, reason, now, actor.signature, until)
        alone = Bans(self.online.clock.time)
        alone.fill({(kind, matched): ban})
        if alone.find(actor.who, actor.name if actor.player else "", actor.address):
            raise ActionRefused("own_ban")
        await operation.begin(shown, kind=kind, until=round(until), reason=reason)
        number = (await self.store.ban(matched, ban)).id
        ended = await self.fill()
        return OperatorReply(facts={"id": number, "shown": shown, "until": until, "ended": ended})

    def _enforce(self) -> int:
        """End the visits of those whom a ban hits; how many."""
        ended, bans = 0, self.online.arrivals.bans
        for here in self.online:
            ban = bans.find(here.arrival.key, here.player.name, here.arrival.address)
            if ban is not None:
                here.send_away(ServerMessage("banned", ban.reason, ban.until))
                ended += 1
        return ended

    async def unban(self, operation: Operation, number: int) -> OperatorReply:
        """Lift a ban."""
        rows = {ban.id: ban for ban in (await self.store.bans()).values()}
        shown = rows[number].shown if number in rows else ""
        await operation.begin(shown, ban=number)
        if not await self.store.unban(number):
            raise ActionRefused("no_such_ban", id=number)
        await self.fill()
        return OperatorReply(facts={"id": number, "shown": shown})

    async def _banned(self, kind: str, value: str) -> tuple[str, str]:
        """What is shown, and what is compared. Raises ``ActionRefused``."""
        match kind:
            case "key" if value.startswith("SHA256:"):
                if not _FINGERPRINT.fullmatch(value):
                    raise ActionRefused("bad_fingerprint")
                return value, value
            case "key":
                found = self.online.find(value)
                if not (key := found.arrival.key):
                    raise ActionRefused("no_key", name=found.player.name)
                return key, key
            case "name":
                name = clean_name(value)
                if not name:
                    raise ActionRefused("bad_name")
                return name, skeleton(name)
            case "address" | "network":
                return self._place(kind, value)
        raise ActionRefused("no_such_kind")

    def _place(self, kind: str, value: str) -> tuple[str, str]:
        """The same of an address or a network, typed or somebody's who is here."""
        typed = _numeric(value)
        place = value if typed else self.online.find(value).arrival.address
        # Without the interface of this machine, which may be any text.
        bare = place.partition("%")[0]
        try:
            if kind == "address":
                return bare, address_matched(bare)
            network = network_of_ban(value if typed else shortened(bare))
        except ValueError:
            raise ActionRefused(f"bad_{kind}") from None
        if network.prefixlen < _WIDEST[network.version]:
            raise ActionRefused("too_wide")
        return str(network), str(network)

    async def mute(
        self, operation: Operation, who: str, seconds: float, reason: str
    ) -> OperatorReply:
        """Silence somebody who is here."""
        found = self.online.find(who)
        player = found.player
        if not seconds:
            raise ActionRefused("no_time")
        now = self.online.clock.time()
        until, made_by = now + seconds, operation.actor.signature
        about = {**whereabouts(found), "until": round(until), "reason": reason}
        await operation.begin(player.name, **about)
        row = MuteRow(player.name, reason, now, made_by, until)
        await self.store.mute(player.id, row)
        await self.fill()
        self.online.lobby.say_to(player.id, ServerMessage("muted", reason, until))
        return OperatorReply(facts={"name": player.name, "until": until})

    async def unmute(self, operation: Operation, who: str) -> OperatorReply:
        """Let somebody speak again, who need not be here."""
        person, name, details = await self._muted(who)
        await operation.begin(name, **details)
        await self.store.unmute(person)
        await self.fill()
        self.online.lobby.say_to(person, ServerMessage("unmuted"))
        return OperatorReply(facts={"name": name})

    async def _muted(self, who: str) -> tuple[str, str, dict[str, str]]:
        """Id, name and whereabouts of who is to speak again: of several alike, who is silenced."""
        mutes = await self._mutes()
        alike = [(person, row.name) for person, row in mutes.items() if is_called(row.name, who)]
        try:
            found = self.online.find(who)
            if alike and not self.online.lobby.chat.silenced_until(found.player.id):
                return *alike[0], {}
            return found.player.id, found.player.name, whereabouts(found)
        except ActionRefused:
            if not alike:
                raise
            return *alike[0], {}


def _numeric(value: str) -> bool:
    """Whether somebody meant an address rather than a name."""
    return not value or ":" in value or "/" in value or value.replace(".", "").isdecimal()
