"""A tournament as one visitor sees it: built field by field. Of a round that goes on nobody sees points."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from engine.tournament.progress import BOT, Tournament
from engine.tournament.standings import RoundScore, TournamentStanding, standings
from server.coordinator import messages as m
from server.coordinator.table.state import Table
from server.coordinator.tournaments.state import Held, longest_round
from server.settings.settings import Timing

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
    """``here`` are the tables of the round that goes on, by their numbers, and ``seeds`` those of the rounds
    that are closed, in hex.
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
