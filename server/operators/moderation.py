"""Bans, mutes and reports. They are stored, and outlive a restart."""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog

from engine.bots.manners import NAMES as BOT_NAMES
from server import StoreError
from server.cleaning import REPORT_WIDTH, clean_name, clean_text, is_cut
from server.coordinator.arrivals import Here
from server.coordinator.contract import Bans, address_matched, network_of_ban
from server.coordinator.messages import Player, Refusal, Refused, ServerMessage, refuse_if
from server.coordinator.messages.operator_orders import BanSomebody, OperatorReply
from server.coordinator.people.names import is_called, skeleton
from server.logs import shortened
from server.networks import RateLimiter, network_of, take_all
from server.operators.online_people import (
    OnlinePeople,
    Operation,
    limited,
    whereabouts,
)
from server.storage.moderation import BanRow, ModerationStore, MuteRow, ReportRow, StoredReport

log = structlog.get_logger("office")

_WIDEST: Final = {4: 8, 6: 20}
"""Shortest prefix of a network that may be banned, by IP version: a slip must not ban half of the world."""
_FINGERPRINT: Final = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
"""SHA-256 fingerprint: 32 bytes in base64."""
_MOST: Final = 10_000
"""Reports that are listed and counted."""
_AT_ONCE: Final = 3
"""Reports that a person may send in a burst, and an address five times as many ..."""
_SECONDS: Final = 300.0
"""... and seconds until one more is allowed."""

_BOTS: Final = frozenset(map(skeleton, BOT_NAMES))


@dataclass
class Sanctions:
    """Bans and mutes, and their copies in memory: ``Bans`` for logins, and the chat's mutes."""

    store: ModerationStore
    online: OnlinePeople

    async def fill(self) -> int:
        """Load bans and mutes, disconnect people who are banned, and count them. Raises ``StoreError``."""
        self.online.arrivals.bans.fill(await self.store.bans())
        mutes = await self._mutes()
        self.online.lobby.chat.silence_only({person: row.until for person, row in mutes.items()})
        return self._enforce()

    async def rows(self) -> OperatorReply:
        """List the bans in force, then the mutes; each the newest first."""
        now, bans = self.online.clock.time(), (await self.store.bans()).values()
        in_force = [ban for ban in bans if not ban.until or now < ban.until]
        return limited([*in_force, *(await self._mutes()).values()])

    async def _mutes(self) -> dict[str, MuteRow]:
        """Return the mutes in force, by the person's id."""
        now, mutes = self.online.clock.time(), await self.store.mutes()
        return {person: row for person, row in mutes.items() if now < row.until}

    async def ban(self, operation: Operation, wanted: BanSomebody, reason: str) -> OperatorReply:
        """Ban a key, a name, an address or a network."""
        actor, kind, now = operation.actor, wanted.kind, self.online.clock.time()
        shown, matched = await self._banned(kind, wanted.value.strip())
        until = now + wanted.seconds if wanted.seconds else 0.0
        ban = BanRow(0, kind, shown, reason, now, actor.signature, until)
        alone = Bans(self.online.clock.time)
        alone.fill({(kind, matched): ban})
        name = actor.name if actor.player else ""
        refuse_if(alone.find(actor.who, name, actor.address), "own_ban")
        await operation.begin(shown, kind=kind, until=round(until), reason=reason)
        number = (await self.store.ban(matched, ban)).id
        ended = await self.fill()
        return OperatorReply(facts={"id": number, "shown": shown, "until": until, "ended": ended})

    def _enforce(self) -> int:
        """Disconnect people who are banned, and count them."""
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
        refuse_if(not await self.store.unban(number), "no_such_ban", {"id": number})
        await self.fill()
        return OperatorReply(facts={"id": number, "shown": shown})

    async def _banned(self, kind: str, value: str) -> tuple[str, str]:
        """Return a ban's object as operators see it, and as it is compared. Raises ``Refused``."""
        match kind:
            case "key" if value.startswith("SHA256:"):
                refuse_if(not _FINGERPRINT.fullmatch(value), "bad_fingerprint")
                return value, value
            case "key":
                found = self.online.find(value)
                key = found.arrival.key
                refuse_if(not key, "no_key", {"name": found.player.name})
                return key, key
            case "name":
                name = clean_name(value)
                refuse_if(not name, "bad_name")
                return name, skeleton(name)
            case "address" | "network":
                return self._place(kind, value)
        raise Refused("no_such_kind")

    def _place(self, kind: str, value: str) -> tuple[str, str]:
        """Return an address or a network, typed or of a connected person, as ``_banned`` does."""
        typed = _numeric(value)
        place = value if typed else self.online.find(value).arrival.address
        # Without the scope, which may be any text.
        bare = place.partition("%")[0]
        try:
            if kind == "address":
                return bare, address_matched(bare)
            network = network_of_ban(value if typed else shortened(bare))
        except ValueError:
            raise Refused(f"bad_{kind}") from None
        refuse_if(network.prefixlen < _WIDEST[network.version], "too_wide")
        return str(network), str(network)

    async def mute(
        self, operation: Operation, who: str, seconds: float, reason: str
    ) -> OperatorReply:
        """Mute a connected person."""
        found = self.online.find(who)
        player = found.player
        refuse_if(not seconds, "no_time")
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
        """Unmute a person, who need not be connected."""
        person, name, details = await self._muted(who)
        await operation.begin(name, **details)
        await self.store.unmute(person)
        await self.fill()
        self.online.lobby.say_to(person, ServerMessage("unmuted"))
        return OperatorReply(facts={"name": name})

    async def _muted(self, who: str) -> tuple[str, str, dict[str, str]]:
        """Return id, name and whereabouts of a person to unmute: of several alike, one who is muted."""
        mutes = await self._mutes()
        alike = [(person, row.name) for person, row in mutes.items() if is_called(row.name, who)]
        try:
            found = self.online.find(who)
            if alike and not self.online.lobby.chat.silenced_until(found.player.id):
                return *alike[0], {}
            return found.player.id, found.player.name, whereabouts(found)
        except Refused:
            if not alike:
                raise
            return *alike[0], {}


