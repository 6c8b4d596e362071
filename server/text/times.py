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


def time_in_words(seconds: int, words: Words) -> str:
    """So long, in seconds, or in minutes or hours where those say enough."""
    if seconds < 100:
        return words.n("{count} second", "{count} seconds", seconds)
    minutes = -(-seconds // 60)
    if minutes < 100:
        return words.n("{count} minute", "{count} minutes", minutes)
    return words.n("{count} hour", "{count} hours", -(-minutes // 60))
