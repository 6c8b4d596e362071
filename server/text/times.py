"""How long something takes, in words."""

from server.coordinator import messages as m
from server.i18n.catalogues import Words


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
    if seconds <= 120:
        return words.t("{count} s", count=round(seconds))
    if seconds < 7200:
        return words.t("{count} min", count=round(seconds / 60))
    if seconds < 2 * 86_400:
        return words.t("{count} h", count=round(seconds / 3600))
    return words.n("{count} day", "{count} days", round(seconds / 86_400))
