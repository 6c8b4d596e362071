"""Tournaments in sentences: lists, standings, cross-tables; and what screens say beside their tables."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from engine.tournament import LEAST_PLAYERS
from server.coordinator import messages as m
from server.i18n.lookup import Words, _
from server.text.times import clock_span, time_in_words, until_in_words

_BEST: Final = 3
"""Places in a text that is passed on."""
_NAMED: Final = 4
"""Most winners that are named."""
PHASES: Final[dict[str, str]] = {
    m.TournamentPhase.OPEN: _("players register"),
    m.TournamentPhase.BREAK: _("round {round} of {rounds} is over"),
    m.TournamentPhase.PLAYING: _("round {round} of {rounds}, {playing} of {tables} tables playing"),
}


def score_in_words(score: float, words: Words) -> str:
    """With two digits, and always with its sign."""
    rounded = round(score, 2) or 0.0
    return f"{'+' if rounded > 0 else ''}{words.decimal(rounded)}"


def phase_in_words(info: m.TournamentInfo, words: Words) -> str:
    """What it is doing."""
    if info.phase is m.TournamentPhase.OVER:
        return words.p("tournament", "over")
    return words.t(
        PHASES[info.phase],
        round=info.round,
        rounds=info.plan.rounds,
        playing=info.playing,
        tables=info.tables,
    )


def won_in_words(info: m.TournamentInfo, words: Words) -> str:
    """Name the winner, as a sentence; empty before it is over, and when no round counts."""
    if info.phase is not m.TournamentPhase.OVER or not info.winners:
        return ""
    return words.n(
        "{names} wins {cup}!",
        "{names} share first place in {cup}!",
        len(info.winners),
        names=cup_winners(info.winners, words),
        cup=info.plan.name,
    )


def cup_winners(names: tuple[str, ...], words: Words) -> str:
    """Name the winners of a tournament; count them where so many share it that their names say nothing."""
    if len(names) > _NAMED:
        return words.n("{count} player", "{count} players", len(names))
    return words.listed(names)


def still_playing(tournaments: Sequence[m.TournamentInfo], event: str, words: Words) -> str:
    """What somebody waits for whose game of this event is over; empty where that is nothing."""
    its = (each for each in tournaments if event.startswith(f"tournament/{each.id}/"))
    info = next(its, None)
    if info is None or info.phase is not m.TournamentPhase.PLAYING:
        return ""
    return words.n(
        "{count} table of {name} still plays; then the standings follow.",
        "{count} tables of {name} still play; then the standings follow.",
        info.playing,
        name=info.plan.name,
    )


def just_over(
    before: Sequence[m.TournamentInfo], now: Sequence[m.TournamentInfo]
) -> list[m.TournamentInfo]:
    """Return the tournaments that have ended since ``before``, and have a winner."""
    going_on = {each.id for each in before if each.phase is not m.TournamentPhase.OVER}
    over = (each for each in now if each.phase is m.TournamentPhase.OVER)
    return [each for each in over if each.id in going_on and each.winners]


def shared_cup(view: m.TournamentView, words: Words, way_in: str = "") -> list[str]:
    """A tournament that is over in a few lines for a chat.

    The best three, whoever reads it, and what one types to play there (``way_in`` is that of
    ``ConnectionStats``).
    """
    info, entered = view.info, sum(bool(any(row.rounds)) for row in view.rows)
    facts = (
        words.t("Turn the Tide"),
        info.plan.name,
        words.n("{count} round", "{count} rounds", len(view.seeds)),
        words.n("{count} player", "{count} players", entered),
    )
    best = [row for row in view.rows if row.place <= _BEST or row.you]
    told = [standing_in_words(row.place, row.name, row.total, words) for row in best]
    return [" - ".join(facts), *told, *([f"ssh {way_in}"] if way_in else [])]


def record_in_words(info: m.TournamentInfo, words: Words) -> str:
    """Where the record of a tournament is."""
    return words.t(
        'Whoever runs the server writes its record to a file with "tide tournament export {code}".',
        code=info.id,
    )


def begins_in_words(info: m.TournamentInfo, now: float, words: Words) -> str:
    """When the next round begins, or what holds it up; empty where nobody knows, and when it is time."""
    if info.stuck:
        return words.t("an error in the server holds it up; the server tries again")
    left = info.begins - now
    if left <= 0:
        return ""
    return words.t("the next round begins in {time}", time=until_in_words(left, words))


def countdown_forms(
    tournaments: Sequence[m.TournamentInfo], now: float, words: Words
) -> tuple[str, ...]:
    """When the next round begins of a tournament in which the visitor plays, in fewer and fewer words.

    Empty where none does.
    """
    coming = [each for each in tournaments if each.entered and each.begins > now]
    if not coming:
        return ()
    first = min(coming, key=lambda each: each.begins)
    left = first.begins - now
    brief = words.t("next round in {time}", time=until_in_words(left, words))
    return next_round_in_words(first.plan.name, left, words), brief


def next_round_in_words(name: str, left: float, words: Words) -> str:
    """That the next round of a tournament begins in so many seconds."""
    time = until_in_words(left, words)
    return words.t("The next round of {name} begins in {time}.", name=name, time=time)


def needs_in_words(info: m.TournamentInfo, words: Words) -> str:
    """What the first round waits for; empty when it has begun."""
    if info.phase is not m.TournamentPhase.OPEN:
        return ""
    if info.players < LEAST_PLAYERS:
        return words.t("{least} players are needed to begin", least=LEAST_PLAYERS)
    if info.director:
        return words.t("the first round waits for {name}", name=info.director)
    return words.t("the first round waits for an operator")


def tournament_in_words(info: m.TournamentInfo, now: float, words: Words) -> str:
    """A tournament in a list."""
    over = info.phase is m.TournamentPhase.OVER
    facts = (
        phase_in_words(info, words),
        words.n("{count} player", "{count} players", info.players),
        begins_in_words(info, now, words),
        needs_in_words(info, words),
        words.t("you are registered") if info.entered and not over else "",
        words.t("your table: {code}", code=info.table) if info.table else "",
        words.t("your place: {place}", place=info.place) if info.round and info.place else "",
        words.t("won by {names}", names=words.listed(info.winners)) if info.winners else "",
    )
    return f"{info.plan.name} ({info.id}): {', '.join(filter(None, facts))}"


def briefly_in_words(info: m.TournamentInfo, now: float, words: Words) -> tuple[str, ...]:
    """Describe a tournament in fewer and fewer words."""
    if info.phase is m.TournamentPhase.OPEN and info.players < LEAST_PLAYERS:
        # How many it takes, and how many there are.
        next_ = words.t(
            "{count} of {least} players needed", count=info.players, least=LEAST_PLAYERS
        )
    else:
        next_ = begins_in_words(info, now, words) or phase_in_words(info, words)
    table = words.t("your table: {code}", code=info.table) if info.table else ""
    entered = words.t("you are registered") if info.entered else ""
    name = f"{info.plan.name}: "
    return (
        name + ", ".join(filter(None, (table, next_, entered))),
        name + (table or next_),
        table or next_,
    )


def in_order(tournaments: Iterable[m.TournamentInfo]) -> list[m.TournamentInfo]:
    """Return the tournaments that are not over, first the one that concerns the visitor most."""
    going_on = [each for each in tournaments if each.phase is not m.TournamentPhase.OVER]
    return sorted(
        going_on, key=lambda each: (not each.entered, each.phase is m.TournamentPhase.OPEN)
    )


def cup_forms(
    tournaments: Iterable[m.TournamentInfo], now: float, words: Words
) -> list[tuple[str, ...]]:
    """The first of them, if there is one, in fewer and fewer words."""
    return [
        (tournament_in_words(each, now, words), *briefly_in_words(each, now, words))
        for each in in_order(tournaments)[:1]
    ]


def plan_in_words(info: m.TournamentInfo, words: Words) -> str:
    """How it is played."""
    return ", ".join(plan_facts(info, words))


def plan_facts(info: m.TournamentInfo, words: Words) -> tuple[str, ...]:
    """List the facts of a plan, one by one."""
    plan, rules = info.plan, info.plan.options.rules
    facts = (
        words.n("{count} round", "{count} rounds", plan.rounds),
        words.n("{count} seat per table", "{count} seats per table", rules.players),
        words.n("{count} stage", "{count} stages", rules.stages),
        words.t("{count} s a bid", count=plan.options.seconds),
        words.t("a round takes {time} at most", time=time_in_words(info.longest, words))
        if info.longest
        else "",
        words.t("directed by {name}", name=info.director) if info.director else "",
    )
    return tuple(filter(None, facts))


def standing_in_words(
    place: int, name: str, total: float, words: Words, rounds: Sequence[str] = ()
) -> str:
    """A line of the standings."""
    said = words.t(
        "{place}. {name}: {score}", place=place, name=name, score=score_in_words(total, words)
    )
    return f"{said} ({', '.join(rounds)})" if rounds else said


def row_in_words(row: m.TournamentRow, words: Words) -> str:
    """Describe a player's row, with the score of each round, and whatever else there is to say."""
    rounds = [
        words.p("score", "none") if cell is None else score_in_words(cell.score, words)
        for cell in row.rounds
    ]
    said = standing_in_words(row.place, row.name, row.total, words, rounds)
    more = (
        words.t("that is you") if row.you else "",
        words.t("has withdrawn") if row.withdrawn else "",
    )
    return ", ".join(filter(None, (said, *more)))


