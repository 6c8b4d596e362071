"""Ratings (openskill's Plackett-Luce), and what follows from rated games: the leaderboard and the seasons.

A game of many players is one ranking. Only rated games between accounts count.

A season is a calendar month (UTC).

The score of a season is the share of opponents from other addresses who came after the player; equal places
count half. A player who left a game comes last, and does not count as an opponent. Each month begins with
``BEGIN`` imaginary opponents, half of them beaten, as few games say little. Listed are players of the
leaderboard with at least ``LEAST`` such games in the month.

The table of a month that is over is stored as soon as all its games may be shown.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from engine.records.outcome import GameResult
from server.storage.databases.connection import Connection
from server.storage.databases.database import Repository, reads, writes
from server.storage.events import SHOWN
from server.storage.people import FORMER

MU: Final = 25.0
SIGMA: Final = MU / 3
"""The rating of a player without rated games."""


class Rating(NamedTuple):
    """A player's estimated strength."""

    mu: float = MU
    """The estimate."""
    sigma: float = SIGMA
    """Its standard deviation."""
    games: int = 0
    """Rated games played."""

    @property
    def shown(self) -> int:
        """The rating that is shown: a strength that the player almost certainly has; 0 at first."""
        return max(0, round(100 * (self.mu - 3 * self.sigma)))


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the players' ratings after a game that they finished in ``places``."""
    model = _model()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(team[0].mu, team[0].sigma, rating.games + 1)
        for team, rating in zip(after, before, strict=True)
    ]


PATIENCE: Final = 5
"""After n games of two players, the next one counts ``PATIENCE / (PATIENCE + n)`` between them ..."""
LEAST_WEIGHT: Final = 0.5
"""... but from different networks at least this much."""
MEMORY: Final = 30 * 24 * 60 * 60.0
"""Seconds after which a game of these does not count any more."""


def weight(met: int, *, shared: bool) -> float:
    """Return how far a game counts between players who have met; ``shared`` if they share a network."""
    part = PATIENCE / (PATIENCE + met)
    return part if shared else max(LEAST_WEIGHT, part)


def rated_fairly(
    before: Sequence[Rating], places: Sequence[int], weights: Mapping[tuple[int, int], float]
) -> list[Rating]:
    """Return ratings as ``rated`` does, but a game counts less between players who have met before.

    ``weights`` has how far it counts between two who have met, by their indices in ``before``, the smaller
    one first. A rating is interpolated between the one without these opponents and the one with all, by the
    mean weight.
    """
    everybody, after = rated(before, places), []
    for number, whole in enumerate(everybody):
        met = {a + b - number: part for (a, b), part in weights.items() if number in (a, b)}
        if not met:
            after.append(whole)
            continue
        others = [other for other in range(len(before)) if other not in met]
        base = before[number]
        if len(others) > 1:
            chosen = rated([before[one] for one in others], [places[one] for one in others])
            base = chosen[others.index(number)]
        part = sum(met.values()) / len(met)
        mu = base.mu + part * (whole.mu - base.mu)
        sigma = base.sigma + part * (whole.sigma - base.sigma)
        after.append(Rating(mu, sigma, whole.games))
    return after


def rated_where_some_left(
    before: Sequence[Rating], places: Sequence[int], weights: Mapping[tuple[int, int], float]
) -> list[Rating]:
    """Return ratings as ``rated_fairly`` does, where place 0 is that of people who left: they come last.

    The others are rated among themselves; a game in which only one player stayed does not change that rating.
    """
    last = max(places) + 1  # bots have places, too
    after = rated_fairly(before, [place or last for place in places], weights)
    stayed = [number for number, place in enumerate(places) if place]
    if len(stayed) == 1:
        after[stayed[0]] = before[stayed[0]]
    elif stayed:
        at = {number: index for index, number in enumerate(stayed)}
        among = {(at[a], at[b]): part for (a, b), part in weights.items() if {a, b} <= at.keys()}
        theirs, ranks = zip(*((before[number], places[number]) for number in stayed), strict=True)
        for number, rating in zip(stayed, rated_fairly(theirs, ranks, among), strict=True):
            after[number] = rating
    return after


