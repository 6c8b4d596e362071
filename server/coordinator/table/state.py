"""Everything there is to know about a table, as immutable data: what ``decide`` is a function of."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from engine.bots import BOTS, SUBSTITUTE_STRATEGY
from engine.bots.manners import MANNER_OF
from engine.deal import GameDeal
from engine.rules import legal_actions
from engine.state import GameState
from server.coordinator import messages as m
from server.coordinator.people.names import is_called
from server.coordinator.table.play import Bids


class Seat(Struct, frozen=True):
    """One seat; the default is an empty one."""

    occupant: m.Occupant = m.Occupant.NOBODY
    name: str = ""
    player: m.Player | None = None
    """The player here, or the one who left this game to a bot: whose result it is."""
    strategy: str = ""
    """A bot's."""
    alike: bool = False
    """The strategy is chosen when a game begins: one as strong as the people here."""
    away: bool = False
    missed: int = 0
    """Rounds in a row that a bot had to bid because time was up."""
    rematch: bool = False
    left: bool = False
    kept: str = ""
    """An empty seat, or in an event a bot's: the name of whom it is kept for."""
    since: int = 0
    """The stage (from 0) from which this person plays; before it a bot did."""
    stepped_out: bool = False
    """This person has gone to the lobby, and the game waits (``SharedDeal.waits``)."""
    hints: tuple[tuple[int, int], ...] = ()
    """The stages and rounds (from 0) of this game in which a hint was asked for."""
    bot_bids: tuple[tuple[int, int], ...] = ()
    """Rounds in which a bot has bid for this person, and no other bid has come since."""

    @property
    def human(self) -> bool:
        """Whether a person sits here, connected or not."""
        return self.occupant is m.Occupant.HUMAN

    @property
    def empty(self) -> bool:
        """Whether nobody sits here; it may be kept for somebody."""
        return self.occupant is m.Occupant.NOBODY

    def is_kept_from(self, name: str) -> bool:
        """True if the seat is kept for somebody who is called otherwise."""
        return bool(self.kept) and not is_called(name, self.kept)

    def left_to_bot(self) -> "Seat":
        """Return the seat left to a bot, which plays on for good; the result stays the player's."""
        bot, strategy = m.Occupant.BOT, SUBSTITUTE_STRATEGY
        return replace(self, occupant=bot, strategy=strategy, away=False, missed=0, left=True)

    @property
    def plays(self) -> str:
        """The strategy that bids for this seat when a bot has to."""
        return self.strategy or SUBSTITUTE_STRATEGY


EMPTY = Seat()


def human(player: m.Player) -> Seat:
    """A seat with a person on it."""
    return Seat(m.Occupant.HUMAN, player.name, player)


class Member(Struct, frozen=True):
    """Somebody who sits or watches here."""

    player: m.Player
    """As whom they last came: a seat takes over another name with the next write."""
    source: str = ""
    """Where they come from; empty when that does not count."""
    rating: int | None = None
    """As people are told it; ``None`` for guests, and before it is known."""
    level: int = 0
    """Level of the bots that are as strong as this person (``engine.bots.LADDER``); 0 while unknown."""
    absent: float = 0.0
    """Since when their connection is down; 0 while it is not."""
    overdue: bool = False
    """Absent for so long that the others may vote about them, or without them."""


class Ballot(NamedTuple):
    """One seat's agreement to a motion; ``target`` is -1 where it is about nobody."""

    motion: m.Motion
    target: int
    seat: int


class RoundEpoch(NamedTuple):
    """Which round, and which run of its clock: a timer for another one is stale."""

    game: int
    stage: int
    round: int
    pauses: int


class Thought(NamedTuple):
    """The card that a thinking bot bids in one round, once it is time for that."""

    game: int
    stage: int
    round: int
    seat: int
    card: int = 0
    """0 when it cannot choose, and another bot has to."""


class SharedDeal(Struct, frozen=True):
    """A deal that is, or was, played at other tables as well: the game has its seed, and no new one."""

    seed: bytes
    """32 bytes."""
    event: str = ""
    """The event for which it is played (``server.storage.events``). Such a table has no owner, fixed options,
    neither hints nor spectators nor another game, and until the event is closed its record, seed and deal are
    shown to nobody. Empty: somebody plays the deal of a finished game again, and that counts for nothing.
    """
    starts: float = 0.0
    """An event's game begins as soon as everybody who has a seat is there; at this time, in seconds since
    1970, whoever is there. 0: not before all are."""
    waits: bool = False
    """An event's game stands still while nobody is there, and who leaves can come back to it. Otherwise its
    clock runs, and bots bid for people who do not."""

    def __repr__(self) -> str:
        """Without the seed."""
        return f"SharedDeal({self.event!r})"


