"""Another node, as this one knows it: what was told, what was sent, the way to its tables and people."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar, Final, TypeVar

import msgspec
from msgspec.structs import replace
from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.feed import Feed
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes import node_messages as n
from server.coordinator.table import steps

_ANSWER_SECONDS: Final = 3.0
"""An answer that has not come by then does not come any more ..."""
_TABLE_SECONDS: Final = 10.0
"""... and that of a table, which may have to wait for the database."""

Answered = TypeVar("Answered")


@dataclass(slots=True, eq=False)
class Peer:
    """``post`` sends a message to it, with a topic, and the number of the question if it is one."""

    id: str
    post: Callable[["Peer", str, object, int], None]
    epoch_of: Callable[[str], int]
    """Of a table that this node has, by its code."""
    name: str = ""
    heard: float = 0.0
    """When something came from it, in seconds since boot."""
    asked_state: float = 0.0
    """When it was asked for its state, likewise."""
    silent: bool = False
    """That was too long ago: it may be gone."""
    known: bool = False
    """It has told its state."""
    sent: int = 0
    """The number of the last message to it ..."""
    got: int = 0
    """... and of the last one from it."""
    people: dict[str, n.Connected] = field(default_factory=dict)
    """Who is connected to it, by id."""
    feeds: dict[str, "RemoteFeed"] = field(default_factory=dict)
    asked: dict[int, tuple[asyncio.Future[bytes], bool]] = field(default_factory=dict)
    """What it has not answered, by number; whether that is waited for even though messages were lost."""
    gone: bool = False
    """It answers no more."""
    _state: list[n.State] = field(default_factory=list)
    """The parts that have come."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _shown: dict[str, n.Picture] = field(default_factory=dict)
    """The last picture of each table that it was sent."""

    def send(self, topic: str, message: object, question: int = 0) -> None:
        """Tell it something, or ask it with the number of a question."""
        self.post(self, topic, message, question)

    def feed(self, player: str) -> "RemoteFeed":
        """The way to somebody who is connected to it."""
        return self.feeds.setdefault(player, RemoteFeed(peer=self, player=player))

    def whole_state(self, state: n.State) -> n.State | None:
        """With this part of its state, all of it; ``None`` until the last one has come."""
        self._state = [*(self._state if state.part else ()), state]
        if len(self._state) != state.part + 1 or len(self._state) < state.parts:
            return None  # where one is lost, all are asked for again
        parts, self._state = self._state, []
        people = tuple(it for part in parts for it in part.people)
        return n.State(state.name, people, tuple(it for part in parts for it in part.tables))

    def forget_shown(self, code: str = "") -> None:
        """What it was shown may not have arrived; or this table is not this node's any more."""
        if code:
            self._shown.pop(code, None)
        else:
            self._shown.clear()

    def show(self, player: str, seen: m.TableSnapshot, events: tuple[m.Happening, ...]) -> None:
        """Show a table to somebody who is connected to it."""
        code, before = seen.info.id, self._shown.get(seen.info.id)
        epoch, stages = self.epoch_of(code), seen.history.stages
        same = (
            before is not None
            and before.info is seen.info
            and before.table is seen.table
            and before.behind == seen.behind
            and before.events is events
        )
        number = before.number if before is not None else 0
        if not same:
            number += 1
            shown = n.Picture(
                code, epoch, number, seen.info, seen.table, seen.behind, events, stages
            )
            known = before is not None and before.stages == stages
            self._shown[code] = shown
            self.send(f"table.{code}", replace(shown, stages=None) if known else shown)
        own = n.Own(*seen.own[1:]) if seen.own is not None else None
        seat = n.SeatPicture(
            code, epoch, number, player, seen.seat, own, seen.word, seen.history.hands, seen.guess
        )
        self.send(f"seat.{code}", seat)

    async def ask(
        self,
        topic: str,
        question: object,
        kind: type[Answered],
        seconds: float = _ANSWER_SECONDS,
        *,
        patient: bool = True,
    ) -> Answered | None:
        """Ask it. ``None`` when it does not answer, or does not know such questions: nobody knows what has
        become of it. Who is not ``patient`` hears that as soon as any message has been lost.
        """
        if self.gone:
            return None
        # Never one that was given before: a late answer must not be taken for another question's.
        number = next(self._numbers)
        answer = asyncio.get_running_loop().create_future()
        self.asked[number] = answer, patient
        self.send(topic, question, number)
        try:
            data = await asyncio.wait_for(answer, seconds)
        except TimeoutError:
            return None
        finally:
            self.asked.pop(number, None)
        return msgspec.msgpack.decode(data, type=kind) if data else None

    def answered(self, number: int, data: bytes) -> None:
        """It has answered the question with this number; with nothing: it is not going to."""
        answer, _ = self.asked.get(number, (None, False))
        if answer is not None and not answer.done():
            answer.set_result(data)

    def give_up(self) -> None:
        """It answers no more."""
        self.gone = True
        for number in self.asked:
            self.answered(number, b"")

    def answer_all(self) -> None:
        """What it was asked until now may have been lost, or the answer."""
        for number, (_, patient) in self.asked.items():
            if not patient:
                self.answered(number, b"")


@dataclass(slots=True, eq=False, kw_only=True)
class RemoteFeed(Feed):
    """What somebody is told who is connected to another node: it goes there at once."""

    remote: ClassVar = True
    peer: Peer
    player: str

    @override
    def offer_table(self, table: m.TableSnapshot, happenings: Sequence[m.Happening]) -> None:
        self.peer.show(self.player, table, tuple(happenings))

    @override
    def released(self, table: str, why: tuple[m.Happening, ...]) -> None:
        self.peer.send("back", n.Back(table, self.peer.epoch_of(table), self.player, why))

    @override
    def say(self, word: m.ServerMessage) -> None:
        self.peer.send("word", n.Word(self.player, word))


@dataclass(slots=True, eq=False)
class RemoteTable:
    """A table of another node (``lobby.open_tables.OpenTable``)."""

    peer: Peer
    code: str
    epoch: int
    answered: Callable[[str], None]
    picture: n.Picture | None = None
    """The last one, with all stages of its history."""

    @property
    def moving(self) -> bool:
        """Whether its node may be gone."""
        return self.peer.gone or self.peer.silent

    async def ask(self, given: steps.Request) -> m.Reply:
        """As for a table of this node."""
        question = n.ToTable(self.code, given)
        try:
            asking = self.peer.ask("ask", question, m.Reply, _TABLE_SECONDS, patient=False)
            return await asking or steps.MOVING
        finally:
            if isinstance(given, steps.Asked):
                self.answered(given.who.player.id)

    def post(self, given: steps.Note | steps.Announced) -> None:
        """What concerns the whole server is told by each node to its own tables."""
        if not isinstance(given, steps.Announced):
            self.peer.send("ask", n.ToTable(self.code, given))

    async def stop(self) -> None:
        """Nothing here has to end."""


def remote_table(lobby: Lobby, code: str) -> RemoteTable | None:
    """The table with this code, if another node has it."""
    table = lobby.tables.remote.get(code)
    return table if isinstance(table, RemoteTable) else None