def cell_in_words(
    number: int, cell: m.TournamentCell | None, rows: Sequence[m.TournamentRow], words: Words
) -> str:
    """What somebody made of a round (from 1), and against whom."""
    if cell is None:
        return words.t("Round {round}: no seat.", round=number)
    others = ", ".join(rows[it].name for it in cell.opponents) or words.t("bots")
    if cell.points is None:
        text = _("Round {round}: table {table}, seat {seat}, against {others}: cancelled.")
    elif cell.stayed:
        text = _(
            "Round {round}: table {table}, seat {seat}, against {others}: {points}, score {score}."
        )
    else:
        text = _(
            "Round {round}: table {table}, seat {seat}, against {others}: a bot scored {points},"
            " score {score}."
        )
    return words.t(
        text,
        round=number,
        table=cell.table,
        seat=cell.seat,
        others=others,
        points=words.n("{count} point", "{count} points", cell.points or 0),
        score=score_in_words(cell.score, words),
    )


def cross_table(view: m.TournamentView, words: Words) -> list[tuple[str, list[str]]]:
    """Everybody as the standings have them, each with a sentence for each round."""
    return [
        (
            row_in_words(row, words),
            [
                cell_in_words(number, it, view.rows, words)
                for number, it in enumerate(row.rounds, 1)
            ],
        )
        for row in view.rows
    ]


