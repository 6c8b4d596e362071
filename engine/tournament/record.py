"""The record of a tournament, to work out the standings again from (docs/tournaments.md)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.tournament.progress import BOT, Tournament
from engine.tournament.standings import standings

FORMAT: Final = "turn-the-tide/tournament"
VERSION: Final = 1


def record_of(
    tournament: Tournament, seeds: Sequence[tuple[str, str]], more: Mapping[str, Any]
) -> dict[str, Any]:
    """The record of a tournament, of its closed rounds: ids of people are not in it. ``seeds`` has the
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
