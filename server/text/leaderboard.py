"""The best players, of all time and of a month, in words."""

from server.coordinator.bot_levels import BOT_RATINGS
from server.i18n.lookup import Words
from server.storage.leaderboard import LeaderboardRow, SeasonRow, SeasonTable
from server.text.history import decimal


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
    score = words.t("{share}%", share=decimal(line.score, words, 1))
    return f"{line.rank:>3}  {line.name:<14} {score:>7}   {games}{mark}"


def bots_in_words(words: Words) -> tuple[str, ...]:
    """The server's bots on the same scale, strongest first."""
    ranked = sorted(BOT_RATINGS.items(), key=lambda bot: -bot[1].shown)
    return tuple(
        f"     {words.t('bot {name}', name=name):<14} {rating.shown:>5}" for name, rating in ranked
    )