def deal_lines(view: m.TournamentView, words: Words) -> list[str]:
    """What was promised of the deals of all rounds, and the seeds of those that are closed."""
    told = (
        (_("Round {round}: commitment {it}"), view.commitments),
        (_("Round {round}: seed {it}"), view.seeds),
    )
    return [
        words.t(text, round=number, it=it)
        for text, each in told
        for number, it in enumerate(each, 1)
        if it
    ]


def cross_table_lines(view: m.TournamentView, words: Words) -> list[str]:
    """The cross-table and the deals, as sentences."""
    lines = [line for who, rounds in cross_table(view, words) for line in (who, *rounds)]
    return [*lines, *deal_lines(view, words)]


def legend_in_words(view: m.TournamentView, words: Words, *, met: bool) -> list[str]:
    """What the signs in a table of the standings mean, those that are there; ``met`` if that column is."""
    said = (
        (any(row.withdrawn for row in view.rows), _("(name): has withdrawn")),
        (any(None in row.rounds for row in view.rows), _("-: no seat in that round")),
        (met, _("met: the totals of all opponents met, added up, which decide ties")),
    )
    return [*(words.t(text) for is_there, text in said if is_there), *_who_is_last(view, words)]


def _who_is_last(view: m.TournamentView, words: Words) -> list[str]:
    """Why somebody has a place below totals that are less; empty where nobody has."""
    if all(row.total >= below.total for row, below in pairwise(view.rows)):
        return []
    return [words.t("Players who finished no game come last")]


def tables_lines(view: m.TournamentView, now: float, words: Words) -> list[str]:
    """Return lines with the seating and progress of the round."""
    lines = []
    for table in view.tables:
        names = ", ".join(name or words.t("bot") for name in table.names)
        said = words.t("Table {number}: {names}", number=table.number, names=names)
        lines.append(", ".join([said, *progress_of(table, now, words)]))
    return lines


def progress_of(table: m.TournamentSeats, now: float, words: Words) -> list[str]:
    """How far a table is, whom it waits for, and how long."""
    if table.done:
        return [words.t("over")]
    facts = list[str]()
    if table.stage >= 0:
        place = {"stage": table.stage + 1, "round": table.round + 1}
        facts.append(words.t("stage {stage}, round {round}", **place))
    if table.awaited:
        facts.append(words.t("waits for {names}", names=words.listed(table.awaited)))
    if table.due > now:
        facts.append(clock_span(table.due - now, words, thin=False)[1])
    return facts


def view_lines(view: m.TournamentView, now: float, words: Words) -> list[str]:
    """A tournament as sentences: how it goes, the standings, who sits where."""
    info = view.info
    rows = [row_in_words(row, words) for row in view.rows]
    if not info.round:
        names = ", ".join(row.name for row in view.rows if not row.withdrawn)
        rows = [words.t("Registered: {names}.", names=names)] if names else []
    return [
        tournament_in_words(info, now, words) + ".",
        plan_in_words(info, words) + ".",
        *(rows or [words.t("Nobody has registered yet.")]),
        *_who_is_last(view, words),
        *tables_lines(view, now, words),
    ]
