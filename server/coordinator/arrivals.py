"""Arrivals: who comes in, who is here, and what each of them may ask for beside a visit's commands."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import structlog
from msgspec import structs
from typing_extensions import override

from engine.bots.review import Decision
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.contract import (
    Arrival,
    Arrived,
    Banned,
    Bans,
    Coordinator,
    Followed,
    Known,
    Profile,
    Visit,
)
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages.operator_orders import Action, OperatorReply
from server.coordinator.people.people import SEEN_EVERY, Admitted, Credential, People
from server.coordinator.table.ports import Asker, Urgency
from server.networks import network_of
from server.storage.people import (
    BLOCKED,
    FOLLOWABLE,
    SEEN_TO,
    SHOWS_RESULTS,
    SHOWS_VISITS,
    blocked_in,
    lets,
)
from server.timers import Tasks

_log = structlog.get_logger("session")


@dataclass(slots=True, eq=False)
class Here:
    """Somebody who is here: how the person has arrived, and the visit since."""

    arrival: Arrival
    visit: Visit
    since: float
    left: bool = False

    @property
    def player(self) -> m.Player:
        """The player of this visit."""
        return self.visit.player

    def send_away(self, word: m.ServerMessage) -> None:
        """End the visit with a word."""
        self.visit.feed.say(word)
        self.visit.feed.close(word.kind)


class Operators(Protocol):
    """What arrivals know of the operators of a server."""

    async def arrived(self, here: Here) -> None:
        """Somebody has come who can be told what has been waiting."""

    async def report(self, here: Here, about: str, text: str) -> str:
        """``Account.report``."""

    async def act_as(self, here: Here, action: Action, *, again: bool) -> OperatorReply:
        """``OperatorActions.act``."""


@dataclass(eq=False)
class Arrivals(Coordinator):
    """The coordinator, to whom people arrive. Iterating gives those who are here."""

    lobby: Lobby
    people: People
    bans: Bans = field(init=False)
    closing_down: bool = False
    """The server is about to stop: who leaves now may come back to the next one."""
    operators: Operators | None = None
    """Where there are any."""
    _here: dict[str, Here] = field(default_factory=dict, init=False)
    """By the person's id: the latest visit."""
    _tasks: Tasks = field(default_factory=Tasks, init=False)

    def __post_init__(self) -> None:
        self.clock = self.lobby.shared.clock
        self.bans = Bans(self.clock.time)
        self.lobby.gone = self._gone

    def __iter__(self) -> Iterator[Here]:
        return iter(tuple(self._here.values()))

    async def close(self, seconds: float) -> None:
        """Wait until what those who have left leave behind is tidied up, but no longer than that."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    # ------------------------------------------------------------ coming and going

    @override
    async def arrive(self, arrival: Arrival) -> tuple[Visit, Arrived]:
        # Who is being written down now, and nobody knew, would stay in the database.
        admitting = self._tasks.spawn(self._admit(arrival))
        try:
            admitted = await asyncio.shield(admitting)
        except asyncio.CancelledError:
            admitting.add_done_callback(self._dropped)
            raise
        player = structs.replace(admitted.player, program=arrival.program)
        if ban := self.bans.find(arrival.key, player.name, arrival.address):
            self._gone(player)
            raise Banned(ban)
        visit = self._let_in(arrival, player, admitted)
        return visit, Arrived(
            admitted.rejoin_code,
            admitted.notes,
            admitted.settings,
            admitted.new,
            self.lobby.directory.anybody_opens,
            player.id in self.lobby.today.played_yesterday,
            self.lobby.today.has_played(player.id),
        )

    async def _admit(self, arrival: Arrival) -> Admitted:
        """Raises ``StoreError`` when somebody new cannot be written down."""
        credential = Credential(arrival.key, arrival.code, network_of(arrival.address))
        admitted = await self.people.admit(credential, arrival.name, rename=arrival.rename)
        if arrival.key and arrival.password:
            with suppress(StoreError):  # then it is asked for once more
                await self.people.store.set_password(arrival.key, arrival.password)
        return admitted

    def _dropped(self, admitting: asyncio.Task[Admitted]) -> None:
        if not admitting.cancelled() and admitting.exception() is None:
            self._gone(admitting.result().player)

    def enter_again(
        self,
        arrival: Arrival,
        player: m.Player,
        blocked: Mapping[str, str],
        muted: Mapping[str, str],
        since: float,
    ) -> Visit | str:
        """Have somebody be here once more who has come at ``since``, before the line to a door broke.

        Or why the visit is over (``Update.closed``).
        """
        here = self._here.get(player.id)
        if here is not None and here.since > since:
            return "taken_over"
        if self.bans.find(arrival.key, player.name, arrival.address):
            return "banned"
        visit = self.lobby.enter(player, blocked, arrival.source)
        self.lobby.presence_of(player).muted.update(muted)
        return self._enter(Here(arrival, visit, since))

    def _let_in(self, arrival: Arrival, player: m.Player, admitted: Admitted) -> Visit:
        lobby = self.lobby
        followers = () if lobby.is_connected(player.id) else admitted.followers
        blocked = blocked_in(admitted.settings)
        visit = lobby.enter(player, blocked, arrival.source, new=admitted.new)
        here = Here(arrival, visit, self.clock.time())
        for follower in followers:
            lobby.say_to(follower, m.ServerMessage("came", about=player.name, sender=player.id))
        _log.info(
            "came_in",
            name=player.name,
            guest=player.guest,
            line=arrival.line,
            address=arrival.address,
        )
        if self.operators is not None:
            self._tasks.spawn(self.operators.arrived(here), "arrived")
        return self._enter(here)

    def _enter(self, here: Here) -> Visit:
        self._here[here.player.id] = here
        return replace(here.visit, close=partial(self._leave, here))

    def _leave(self, here: Here) -> None:
        if here.left:
            return
        here.left = True
        if self._here.get(here.player.id) is here:
            del self._here[here.player.id]
        here.visit.close()
        seconds = self.clock.time() - here.since
        if seconds >= SEEN_EVERY and not here.player.guest:
            self._tasks.spawn(self.people.was_here(here.player.id))
        self._gone(here.player)

    def _gone(self, player: m.Player) -> None:
        """A guest without a seat to come back to is forgotten, if the server goes on."""
        if player.guest and player.id not in self._here and not self.closing_down:
            self._tasks.spawn(self.people.left(player.id))

    # ------------------------------------------------------------ what is asked for

    @override
    async def known(self, key: str, code: str = "") -> Known | None:
        person = await self.people.known(Credential(key, code))
        if person is None:
            return None
        return Known(person.id, person.name, str(person.settings.get("language") or ""))

    @override
    async def password_of(self, key: str) -> str:
        return await self.people.store.password_of(key)

    @override
    async def lobby_now(self) -> m.LobbySnapshot:
        return self.lobby.feed.snapshot()

    @override
    async def knows_table(self, code: str) -> bool:
        table = self.lobby.known.get(code)
        return table is not None and not table.private

    @override
    async def correspondence_of(self, player: str) -> tuple[m.CorrespondenceGame, ...]:
        return self.lobby.correspondence_of(player)

    @override
    async def plays_today(self, player: str, event: str) -> bool:
        return self.lobby.today.plays(player, event)

    @override
    async def review(self, decision: Decision, player: str, network: str) -> Any:
        return await self.lobby.shared.think(decision, Asker(Urgency.REVIEW, player, network))

    @override
    async def profile(self, asker: str, name: str) -> tuple[str, Profile] | None:
        found = await self.people.known_as(asker, name)
        if found is None:
            return None
        who, person = found
        may = partial(lets, person.settings)
        shows = may(SHOWS_VISITS)
        followed = [each.id for each in await self.people.followed(who.id)]
        here, table, title = self.lobby.seen_at(person.id) if shows else (False, "", "")
        page = Profile(
            person.name,
            person.id == who.id,
            None,
            shows,
            here,
            table,
            title,
            person.seen // SEEN_TO * SEEN_TO if shows else 0.0,
            may(FOLLOWABLE),
            person.id in followed,
        )
        return person.id if may(SHOWS_RESULTS) else "", page

    @override
    async def follow(self, asker: str, name: str, on: bool) -> str:
        return await self.people.follow(asker, name, on)

    @override
    async def followed(self, asker: str) -> tuple[Followed, ...]:
        return tuple(
            Followed(
                each.name,
                lets(each.settings, SHOWS_VISITS) and self.lobby.seen_at(each.id)[0],
            )
            for each in await self.people.followed(asker)
        )

    @override
    async def link_code(self, account: str) -> str:
        return self.people.link_code(account)

    @override
    async def keep_settings(self, player: str, settings: Mapping[str, Any]) -> None:
        # Whoever has been forgotten since is not brought back by those who had blocked that person.
        store, blocked = self.people.store, blocked_in(settings)
        known = {
            who: name for who, name in blocked.items() if await store.find("id", who) is not None
        }
        if known != blocked:
            settings = {**settings, BLOCKED: known}
        await store.set_settings(player, settings)

    @override
    async def report(self, player: str, about: str, text: str) -> str:
        here = self._here.get(player)
        if here is None or self.operators is None:
            return "no_operators"
        return await self.operators.report(here, about, text)

    @override
    async def act(self, player: str, action: Action, again: bool) -> OperatorReply:
        here = self._here.get(player)
        if here is None or self.operators is None:
            return OperatorReply("not_operator")
        return await self.operators.act_as(here, action, again=again)
