"""Who acts, how that is written down, and who is here: listed, spoken to, sent away."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from asyncssh.public_key import decode_ssh_public_key

from server.cleaning import clean_text
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import Occupant, Player, ServerMessage
from server.coordinator.messages.operator_orders import (
    MOST_ROWS,
    OperatorReply,
    PersonRow,
    Row,
    TableFacts,
)
from server.coordinator.people.names import is_called
from server.coordinator.time_source import Clock
from server.storage.moderation import AuditRow
from server.storage.moderation_store import ModerationStore
from server.transport.access.authorized_keys import AuthorizedKeys
from server.transport.session.server import GameServer, Session


class Actor(NamedTuple):
    """Who acts."""

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

    server: GameServer
    lobby: Lobby
    clock: Clock
    operators: AuthorizedKeys

    def __iter__(self) -> Iterator[tuple[Session, Player]]:
        return iter([(one, one.player) for one in self.server.sessions if one.player is not None])

    def is_operator(self, session: Session) -> bool:
        """Whether this is an operator's session, now.

        It is the key that this very connection has proven that counts, not the account: another key of the
        same account may lie on another machine, and makes nobody an operator.
        """
        caller = session.caller
        if not self.operators.mentions(caller.key):
            return False  # nearly everybody; taking their keys apart takes longer
        return self.operators.knows(decode_ssh_public_key(caller.key), caller.address)

    def find(self, who: str) -> tuple[Session, Player]:
        """Who is called so, or has the key with this fingerprint. Raises ``ActionRefused``."""
        tests: tuple[Callable[[Session, Player], bool], ...] = (
            lambda one, player: player.name == who,
            lambda one, player: bool(who) and one.caller.identity == f"key:{who}",
            lambda one, player: is_called(player.name, who),
        )
        for same in tests:
            for one, player in self:
                if same(one, player):
                    return one, player
        raise ActionRefused("nobody_called", name=clean_text(who, 60))

    def rows(self) -> OperatorReply:
        """All of them, who came last first."""
        rows = [self._row(session, player) for session, player in self]
        rows.sort(key=lambda row: (row.seconds, row.name))
        return limited(rows)

    def _row(self, session: Session, player: Player) -> PersonRow:
        place = self.lobby.place_of(player.id)
        muted = self.lobby.chat.silenced_until(player.id) - self.clock.time()
        return PersonRow(
            name=player.name,
            guest=player.guest,
            **whereabouts(session),
            seconds=round(session.seconds),
            table=place.title if place else "",
            watching=place is not None and player.id not in place.people,
            operator=self.is_operator(session),
            muted=max(0, round(muted)),
        )

    # ---------------------------------------------------------------- what is done to them

    async def kick(self, operation: Operation, who: str, reason: str) -> OperatorReply:
        """End somebody's connection."""
        found, player = self.find(who)
        await operation.begin(player.name, **whereabouts(found), reason=reason)
        for session, other in self:
            if other.id == player.id:  # perhaps over another connection by now
                self.send_away(session, ServerMessage("kicked", reason))
        return OperatorReply(facts={"name": player.name})

    def send_away(self, session: Session, word: ServerMessage) -> None:
        """End a session, with a word where there is somebody to read it."""
        if session.player is None or not self.lobby.say_to(session.player.id, word, last=True):
            session.hang_up()


def whereabouts(session: Session) -> dict[str, str]:
    """What the log keeps of somebody something is done to: enough to find out later who it was."""
    caller = session.caller
    return {
        "address": caller.address,
        "line": caller.line,
        "key": caller.identity.removeprefix("key:"),
    }


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
