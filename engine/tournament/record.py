"""A tournament as plain data: for the store, and to work out the standings again (docs/tournaments.md)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from engine.editions import Edition, Rules
from engine.tournament.progress import BOT, Entrant, Round, SeatScore, Tournament, TournamentTable
from engine.tournament.standings import standings

FORMAT: Final = "turn-the-tide/tournament"
VERSION: Final = 1


def to_plain(tournament: Tournament) -> dict[str, Any]:
    """What ``json.dumps`` turns into an object, and ``from_plain`` into the same tournament."""
    rules = tournament.rules
    return {
        "rules": _rules(rules),
        "planned": tournament.planned,
        "over": tournament.over,
        "entrants": [
            [each.player, each.name, each.guest, each.since, each.until]
            for each in tournament.entrants
        ],
        "rounds": [
            {"closed": played.closed, "tables": [_table(table) for table in played.tables]}
            for played in tournament.rounds
        ],
    }


def from_plain(plain: Mapping[str, Any]) -> Tournament:
    """The tournament again. Raises ``LookupError``, ``TypeError``, ``ValueError`` or ``BadRules``."""
    rules = plain["rules"]
    return Tournament(
        Rules(**{**rules, "edition": Edition(rules["edition"])}),
        plain["planned"],
        tuple(Entrant(*each) for each in plain["entrants"]),
        tuple(
            Round(tuple(_table_again(table) for table in played["tables"]), played["closed"])
            for played in plain["rounds"]
        ),
        plain["over"],
    )


def _rules(rules: Rules) -> dict[str, Any]:
    return {
        "edition": rules.edition.value,
        "players": rules.players,
        "stages": rules.stages,
        "modified_drowning": rules.modified_drowning,
        "assistance": rules.assistance,
    }


def _table(table: TournamentTable) -> dict[str, Any]:
    scores = table.scores
    return {
        "seats": list(table.seats),
        "points": None if scores is None else [score.points for score in scores],
        "stayed": None if scores is None else [score.stayed for score in scores],
        "game": table.game,
        "done": table.done,
    }


def _table_again(plain: Mapping[str, Any]) -> TournamentTable:
    points, scores = plain["points"], None
    if points is not None:
        scores = tuple(map(SeatScore, points, plain["stayed"]))
    return TournamentTable(tuple(plain["seats"]), scores, plain["game"], plain["done"])


def record_of(
    tournament: Tournament, seeds: Sequence[tuple[str, str]], more: Mapping[str, Any]
) -> dict[str, Any]:
    """The record of a tournament, of its closed rounds: ids of people are not in it. ``seeds`` has the
    commitment and the seed of each of these rounds, in hex; ``more`` has further fields.

    Players are counted from 1 there, and so are rounds; 0 is a bot. Scores are exact fractions.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        **more,
        "over": tournament.over,
        "rules": _rules(tournament.rules),
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
                        "points": plain["points"],
                        "stayed": plain["stayed"],
                        "game": table.game,
                    }
                    for table, plain in ((each, _table(each)) for each in played.tables)
                ],
            }
            for played, (commitment, seed) in zip(tournament.rounds, seeds, strict=False)
            if played.closed
        ],
        "standings": [
            {
                "place": each.place,
                "player": each.entrant + 1,
                "total": fraction(each.total),
                "opponents": fraction(each.opponents),
                "best": fraction(each.best),
            }
            for each in standings(tournament)
        ],
    }


def fraction(value: Fraction) -> str:
    """An integer, or two with a slash."""
    return str(value)
