"""The server's bots, in words: what ``engine.bots.registry`` declares, with their ratings."""

from engine.bots import BOTS
from server.i18n.catalogues import Words
from server.storage.ratings import BOT_RATINGS


def bot_in_words(strategy: str, words: Words) -> str:
    """Its name and its level."""
    return f"{strategy} ({words.p('bot level', BOTS[strategy].level.value)})"


def bot_with_rating(strategy: str, words: Words) -> str:
    """The same with its rating."""
    rating = words.t("rating {rating}", rating=BOT_RATINGS[strategy].shown)
    return f"{bot_in_words(strategy, words)}, {rating}"


def bot_described(strategy: str, words: Words) -> str:
    """The same with how it plays, in one line."""
    return f"{bot_with_rating(strategy, words)}: {words.t(BOTS[strategy].line)}"
