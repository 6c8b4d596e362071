"""When something is, and how long it takes, in words."""

from datetime import UTC, date, datetime
from typing import Final

from server.coordinator import messages as m
from server.i18n.lookup import Words, _

_MONTHS: Final = (
    _("January"),
    _("February"),
    _("March"),
    _("April"),
    _("May"),
    _("June"),
    _("July"),
    _("August"),
    _("September"),
    _("October"),
    _("November"),
    _("December"),
)


def moment_in_words(when: float, words: Words) -> str:
    """A time, the same for everybody: players of one server live in different places."""
    moment = datetime.fromtimestamp(when, UTC)
    day = day_in_words(f"{moment:%Y-%m-%d}", words)
    return words.t("{day} {time} UTC", day=day, time=f"{moment:%H:%M}")


def day_in_words(day: str, words: Words) -> str:
    """A day such as "2026-11-23", as people write it."""
    on = date.fromisoformat(day)
    return words.p("date", "{year}-{month:02}-{day:02}", year=on.year, month=on.month, day=on.day)


def month_in_words(month: str, words: Words) -> str:
    """A month such as "2026-11", as people write it."""
    on = date.fromisoformat(f"{month}-01")
    return words.t("{month} {year}", month=words.t(_MONTHS[on.month - 1]), year=on.year)


def pace_in_words(options: m.TableOptions, words: Words) -> str:
    """How long a round may take."""
    if options.pace is m.Pace.UNTIMED:
        return words.t("untimed")
    if options.pace is m.Pace.CORRESPONDENCE:
        return words.t("a day a round")
    if options.pace is m.Pace.FAST:
        return words.t("fast, for programs")
    return words.t("{seconds} s a round", seconds=options.seconds)


def time_in_words(seconds: int, words: Words, *, minutes_from: int = 100) -> str:
    """So long, in seconds, or in minutes or hours where those say enough."""
    if seconds < minutes_from:
        return words.n("{count} second", "{count} seconds", seconds)
    minutes = -(-seconds // 60)
    if minutes < 100:
        return words.n("{count} minute", "{count} minutes", minutes)
    return words.n("{count} hour", "{count} hours", -(-minutes // 60))


def span_in_words(seconds: float, words: Words) -> str:
    """The same in few letters, and coarse."""
    if seconds < 120:
        return words.t("{count} s", count=round(seconds))
    if seconds < 7200:
        return words.t("{count} min", count=round(seconds / 60))
    if seconds < 2 * 86_400:
        return words.t("{count} h", count=round(seconds / 3600))
    return words.n("{count} day", "{count} days", round(seconds / 86_400))
