"""The open tables of a server: their names and limits; how one is opened, found, and recovered."""

import dataclasses
import random
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Container, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import count
from typing import Final, NamedTuple

import structlog
from msgspec.structs import replace

from engine.deal import BadDealCode, read_deal
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.messages import Refusal, Reply, Status
from server.coordinator.presence import Presence, TableIndex, members_of, need
from server.coordinator.table import steps
from server.coordinator.table.actor import TableActor
from server.coordinator.table.ports import TableEnvironment, reply_of
from server.coordinator.table.seats import check_players
from server.coordinator.table.start import check_options
from server.coordinator.table.state import EMPTY, Member, SharedDeal, Table
from server.coordinator.table.stored import Unreadable, from_stored
from server.networks import mark, salt_of
from server.settings.settings import TableLimits
from server.storage.table_store import TableLog, TableStore

Goal = m.JoinTable | m.WatchTable | Callable[[], Awaitable[m.Reply]] | None
"""To where somebody goes: to a table, to one that is opened by that, or to the lobby."""
_LEFT: Final = ("ok", m.Refusal.NOT_SEATED, m.Refusal.NO_SUCH_TABLE)
"""What a table answers where somebody is no more."""


class OpenTables:
    """``shared`` is what every table is handed; ``rng`` draws codes and titles.

    Methods with a ``presence`` expect its lock to be held.
    """

    def __init__(self, shared: TableEnvironment, places: TableIndex, rng: random.Random) -> None:
        self.shared: Final = shared
        self._places: Final = places
        self._rng: Final = rng
        self.actors: Final[dict[str, TableActor]] = {}
        """By their codes."""
        self.known: Final = places.tables
        """Each as it was published last, by its code."""
        self.salt = salt_of(())
        """Salt for the addresses from which tables were opened."""

    async def ask(
        self, table: str, presence: Presence, command: m.Command | steps.GoAway
    ) -> m.Reply:
        """Ask a table, which tells when it has ``answered``.

        Whoever leaves a game that is over does not leave the next one, which may be about to begin.
        """
        if isinstance(command, m.LeaveTable) and self._places.is_over(table):
            command = steps.GoAway()
        if isinstance(command, m.ChangeOptions):
            self._check_becomes_daily(table, command.options)
        if (reached := self.actors.get(table)) is None:
            return m.Reply(m.Refusal.NOT_SEATED)
        presence.asked += 1
        return await reached.ask(steps.Asked(member_of(presence), command))

    def seated(self, presence: Presence) -> bool:
        """Whether somebody has a live seat."""
        return bool(self._places.live(presence.player.id))

    def check_free(self, presence: Presence) -> None:
        """Whether somebody may go to another table: a seat at a game that is over binds nobody.

        Raises ``Refused``.
        """
        m.refuse_if(self._places.plays(presence.player.id), m.Refusal.SEATED_ELSEWHERE)

    def check_room(self, player: str) -> None:
        """Check whether this player may open another table. Raises ``Refused``."""
        most = self.shared.limits.correspondence_per_player
        full = self._places.corresponds(player) >= most
        m.refuse_if(full, m.Refusal.TOO_MANY_BY_CORRESPONDENCE, {"most": most})

    def _check_becomes_daily(self, code: str, options: m.TableOptions) -> None:
        """Where a table is to become one by correspondence, all who sit there need room for it.

        Raises ``Refused``.
        """
        table = self.known.get(code)
        if table is not None and not table.daily and options.pace is m.Pace.CORRESPONDENCE:
            for player in table.people:
                self.check_room(player)

    async def move(self, presence: Presence, goal: Goal) -> m.Reply:
        """Bring somebody from where he or she is to the ``goal``.

        Seats at games by correspondence stay; to come to one is to look at it. Refused with
        ``seated_elsewhere`` also when a seat that was waited for has come just now, or another game
        has begun at a table that was to be left. Whoever is refused keeps a seat at a game that is
        over, and the wish for another.
        """
        player, wished = presence.player.id, list[str]()
        seats, letters = self._places.live(player), self._places.letters(player)
        reply = await reply_of(self._go(presence, goal, wished))
        # Only now: a full table or a wrong word must not cost a seat.
        for seat in seats if reply.ok else ():
            left = await self.ask(seat, presence, steps.GoAway())
            if left.code not in _LEFT:
                if presence.goal not in letters:
                    await self.ask(presence.goal, presence, m.LeaveTable())
                reply = left
                break
        for table in wished if not reply.ok else ():
            await self.ask(table, presence, m.Rematch())
        return reply

    async def _go(self, presence: Presence, goal: Goal, wished: list[str]) -> m.Reply:
        """Reach the ``goal``, and keep all seats so far; note where a wish for another game was taken back.

        Raises ``Refused``.
        """
        m.refuse_if(presence.asked, m.Refusal.BUSY)
        player = presence.player.id
        code = goal.table if isinstance(goal, m.JoinTable | m.WatchTable) else ""
        # An invitation counts more than a seat at a game that is over.
        binds = code in self._places.live(player) or self._places.plays(player)
        m.refuse_if(binds, m.Refusal.SEATED_ELSEWHERE)
        known = goal is None or callable(goal) or self.actors.get(code)
        m.refuse_if(not known, m.Refusal.NO_SUCH_TABLE)
        letters, looked_at = self._places.letters(player), presence.table
        if isinstance(goal, m.JoinTable) and code not in letters and self.known[code].daily:
            self.check_room(player)
        for stray in self._places.besides(player, code):
            left = await self.ask(stray, presence, steps.GoAway(soon=True))
            wished += [stray] * ("rematch" in left.details)
            m.refuse_if(left.code not in _LEFT, left.code, left.details)
        if looked_at in letters and looked_at != code:
            self.look_away(presence, looked_at)
        presence.goal, reply = code, m.Reply()
        if isinstance(goal, m.JoinTable | m.WatchTable):
            reply = await self.ask(code, presence, goal)
        elif goal is not None:
            reply = await reply_of(goal())
        if looked_at in letters and not presence.table:
            self.shared.host.released(looked_at, player, None)
        return reply

    def look_away(self, presence: Presence, code: str) -> None:
        """Have a table where somebody plays by correspondence know that he or she looks at something else."""
        if table := self.actors.get(code):
            away = replace(member_of(presence), absent=self.shared.clock.time())
            table.post(steps.Came(away))

    def room_for(self, player: str, source: str) -> m.Reply:
        """Whether this player may open another table. One that is over goes when the last one there does."""
        stay = [
            table
            for table in self.known.values()
            if members_of(table) != (player,) or table.status is not m.Status.OVER
        ]
        return room_for(stay, player, source, self.shared.limits)

    async def make_room_for(self, player: str, source: str) -> None:
        """Have deserted tables go where there are too many. Raises ``Refused``."""
        close = steps.Close("deserted", deserted=True)
        while not (reply := self.room_for(player, source)).ok:
            gone = ""
            if reply.code == m.Refusal.TOO_MANY_FROM_THERE:
                gone = dispensable(self.known.values(), source)
            elif reply.code == m.Refusal.TOO_MANY_TABLES:
                gone = dispensable(self.known.values())
            table = self.actors.get(gone)
            if table is None or not (await table.ask(close)).ok:
                reply.raise_if_refused()

    async def unused_code(self) -> str:
        """One that no table has ever had: who remembers an old one comes to no stranger's table.

        Raises ``Refused``.
        """
        try:
            while await self.shared.store.is_given(code := new_code(self.known, self._rng)):
                pass
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None
        return code

    def new(
        self, code: str, options: m.TableOptions, deal: SharedDeal | None, player: str, source: str
    ) -> Table:
        """Make a table with free seats, that nobody knows of yet.

        ``player`` is the id of the person who wants it, if any, and ``source`` a mark of the address.
        Raises ``Refused`` when another table was given the same code at the same moment.
        """
        m.refuse_if(code in self.known, m.Refusal.BUSY)
        titles = {table.title for table in self.known.values()}
        return Table(
            id=code,
            title=new_title(titles, self._rng),
            options=options,
            created=self.shared.clock.time(),
            seats=(EMPTY,) * options.rules.players,
            opened_by=mark(player, ""),
            opened_from=source,
            shared=deal,
        )

    def set_up_new(self, table: Table, key: str = "") -> TableActor:
        """Have a table begin that the store does not know yet; its key may be chosen."""
        return self.set_up(TableLog(self.shared.store, key or secrets.token_hex(16)), table)

    def set_up(self, log: TableLog, table: Table) -> TableActor:
        """Have a table begin, whose log this is."""
        table = replace(table, key=log.key, closing=self.shared.closing)
        actor = TableActor(log, table, self.shared)
        self.actors[table.id] = actor
        self._places.put(table)
        return actor