@lru_cache(1)
def _model() -> Any:
    # Imported late, as it takes 30 ms that only a server needs.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA)


class LeaderboardRow(NamedTuple):
    """A row of the leaderboard."""

    rank: int
    """Equal ratings share one."""
    player: str
    name: str
    rating: Rating
    program: bool = False
    """Whether the account has played as a program."""


class SeasonRow(NamedTuple):
    """A row of a season's table."""

    rank: int
    """Equal scores share one."""
    player: str
    """Empty for people who have been erased."""
    name: str
    score: float
    """In percent (``server.storage.ratings``)."""
    games: int
    """Games that counted."""
    met: int
    """Opponents in these games, each counted as often as met."""
    program: bool = False
    """Whether the account has played some of them as a program."""


class SeasonTable(NamedTuple):
    """A season as it is shown."""

    month: str
    """Such as ``2026-11``."""
    until: float
    """When it ends, in seconds since 1970."""
    over: bool
    closed: bool
    """Whether the table is final."""
    earlier: bool
    """Whether there are earlier seasons."""
    rows: tuple[SeasonRow, ...]


LEAST: Final = 5
"""Minimum games in a month."""
BEGIN: Final = 10
"""Imaginary opponents of everybody."""
MOST_LINES: Final = 100

SETTLES: Final = 60 * 60
"""Seconds after which a game that ended in a month is certain to be stored."""
WAITS: Final = 30 * 24 * 60 * 60
"""Seconds that a month waits for open events; what becomes public later does not count."""

_IN_MONTH: Final = "rated = 1 AND again = 0 AND kept >= :since AND kept < :until"
# A row for each player and opponent in each game, grouped by player. CROSS JOIN makes SQLite begin with the
# month's games.
_PLACES: Final = f"""
    SELECT RANK() OVER (ORDER BY score DESC) AS rank, player, name, score, games, met, program
    FROM (
        SELECT mine.player AS player, people.name AS name,
            COUNT(DISTINCT mine.record_id) AS games,
            COUNT(*) AS met,
            MAX(CASE WHEN mine.kind = 'program' THEN 1 ELSE 0 END) AS program,
            CAST(50 AS DOUBLE PRECISION) * ({BEGIN} + SUM(CASE
                WHEN mine.place = other.place THEN 1
                WHEN mine.place > 0 AND other.place > mine.place THEN 2
                ELSE 0 END)) / (COUNT(*) + {BEGIN}) AS score
        FROM records
        CROSS JOIN record_seats AS mine
        JOIN record_seats AS other ON other.record_id = records.id
        JOIN people ON people.id = mine.player
        JOIN ratings ON ratings.person = mine.player
        WHERE mine.record_id = records.id AND {_IN_MONTH} AND {SHOWN}
        AND people.guest = 0 AND (listed = 1 OR vouched = 1)
        AND other.player <> '' AND other.player <> mine.player
        AND mine.kind <> 'joined' AND other.kind <> 'joined'
        AND (mine.source = '' OR mine.source <> other.source OR vouched = 1)
        AND (mine.place = 0 OR other.place > 0)
        GROUP BY mine.player, people.name
        HAVING COUNT(DISTINCT mine.record_id) >= {LEAST}
    ) AS players
    ORDER BY score DESC, player LIMIT {MOST_LINES}
"""
_HELD: Final = f"SELECT COUNT(*) FROM records WHERE {_IN_MONTH} AND NOT {SHOWN}"
_FIRST: Final = "SELECT MIN(kept) FROM records WHERE rated = 1 AND kept >= :since"
_KEPT: Final = f"""
    SELECT rank, player, COALESCE(people.name, '{FORMER}'), score, games, met, program
    FROM season_places LEFT JOIN people ON people.id = player WHERE month = :name ORDER BY line
"""
BEST_MONTH: Final = """
    SELECT month, rank, score FROM season_places WHERE player = :player ORDER BY rank, month LIMIT 1
"""
_IS_KEPT: Final = "SELECT COUNT(*) FROM seasons WHERE month = :name"
_EARLIER: Final = """
    SELECT CASE WHEN EXISTS (SELECT 1 FROM seasons WHERE month < :name)
        OR EXISTS (SELECT 1 FROM records WHERE rated = 1 AND kept < :since) THEN 1 ELSE 0 END
"""


