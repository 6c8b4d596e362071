"""Operators as actors, and the people online: listed, notified, disconnected."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from server.cleaning import clean_text
from server.coordinator.arrivals import Arrivals, Here
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import Occupant, Refusal, Refused, ServerMessage
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
    """A key's fingerprint, or ``uid N`` for a user of the machine itself."""
    name: str
    player: str = ""
    """The id; empty for a user of the machine itself."""
    address: str = ""

    @property
    def signature(self) -> str:
        """The name that other operators see."""
        return self.name or self.who


@dataclass(slots=True)
class Operation:
    """An action: its object is determined, it is logged (``begin``), and carried out."""

    actor: Actor
    action: str
    store: ModerationStore
    now: float
    noted: bool = True
    """Whether it is logged: everything but refreshing a list that is open."""
    number: int = 0
    """Number of its entry in the audit log; 0 before that."""
    about: str = ""

    async def begin(self, about: str = "", **details: object) -> None:
        """Log the action before it is carried out; ``about`` is its object. Raises ``StoreError``."""
        self.about = about
        if self.noted:
            who, name = self.actor.who, self.actor.name
            entry = AuditRow(0, self.now, who, name, self.action, about, details)
            self.number = await self.store.note(entry)


@dataclass(eq=False)
class OnlinePeople:
    """The people who are connected. Iterating gives them."""

    arrivals: Arrivals
    operators: AuthorizedKeys

    def __post_init__(self) -> None:
        self.lobby = self.arrivals.lobby
        self.clock = self.arrivals.clock

    def __iter__(self) -> Iterator[Here]:
        return iter(self.arrivals)

    def is_operator(self, here: Here) -> bool:
        """Return whether this is an operator's visit, now.

        Only the key with which this connection was authenticated counts: another key of the same account may
        be on another machine.
        """
        return self.operators.knows(here.arrival.public_key, here.arrival.address)

    def find(self, who: str) -> Here:
        """Return the person with this name, or with the key of this fingerprint. Raises ``Refused``."""
        tests: tuple[Callable[[Here], bool], ...] = (
            lambda here: here.player.name == who,
            lambda here: bool(who) and here.arrival.key == who,
            lambda here: is_called(here.player.name, who),
        )
        for same in tests:
            for here in self:
                if same(here):
                    return here
        raise Refused(Refusal.NOBODY_CALLED, {"name": clean_text(who, 60)})

    def rows(self) -> OperatorReply:
        """List them, the latest arrival first."""
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
        """Disconnect a person."""
        found = self.find(who)
        await operation.begin(found.player.name, **whereabouts(found), reason=reason)
        for here in self:
            if here.player.id == found.player.id:  # perhaps over another connection by now
                here.send_away(ServerMessage("kicked", reason))
        return OperatorReply(facts={"name": found.player.name})


def whereabouts(here: Here) -> dict[str, str]:
    """Return what the audit log keeps of a person, to identify them later."""
    arrival = here.arrival
    return {"address": arrival.address, "line": arrival.line, "key": arrival.key}


def table_rows(lobby: Lobby) -> list[TableFacts]:
    """List the tables, the newest first."""
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
    """Return an answer with at most ``MOST_ROWS`` rows."""
    return OperatorReply(rows=tuple(rows[:MOST_ROWS]), left_out=max(0, len(rows) - MOST_ROWS))
