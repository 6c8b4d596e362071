"""What one person is told of another; and the leaderboard."""

from server.coordinator.bot_levels import BOT_RATINGS
from server.coordinator.people.profile import SEEN_TO, PlayerResults, Profile
from server.i18n.lookup import Words
from server.storage.history import Met
from server.storage.leaderboard import LeaderboardRow, SeasonRow, SeasonTable
from server.text.history import ago_in_words, rated_in_words
from server.text.times import month_in_words


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