def _numeric(value: str) -> bool:
    """Return whether an operator means an address rather than a name."""
    return not value or ":" in value or "/" in value or value.replace(".", "").isdecimal()


class Reports:
    """Takes players' reports, and delivers operators' answers to them."""

    def __init__(self, store: ModerationStore, online: OnlinePeople) -> None:
        self._store: Final = store
        self._online: Final = online
        self._patience: Final = RateLimiter(_AT_ONCE, _SECONDS)
        self._patience_there: Final = RateLimiter(5 * _AT_ONCE, _SECONDS / 5)
        self._untold: Final[dict[int, StoredReport]] = {}
        """Reports whose authors have not seen the answer, by number."""

    async def fill(self) -> None:
        """Load undelivered answers. Raises ``StoreError``."""
        untold = await self._store.untold()
        self._untold.clear()
        self._untold.update({report.row.id: report for report in untold})

    # ---------------------------------------------------------------- for players

    async def report(self, here: Here, about: str, text: str) -> str:
        """Take a player's report about another one, and return a code of ``Account.report``."""
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
        except StoreError:
            return str(Refusal.STORAGE)
        log.info("report", number=number, reporter=player.name, about=found.name)
        self._tell_operators(row)
        return "cut" if cut else "ok"

    def _tell_operators(self, report: ReportRow) -> None:
        word = ServerMessage("report", report.text, about=report.about)
        for operator in self._online:
            if self._online.is_operator(operator):
                operator.visit.feed.say(word)

    async def _meant(self, name: str) -> Player | None:
        """Return the person with this name, connected or not."""
        with suppress(Refused):
            return self._online.find(name).player
        person = await self._online.arrivals.people.store.find("skeleton", skeleton(name))
        return Player(person.id, person.name, person.guest) if person else None

    async def arrived(self, here: Here) -> None:
        """Deliver answers to a newcomer, and to an operator the number of open reports."""
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
            with suppress(StoreError):  # then it is delivered once more
                await self._store.told(number)
        else:
            self._untold[number] = report

    # ---------------------------------------------------------------- for operators

    async def rows(self, closed: bool) -> OperatorReply:
        """List open reports, or with ``closed`` all of them, the newest first."""
        found = await self._store.reports(_MOST, closed=closed)
        return limited([report.row for report in found])

    async def close(self, operation: Operation, number: int, text: str = "") -> OperatorReply:
        """Close a report, and send a text to its author."""
        await operation.begin(f"report {number}", **({"text": text} if text else {}))
        now, who = self._online.clock.time(), operation.actor.signature
        report = await self._store.close(number, text, now, who)
        if report is None:
            raise Refused("no_such_report", {"id": number})
        if text:
            await self._tell(report)
        return OperatorReply(facts={"id": number, "name": report.row.reporter})
