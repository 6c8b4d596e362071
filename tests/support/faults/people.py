"""What people do while the server fails, and what they are told."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from engine.editions import Rules
from server.coordinator import messages as m
from tests.support.faults.world import Person, Place, Said, Sealed, Visitor, World
from tests.support.tables import RATED, TIMED, UNTIMED, Guest
from tests.support.through_frames import enter

LONGER: Final = m.TableOptions(Rules(players=3, stages=2), m.Pace.UNTIMED)
DAILY: Final = m.TableOptions(UNTIMED.rules, m.Pace.CORRESPONDENCE, 14 * m.DAY)
DELAYED: Final = m.TableOptions(UNTIMED.rules, m.Pace.UNTIMED, spectators=m.Spectating.DELAYED)
_TABLES: Final = (TIMED, UNTIMED, LONGER, RATED, RATED, DELAYED, DAILY, DAILY, DAILY)
_UNKNOWN: Final = (
    m.Refusal.UNCERTAIN,
    m.Refusal.CLOSING,
    m.Refusal.INTERNAL,
)
"""Nobody can tell what has become of what was asked."""
_RUNNING: Final = (m.TournamentPhase.PLAYING, m.TournamentPhase.BREAK)
_ROOMS: Final = (m.Room.LOBBY, m.Room.TABLE, m.Room.TABLE, m.Room.DIRECT)


class People:
    """``world`` has them and the server."""

    def __init__(self, world: World) -> None:
        self.world: Final = world

    # ------------------------------------------------------------ coming

    def come(self, person: Person) -> None:
        """Over another connection; the one before may still be there."""
        old = person.here
        if old is not None and self.world.rng.random() < 0.5:
            old.visit.close()
        self.enter(person)

    def enter(self, person: Person) -> Visitor:
        player = m.Player(person.id, person.name, False)
        guest = Visitor(enter(self.world.lobby, player))
        guest.number = next(self.world.visits)
        person.visits.append(guest)
        person.guest = guest
        self.world.say(f"{person.name} comes in, visit {guest.number}")
        return guest

    # ------------------------------------------------------------ doing something

    def act(self, person: Person, wish: Any = None) -> None:
        """Come in, or do something; in the lobby, what is the ``wish``."""
        if person.busy:
            return
        guest = person.here
        if guest is not None:
            command = self.command(person, guest)
            if wish is not None and guest.last.table is None:
                command = wish
            person.asking = asyncio.create_task(self.ask(person, guest, command))
        elif person.guest is None or person.guest.visit.feed.closed:
            self.come(person)

    async def ask(self, person: Person, guest: Visitor, command: Any) -> m.Reply:
        """Have somebody give a command, and remember what became of it."""
        sealed, card, world = None, 0, self.world
        shown, asked = guest.last.table, command
        if isinstance(command, m.AtTable):
            shown, asked = (await guest.submit(m.LookAt(command.table))).table, command.command
        key = self._key(shown.info.id) if shown is not None else ""
        if isinstance(asked, m.LeaveTable):
            person.leaves.add(key)
        if isinstance(asked, m.PlaceBid) and shown is not None and key:
            card, game = asked.card, shown.info.game
            place = Place(key, game, asked.stage, asked.round, shown.seat)
            sealed = person.bids.setdefault(place, Sealed())
            sealed.asked(guest.number, card)
        reply = await guest.submit(command)
        world.say(f"{person.name}: {command!r:.90} {reply.code} {dict(reply.details)}")
        if reply.ok:
            world.done[type(command).__name__] += 1
        if sealed is not None and reply.ok:
            sealed.acknowledged(guest.number, card)
        elif sealed is not None and reply.code not in _UNKNOWN:
            sealed.refused(guest.number, card)
        return reply

    def _key(self, code: str) -> str:
        known = self.world.lobby.known.get(code)
        return known.key if known is not None else ""

    # ------------------------------------------------------------ what

    def command(self, person: Person, guest: Guest) -> Any:
        """What somebody does who sees that."""
        rng, last = self.world.rng, guest.last
        if rng.random() < 0.08:
            return self._line(person, guest)
        if self.world.cup and rng.random() < 0.5:
            for cup in last.tournaments:
                if not cup.entered and cup.phase is m.TournamentPhase.OPEN:
                    return m.EnterTournament(cup.id)
        letters = last.correspondence
        if letters and rng.random() < 0.3:
            return self._letter(rng.choice(letters))
        if last.table is None:
            rows = last.lobby.tables if last.lobby is not None else ()
            options = rng.choice(_TABLES)
            # A try of today keeps somebody from all others for the rest of the run.
            choices: list[Any] = [m.CreateTable(options)] * 3 + [
                m.QuickGame(UNTIMED),
                m.PlayToday(),
            ]
            for row in rows:
                if not row.event:
                    choices += [m.JoinTable(row.id)] * 4 + [m.WatchTable(row.id)]
            return rng.choice(choices)
        if last.table.seat < 0:
            id_ = last.table.info.id
            return rng.choice((m.LeaveTable(), m.JoinTable(id_), m.WatchAnother()))
        return self._seated(guest, last.table.info)

    def _letter(self, game: m.CorrespondenceGame) -> Any:
        """What somebody does who plays by correspondence, wherever he or she looks."""
        chance, code = self.world.rng.random(), game.table
        if chance < 0.5:
            return m.JoinTable(code) if chance < 0.25 else m.GoToLobby()
        if game.status is m.Status.OPEN:
            return m.AtTable(code, m.StartGame() if "" not in game.names else m.AddBot())
        if game.status is m.Status.OVER:
            return m.AtTable(code, m.Rematch())
        return m.AtTable(code, m.LeaveTable() if chance < 0.55 else m.Touch())

    def _seated(self, guest: Guest, info: m.TablePublic) -> Any:
        rng = self.world.rng
        if guest.owes() and rng.random() < 0.85:
            return guest.bid_of(rng.choice(guest.own.hand))
        chance, playing = rng.random(), info.status is m.Status.PLAYING
        if chance < 0.1 and not (playing and info.options.rated):
            return m.LeaveTable()
        if info.status is m.Status.OVER:
            # Another game may begin in that moment.
            return rng.choice((m.Rematch(), m.Rematch(), m.GoToLobby(), m.CreateTable(RATED)))
        if info.status is m.Status.OPEN:
            return m.StartGame() if chance < 0.5 or info.options.rated else m.AddBot()
        if info.pause:
            return m.Resume()
        if guest.own.bid and chance < 0.5:
            return guest.bid_of(rng.choice((guest.own.bid, *guest.own.hand)))
        seat = rng.randrange(len(info.seats))
        motion = rng.choice((m.Motion.REPLACE, m.Motion.REPLACE, m.Motion.PAUSE, m.Motion.END))
        return m.Touch() if chance < 0.7 else m.Vote(motion, seat)

    def _line(self, person: Person, guest: Guest) -> m.Say:
        rng, shown, text = self.world.rng, guest.last.table, f"line {len(self.world.said)}"
        said = m.Say(rng.choice(_ROOMS), text, to=rng.choice(self.world.people).name)
        unseen = None
        if shown is not None and shown.table is not None and shown.seat >= 0:
            info, view = shown.info, shown.table
            if info.options.spectators is m.Spectating.DELAYED and info.status is m.Status.PLAYING:
                unseen = info.game, view.stage, view.round
        code = shown.info.id if shown is not None else ""
        self.world.said[text] = Said(person.name, said, code, unseen)
        return said

    # ------------------------------------------------------------ to the end

    async def all_in(self) -> None:
        """Everybody who is not there comes in."""
        for person in self.world.people:
            if person.here is None:
                self.come(person)
        await self.world.clock.advance(5.0)

    async def play_out(self) -> Sequence[str]:
        """Play until nobody plays any more; what goes on all the same."""
        for _ in range(400):
            doing = [it for it in map(self._to_the_end, self.world.people) if it is not None]
            await self.world.let(asyncio.gather(*doing))
            cups = self.world.people[0].here
            running = cups and any(it.phase in _RUNNING for it in cups.last.tournaments)
            if not doing and not running:
                return ()
            await self.world.clock.advance(3.0)
        return [f"{code} goes on: {actor.table.seats}" for code, actor in self.world.actors.items()]

    def _to_the_end(self, person: Person) -> Any:
        guest = person.here
        assert guest is not None
        last = guest.last
        letters = [it for it in last.correspondence if it.status is m.Status.PLAYING]
        if letters:
            return self._answer(person, guest, letters)
        if last.table is None or last.table.seat < 0:
            return None
        info = last.table.info
        if info.status is not m.Status.PLAYING:
            return None
        if info.pause:
            return self.ask(person, guest, m.Resume())
        if guest.owes():
            return self.ask(person, guest, guest.bid_of(guest.own.hand[0]))
        away = info.seats[last.table.seat].away
        return self.ask(person, guest, m.Touch()) if away else asyncio.sleep(0)

    async def _answer(
        self, person: Person, guest: Visitor, letters: Sequence[m.CorrespondenceGame]
    ) -> None:
        """Bid in all games by correspondence that wait, and in the live one."""
        for game in letters:
            seen = (await guest.submit(m.LookAt(game.table))).table
            if seen is None or seen.own is None:
                continue
            view, hand = seen.own.table, seen.own.hand
            if seen.info.pause:
                await self.ask(person, guest, m.AtTable(game.table, m.Resume()))
            elif view.offer is not None and hand and not seen.own.bid:
                bid = m.PlaceBid(hand[0], view.stage, view.round)
                await self.ask(person, guest, m.AtTable(game.table, bid))
        table = guest.last.table
        if table is not None and table.seat >= 0 and table.info.status is m.Status.PLAYING:
            if table.info.pause:
                await self.ask(person, guest, m.Resume())
            elif guest.owes():
                await self.ask(person, guest, guest.bid_of(guest.own.hand[0]))
            elif table.info.seats[table.seat].away:
                await self.ask(person, guest, m.Touch())
