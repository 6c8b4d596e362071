"""Bans: what is meant by one, keeping it, and sending away whom it hits."""

import binascii
import ipaddress
import re
from base64 import b64decode
from collections.abc import Callable
from typing import Final

from server.coordinator.clock import Clock
from server.coordinator.messages import ServerMessage
from server.coordinator.moderation.orders import BanSomebody, OperatorReply
from server.coordinator.people.names import skeleton
from server.moderation.actions import ActionRefused, Actor, Plan
from server.moderation.people import OnlinePeople
from server.storage.moderation import BanRow, StoredBan
from server.storage.moderation_sql import SqlModeration
from server.transport.access.bans import Bans, address_matched, network_of_ban
from server.transport.access.sanitize import clean_name
from server.transport.session.server import Session

_WIDEST: Final = {4: 8, 6: 20}
"""Shortest prefixes of networks that may be banned: a slip must not shut out half of the world."""
_AROUND: Final = {4: 24, 6: 48}
"""The network around somebody's address."""
_FINGERPRINT: Final = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


class BanOrders:
    """Keeps ``bans``, the index that is looked at for everybody who comes in, like the store."""

    def __init__(
        self, bans: Bans, store: SqlModeration, clock: Clock, online: OnlinePeople
    ) -> None:
        self._bans: Final = bans
        self._store: Final = store
        self._clock: Final = clock
        self._online: Final = online
        self._shown: dict[int, str] = {}
        """What each ban is of, by number."""

    async def fill(self) -> None:
        """Take over what the store has. Raises ``StoreError``."""
        bans = await self._store.bans()
        self._bans.fill(bans)
        self._shown = {ban.row.id: ban.row.shown for ban in bans}

    async def rows(self) -> list[BanRow]:
        """The bans in force, the newest first."""
        now = self._clock.time()
        return [
            ban.row for ban in await self._store.bans() if not ban.row.until or now < ban.row.until
        ]

    def ban(self, wanted: BanSomebody, actor: Actor) -> Plan:
        """Let somebody in no more."""
        shown, matched = self._meant(wanted.kind, wanted.value.strip())
        now = self._clock.time()
        until = now + wanted.seconds if wanted.seconds else 0.0
        ban = StoredBan(
            BanRow(0, wanted.kind, shown, wanted.reason, now, actor.signature, until), matched
        )
        alone = Bans(self._clock.time)
        alone.fill([ban])
        if (
            alone.of_key(actor.who)
            or (actor.player and alone.of_name(actor.name))
            or (actor.address and alone.at(actor.address))
        ):
            raise ActionRefused("own_ban")

        async def do() -> OperatorReply:
            kept = await self._store.ban(ban)
            await self.fill()
            hit = [session for session in self._online if _hits(alone, session)]
            for session in hit:
                self._online.send_away(session, ServerMessage("banned", wanted.reason, until))
            return OperatorReply(
                facts={"id": kept.row.id, "shown": shown, "until": until, "ended": len(hit)}
            )

        details = {"kind": wanted.kind, "until": round(until), "reason": wanted.reason}
        return Plan(shown, do, details)

    def unban(self, number: int) -> Plan:
        """Lift a ban."""

        async def do() -> OperatorReply:
            lifted = await self._store.unban(number)
            if lifted is None:
                return OperatorReply("no_such_ban", {"id": number})
            await self.fill()
            return OperatorReply(facts={"id": number, "shown": lifted.row.shown})

        return Plan(self._shown.get(number, ""), do, {"ban": number})

    def _meant(self, kind: str, value: str) -> tuple[str, str]:
        """What is shown, and what is compared. Raises ``ActionRefused``."""
        known: dict[str, Callable[[str], tuple[str, str]]] = {
            "key": self._key,
            "name": self._name,
            "address": self._address,
            "network": self._network,
        }
        if kind not in known:
            raise ActionRefused("no_such_kind")
        return known[kind](value)

    def _key(self, value: str) -> tuple[str, str]:
        if value.startswith("SHA256:"):
            if not _is_fingerprint(value):
                raise ActionRefused("bad_fingerprint")
            return value, value
        session, player = self._online.find(value)
        key = session.caller.identity.removeprefix("key:")
        if not key:
            raise ActionRefused("no_key", name=player.name)
        return key, key

    def _name(self, value: str) -> tuple[str, str]:
        name = clean_name(value)
        if not name:
            raise ActionRefused("bad_name")
        return name, skeleton(name)

    def _address(self, value: str) -> tuple[str, str]:
        bare = value.partition("%")[
            0
        ]  # without the interface of this machine, which may be any text
        try:
            return bare, address_matched(bare)
        except ValueError:
            if _numeric(value):
                raise ActionRefused("bad_address") from None
        address = self._online.find(value)[0].caller.address.partition("%")[0]
        return address, address_matched(address)

    def _network(self, value: str) -> tuple[str, str]:
        try:
            network = network_of_ban(value)
        except ValueError:
            if _numeric(value):
                raise ActionRefused("bad_network") from None
            around = ipaddress.ip_address(
                self._online.find(value)[0].caller.address.partition("%")[0]
            )
            network = network_of_ban(f"{around}/{_AROUND[around.version]}")
        if network.prefixlen < _WIDEST[network.version]:
            raise ActionRefused("too_wide")
        return str(network), str(network)


def _numeric(value: str) -> bool:
    """Whether somebody meant an address rather than a name."""
    return not value or ":" in value or "/" in value or value.replace(".", "").isdecimal()


def _is_fingerprint(value: str) -> bool:
    if not _FINGERPRINT.fullmatch(value):
        return False
    try:
        return len(b64decode(f"{value.removeprefix('SHA256:')}=", validate=True)) == 32
    except binascii.Error:
        return False


def _hits(alone: Bans, session: Session) -> bool:
    caller, player = session.caller, session.player
    return bool(
        alone.at(caller.address)
        or alone.of_key(caller.identity.removeprefix("key:"))
        or alone.of_name(player.name if player is not None else caller.login.name)
    )