class Table(Struct, frozen=True, dict=True):
    """A table. Mappings in it are never changed, only replaced."""

    id: str
    """The speakable code."""
    title: str
    options: m.TableOptions
    created: float
    seats: tuple[Seat, ...]
    owner: int = -1
    status: m.Status = m.Status.OPEN
    number: int = 0
    """Number of games started here."""
    seed: bytes = b""
    bots_seed: bytes = b""
    """What bots draw from where somebody may know ``seed`` (``shared`` without an event): of this game alone.
    Empty: they draw from ``seed``."""
    pause: m.Pause = m.Pause.NONE
    ended: m.Ended = m.Ended.NO
    played_by: tuple[str, ...] = ()
    """Players of the game that is over, a name a seat, whoever sits there now; empty while none is over."""
    wins: tuple[tuple[str, int], ...] = ()
    """Names of those who have won games at this table, and how many, the most first."""
    word: str = ""
    """What is kept of a private table's invitation code (see ``attendance``); empty for a public table."""
    opened_by: str = ""
    """A mark of who opened it (``networks.mark``), enough to count by, and of no use once the person is
    forgotten.
    """
    opened_from: str = ""
    """From where it was opened (see ``networks.mark``); empty when that does not count."""
    shared: SharedDeal | None = None
    """The deal that is played here; ``None`` where each game has one of its own."""
    ballots: frozenset[Ballot] = frozenset()
    deserted: float = 0.0
    """Since when nobody who plays here has been connected; 0 while somebody is."""
    remaining: float = 0.0
    """What was left of the deadline when the game was paused."""

    # All above is kept in the store (``KEPT``), the last two when something else has changed as well. Of the
    # game in progress the store keeps what was done in it.
    deal: GameDeal | None = None
    commitment: str = ""
    """To ``seed`` and the rules."""
    game: GameState | None = None
    bids: Bids = ()
    """The sealed bids of the round that is open."""

    # From here on: not kept in the store.
    people: Mapping[str, Member] = {}
    """People with a seat, by player id."""
    spectators: Mapping[str, Member] = {}
    claims: Mapping[str, int] = {}
    """Which spectators wait for a bot's seat, and for which."""
    removed: Mapping[str, float] = {}
    """People whom the owner has removed, and until when they cannot sit here."""
    sources: Mapping[str, str] = {}
    """Where those came from who have played in this game, also if they have left since."""
    guesses: Mapping[int, int] = {}
    """By seat, who is out: whom they guess to take the high tide in this round."""
    guessed: Mapping[int, tuple[int, int]] = {}
    """By seat: how often they have guessed right in this game, and how often they have guessed."""
    skips: frozenset[int] = frozenset()
    """Seats of those who are out of this stage and want its end without pauses."""
    pauses: int = 0
    """How often the clock was stopped or started anew."""
    opened: float = 0.0
    """When the tides of this round were turned up."""
    read_until: float = 0.0
    """Until then people read the last reveal, and no bot bids."""
    deadline: float = 0.0
    bot_due: tuple[float, ...] = ()
    """When a bot bids for each seat; 0 where none does."""
    thoughts: tuple[Thought, ...] = ()
    """What bots have thought of for this round, or for an earlier one."""
    told_word: str = ""
    """The invitation word itself, for the owner alone."""
    asked_again: float = 0.0
    """When the last who wants another game asked for it, by correspondence the first; 0 before, and after a
    restart."""
    closing: float = 0.0
    """When the server goes down; 0 while it stays."""
    restarted: float = 0.0
    """When this table was read from the store; 0 for one that was opened since the server's start."""
    key: str = ""
    """Unique for all time; the speakable code is not."""

    def __repr__(self) -> str:
        """Nothing secret, wherever it lands."""
        return f"Table({self.id!r}, {self.status.value!r})"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the occupants, one a seat."""
        return tuple([seat.name for seat in self.seats])

    @property
    def is_new(self) -> bool:
        """Whether nobody has sat down here yet: it has just been opened."""
        return not self.number and all(seat.empty for seat in self.seats)

    @property
    def playing(self) -> bool:
        """Whether a game goes on here, paused or not."""
        return self.status is m.Status.PLAYING

    @property
    def private(self) -> bool:
        """Whether this is not in the lobby's list, and takes the invitation word."""
        return bool(self.word)

    @property
    def unseen_round(self) -> tuple[int, int, int] | None:
        """The round (of which game and stage) that spectators see only when it is over.

        ``None`` when they see everything at once.
        """
        delayed = self.options.spectators is m.Spectating.DELAYED
        return self.epoch[:3] if delayed and self.playing else None

    @property
    def running(self) -> bool:
        """Whether bids are waited for and the clock may run."""
        return self.status is m.Status.PLAYING and not self.pause

    @property
    def daily(self) -> bool:
        """Whether people look in once a day, and nobody waits for them connected."""
        return self.options.pace is m.Pace.CORRESPONDENCE

    @property
    def fast(self) -> bool:
        """Whether only programs and bots play, and want no time to read."""
        is_fast = self.options.pace is m.Pace.FAST
        return is_fast and all(player.program for _, player in self.seated)

    @property
    def event(self) -> str:
        """The event that is played here; empty for none."""
        return self.shared.event if self.shared else ""

    @property
    def stays(self) -> bool:
        """Whether this is an event's game that begins at its time, whoever is here.

        It goes on until whoever holds the event closes it.
        """
        shared, over = self.shared, self.status is m.Status.OVER
        return shared is not None and bool(shared.event) and not shared.waits and not over

    @property
    def counts(self) -> bool:
        """Whether the result counts beyond the table.

        There the same situation always gives the same bid of a bot: it is waited for, however long
        it thinks.
        """
        return self.options.rated or bool(self.event)

    @cached_property
    def epoch(self) -> RoundEpoch:
        """Which round this is, for timers to name."""
        if self.game is None:
            return RoundEpoch(self.number, 0, 0, self.pauses)
        stage = self.game.stage
        return RoundEpoch(self.number, stage.number, len(stage.rounds), self.pauses)

    @property
    def guests_only(self) -> bool:
        """Whether nobody who has an account sits here."""
        return all(seat.player.guest for seat in self.seats if seat.human and seat.player)

    @property
    def has_account(self) -> bool:
        """Whether somebody with an account plays here, or has left a seat to a bot."""
        return any(seat.player and not seat.player.guest for seat in self.seats)

    @property
    def has_people(self) -> bool:
        """Whether a person sits here, connected or not."""
        return any(seat.human for seat in self.seats)

    @property
    def left_to_bots(self) -> bool:
        """Whether no person plays or watches here any more."""
        return not self.spectators and not self.has_people

    @property
    def plays_alone(self) -> bool:
        """Whether bots have a round to bid and nobody waits for them."""
        return self.running and self.left_to_bots

    def owes_bid(self, seat: int) -> bool:
        """Whether the round waits for this seat."""
        if self.game is None or self.status is not m.Status.PLAYING:
            return False
        return self.bids[seat] is None and bool(legal_actions(self.game, seat))

    def waits_for(self, player: str) -> bool:
        """Whether it is this player's turn: to bid, or to start as the owner when everybody is here."""
        seat = self.seat_of(player)
        if self.status is m.Status.OPEN:
            return seat == self.owner >= 0 and not self.has_empty_seat
        return self.running and seat >= 0 and self.owes_bid(seat)

    def thought(self, seat: int) -> int | None:
        """The card that a thinking bot has chosen for this round, 0 if it cannot; ``None`` if it has not."""
        here = (*self.epoch[:3], seat)
        for each in self.thoughts:
            if each[:4] == here:
                return each.card
        return None

    def manner(self, seat: int) -> str:
        """The manner of the bot that sits there; none where the bots are to be the same at all tables."""
        here = self.seats[seat]
        heeds = here.occupant is m.Occupant.BOT and BOTS[here.plays].heeds_manners
        return MANNER_OF.get(here.name, "") if heeds and not self.shared else ""

    def is_bots(self, number: int) -> bool:
        """Whether one could play on for a bot there: in the next game also on a seat that has been left."""
        seat, over = self.seats[number], self.status is m.Status.OVER
        return (over and seat.empty) or (
            seat.occupant is m.Occupant.BOT and (over or not seat.left)
        )

    def with_deadline(self, now: float, allowance: float, seconds: float | None = None) -> "Table":
        """Begin the round now.

        Its clock starts after ``allowance`` seconds, which are for reading, and runs for so many
        ``seconds``: as long as usual at this table unless it says otherwise.
        """
        read_until = now + allowance
        timed = self.options.pace is not m.Pace.UNTIMED
        left = self.options.seconds if seconds is None else seconds
        deadline = read_until + left if timed else 0.0
        return replace(self, opened=now, read_until=read_until, deadline=deadline)

    def thinks(self, seat: int) -> bool:
        """Whether the round waits for a bot that has not chosen yet."""
        thinker = BOTS[self.seats[seat].plays].thinks
        return thinker and self.owes_bid(seat) and self.thought(seat) is None

    @cached_property
    def seated(self) -> list[tuple[int, m.Player]]:
        """The people who sit here, with their seats."""
        return [
            (n, seat.player)
            for n, seat in enumerate(self.seats)
            if seat.human and seat.player and not seat.stepped_out
        ]

    def stepped_out(self, player: str) -> int:
        """The seat to which this player can come back; -1 when there is none."""
        each = enumerate(self.seats)
        return next(
            (n for n, s in each if s.stepped_out and s.player and s.player.id == player), -1
        )

    @cached_property
    def members(self) -> dict[int, Member]:
        """The people who sit here, by their seats."""
        return {n: who for n, player in self.seated if (who := self.people.get(player.id))}

    def absent_since(self, number: int) -> float:
        """Since when the connection of the player on this seat is down; 0 while it is not."""
        member = self.members.get(number)
        return member.absent if member else 0.0

    @cached_property
    def connected(self) -> frozenset[int]:
        """Seats of people who are connected."""
        return frozenset([number for number, member in self.members.items() if not member.absent])

    @property
    def awaited(self) -> frozenset[int]:
        """Seats of people without whom the game is not broken off: who are connected, or may well be back.

        In a game of a round a day nobody is connected all the time: there, whoever has not missed
        rounds.
        """
        return self.connected | {
            number
            for number, member in self.members.items()
            if not (self.seats[number].away if self.daily else member.overdue)
        }

    def is_replaceable(self, number: int) -> bool:
        """Whether the others may vote for a bot to bid for the player on this seat."""
        member = self.members.get(number)
        if member is None or not member.overdue or self.seats[number].away:
            return False
        return self.status is m.Status.PLAYING and self.options.pace is m.Pace.UNTIMED

    def seat_of(self, player: str) -> int:
        """The seat of the player with this id; -1 when there is none."""
        for number, one in self.seated:
            if one.id == player:
                return number
        return -1

    def existing(self, number: int) -> Seat:
        """Seat ``number``. Raises ``Refused`` where there is none."""
        m.refuse_if(number not in range(len(self.seats)), m.Refusal.NO_SUCH_SEAT)
        return self.seats[number]

    def with_seat(self, number: int, seat: Seat) -> "Table":
        """Return the table with another seat ``number``."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def with_member(self, member: Member, *, seated: bool) -> "Table":
        """Return the table with this person sitting or watching, also one who did the other, or is known."""
        id_ = member.player.id
        if not seated:
            return replace(self, spectators={**self.spectators, id_: member})
        return replace(self.without(id_), people={**self.people, id_: member})

    def with_changed(self, player: str, **changes: Any) -> "Table":
        """Return the table with changes to this person, if he or she sits or watches here."""
        member = self.people.get(player) or self.spectators.get(player)
        changed = replace(member, **changes) if member else None
        if changed is None or changed == member:
            return self
        return self.with_member(changed, seated=player in self.people)

    def without(self, player: str) -> "Table":
        """Return the table without this person, who neither sits nor watches here any more."""
        return replace(
            self,
            people=_without(self.people, player),
            spectators=_without(self.spectators, player),
            claims=_without(self.claims, player),
        )

    def over(self, ended: m.Ended = m.Ended.NO) -> "Table":
        """Return the table with its game over."""
        wins = Counter(dict(self.wins))
        wins.update(self.names[seat] for seat in (self.game.winners if self.game else ()))
        return replace(
            self,
            status=m.Status.OVER,
            ended=ended,
            played_by=self.names,
            wins=tuple(wins.most_common()),
            pause=m.Pause.NONE,
            deadline=0.0,
            ballots=frozenset(),
        )

    @property
    def votes(self) -> tuple[m.VoteInfo, ...]:
        """The votes in progress, in a fixed order. To replace somebody takes a majority, else all agree."""
        if not self.ballots:
            return ()
        connected, awaited = self.connected, self.awaited
        found = []
        for motion, target in sorted({ballot[:2] for ballot in self.ballots}):
            # In a game of a round a day, those who are not looking have a say as well.
            waits = self.daily or motion is m.Motion.END
            voters = (awaited if waits else connected) - {target}
            cast = {b.seat for b in self.ballots if b[:2] == (motion, target)}
            needed = len(voters) // 2 + 1 if motion is m.Motion.REPLACE else len(voters)
            if agreed := tuple(sorted(cast & voters)):
                found.append(m.VoteInfo(motion, target, agreed, needed))
        return tuple(found)

    @property
    def carried(self) -> m.VoteInfo | None:
        """The first motion that enough players agree to."""
        if not self.ballots or not self.playing:
            return None
        return next((it for it in self.votes if len(it.agreed) >= max(1, it.needed)), None)

    @property
    def skip(self) -> m.SkipInfo | None:
        """How far those who are out agree to have no more pauses in this stage.

        Everybody who is there, but for programs. ``None`` while a person is in the stage, or may
        come back to a seat that is.
        """
        if self.game is None or not self.running or None not in self.game.stage.levels:
            return None
        if not self.has_people:
            return None
        out = self.game.stage.eliminated
        if any(
            seat.human or (self.event and seat.left)
            for seat, gone in zip(self.seats, out, strict=True)
            if not gone
        ):
            return None
        here = [number for number in self.connected if not self.seats[number].away]
        asked = [n for n in here if not (who := self.seats[n].player) or not who.program]
        agreed = tuple(sorted(self.skips.intersection(here)))
        return m.SkipInfo(agreed, max(1, len({*asked, *agreed})))

    @property
    def skipping(self) -> bool:
        """Whether bots bid at once, and nobody is given time to read."""
        return bool(self.skips) and (skip := self.skip) is not None and skip.agreed_on

    @property
    def rematch_with(self) -> frozenset[int]:
        """Seats of those who play on if another game begins now.

        In a game of a round a day also whoever has asked for it and hung up.
        """
        asked = [number for number in self.members if self.seats[number].rematch]
        return frozenset(asked if self.daily else self.connected.intersection(asked))

    @property
    def wants_rematch(self) -> bool:
        """Whether all who are connected want another game; by correspondence, nobody has to be connected."""
        return bool(self.rematch_with) and self.connected <= self.rematch_with

    @property
    def absent(self) -> tuple[str, ...]:
        """The names of people who have a seat here and are not there."""
        return tuple(
            seat.name
            for number, seat in enumerate(self.seats)
            if seat.kept or (seat.human and number not in self.connected)
        )

    @property
    def half_want_rematch(self) -> bool:
        """Whether so many do that it begins in a while without the others."""
        wanted = 0 if self.daily or self.options.rated else len(self.rematch_with)
        return bool(wanted) and 2 * wanted >= len(self.connected)

    def free_seat(self, name: str = "") -> int:
        """The first empty seat for who is called that (bots are not): kept ones first. -1 without any."""
        free = [
            n for n, seat in enumerate(self.seats) if seat.empty and not seat.is_kept_from(name)
        ]
        return min(free, key=lambda number: not self.seats[number].kept, default=-1)

    @property
    def has_empty_seat(self) -> bool:
        """Whether there is any, kept or not."""
        return any(seat.empty for seat in self.seats)

    def has_held(self, player: str) -> bool:
        """Whether the player with this id has, or had, a seat in the game that is on."""
        return any(seat.player is not None and seat.player.id == player for seat in self.seats)


def _without(members: Mapping[str, Any], player: str) -> Mapping[str, Any]:
    if player not in members:
        return members
    return {id_: member for id_, member in members.items() if id_ != player}


KEPT: Final = Table.__struct_fields__[: Table.__struct_fields__.index("deal")]
"""What outlives the process, besides what was done in the game."""

what_is_kept: Final = attrgetter(*KEPT[: KEPT.index("deserted")])
"""What has to be written when it has changed."""
