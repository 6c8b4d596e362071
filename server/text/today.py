"""Today's tide in words: what it is, whether one can play it, and the table of who made most."""

from server.coordinator.events.days import DayPage, Try
from server.i18n.catalogues import Words
from server.text.bots import bot_in_words
from server.text.times import time_in_words


def day_lines(page: DayPage, now: float, words: Words) -> list[str]:
    """What there is to know of a day, a sentence or some each; the table is apart."""
    bots = words.listed(tuple(bot_in_words(name, words) for name in page.opponents))
    lines = [
        words.t(
            "One deal for everybody, against the same bots: {bots}. One try counts, without hints.",
            bots=bots,
        )
    ]
    begun = words.n("{count} player has begun.", "{count} players have begun.", page.begun)
    if page.closed:
        lines = [words.t("This day is over: everybody can see every game.")]
    elif now >= page.until:
        left = time_in_words(round(page.closes - now), words)
        lines += [words.t("Games begun in time can still be finished within {time}.", time=left)]
    else:
        left = time_in_words(round(page.until - now), words)
        lines.append(words.t("You have {time} more to begin it.", time=left))
        lines[-1] += f" {begun}" if page.begun else ""
    lines.append(_state_in_words(page, words))
    lines.append(streak_in_words(page.streak, words))
    if page.closed:
        lines.append(words.t("Seed: {seed}", seed=page.seed))
    lines.append(words.t("Commitment: {commitment}", commitment=page.commitment))
    if page.tomorrow:
        lines.append(words.t("Tomorrow's commitment: {commitment}", commitment=page.tomorrow))
    return [line for line in lines if line]


def _state_in_words(page: DayPage, words: Words) -> str:
    match page.state:
        case "new":
            return words.t("You can leave and go on later; the game waits for you.")
        case "begun":
            return words.t("Your game waits for you.")
        case "guest":
            return words.t(
                "Today's tide is for players with an SSH key: a guest could play it twice."
            )
        case "played" if not page.closed:
            return words.t("You have had your try. What others can still play stays secret.")
        case _:
            return ""


def streak_in_words(days: int, words: Words) -> str:
    """On how many days in a row this person has played; empty where that is no row."""
    if days < 2:
        return ""
    return words.n(
        "You have played on {count} day in a row.",
        "You have played on {count} days in a row.",
        days,
    )


def points_in_words(each: Try, words: Words) -> str:
    """What somebody made of the day."""
    return words.n("{count} point", "{count} points", each.score)


def place_in_words(page: DayPage | None, player: str, words: Words) -> str:
    """The place of the player with this id; empty without one."""
    own = page.own_try(player) if page is not None else None
    if page is None or own is None:
        return ""
    count = sum(each.first_day == own.first_day for each in page.tries)
    return words.t("place {place} of {count}", place=own.rank, count=count)


def try_in_words(each: Try, words: Words) -> str:
    """A line of the table: rank, name, points, of which stages, and the bots'."""
    marks = (
        words.p("seat", "program") if each.program else "",
        words.t("first day") if each.first_day else "",
    )
    mark = "".join(f" ({each})" for each in marks if each)
    return words.t(
        "{rank}. {name}: {points} ({stages}); the bots {others}",
        rank=each.rank,
        name=f"{each.name}{mark}",
        points=points_in_words(each, words),
        stages=" + ".join(map(str, each.points)).replace("+ -", "- "),
        others=", ".join(map(str, each.others)),
    )


def no_tries(page: DayPage, words: Words) -> str:
    """What stands where the table is empty."""
    if page.closed:
        return words.t("Nobody has played it to the end.")
    if page.state == "played":
        return words.t("Nobody has finished it yet.")
    return words.t("The table is shown once you have played.")