def member_of(presence: Presence, now: float = 0.0) -> Member:
    """``now`` is since when somebody is absent who is not connected."""
    absent = 0.0 if presence.connected else now
    return Member(presence.player, presence.source, presence.rating, presence.level, absent)


_CONSONANTS: Final = "bdklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = 4
"""Syllables of a code, a consonant and a vowel each: easy to say in any language; 60 ** 4 codes are hard
to guess.
"""

TITLES: Final = (
    "Anchorage", "Atoll", "Bay", "Beacon", "Boathouse", "Breakwater", "Buoy", "Cape", "Causeway",
    "Channel", "Cove", "Creek", "Delta", "Dike", "Dock", "Estuary", "Ferry", "Fjord", "Harbour",
    "Headland", "Inlet", "Island", "Isthmus", "Jetty", "Lagoon", "Landing", "Lighthouse", "Lock",
    "Marina", "Marsh", "Meadow", "Mudflat", "Pier", "Pilot", "Polder", "Pontoon", "Port", "Quay",
    "Rapids", "Reef", "River", "Saltings", "Sandbank", "Shallows", "Shingle", "Shipyard", "Shoal",
    "Skerry", "Slipway", "Sluice", "Sound", "Spit", "Strait", "Strand", "Tidemill", "Wharf", "Weir",
)  # fmt: skip
"""Names of places by the water, for tables to be told apart."""


