"""Standings of a tournament, and its record, from which anybody can work them out (docs/tournaments.md)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from engine.tournament.progress import BOT, Round, Tournament

_ZERO = Fraction(0)


class RoundScore(NamedTuple):
    """What one entrant has made of one round: a cell of the cross-table."""

    table: int
    """From 0."""
    seat: int
    opponents: tuple[int, ...]
    """The other entrants at the table, in the order of their seats."""
    points: int | None
    """Points of the game; ``None`` while it goes on, and where it was broken off."""
    score: Fraction
    """Points less the mean of that seat at all tables; 0 while the round is not over."""
    stayed: bool


class TournamentStanding(NamedTuple):
    """A line of the standings."""

    place: int
    """From 1; shared where the tie-break knows no difference."""
    entrant: int
    came: bool
    """Was there at the end of the game in a closed round, or at one that was broken off."""
    total: Fraction
    opponents: Fraction
    """The first tie-break: the totals of everybody met, each as often as met."""
    best: Fraction
    """The second one: the best score of a single round."""
    rounds: tuple[RoundScore | None, ...]
    """A round each, the open one included; ``None`` for one without a seat, which counts 0."""
    withdrawn: bool

    @property
    def played(self) -> int:
        """Rounds with a seat."""
        return sum(cell is not None for cell in self.rounds)


def seat_means(played: Round) -> tuple[Fraction | None, ...]:
    """Return the mean points of each seat over all tables of a round, bots' seats included; ``None`` where no
    table has a result.
    """
    scores = [table.scores for table in played.tables if table.scores is not None]
    seats = range(len(played.tables[0].seats)) if played.tables else range(0)
    return tuple(
        Fraction(sum(each[seat].points for each in scores), len(scores)) if scores else None
        for seat in seats
    )


def standings(tournament: Tournament) -> tuple[TournamentStanding, ...]:
    """Return everybody who has registered, best first. Only closed rounds count.

    Whoever has never come is below everybody who has: about half of those who play have less than 0. Equal
    totals are ordered by what the opponents have made, then by the best single round; who is equal in all of
    that shares the place.
    """
    scores = [_scores(played) for played in tournament.rounds]
    cells = {
        number: tuple(each.get(number) for each in scores)
        for number in range(len(tournament.entrants))
    }
    totals = {
        number: sum((cell.score for cell in row if cell), _ZERO) for number, row in cells.items()
    }
    ranked = sorted(
        (
            TournamentStanding(
                0,
                number,
                _came(tournament, row),
                totals[number],
                sum((totals[it] for cell in row if cell for it in cell.opponents), _ZERO),
                max((cell.score for cell in row if cell), default=_ZERO),
                row,
                tournament.entrants[number].until is not None,
            )
            for number, row in cells.items()
        ),
        key=lambda each: (not each.came, -each.total, -each.opponents, -each.best, each.entrant),
    )
    placed: list[TournamentStanding] = []
    for number, each in enumerate(ranked, 1):
        shares = bool(placed) and _ties(placed[-1], each)
        placed.append(each._replace(place=placed[-1].place if shares else number))
    return tuple(placed)


def _ties(one: TournamentStanding, other: TournamentStanding) -> bool:
    return one.came == other.came and (one.total, one.opponents, one.best) == (
        other.total,
        other.opponents,
        other.best,
    )


def _came(tournament: Tournament, row: Sequence[RoundScore | None]) -> bool:
    return any(
        cell is not None and cell.stayed
        for cell, played in zip(row, tournament.rounds, strict=True)
        if played.closed
    )


def _scores(played: Round) -> dict[int, RoundScore]:
    """Return what everybody has made of a round, by entrant."""
    means = seat_means(played)
    return {
        entrant: _score(played, number, seat, means[seat])
        for number, table in enumerate(played.tables)
        for seat, entrant in enumerate(table.seats)
        if entrant != BOT
    }


def _score(played: Round, number: int, seat: int, mean: Fraction | None) -> RoundScore:
    table = played.tables[number]
    opponents = tuple(it for it in table.seats if it not in (BOT, table.seats[seat]))
    if table.scores is None:
        return RoundScore(number, seat, opponents, None, _ZERO, stayed=True)
    points, stayed = table.scores[seat].points, table.scores[seat].stayed
    score = _ZERO
    if played.closed and mean is not None:
        score = points - mean
        if not stayed:
            # What a bot wins for who was not there is nobody's; what it loses is.
            score = min(score, _ZERO)
    return RoundScore(number, seat, opponents, points, score, stayed)


FORMAT: Final = "turn-the-tide/tournament"
VERSION: Final = 1


def record_of(
    tournament: Tournament, seeds: Sequence[tuple[str, str]], more: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the record of a tournament, of its closed rounds: ids of people are not in it. ``seeds`` has the
    commitment and the seed of each of these rounds, in hex; ``more`` has further fields.

    Players are counted from 1 there, and so are rounds; 0 is a bot. Scores are exact fractions.
    """
    rules = tournament.rules
    return {
        "format": FORMAT,
        "version": VERSION,
        **more,
        "over": tournament.over,
        "rules": {
            "edition": rules.edition.value,
            "players": rules.players,
            "stages": rules.stages,
            "modified_drowning": rules.modified_drowning,
            "assistance": rules.assistance,
        },
        "planned": tournament.planned,
        "players": [
            {
                "name": each.name,
                "guest": each.guest,
                "from": each.since + 1,
                **({} if each.until is None else {"withdrew_after": each.until}),
            }
            for each in tournament.entrants
        ],
        "rounds": [
            {
                "commitment": commitment,
                "seed": seed,
                "tables": [
                    {
                        "seats": [seat + 1 if seat != BOT else 0 for seat in table.seats],
                        "points": table.scores and [score.points for score in table.scores],
                        "stayed": table.scores and [score.stayed for score in table.scores],
                        "game": table.game,
                    }
                    for table in played.tables
                ],
            }
            for played, (commitment, seed) in zip(tournament.rounds, seeds, strict=False)
            if played.closed
        ],
        "standings": [
            {
                "place": each.place,
                "player": each.entrant + 1,
                "total": str(each.total),
                "opponents": str(each.opponents),
                "best": str(each.best),
            }
            for each in standings(tournament)
        ],
    }