class Month(NamedTuple):
    """A calendar month (UTC), from ``since`` until before ``until``, in seconds since 1970."""

    name: str
    since: float
    until: float


def month_at(when: float, before: int = 0) -> Month:
    """Return the month of a time, or the one so many months before."""
    day = datetime.fromtimestamp(when, UTC)
    number = day.year * 12 + day.month - 1 - before
    first, after = (
        datetime(each // 12, each % 12 + 1, 1, tzinfo=UTC) for each in (number, number + 1)
    )
    return Month(f"{first:%Y-%m}", first.timestamp(), after.timestamp())


class SeasonStore(Repository):
    """Seasons in a ``Database``. All methods raise ``StoreError``."""

    @reads
    def season(self, connection: Connection, now: float, before: int = 0) -> SeasonTable:
        """Return the season of the time ``now``, or the one so many months ``before``."""
        month = month_at(now, before)
        values = month._asdict()
        kept = bool(connection.scalar(_IS_KEPT, values))
        rows = connection.execute(_KEPT if kept else _PLACES, values)
        places = tuple(map(_row, rows))
        earlier = bool(connection.scalar(_EARLIER, values))
        over = month.until <= now
        # A month without games has no table to store.
        first = connection.scalar(_FIRST, values)
        empty = month.until + SETTLES <= now and (first is None or first >= month.until)
        return SeasonTable(month.name, month.until, over, kept or empty, earlier, places)

    async def close(self, now: float, *, wait: bool = True) -> tuple[str, ...]:
        """Store the tables of months that are over, and return which ones.

        Without ``wait`` also those of months with games that may still become public.
        """
        due = await self._due(now, wait)
        return tuple([month for month, rows in due if await self._keep(month, now, rows)])

    @reads
    def _due(
        self, connection: Connection, now: float, wait: bool
    ) -> list[tuple[str, tuple[SeasonRow, ...]]]:
        """Return the months whose tables are to be stored now, and the tables."""
        due, since = [], 0.0
        while (first := connection.scalar(_FIRST, since=since)) is not None:
            month = month_at(first)
            values, since, late = month._asdict(), month.until, now - month.until
            if late < (SETTLES if wait else 0):
                break
            held = wait and late < WAITS and connection.scalar(_HELD, values)
            if not held and not connection.scalar(_IS_KEPT, values):
                due.append((month.name, tuple(map(_row, connection.execute(_PLACES, values)))))
        return due

    @writes
    def _keep(
        self, connection: Connection, month: str, now: float, rows: tuple[SeasonRow, ...]
    ) -> bool:
        """Store a table, and return whether no other process had stored it."""
        season = {"month": month, "kept": now}
        if not connection.insert("seasons", season, conflict="ON CONFLICT DO NOTHING"):
            return False
        for line, row in enumerate(rows, 1):
            values = {"month": month, "line": line, **row._asdict(), "program": int(row.program)}
            del values["name"]  # it is the person's, who may change it or be erased
            connection.insert("season_places", values)
        return True


def _row(row: Any) -> SeasonRow:
    return SeasonRow(*row)._replace(program=bool(row.program))


# ---------------------------------------------------------------------------------------------- ratings

GAMES: Final = 10
"""Rated games with people of other addresses ..."""
OPPONENTS: Final = 4
"""... and number of such people, before an account is on the leaderboard."""

# The number of other rated games in which both came from the same address.
_MET: Final = """
    SELECT COUNT(*) FROM record_seats AS mine
    JOIN records ON records.id = mine.record_id AND records.rated = 1
    JOIN record_seats AS other ON other.record_id = mine.record_id
    WHERE mine.player = :one AND other.player = :other
    AND mine.source <> '' AND mine.source = other.source AND mine.record_id <> :game
"""
# The opponents of other rated games since a time, and how often they were met.
_RECENT: Final = """
    SELECT other.player, COUNT(DISTINCT mine.record_id) FROM record_seats AS mine
    JOIN records ON records.id = mine.record_id AND records.rated = 1 AND kept >= :since
    JOIN record_seats AS other ON other.record_id = mine.record_id
    WHERE mine.player = :one AND other.player <> mine.player AND other.player <> ''
    AND mine.record_id <> :game AND mine.record_id >= COALESCE(
        (SELECT id FROM records WHERE rated = 1 AND kept >= :since ORDER BY kept LIMIT 1), :game)
    GROUP BY other.player
"""
_OTHERS: Final = """
    SELECT COUNT(DISTINCT mine.record_id) AS games, COUNT(DISTINCT other.player) AS opponents
    FROM record_seats AS mine
    JOIN records ON records.id = mine.record_id AND records.rated = 1
    JOIN record_seats AS other ON other.record_id = mine.record_id
    WHERE mine.player = :person AND other.player <> mine.player AND other.player <> ''
    AND (mine.source = '' OR mine.source <> other.source) AND other.place > 0
"""
BEST: Final = """
    SELECT RANK() OVER (ORDER BY mu - 3 * sigma DESC), person, name, mu, sigma, games,
        EXISTS (SELECT 1 FROM record_seats WHERE player = person AND kind = 'program')
    FROM (SELECT person, people.name AS name, mu, sigma, games
          FROM ratings JOIN people ON people.id = person WHERE listed = 1 OR vouched = 1
          ORDER BY mu - 3 * sigma DESC, person LIMIT :limit) AS strongest
    ORDER BY mu - 3 * sigma DESC, person
"""
_RANK: Final = """
    SELECT mu, sigma, games,
        CASE WHEN listed = 0 AND vouched = 0 THEN 0 ELSE
            (SELECT COUNT(*) FROM ratings AS better JOIN people AS them ON them.id = better.person
             WHERE (better.listed = 1 OR them.vouched = 1)
             AND better.mu - 3 * better.sigma > ratings.mu - 3 * ratings.sigma) + 1
        END AS rank
    FROM ratings JOIN people ON people.id = person WHERE person = :player
"""
_RATED: Final = """
    SELECT ratings.mu, ratings.sigma, ratings.games, ratings.listed
    FROM people LEFT JOIN ratings ON ratings.person = people.id
    WHERE people.id = :id AND people.guest = 0
"""


def rate(
    connection: Connection,
    number: int,
    kept: float,
    result: GameResult,
    players: Sequence[str],
    sources: Sequence[str],
) -> None:
    """Update the ratings of the accounts in a rated game, and list those that qualify."""
    connection.lock_rows("people", "id", filter(None, players))
    before: dict[str, Rating] = {}
    listed, places = set(), []
    for seat, player in enumerate(players):
        row = connection.execute(_RATED, id=player).fetchone()
        if row is not None and player not in before:
            before[player] = Rating() if row.mu is None else Rating(*row[:3])
            if row.listed:
                listed.add(player)
            places.append(result.seats[seat].place)
    if len(before) < 2:
        return
    came_from, names = dict(zip(players, sources, strict=False)), list(before)
    weights = {}
    for one, name in enumerate(names):
        at = {"one": name, "since": kept - MEMORY, "game": number}
        recent = dict(connection.execute(_RECENT, at).fetchall())
        for two, other in enumerate(names[one + 1 :], one + 1):
            if came_from.get(name) and came_from[name] == came_from.get(other):
                met = connection.scalar(_MET, one=name, other=other, game=number)
                weights[one, two] = weight(met, shared=True)
            elif other in recent:
                weights[one, two] = weight(recent[other], shared=False)
    after = rated_where_some_left(list(before.values()), places, weights)
    changed = [
        {"person": person, **new._asdict()}
        for (person, old), new in zip(before.items(), after, strict=True)
        if new != old
    ]
    connection.upsert("ratings", "person", *changed)
    for person in before.keys() - listed:  # an account stays listed
        others = connection.execute(_OTHERS, person=person).fetchone()
        if others.games >= GAMES and others.opponents >= OPPONENTS:
            connection.execute("UPDATE ratings SET listed = 1 WHERE person = :it", it=person)


def rating_and_rank(connection: Connection, player: str) -> tuple[Rating | None, int]:
    """Return a player's rating, if there is one, and rank on the leaderboard; 0 if not listed."""
    row = connection.execute(_RANK, player=player).fetchone()
    return (Rating(*row[:3]), row.rank) if row else (None, 0)
