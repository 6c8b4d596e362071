"""A tournament as the server holds it, immutable; and as one visitor sees it, field by field."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil, inf
from typing import Any, Final

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from engine.errors import EngineError
from engine.tournament.progress import BOT, Tournament
from engine.tournament.standings import RoundScore, TournamentStanding, standings
from server.cleaning import clean_text, is_cut
from server.coordinator import messages as m
from server.coordinator.table.state import Table
from server.networks import is_private, mark, site_of
from server.settings.settings import Timing
from server.storage.events import KIND, StoredTournament

NAME_WIDTH: Final = 24
LATE: Final = 30 * 60.0
"""Seconds after ``longest_round`` from which on nothing is waited for any more: neither a table that cannot
be opened, nor a bot whose process does not answer.
"""


class UnreadableTournament(Exception):
    """What the store holds is not what a server of this version writes."""


class Held(Struct, frozen=True):
    """One tournament."""

    id: str
    plan: m.TournamentPlan
    opened: float
    director: str
    """The id of who opened it; empty for the operators of the server."""
    director_name: str
    guests: bool
    play: Tournament
    begins: float = 0.0
    """When the next round begins by itself; 0 when it does not."""
    begun: float = 0.0
    """Since when the last round goes on; after a restart, since then."""
    over: float = 0.0
    """When it ended; 0 while it has not."""
    commitments: tuple[str, ...] = ()
    """To the deals of the rounds that have begun."""
    salt: str = ""
    """The salt of the marks (``networks.mark``) in ``sources``."""
    sources: Mapping[str, str] = {}
    """Marks of where players have registered from, by their ids."""
    lifted: bool = False
    """Any number of players of one address may register."""
    stuck: bool = False
    """The server has failed to go on with it several times, and tries again now and then."""

    @property
    def phase(self) -> m.TournamentPhase:
        """What it is doing."""
        if self.play.over:
            return m.TournamentPhase.OVER
        if self.play.open_round is not None:
            return m.TournamentPhase.PLAYING
        return m.TournamentPhase.BREAK if self.play.started else m.TournamentPhase.OPEN

    @property
    def open_event(self) -> str:
        """The event of the round that goes on; empty where none does."""
        return self.event(len(self.play.rounds) - 1) if self.play.open_round is not None else ""

    def event(self, number: int) -> str:
        """The event of a round (from 0)."""
        return f"{KIND}/{self.id}/{number + 1}"

    def has_closed(self, event: str) -> bool:
        """Whether an event is that of one of its rounds that are closed, or broken off by its end."""
        # Not that of any round that is not open: one may have begun without an answer of the store.
        closed = {self.event(number) for number, it in enumerate(self.play.rounds) if it.closed}
        return event in closed or (self.play.over and event.startswith(f"{KIND}/{self.id}/"))

    def due(self, timing: Timing) -> float:
        """When the next round begins by itself, or the one that goes on is closed, whatever its tables do.

        Infinity where nothing is waited for.
        """
        if self.play.open_round is not None:
            return self.begun + longest_round(self.plan, timing) + LATE
        return self.begins or inf

    def title(self, table: int) -> str:
        """Return the title of a table (from 0) of the running round, as chess numbers rounds and boards.

        2.1.
        """
        return f"{self.plan.name} {len(self.play.rounds)}.{table + 1}"

    def with_play(self, play: Tournament, **changes: Any) -> "Held":
        """Return a copy with another ``play``.

        Origins are kept only of people who are registered, and of nobody once it is over.
        """
        changed: Held = replace(self, play=play, **changes)
        there = {each.player for each in play.entrants if each.until is None and not play.over}
        sources = {player: it for player, it in changed.sources.items() if player in there}
        return replace(changed, sources=sources)

    def with_entrant(self, play: Tournament, player: str, source: str) -> "Held":
        """Return a copy with another registered player.

        Raises ``Refused`` where too many of that address have registered.
        """
        if not source or is_private(source):
            return self.with_play(play)
        from_there = mark(site_of(source), self.salt)
        share = self.plan.places // 2
        m.refuse_if(
            not self.lifted and list(self.sources.values()).count(from_there) >= share,
            m.Refusal.TOURNAMENT_SHARE,
            {"most": share, "tournament": self.id},
        )
        return self.with_play(play, sources={**self.sources, player: from_there})


def checked_plan(plan: m.TournamentPlan) -> m.TournamentPlan:
    """The plan as it can be held. Raises ``Refused``, with ``what`` is wrong."""
    options, name = plan.options, clean_text(plan.name, NAME_WIDTH)
    wrong = not name or is_cut(plan.name, NAME_WIDTH)
    m.refuse_if(wrong, m.Refusal.TOURNAMENT_PLAN, {"what": "name"})
    m.refuse_if(options.pace is not m.Pace.TIMED, m.Refusal.TOURNAMENT_PLAN, {"what": "seconds"})
    for what, allowed in m.PLAN_RANGES.items():
        number = options.seconds if what == "seconds" else getattr(plan, what)
        m.refuse_if(number not in allowed, m.Refusal.TOURNAMENT_PLAN, {"what": what})
    settled = m.TableOptions(
        options.rules,
        m.Pace.TIMED,
        options.seconds,
        spectators=m.Spectating.NONE,
        bots=options.bots,
        hints=False,
    )
    return replace(plan, name=name, options=settled)


def longest_round(plan: m.TournamentPlan, timing: Timing) -> int:
    """Seconds from the beginning of a round to the end of its last game, if every bid takes all of its time.

    The last card of a hand is bid at once, and a restart or a bot that thinks for long is not counted.
    """
    rules = plan.options.rules
    bids = rules.rounds - 1
    bidding = bids * max(plan.options.seconds, timing.bot_most)
    reading = (bids - 1) * timing.reveal
    return ceil(plan.call + rules.stages * (bidding + reading) + (rules.stages - 1) * timing.stage)


def to_stored(held: Held) -> StoredTournament:
    """Return it as plain data for the store."""
    return StoredTournament(held.id, held.opened, held.over, to_builtins(held))


def from_stored(stored: StoredTournament) -> Held:
    """The tournament again. Raises ``UnreadableTournament``."""
    try:
        return convert(stored.state, Held)
    except (ValidationError, EngineError) as error:
        raise UnreadableTournament(type(error).__name__) from None


_DIGITS = 4


@lru_cache(32)
def standings_of(play: Tournament) -> tuple[TournamentStanding, ...]:
    """Worked out once for everybody."""
    return standings(play)


def winners_of(play: Tournament) -> tuple[str, ...]:
    """The names of those in the first place; empty where no round counts."""
    if not any(each.closed for each in play.rounds):
        return ()
    return tuple(play.entrants[row.entrant].name for row in standings_of(play) if row.place == 1)


def info_of(held: Held, codes: Mapping[int, str], player: str, timing: Timing) -> m.TournamentInfo:
    """``codes`` are those of the tables of the round that goes on, by their numbers."""
    play, current = held.play, held.play.open_round
    entrant = play.number_of(player)
    table = ""
    if current is not None and entrant != BOT:
        table = next(
            (
                codes.get(number, "")
                for number, each in enumerate(current.tables)
                if entrant in each.seats and not each.done
            ),
            "",
        )
    return m.TournamentInfo(
        id=held.id,
        plan=held.plan,
        phase=held.phase,
        round=len(play.rounds),
        players=sum(each.until is None for each in play.entrants),
        director=held.director_name,
        guests=held.guests,
        tables=len(current.tables) if current else 0,
        playing=sum(not table.done for table in current.tables) if current else 0,
        begins=held.begins,
        entered=entrant != BOT and play.entrants[entrant].until is None,
        directs=bool(player) and player == held.director,
        table=table,
        longest=longest_round(held.plan, timing),
        place=next((row.place for row in standings_of(play) if row.entrant == entrant), 0),
        ended=held.over,
        winners=winners_of(play) if held.over else (),
        lifted=held.lifted,
        stuck=held.stuck,
    )


def view_of(
    held: Held,
    here: Mapping[int, Table],
    player: str,
    seeds: Sequence[str],
    timing: Timing,
) -> m.TournamentView:
    """Return the tournament as one visitor sees it.

    ``here`` are the tables of the running round, by their numbers, and ``seeds`` those of the rounds that
    are closed, in hex.
    """
    play, current = held.play, held.play.open_round
    ranked = standings_of(play)
    row_of = {row.entrant: number for number, row in enumerate(ranked)}
    rows = tuple(_row(play, row, row_of, player) for row in ranked)
    tables = current.tables if current else ()
    names = [each.name for each in play.entrants]
    codes = {number: table.id for number, table in here.items()}
    return m.TournamentView(
        info_of(held, codes, player, timing),
        rows,
        tuple(
            _as_it_goes(
                m.TournamentSeats(
                    number, tuple("" if it == BOT else names[it] for it in table.seats), table.done
                ),
                here.get(number - 1),
            )
            for number, table in enumerate(tables, 1)
        ),
        held.commitments,
        tuple(seeds),
    )


def _as_it_goes(seats: m.TournamentSeats, table: Table | None) -> m.TournamentSeats:
    """Add to ``seats`` what everybody at the table sees of its progress; others still play its deal."""
    if table is None or seats.done or table.game is None:
        starts = table.shared.starts if table and table.shared and not seats.done else 0.0
        absent = table.absent if table and not seats.done else ()
        return replace(seats, awaited=absent, due=starts)
    awaited = [it.name for n, it in enumerate(table.seats) if it.human and table.owes_bid(n)]
    _game, stage, number, _pauses = table.epoch
    due = table.deadline if table.running else 0.0
    return replace(seats, stage=stage, round=number, awaited=tuple(awaited), due=due)


def _row(
    play: Tournament, row: TournamentStanding, row_of: Mapping[int, int], player: str
) -> m.TournamentRow:
    entrant = play.entrants[row.entrant]
    closed = zip(row.rounds, play.rounds, strict=True)
    return m.TournamentRow(
        row.place,
        entrant.name,
        round(float(row.total), _DIGITS),
        round(float(row.opponents), _DIGITS),
        round(float(row.best), _DIGITS),
        str(row.total),
        row.withdrawn,
        entrant.player == player,
        tuple(cell and _cell(cell, row_of) for cell, played in closed if played.closed),
    )


def _cell(cell: RoundScore, row_of: Mapping[int, int]) -> m.TournamentCell:
    return m.TournamentCell(
        cell.table + 1,
        cell.seat + 1,
        tuple(row_of[it] for it in cell.opponents),
        cell.points,
        round(float(cell.score), _DIGITS),
        cell.stayed,
    )
