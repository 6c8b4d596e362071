"""The server's bots, in words: what ``engine.bots.registry`` declares, with their ratings."""

from engine.bots import BOTS
from server.i18n.catalogues import Words
from server.storage.ratings import BOT_RATINGS


def bot_in_words(strategy: str, words: Words) -> str:
    """Its name and its level."""
    return f"{strategy} ({words.p('bot level', BOTS[strategy].level.value)})"


def bot_line(strategy: str, words: Words) -> str:
    """How it plays, and its rating."""
    rating = words.t("rating {rating}", rating=BOT_RATINGS[strategy].shown)
    return f"{words.t(BOTS[strategy].line)} ({rating})"


def bot_described(strategy: str, words: Words) -> str:
    """All of that in one line."""
    return f"{bot_in_words(strategy, words)}: {bot_line(strategy, words)}"
