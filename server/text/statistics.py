"""Statistics of a player in sentences, and as rows of a table for who sees charts."""

from typing import Final, NamedTuple

from engine.bots import STRATEGIES
from engine.records.statistics import MOST_LEFT, HandCase, Opponent, Statistics, Streak
from server.i18n.lookup import Words
from server.text.bots import BOT_RATINGS
from server.text.rounds import left_in_words, signed

MOST_OPPONENTS: Final = 20
"""People who are told of."""
_FEW: Final = 2
"""Bars with so few facts are told in one sentence."""


class Bar(NamedTuple):
    """A row of a chart."""

    label: str
    share: float
    """Share of the whole bar, 0 to 1."""
    facts: tuple[str, ...]


class Chart(NamedTuple):
    """One subject: bars with a heading; the same as sentences for who does not see it."""

    title: str
    bars: tuple[Bar, ...]
    sentences: tuple[str, ...]
    """What is to be read beside the bars, or without any."""


_NO_DAYS: Final = Streak(0, 0)


def charts(found: Statistics, words: Words, days: Streak = _NO_DAYS) -> list[Chart]:
    """Everything, subject by subject; nothing before the first game.

    ``days`` are those in a row on which today's tide was played.
    """
    if not found.games:
        return []
    return [
        _summary(found, words, days),
        _by_left(found, words),
        _tides(found, words),
        _stage_points(found, words),
        _hands(found, words),
        _people(found, words),
        _bots(found, words),
    ]


def sentences(found: Statistics, words: Words, days: Streak = _NO_DAYS) -> list[str]:
    """Describe the statistics in sentences, for those who see no charts."""
    told: list[str] = []
    for chart in charts(found, words, days):
        told += chart.sentences
        said = [f"{bar.label}: {', '.join(bar.facts)}" for bar in chart.bars]
        if all(len(bar.facts) <= _FEW for bar in chart.bars):
            told += [f"{chart.title}: {'; '.join(said)}."] if said else []
        else:
            told += [f"{chart.title}, {each}." for each in said]
    return told or [words.t("You have not finished a game yet.")]


def percent(part: float, whole: float) -> int:
    """Return a percentage; 0 of nothing."""
    return round(100 * part / whole) if whole else 0


def _counted(count: int, whole: int, words: Words) -> tuple[str, str]:
    return str(count), words.t("{share}%", share=percent(count, whole))


def _summary(found: Statistics, words: Words, days: Streak) -> Chart:
    games, stages = found.games, found.stages
    streak, safe = found.wins_in_a_row, found.without_elimination
    said = [
        words.n(
            "{count} game, {wins} won ({share}%).",
            "{count} games, {wins} won ({share}%).",
            games,
            wins=found.wins,
            share=percent(found.wins, games),
        ),
        words.t(
            "{points} points a stage; eliminated in {out}% of the stages, with the bonus in"
            " {bonus}%.",
            points=words.decimal(found.points / max(1, stages)),
            out=percent(found.eliminated, stages),
            bonus=percent(found.bonuses, stages),
        ),
        words.n(
            "Longest winning streak: {count} game; now {now}.",
            "Longest winning streak: {count} games; now {now}.",
            streak.longest,
            now=streak.now,
        ),
        words.n(
            "Longest streak without elimination: {count} stage; now {now}.",
            "Longest streak without elimination: {count} stages; now {now}.",
            safe.longest,
            now=safe.now,
        ),
    ]
    if days.longest:
        told = words.n(
            "Longest streak at today's tide: {count} day; now {now}.",
            "Longest streak at today's tide: {count} days; now {now}.",
            days.longest,
            now=days.now,
        )
        said.append(told)
    return Chart(words.t("All in all"), (), tuple(said))


