"""Today's tide in words, and the news of the lobby."""

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from server.coordinator import messages as m
from server.coordinator.events.days import Apart, DayPage, Try, day_of, event_at
from server.i18n.lookup import Words, _
from server.text.bots import bot_in_words
from server.text.rounds import highlight_in_words
from server.text.times import day_in_words, time_in_words
from server.text.tournaments import cup_winners

_LEADERS: Final = 3
_APART: Final = {
    Apart.GUEST: _("guest"),
    Apart.FIRST_DAY: _("first day"),
    Apart.SEEN: _("out of competition"),
}
_WHY_APART: Final = {
    Apart.GUEST: _(
        "Guests play out of competition. To be counted from tomorrow on, make an SSH key"
        " (ssh-keygen) and log in with it."
    ),
    Apart.FIRST_DAY: _(
        "On its first day an account plays out of competition: from tomorrow on you are counted."
    ),
    Apart.SEEN: _(
        "A guest has played this deal from your address, so today you play out of competition."
    ),
}
_STATES: Final = {
    "new": _(
        "Twelve rounds, the same hand for everybody, against the same bots. One try counts,"
        " without hints; you can leave it and go on later."
    ),
    "begun": _("Your game waits for you."),
    "played": _("You have had your try. What others can still play stays secret."),
}


def day_lines(page: DayPage, player: str, now: float, words: Words) -> list[str]:
    """What there is to know of a day for the player with this id, beside the ranking and the deal."""
    begun = words.n("{count} player has begun.", "{count} players have begun.", page.begun)
    lines = [words.t(_STATES[page.state])] if page.state in _STATES else []
    if page.closed and now < page.until:
        left = time_in_words(round(page.until - now), words)
        lines = [
            words.t("This day was closed before its time: everybody can see every game."),
            words.t("The next one begins in {time}.", time=left),
        ]
    elif page.closed:
        lines = [words.t("This day is over: everybody can see every game.")]
    elif now >= page.until:
        left = time_in_words(round(page.closes - now), words)
        lines += [words.t("Games already begun can still be finished: {time} left.", time=left)]
    else:
        left = time_in_words(round(page.until - now), words)
        lines += [words.t("Open for another {time}.", time=left)]
    lines += [begun if page.begun else "", streak_in_words(page.streak, words)]
    lines.append(why_apart(page, player, words))
    return [line for line in lines if line]


def opponents_title(page: DayPage, words: Words) -> str:
    """What ``opponents_in_words`` are."""
    return words.t("bots on average") if page.tries else words.t("bots")


def opponents_in_words(page: DayPage, words: Words) -> tuple[str, ...]:
    """The bots, one each: with what they made on average, if the ranking is shown."""
    if not page.tries:
        return tuple(bot_in_words(name, words) for name in page.opponents)
    made = zip(*(each.others for each in page.tries), strict=True)
    return tuple(
        f"{name} {words.decimal(fmean(points), 1)}"
        for name, points in zip(page.opponents, made, strict=True)
    )


def commitment_lines(page: DayPage, words: Words) -> list[str]:
    """What the deal of a day can be checked with."""
    lines = [words.t("Commitment: {commitment}", commitment=page.commitment)]
    if page.closed:
        lines.append(words.t("Seed: {seed}", seed=page.seed))
    if page.tomorrow:
        lines.append(words.t("Tomorrow's commitment: {commitment}", commitment=page.tomorrow))
    return lines


def why_apart(page: DayPage, player: str, words: Words) -> str:
    """Why the try of the player with this id is out of competition, and how to be counted; also before it."""
    own = page.own_try(player)
    apart = own.apart if own is not None else Apart.GUEST if page.guest else Apart.NO
    return words.t(_WHY_APART[apart]) if apart in _WHY_APART else ""


def streak_in_words(days: int, words: Words) -> str:
    """On how many days in a row this person has played; empty where that is no row."""
    if days < 2:
        return ""
    return words.n(
        "You have played on {count} day in a row.",
        "You have played on {count} days in a row.",
        days,
    )


def place_in_words(page: DayPage | None, player: str, words: Words) -> str:
    """The place of the player with this id, or what it would be; empty without one."""
    own = page.own_try(player) if page is not None else None
    if page is None or own is None:
        return ""
    count = sum(each.apart is Apart.NO for each in page.tries)
    if own.apart is Apart.NO:
        return words.t("place {place} of {count}", place=own.rank, count=count)
    return words.t("would be place {place} of {count}", place=own.rank, count=count + 1)


def day_in_brief(page: DayPage | None, player: str, words: Words) -> str:
    """The points and the place of the player with this id; empty without a result."""
    own = page.own_try(player) if page is not None else None
    if page is None or own is None:
        return ""
    points = words.n("{count} point", "{count} points", own.score)
    return f"{points}, {place_in_words(page, player, words)}"


def last_result(page: DayPage | None, player: str, words: Words) -> str:
    """What somebody who comes in is told of the day before."""
    told = day_in_brief(page, player, words)
    return words.t("Yesterday's tide: {told}.", told=told) if told else ""


def try_in_words(each: Try, words: Words) -> str:
    """A line of the ranking: rank, name and points."""
    marks = [words.p("seat", "program")] if each.program else []
    marks += [words.t(_APART[each.apart])] if each.apart in _APART else []
    mark = "".join(f" ({each})" for each in marks)
    points = words.n("{count} point", "{count} points", each.score)
    place = f"{each.rank}." if each.apart is Apart.NO else f"({each.rank}.)"
    return f"{place} {each.name}{mark}: {points}"


def leaders_in_words(page: DayPage | None, words: Words) -> str:
    """Name the leaders of a day, in one sentence; empty where that is not shown."""
    if page is None or not page.tries:
        return ""
    counted = [each for each in page.tries if each.apart is Apart.NO]
    best = ", ".join(f"{each.name} {each.score}" for each in counted[:_LEADERS])
    if not best:
        return ""
    return words.t("{day}: {best}", day=day_in_words(page.day, words), best=best)


def no_tries(page: DayPage, words: Words) -> str:
    """What stands where the table is empty."""
    if page.closed:
        return words.t("Nobody has played it to the end.")
    if page.state == "played":
        return words.t("Nobody has finished it yet.")
    if page.state == "missed":
        return words.t("The ranking is shown once the day is closed.")
    return words.t("The ranking is shown once you have played.")


def news_in_words(news: m.News, words: Words) -> str:
    """Say who has won what, against whom, and what is remarkable about it; without a full stop."""
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
    """Say how many people have begun today's tide, and who was best on the last day that is closed."""
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
    """Name the leaders of a game, with their points; empty where more than two lead."""
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
