"""The chat of a server: permissions, limits, recipients, and the lines that are kept for newcomers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import ceil
from typing import Final

from msgspec import structs

from server.cleaning import TEXT_WIDTH, clean_text, is_cut
from server.coordinator import messages as m
from server.coordinator.contract import Broadcaster
from server.coordinator.people.names import is_called
from server.coordinator.presence import Presence, Spoken, members_of
from server.coordinator.table.state import Table
from server.networks import RateLimiter, take_all
from server.storage.people import MOST_BLOCKED
from server.timers import Clock, OneTimer

LINES: Final = 50
"""Most lines that are kept of a room ..."""
CHARACTERS: Final = 8000
"""... and no more than this in all: a thousand tables of long lines must stay small."""

_TOGETHER: Final = 0.05
"""Seconds in which what is said is told together ..."""
_EACH: Final = 0.0005
"""... and more for everybody who has to be told."""


def keep_line(
    kept: list[Spoken], spoken: Spoken, lines: int = LINES, characters: int = CHARACTERS
) -> None:
    """Keep this one, too, and let the oldest go where there are too many."""
    kept.append(spoken)
    while len(kept) > lines or sum(len(each.line.text) for each in kept) > characters:
        del kept[0]


@dataclass(slots=True, eq=False)
class ChatRoom:
    """What is said in it is told together and in turns."""

    _clock: Clock
    _listeners: Callable[[], Iterable[Presence]]
    """Returns the people in the room."""
    _tell: Callable[[Presence, Sequence[Spoken]], None]
    """Tells one."""
    _history: list[Spoken] = field(default_factory=list)
    _untold: list[Spoken] = field(default_factory=list)
    _many: int = 0
    held: list[Spoken] = field(default_factory=list)
    """What spectators have not heard yet."""
    among: set[str] | None = None
    """People who have been at the table since it became private; ``None`` for a public one."""
    _broadcaster: Broadcaster = field(init=False)

    def __post_init__(self) -> None:
        self._broadcaster = Broadcaster(
            OneTimer(self._clock), "chat", lambda: _TOGETHER + _EACH * self._many, self._tell_all
        )

    def say(self, spoken: Spoken) -> None:
        """Let everybody in the room hear it, soon, but spectators what is held back for them."""
        if spoken.until_after is not None:
            self.held = [*self.held, spoken][-LINES:]
        keep_line(self._history, spoken)
        self._untold.append(spoken)
        self._broadcaster.changed()

    def told(self) -> list[Spoken]:
        """What the room has heard so far, the oldest first; what it is about to hear comes by itself."""
        untold = {each.line.number for each in self._untold}
        return [each for each in self._history if each.line.number not in untold]

    def close(self) -> None:
        """Nobody is told anything any more."""
        self._untold.clear()
        self._broadcaster.close()

    def _tell_all(self) -> Iterator[None]:
        untold, self._untold = self._untold, []
        self._many = 0
        for presence in list(self._listeners()):
            self._many += 1
            self._tell(presence, untold)
            yield


_DIRECT_LINES: Final = 20
_DIRECT_CHARACTERS: Final = 4000

LINES_AT_ONCE: Final = 6
"""Burst size: lines that a person may send at once (two pastes of three lines) ..."""
SECONDS_A_LINE: Final = 2.0
"""... and then one in so many seconds."""
LINES_FROM_ONE_PLACE: Final = 40
"""Burst size of one address, or IPv6 network, for all people behind it ..."""
SECONDS_A_LINE_FROM_THERE: Final = 0.25
"""... and then one in so many seconds: who comes back as another guest is not somebody else, and a LAN party
behind one address can still talk."""

_LOBBY: Final = "lobby"
_NAME_WIDTH: Final = 40
_PHRASES: Final = frozenset(m.Phrase)


class Chat:
    """The chat of a server, with its rooms and its limits.

    ``people`` is everybody who is connected or has a seat, by id, and ``tables`` are those that are open,
    by code, as they are now. Texts are cleaned here, whatever frontend they come from.
    """

    def __init__(
        self,
        clock: Clock,
        people: Mapping[str, Presence],
        tables: Mapping[str, Table],
    ) -> None:
        self._clock: Final = clock
        self._people: Final = people
        self._at: Final = tables
        self._numbers: Final = count(1)
        """Numbers of chat lines."""
        self._per_person: Final = RateLimiter(LINES_AT_ONCE, SECONDS_A_LINE)
        self._per_address: Final = RateLimiter(LINES_FROM_ONE_PLACE, SECONDS_A_LINE_FROM_THERE)
        self._silenced: Final[dict[str, float]] = {}
        self._lobby: Final = ChatRoom(
            clock, lambda: filter(self._hears_the_lobby, people.values()), self._tell
        )
        self._rooms: Final = {_LOBBY: self._lobby}
        """Also of tables at which something has been said, by their keys."""

    # ------------------------------------------------------------ for visitors

    def carry_out(self, presence: Presence, command: m.ChatCommand) -> m.Reply:
        """Do it. Raises ``Refused``."""
        if isinstance(command, m.Say):
            return self._say(presence, command)
        shut = presence.muted if isinstance(command, m.Mute) else presence.blocked
        return self._shut_out(presence, command.name, command.on, shut)

    def arrive(self, presence: Presence) -> None:
        """Give who has come to another room, or over another connection, what was said there."""
        table = self._at.get(presence.table)
        key = table.key if table is not None else _LOBBY
        if not presence.connected or presence.room == key:
            return
        spoken = list(presence.direct) if not presence.room else []
        presence.room = key
        if room := self._rooms.get(key):
            if table is not None:
                self._among(table, room)
            spoken += room.told()
        spoken.sort(key=lambda each: each.line.number)
        self._tell(presence, spoken, old=True)

    # ------------------------------------------------------------ for the lobby and for operators

    def connected_as(self, name: str) -> m.Player | None:
        """Return the connected person with that name."""
        called = self._called(name)
        return called.player if called is not None and called.connected else None

    def closed(self, table: Table) -> None:
        """The table is no more, nor is what was said at it."""
        if room := self._rooms.pop(table.key, None):
            room.close()

    def caught_up(self, table: Table) -> None:
        """Spectators have been shown the round that is over: now they hear what was said during it."""
        room = self._rooms.get(table.key)
        if room is None or not room.held:
            return
        held, now = room.held, table.unseen_round
        room.held = [spoken for spoken in held if spoken.until_after == now]
        # What nobody has heard yet is told to everybody together.
        heard = room.told()
        told = [each for each in held if each not in room.held and each in heard]
        for presence in self._present(table.spectators):
            self._tell(presence, told)

    def rated(self, table: Table) -> None:
        """A rated game is over: who played it hears what was said around it."""
        if room := self._rooms.get(table.key):
            apart = [spoken for spoken in room.told() if spoken.apart]
            for presence in self._present(table.people):
                if presence.room == table.key:
                    self._tell(presence, apart, old=True)

    def silence_only(self, silenced: Mapping[str, float]) -> None:
        """Until when each of these, here or not, can say nothing; all others can. Forgotten at a restart."""
        self._silenced.clear()
        self._silenced.update(silenced)

    def silenced_until(self, person: str) -> float:
        """Until when this person can say nothing; 0 for who can."""
        until = self._silenced.get(person, 0.0)
        return until if until > self._clock.time() else 0.0

    def close(self) -> None:
        """The server closes."""
        for room in self._rooms.values():
            room.close()

    # ------------------------------------------------------------ saying

    def _say(self, presence: Presence, said: m.Say) -> m.Reply:
        now, person = self._clock.time(), presence.player.id
        silenced = self.silenced_until(person)
        m.refuse_if(silenced, m.Refusal.SILENCED, {"seconds": ceil(silenced - now)})
        m.refuse_if(said.phrase and said.phrase not in _PHRASES, m.Refusal.NO_SUCH_PHRASE)
        text = "" if said.phrase else clean_text(said.text)
        m.refuse_if(not text and not said.phrase, m.Refusal.NOTHING_SAID)
        line = m.ChatLine(0, said.room, presence.player.name, text, now, str(said.phrase))
        done = m.Reply(details={"cut": TEXT_WIDTH} if is_cut(said.text) and text else {})
        if said.room is m.Room.DIRECT:
            self._say_direct(presence, line, clean_text(said.to, _NAME_WIDTH))
            return done
        table = self._at.get(presence.table)
        m.refuse_if(said.room is m.Room.TABLE and table is None, m.Refusal.NO_TABLE)
        line = self._counted(presence, line)
        if said.room is m.Room.TABLE and table is not None:
            self._say_at(table, person, structs.replace(line, place=table.id))
            return done
        spoken = Spoken(line, person)
        self._lobby.say(spoken)
        if not self._hears_the_lobby(presence):
            self._tell(presence, [spoken])
        return done

    def _say_at(self, table: Table, person: str, line: m.ChatLine) -> None:
        watching = person not in table.people
        line = structs.replace(line, watching=watching)
        room = self._room_of(table)
        held = None if watching else table.unseen_round
        apart = watching and table.options.rated and table.playing
        spoken = Spoken(line, person, apart, held, self._among(table, room))
        room.say(spoken)

    def _room_of(self, table: Table) -> ChatRoom:
        room = self._rooms.get(table.key)
        if room is None:
            room = ChatRoom(self._clock, lambda: self._arrived(table.id), self._tell)
            self._rooms[table.key] = room
        return room

    def _among(self, table: Table, room: ChatRoom) -> set[str] | None:
        """Return the recipients of what is said at this table now: ``None`` for everybody who ever comes.

        Newcomers at a private table receive what was said since it is private.
        """
        if not table.private:
            room.among = None
            return None
        if room.among is None:
            room.among = set()
        # The very same set: who comes later is told what was said before.
        room.among.update(members_of(table))
        return room.among

    def _say_direct(self, presence: Presence, line: m.ChatLine, name: str) -> None:
        person, to = presence.player.id, self.connected_as(name)
        if to is None:
            raise m.Refused(m.Refusal.NOBODY_CALLED, {"name": name})
        other = self._people[to.id]
        m.refuse_if(to.id == person, m.Refusal.OWN_NAME)
        m.refuse_if(presence.shuts_out(to.id), m.Refusal.OWN_BLOCK, {"name": to.name})
        self._check_listens(other, person)
        line = self._counted(presence, structs.replace(line, to=to.name))
        spoken = Spoken(line, person)
        self._tell_direct(other, spoken)
        self._tell_direct(presence, spoken)

    def _check_listens(self, other: Presence, person: str) -> None:
        """Raises ``Refused``."""
        called = {"name": other.player.name}
        # First, so that nobody learns who plays from those who have blocked them; which of the two it is, and
        # that it is about this person, is nobody else's affair.
        m.refuse_if(other.shuts_out(person), m.Refusal.NOT_LISTENING, called)
        m.refuse_if(self.plays_rated(other), m.Refusal.RATED_ROUND, called)

    def _tell_direct(self, one: Presence, spoken: Spoken) -> None:
        keep_line(one.direct, spoken, _DIRECT_LINES, _DIRECT_CHARACTERS)
        self._tell(one, [spoken])

    def _counted(self, presence: Presence, line: m.ChatLine) -> m.ChatLine:
        """The line with its number. Raises ``Refused`` when it has to wait."""
        counted = (self._per_person, presence.player.id), (self._per_address, presence.source)
        if wait := take_all(counted, self._clock.time()):
            raise m.Refused(m.Refusal.CHAT_WAIT, {"seconds": ceil(wait)})
        return structs.replace(line, number=next(self._numbers))

    # ------------------------------------------------------------ hearing

    def _arrived(self, id_: str) -> Iterator[Presence]:
        """Yield the people at that table.

        Those whose arrival is still being written receive the history afterwards.
        """
        table = self._at.get(id_)
        if table is not None:
            for presence in self._present(members_of(table)):
                if presence.room == table.key:
                    yield presence

    def _present(self, players: Iterable[str]) -> Iterator[Presence]:
        return (self._people[player] for player in players if player in self._people)

    def _tell(self, presence: Presence, spoken: Iterable[Spoken], *, old: bool = False) -> None:
        """Tell somebody who is connected what of this he or she is to hear; ``old``: it was said before."""
        if presence.connected:
            heard = [each.line for each in spoken if self._hears(presence, each)]
            presence.feed.offer_chat([structs.replace(line, old=old) for line in heard])

    def _hears(self, presence: Presence, spoken: Spoken) -> bool:
        """Whether somebody who is in the room is to hear it."""
        # That of the line: whoever has just left it is somewhere else by now.
        player, table = presence.player.id, self._at.get(spoken.line.place)
        if presence.shuts_out(spoken.sender):
            return False
        if spoken.among is not None and player not in spoken.among:
            return False
        if spoken.until_after is not None and table is not None and player not in table.people:
            # Whoever only watches, while that round is still going on.
            return table.unseen_round != spoken.until_after
        return not (spoken.apart and self.plays_rated(presence))

    def _hears_the_lobby(self, presence: Presence) -> bool:
        """Lobby chat also reaches tables that are not playing."""
        table = self._at.get(presence.table)
        return table is None or not table.playing

    def plays_rated(self, presence: Presence) -> bool:
        """Whether this person has a seat at a rated game that is going on."""
        table = self._at.get(presence.table)
        if table is None or not table.options.rated:
            return False
        return table.playing and presence.player.id in table.people

    # ------------------------------------------------------------ shutting people out

    def _shut_out(self, presence: Presence, wanted: str, on: bool, shut: dict[str, str]) -> m.Reply:
        name = clean_text(wanted, _NAME_WIDTH)
        if not on:
            return self._let_in(name, shut)
        person, name = self._known(name, presence)
        m.refuse_if(not person, m.Refusal.NOBODY_CALLED, {"name": name})
        m.refuse_if(person == presence.player.id, m.Refusal.OWN_NAME)
        m.refuse_if(person not in shut and len(shut) >= MOST_BLOCKED, m.Refusal.TOO_MANY_BLOCKED)
        shut[person] = name
        return m.Reply("ok", {"person": person, "name": name})

    def _let_in(self, name: str, shut: dict[str, str]) -> m.Reply:
        for person, then in list(shut.items()):
            known = self._people.get(person)
            if is_called(then, name) or (known is not None and is_called(known.player.name, name)):
                del shut[person]
                return m.Reply("ok", {"person": person, "name": name})
        raise m.Refused(m.Refusal.NOBODY_CALLED, {"name": name})

    def _called(self, name: str) -> Presence | None:
        """Return the person, connected or with a seat, who is shown like that to somebody: one at most."""
        alike = [it for it in self._people.values() if is_called(it.player.name, name)]
        return max(alike, key=lambda it: it.connected, default=None)

    def _known(self, name: str, presence: Presence) -> tuple[str, str]:
        """Id and name of who is called that: is here, or has said something that can still be read."""
        if (called := self._called(name)) is not None:
            return called.player.id, called.player.name
        read = [*presence.direct, *self._lobby.told()]
        table = self._at.get(presence.table)
        if table is not None and table.key in self._rooms:
            read += self._rooms[table.key].told()
        for spoken in reversed(read):
            if is_called(spoken.line.sender, name) and self._hears(presence, spoken):
                return spoken.sender, spoken.line.sender
        return "", name