def _by_left(found: Statistics, words: Words) -> Chart:
    bars = []
    for each in found.bids:
        label = (
            words.t("{left} or more left", left=each.left)
            if each.left == MOST_LEFT
            else left_in_words(each.left, words)
        )
        facts = (
            words.n("{count} bid", "{count} bids", each.bids),
            words.t("card at {height}%", height=round(100 * each.height)),
            words.t(
                "takes a tide in {took}%", took=percent(each.took_low + each.took_high, each.bids)
            ),
            words.t("loses a life preserver in {lost}%", lost=percent(each.lost, each.bids)),
        )
        bars.append(Bar(label, each.height, facts))
    said = words.t(
        "How high you bid with so many life preservers left: 0% is the lowest card in your"
        " hand, 100% the highest."
    )
    return Chart(words.t("Bids by life preservers"), tuple(bars), (said,))


def _tides(found: Statistics, words: Words) -> Chart:
    most = max(found.tides, default=0)
    bars = tuple(
        Bar(words.t("tide {level}", level=tide), count / max(1, most), (str(count),))
        for tide, count in enumerate(found.tides, 1)
    )
    return Chart(words.t("Tides taken"), bars, ())


def _stage_points(found: Statistics, words: Words) -> Chart:
    most = max(found.stage_points, default=0)
    bars = tuple(
        Bar(
            words.n("{points} point", "{points} points", abs(points), points=signed(points)),
            count / max(1, most),
            _counted(count, found.stages, words),
        )
        for points, count in enumerate(found.stage_points, -1)
    )
    return Chart(words.t("Points of a stage"), bars, ())


def _hands(found: Statistics, words: Words) -> Chart:
    hands = found.hands
    title = words.t("Hands that others had, too")
    if not hands.played:
        return Chart(title, (), (words.t("Nobody else has played any of your hands."),))
    rows = (
        (words.t("better than the others"), hands.better),
        (words.t("as good"), hands.same),
        (words.t("worse"), hands.worse),
    )
    bars = tuple(
        Bar(label, count / hands.played, _counted(count, hands.played, words))
        for label, count in rows
    )
    said = [
        words.t(
            "On average {more} points against those who had the same hand.",
            more=_signed(hands.mean, words),
        )
    ]
    if found.best_hand is not None:
        said.append(words.t("Your best: {hand}.", hand=_case(found.best_hand, words)))
    if found.worst_hand is not None:
        said.append(words.t("Your worst: {hand}.", hand=_case(found.worst_hand, words)))
    return Chart(title, bars, tuple(said))


def _case(case: HandCase, words: Words) -> str:
    return words.t(
        "{points}; the others scored {others}",
        points=signed(case.points),
        others=_signed(case.others, words),
    )


def _people(found: Statistics, words: Words) -> Chart:
    bars = tuple(_against(each, each.name, words) for each in found.opponents[:MOST_OPPONENTS])
    said = () if bars else (words.t("You have not played against other people yet."),)
    return Chart(words.t("Against people"), bars, said)


def _bots(found: Statistics, words: Words) -> Chart:
    """Every bot with its rating, also those that one has never met."""
    met = {each.name: each for each in found.bots}
    bars = []
    for name in (*STRATEGIES, *(name for name in met if name not in STRATEGIES)):
        rating = BOT_RATINGS.get(name)
        label = name or words.t("other bots")
        rated = words.t("rating {rating}", rating=rating.shown) if rating else ""
        bar = Bar(label, 0.0, (words.t("never met"),))
        if name in met:
            bar = _against(met[name], label, words)
        bars.append(bar._replace(facts=tuple(filter(None, (*bar.facts, rated)))))
    return Chart(words.t("Against bots"), tuple(bars), ())


def _against(each: Opponent, name: str, words: Words) -> Bar:
    return Bar(
        name,
        (each.ahead + each.level / 2) / each.games,
        (
            words.n("{count} game", "{count} games", each.games),
            words.t(
                "ahead {ahead}, tied {level}, behind {behind}",
                ahead=each.ahead,
                level=each.level,
                behind=each.behind,
            ),
            words.t("{points} points a game", points=_signed(each.mean, words)),
        ),
    )


def _signed(value: float, words: Words) -> str:
    text = words.decimal(value)
    return f"+{text}" if value > 0 else text