def new_code(taken: Container[str], rng: random.Random) -> str:
    """A code that is not in ``taken``. ``rng`` must be unpredictable (``random.SystemRandom``)."""
    while True:
        code = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(_SYLLABLES))
        if code not in taken:
            return code


def new_title(taken: Container[str], rng: random.Random) -> str:
    """A title that is not in ``taken``, numbered when all places are."""
    start = rng.randrange(len(TITLES))
    places = TITLES[start:] + TITLES[:start]
    titles = (f"{place} {n}" if n > 1 else place for n in count(1) for place in places)
    return next(title for title in titles if title not in taken)


LIMITS: Final = (*(limit.name for limit in fields(TableLimits)), "chat")
"""By their names in the settings; ``chat`` is how fast somebody may write."""
LIMIT_BY_CODE: Final = {refusal.value: refusal.limit for refusal in Refusal if refusal.limit}
"""Refusals that mean that a limit has bitten."""

_LEAST_SHARE: Final = 5
"""An address may always have this part of ``tables_per_address``, and more ..."""
_OF_WHAT_IS_LEFT: Final = 4
"""... as long as that is no more than this part of the places that are left: some twenty addresses that take
all they can get leave a sixth of them to others."""


def room_for(tables: Collection[Table], player: str, source: str, limits: TableLimits) -> Reply:
    """Whether the player with this id may open a table beside these; ``source`` is a mark.

    Both are empty for one that the server opens.
    """
    going = [table for table in tables if table.status is not Status.OVER]
    own = [table for table in going if table.opened_by == mark(player, "")]
    # How many of those where one plays by correspondence there may be is counted for itself.
    letters = sum(table.daily and player in table.people for table in own)
    apart = min(letters, limits.correspondence_per_player)
    if player and len(own) - apart >= limits.tables_per_player:
        return Reply(Refusal.TOO_MANY_OPENED)
    most = limits.tables_per_address
    left = (limits.tables - len(tables)) // _OF_WHAT_IS_LEFT
    share = min(most, max(most // _LEAST_SHARE, left, 1))
    if source and sum(table.opened_from == source for table in going) >= share:
        return Reply(Refusal.TOO_MANY_FROM_THERE)
    return Reply(Refusal.TOO_MANY_TABLES) if len(tables) >= limits.tables else Reply()


def dispensable(tables: Collection[Table], source: str = "") -> str:
    """The deserted table that goes first.

    One without a game before others, then one of guests, then one of the address that has most tables,
    then the one that has been deserted for longest; empty without any. With ``source``, a mark, only
    guests' tables that were opened from there.
    """
    opened = Counter(table.opened_from for table in tables)

    def rank(table: Table) -> tuple[bool, bool, bool, bool, int, float]:
        counts, has_account = bool(table.event), not table.guests_only
        return (
            counts,
            table.playing,
            has_account,
            table.daily,
            -opened[table.opened_from],
            table.deserted,
        )

    deserted = [
        table
        for table in tables
        if table.deserted
        and not (table.connected or table.spectators or table.stays)
        and (not source or (table.opened_from == source and table.guests_only))
    ]
    return min(deserted, key=rank).id if deserted else ""


_KEYS: Final = 16
"""Requests of one player that are remembered."""


async def open_table(tables: OpenTables, presence: Presence, command: m.OpeningCommand) -> m.Reply:
    """Take somebody to a new table, or with ``QuickJoin`` to an open one; the presence is locked.

    Whoever has not heard the answer may ask again with the same key: that opens no second table. Raises
    ``Refused``.
    """
    key = command.key
    if presence.opening[0]:
        # Whose connection was cut off meanwhile: it may not have been written yet.
        m.refuse_if(presence.asked, m.Refusal.BUSY)
        table = tables.known.get(presence.opening[1])
        _note_key(presence, table is not None and presence.player.id in table.people)
    if key in presence.opened:
        return m.Reply(details={"table": presence.opened[key]})
    carry_out = _quick_join if isinstance(command, m.QuickJoin) else _create
    reply = await carry_out(tables, presence, command)
    _note_key(presence, reply.ok)
    return m.Reply(details={"table": presence.opened[key]}) if key and reply.ok else reply


async def _create(tables: OpenTables, presence: Presence, command: m.OpeningCommand) -> m.Reply:
    m.refuse_if(tables.shared.closing, m.Refusal.CLOSING)
    tables.check_free(presence)
    player, source = presence.player, mark(presence.source, tables.salt)
    await tables.make_room_for(player.id, source)
    options, deal = _with_deal(command)
    check_options(options)
    if options.pace is m.Pace.CORRESPONDENCE:
        tables.check_room(presence.player.id)
    check_players(options, tables.shared.limits, player, bots=isinstance(command, m.QuickGame))
    fast = options.pace is m.Pace.FAST

    def check_quota() -> float:
        tables.room_for(player.id, source).raise_if_refused()
        now = tables.shared.clock.time()
        tables.shared.begun.check(player.id, presence.source, now, fast).raise_if_refused()
        return now

    async def opened() -> m.Reply:
        # Others may have opened tables meanwhile.
        now = check_quota()
        table = tables.new(code, options, deal, player.id, source)
        tables.shared.begun.count(player.id, presence.source, now, fast)
        tables.set_up_new(table)
        presence.opening, presence.goal = (command.key, code), code
        return await tables.ask(code, presence, command)

    code = await tables.unused_code()
    check_quota()
    return await tables.move(presence, opened)


async def _quick_join(tables: OpenTables, presence: Presence, command: m.OpeningCommand) -> m.Reply:
    tables.check_free(presence)
    player = presence.player
    # Who wants any game wants one now: none where a round may take a day.
    found = [
        table
        for table in tables.known.values()
        if not (table.private or table.daily)
        and (table.status is m.Status.OPEN and table.free_seat() >= 0)
        and not (table.shared is not None and not table.event)
        and not (table.options.rated and player.guest)
    ]
    wanted = command.options.kind
    # Those that need the fewest more people to begin come before others.
    for table in sorted(found, key=lambda it: (it.options.kind != wanted, it.names.count(""))):
        presence.opening = command.key, table.id
        reply = await tables.move(presence, m.JoinTable(table.id))
        # Somebody may have been faster, or the owner has removed this player: the next one, then.
        if reply.ok or reply.code in ("storage", "busy", "seated_elsewhere"):
            return reply
    return await _create(tables, presence, command)


def _note_key(presence: Presence, done: bool) -> None:
    """Remember to which table the request has led that was being carried out, if it is ``done``."""
    (key, code), presence.opening = presence.opening, ("", "")
    if not key or not done:
        return
    presence.opened[key] = code
    if len(presence.opened) > _KEYS:
        del presence.opened[next(iter(presence.opened))]


def _with_deal(command: m.OpeningCommand) -> tuple[m.TableOptions, SharedDeal | None]:
    """The options of a new table, and the deal that is wanted there. Raises ``Refused``."""
    if isinstance(command, m.QuickJoin) or not command.deal:
        return command.options, None
    try:
        found = read_deal(command.deal)
    except BadDealCode:
        raise m.Refused(m.Refusal.BAD_DEAL) from None
    rules = found.rules or command.options.rules
    return dataclasses.replace(command.options, rules=rules, rated=False), SharedDeal(found.seed)


_log = structlog.get_logger("lobby")


class Recovered(NamedTuple):
    """A table as it was."""

    table: Table
    log: TableLog
    as_stored: bool = True


async def _read(store: TableStore, only: str) -> list[Recovered]:
    """All that can be read, as they are; or only the one with this code. Raises ``StoreError``."""
    found = []
    for stored in await store.load():
        if only and stored.row.get("id") != only:
            continue
        try:
            log = TableLog(store, stored.key, stored.position)
            found.append(Recovered(from_stored(stored), log))
        except Unreadable as error:
            # It stays in the store, for somebody to look at.
            _log.error("table_unreadable", key=stored.key, reason=str(error))
    return found


async def tables_in(store: TableStore, only: str = "") -> list[Recovered]:
    """All that can be read and go on, nobody with two live seats, the oldest first.

    Or only the one with this code. Raises ``StoreError``.

    A table that was closed may not have been forgotten, and its people have gone to others since. So the
    store may have two seats for somebody.
    """
    found = await _read(store, only)
    kept = []
    for table in _one_seat_each(found):
        needed = table.as_stored or table.table.status is Status.PLAYING
        if needed or any(seat.human for seat in table.table.seats):
            kept.append(table)
            continue
        with suppress(StoreError):  # then it is tried again after the next start
            await table.log.drop()
    return kept


def _one_seat_each(found: Sequence[Recovered]) -> list[Recovered]:
    live = [table for table in found if not table.table.daily]
    at = {
        player.id: table.log.key
        for table in sorted(live, key=_need)
        for _, player in table.table.seated
    }
    return [table if table.table.daily else _without(table, at) for table in found]


def _need(found: Recovered) -> tuple[int, bool, float]:
    table = found.table
    return need(table.status, table.created, preferred=table.options.rated)


def _without(table: Recovered, at: dict[str, str]) -> Recovered:
    """The table without those who sit at another one, as ``at`` says."""
    state = table.table
    for number, player in state.seated:
        if at[player.id] != table.log.key:
            _log.warning("second_seat", table=state.id, seat=number)
            playing = state.status is Status.PLAYING
            left = state.seats[number].left_to_bot() if playing else EMPTY
            state = state.with_seat(number, left)
    if state is table.table:
        return table
    people = [number for number, _ in state.seated]
    owner = state.owner if state.owner in people else next(iter(people), -1)
    return table._replace(table=replace(state, owner=owner), as_stored=False)
