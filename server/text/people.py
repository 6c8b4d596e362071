"""People in words: a player's own account, what one is told of another, leaderboard, statistics."""

from typing import Final, NamedTuple

from engine.bots import STRATEGIES
from engine.records.statistics import MOST_LEFT, HandCase, Opponent, Statistics, Streak
from server.coordinator.contract import PlayerResults, Profile
from server.i18n.lookup import Words
from server.storage.history import Met
from server.storage.people import SEEN_TO
from server.storage.ratings import LeaderboardRow, SeasonRow, SeasonTable
from server.terminal.capabilities import ConnectionStats
from server.text.bots import BOT_RATINGS
from server.text.history import ago_in_words, rated_in_words
from server.text.rounds import left_in_words, signed
from server.text.times import month_in_words


def account_in_words(
    name: str, way_back: str, link: str, ask_for_link: str, words: Words, *, guest: bool
) -> tuple[str, ...]:
    """Paragraphs; a login name is one by itself.

    ``way_back`` is that of a guest, ``link`` a code that was asked for, if one was; ``ask_for_link``
    says how.
    """
    if guest:
        return _guest(way_back, words)
    first = words.t(
        "Your SSH key says who you are here: anybody who logs in with it gets "
        "your seat, results and settings. The names you have used belong to you "
        "alone."
    )
    rename = words.t("To change your name, log in once as NAME+rename, with the new name.")
    if not link:
        return (first, rename, ask_for_link)
    return (
        first,
        words.t("On the other device, log in once within ten minutes, with this name:"),
        f"{name}+{link}",
        words.t(
            "From then on its key opens this account. If it has played here before, its results "
            "become yours. Whoever has the code can do it: show it to nobody."
        ),
    )


def _guest(way_back: str, words: Words) -> tuple[str, ...]:
    if not way_back:
        return (words.t("Nothing is kept here: this game runs in your own terminal."),)
    return (
        words.t(
            "You came without an SSH key, so this code is how you come back to your seat if the"
            " connection drops. Log in with this name:"
        ),
        way_back,
        words.t(
            "Whoever has the code counts as you here: show it to nobody. It works as long as you"
            " have a seat."
        ),
        words.t(
            "With an SSH key you need none of this, and your name and results stay yours: "
            "`ssh-keygen -t ed25519` makes one."
        ),
    )


def traffic_in_words(facts: ConnectionStats, words: Words) -> tuple[str, str]:
    """Say how much has been sent; how much has been received, and what the terminal says that it is."""
    sent = words.n("{count} byte", "{count} bytes", facts.sent)
    parts = [words.n("{count} byte received", "{count} bytes received", facts.received)]
    if facts.kind:
        parts.append(words.t("terminal {kind}", kind=facts.kind))
    if facts.speed:
        parts.append(words.t("{speed} bits per second", speed=facts.speed))
    return sent, ", ".join(parts)


def profile_lines(page: Profile, now: float, words: Words) -> list[str]:
    """What there is to say of the person, a sentence each."""
    told = [_seen(page, now, words)] if page.shows_visits else []
    if page.results is not None:
        told += _results(page.results, words)
    return told or [words.t("{name} shows nothing more to others.", name=page.name)]


def between_lines(page: Profile, words: Words) -> list[str]:
    """What there is to say of the person and of who asks."""
    if page.own:
        return [words.t("This is what others see of you. You can hide it in the settings.")]
    told = list[str]()
    if page.results is not None:
        told.append(_met(page.results.standing.met, words))
    if page.followed:
        told.append(words.t("You are told when {name} comes.", name=page.name))
    elif not page.followable:
        told.append(words.t("{name} does not want to be followed.", name=page.name))
    return told


def _seen(page: Profile, now: float, words: Words) -> str:
    if page.here and page.table:
        return words.t("Here now, at table {title} ({code}).", title=page.title, code=page.table)
    if page.here:
        return words.t("Here now.")
    if now - page.seen < SEEN_TO:
        return words.t("Here a moment ago.")
    return words.t("Last here: {when}.", when=ago_in_words(now - page.seen, words))


def _results(found: PlayerResults, words: Words) -> list[str]:
    (rating, best, _), streak, days = found.standing, found.streak, found.days
    told = [words.t("No rated games yet.")]
    if rating is not None:
        said = rated_in_words(rating, words)
        sure = words.t(
            "Estimate: {estimate}, with a standard error of {error}.",
            estimate=round(100 * rating.mu),
            error=round(100 * rating.sigma),
        )
        told = [f"{said} {sure}"]
    if best is not None:
        told.append(
            words.t(
                "Best season: place {rank} in {month}, score {score}%.",
                rank=best.rank,
                month=month_in_words(best.month, words),
                score=words.decimal(best.score, 1),
            )
        )
    if days:
        played = words.n("Today's tide: {count} day", "Today's tide: {count} days", days)
        row = words.t("streak {now}, longest {most}", now=streak.now, most=streak.longest)
        told.append(f"{played}, {row}.")
    return told


def _met(met: Met, words: Words) -> str:
    if not met.games:
        return words.t("No game with you lately.")
    return words.n(
        "{count} game with you lately: you came out ahead in {ahead}, behind in {behind}.",
        "{count} games with you lately: you came out ahead in {ahead}, behind in {behind}.",
        met.games,
        ahead=met.ahead,
        behind=met.behind,
    )


def standing_words(standing: LeaderboardRow, words: Words) -> str:
    """A line of the leaderboard."""
    games = words.n("{count} rated game", "{count} rated games", standing.rating.games)
    mark = f" ({words.p('seat', 'program')})" if standing.program else ""
    return f"{standing.rank:>3}  {standing.name:<14} {standing.rating.shown:>5}   {games}{mark}"


def season_lines(page: SeasonTable, words: Words) -> tuple[str, ...]:
    """What there is to know of a month's table, which is apart."""
    if page.closed:
        said = words.t("This season is over.")
    elif page.over:
        said = words.t("This season is over; games of tournaments in progress may still be added.")
    else:
        said = words.t("This season goes on until the end of the month.")
    rule = words.t(
        "Score: the share of opponents beaten in rated games (those from other "
        "addresses count). Everybody starts at 50%; at least five games are needed."
    )
    return (said, rule) if page.rows else (said, rule, words.t("Nobody is listed."))


def season_words(line: SeasonRow, words: Words) -> str:
    """A line of a month's table."""
    games = words.n("{count} game", "{count} games", line.games)
    mark = f" ({words.p('seat', 'program')})" if line.program else ""
    score = words.t("{share}%", share=words.decimal(line.score, 1))
    return f"{line.rank:>3}  {line.name:<14} {score:>7}   {games}{mark}"


def bots_in_words(words: Words) -> tuple[str, ...]:
    """The server's bots on the same scale, strongest first."""
    ranked = sorted(BOT_RATINGS.items(), key=lambda bot: -bot[1].shown)
    return tuple(
        f"     {words.t('bot {name}', name=name):<14} {rating.shown:>5}" for name, rating in ranked
    )


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
