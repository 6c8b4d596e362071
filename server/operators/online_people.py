"""Operators as actors, and the people online: listed, notified, disconnected."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from server.cleaning import clean_text
from server.coordinator.arrivals import Arrivals, Here
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import Occupant, ServerMessage
from server.coordinator.messages.operator_orders import (
    MOST_ROWS,
    OperatorReply,
    PersonRow,
    Row,
    TableFacts,
)
from server.coordinator.people.names import is_called
from server.storage.moderation import AuditRow, ModerationStore
from server.transport.access.login import AuthorizedKeys


class Actor(NamedTuple):
    """The operator who acts."""

    who: str
    """A key's fingerprint, or ``uid N`` for who asks on the machine itself."""
    name: str
    player: str = ""
    """The id, of somebody who plays here."""
    address: str = ""

    @property
    def signature(self) -> str:
        """How other operators read it."""
        return self.name or self.who


@dataclass(slots=True)
class Operation:
    """An action on its way: first it is found out what is meant, then it begins, and is done."""

    actor: Actor
    action: str
    store: ModerationStore
    now: float
    noted: bool = True
    """It is written down: everything is but the looks at a list that stays open."""
    number: int = 0
    """The one it has in the log; 0 until it begins."""
    about: str = ""

    async def begin(self, about: str = "", **details: object) -> None:
        """Write down what is about to be done, to whom or what; no secrets. Raises ``StoreError``."""
        self.about = about
        if self.noted:
            who, name = self.actor.who, self.actor.name
            entry = AuditRow(0, self.now, who, name, self.action, about, details)
            self.number = await self.store.note(entry)


class ActionRefused(Exception):
    """It cannot be done; ``told`` says why."""

    def __init__(self, code: str, **facts: str | int | float) -> None:
        super().__init__(code)
        self.told: Final = OperatorReply(code, dict(facts))


@dataclass(eq=False)
class OnlinePeople:
    """Everybody who is connected, and where they are. Iterating gives them."""

    arrivals: Arrivals
    operators: AuthorizedKeys

    def __post_init__(self) -> None:
        self.lobby = self.arrivals.lobby
        self.clock = self.arrivals.clock

    def __iter__(self) -> Iterator[Here]:
        return iter(self.arrivals)

    def is_operator(self, here: Here) -> bool:
        """Whether this is an operator's visit, now.

        It is the key that this very connection has proven that counts, not the account: another key of the
        same account may lie on another machine, and makes nobody an operator.
        """
        return self.operators.knows_wire(here.arrival.public_key, here.arrival.address)

    def find(self, who: str) -> Here:
        """Return the person with this name, or with the key of this fingerprint. Raises ``ActionRefused``."""
        tests: tuple[Callable[[Here], bool], ...] = (
            lambda here: here.player.name == who,
            lambda here: bool(who) and here.arrival.key == who,
            lambda here: is_called(here.player.name, who),
        )
        for same in tests:
            for here in self:
                if same(here):
                    return here
        raise ActionRefused("nobody_called", name=clean_text(who, 60))

    def rows(self) -> OperatorReply:
        """All of them, who came last first."""
        rows = [self._row(here) for here in self]
        rows.sort(key=lambda row: (row.seconds, row.name))
        return limited(rows)

    def _row(self, here: Here) -> PersonRow:
        player = here.player
        place = self.lobby.place_of(player.id)
        muted = self.lobby.chat.silenced_until(player.id) - self.clock.time()
        return PersonRow(
            name=player.name,
            guest=player.guest,
            **whereabouts(here),
            seconds=round(self.clock.time() - here.since),
            table=place.title if place else "",
            watching=place is not None and player.id not in place.people,
            operator=self.is_operator(here),
            muted=max(0, round(muted)),
        )

    async def kick(self, operation: Operation, who: str, reason: str) -> OperatorReply:
        """End somebody's connection."""
        found = self.find(who)
        await operation.begin(found.player.name, **whereabouts(found), reason=reason)
        for here in self:
            if here.player.id == found.player.id:  # perhaps over another connection by now
                here.send_away(ServerMessage("kicked", reason))
        return OperatorReply(facts={"name": found.player.name})


def whereabouts(here: Here) -> dict[str, str]:
    """What the log keeps of somebody something is done to: enough to find out later who it was."""
    arrival = here.arrival
    return {"address": arrival.address, "line": arrival.line, "key": arrival.key}


def table_rows(lobby: Lobby) -> list[TableFacts]:
    """Every table, as far as everybody may know it, the newest first."""
    return [
        TableFacts(
            title=table.title,
            status=table.status.value,
            edition=table.options.rules.edition.value,
            names=table.names,
            bots=sum(seat.occupant is Occupant.BOT for seat in table.seats),
            stage=table.epoch.stage + 1 if table.game else 0,
            stages=table.options.rules.stages,
            round=table.epoch.round + 1 if table.game else 0,
            spectators=len(table.spectators),
            code=table.id,
        )
        for table in reversed(lobby.known.values())
    ]


def limited(rows: Sequence[Row]) -> OperatorReply:
    """An answer with as many rows as one may have."""
    return OperatorReply(rows=tuple(rows[:MOST_ROWS]), left_out=max(0, len(rows) - MOST_ROWS))
