"""What has happened lately in the lobby, and how games go that one could watch, in words."""

from collections.abc import Sequence

from server.coordinator import messages as m
from server.coordinator.events.days import day_of, event_at
from server.i18n.lookup import Words
from server.text.stages import highlight_in_words
from server.text.times import day_in_words
from server.text.tournaments import cup_winners


def news_in_words(news: m.News, words: Words) -> str:
    """Who has won what, against whom, and what is remarkable about it; without a full stop."""
    if news.cup:
        return words.n(
            "{names} won {cup}",
            "{names} won {cup}",
            len(news.winners),
            names=cup_winners(news.winners, words),
            cup=news.cup,
        )
    if news.days:
        return words.n(
            "{name} has played today's tide {count} day in a row",
            "{name} has played today's tide {count} days in a row",
            news.days,
            name=_listed(news.winners, 0, words),
        )
    winners = _listed(news.winners, news.winning_bots, words)
    others = _listed(news.against, news.bots, words)
    if others:
        said = words.n(
            "{names} won against {others}",
            "{names} won against {others}",
            len(news.winners) + news.winning_bots,
            names=winners,
            others=others,
        )
    else:
        said = words.t("{names} shared the win", names=winners)
    remarkable = (
        words.n("{count} win in a row", "{count} wins in a row", news.row) if news.row > 1 else "",
        words.n(
            "{count} point, the highest score lately",
            "{count} points, the highest score lately",
            news.points,
        )
        if news.most
        else "",
    )
    return ": ".join(filter(None, (said, ", ".join(filter(None, remarkable)))))


def climax_in_words(news: m.News, words: Words) -> str:
    """What was most remarkable about the game that was won, without a full stop; empty for nothing."""
    if news.climax is None:
        return ""
    names = tuple(name or words.t("a guest") for name in news.seats)
    return highlight_in_words(news.climax, names, words)


def _listed(names: Sequence[str], bots: int, words: Words) -> str:
    """These people, and so many bots."""
    count = words.n("{count} bot", "{count} bots", bots) if bots else ""
    unnamed = names.count("")
    guests = words.t("a guest") if unnamed == 1 else ""
    if unnamed > 1:
        guests = words.n("{count} guest", "{count} guests", unnamed)
    return words.listed(tuple(filter(None, (*names, guests, count))))


def today_lines(today: m.TodayNow, now: float, words: Words) -> list[str]:
    """How many people have begun today's tide, and who was best on the last day that is closed."""
    lines = [words.t("nobody has begun it yet")]
    if today.played:
        said = words.n("{count} player has begun", "{count} players have begun", today.played)
        lines = [said]
    best = ", ".join(f"{name} {points}" for name, points in today.best)
    if best and today.day == day_of(event_at(now - m.DAY)):
        lines.append(words.t("yesterday: {best}", best=best))
    elif best:
        lines.append(words.t("{day}: {best}", day=day_in_words(today.day, words), best=best))
    return lines


def ahead_in_words(names: Sequence[str], game: m.GameNow, words: Words) -> str:
    """Who is ahead in a game, and with how many points; empty where more than two are."""
    most = max(game.points)
    ahead = tuple(
        name for name, points in zip(names, game.points, strict=True) if points == most and name
    )
    if not ahead or len(ahead) > 2:
        return ""
    return words.n(
        "{names} leads with {points}",
        "{names} lead with {points}",
        len(ahead),
        names=words.listed(ahead),
        points=most,
    )


def tides_in_words(names: Sequence[str], game: m.GameNow, words: Words) -> str:
    """The tide of each player, as ``names`` has them."""
    out, dry = words.t("out"), words.t("dry")
    return ", ".join(
        f"{name} {out if level < 0 else level or dry}"
        for name, level in zip(names, game.levels, strict=True)
    )
