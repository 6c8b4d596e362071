"""The server's bots, in words: what ``engine.bots.registry`` declares, with their ratings."""

from engine.bots import BOTS
from server.i18n.catalogues import Words
from server.storage.ratings import BOT_RATINGS


def bot_in_words(strategy: str, words: Words) -> str:
    """Its name, its level and its rating."""
    level = words.p("bot level", BOTS[strategy].level.value)
    rating = words.t("rating {rating}", rating=BOT_RATINGS[strategy].shown)
    return f"{strategy} ({level}, {rating})"


def bot_described(strategy: str, words: Words) -> str:
    """The same, and how it plays."""
    return f"{bot_in_words(strategy, words)}: {words.t(BOTS[strategy].line)}"
