"""The server's bots, in words: what ``engine.bots.registry`` declares."""

from typing import Final

from engine.bots import BOTS
from server.i18n.catalogues import Words
from server.storage.ratings import Rating

BOT_RATINGS: Final = {name: Rating(*row.rating) for name, row in BOTS.items() if row.rating}
"""Of those that have one, on the players' scale."""


def bot_in_words(strategy: str, words: Words) -> str:
    """Its name, its level and its rating, if that is known."""
    facts = filter(None, (_level(strategy, words), _rating(strategy, words)))
    return f"{strategy} ({', '.join(facts)})"


def bot_briefly(strategy: str, words: Words) -> str:
    """Its name and its level."""
    return f"{strategy} ({_level(strategy, words)})"


def bot_strength(strategy: str, words: Words) -> str:
    """How it plays, and its rating, if that is known."""
    said = words.t(BOTS[strategy].line)
    rating = _rating(strategy, words)
    return f"{said} ({rating})" if rating else said


def _level(strategy: str, words: Words) -> str:
    return words.p("bot level", BOTS[strategy].level.value)


def _rating(strategy: str, words: Words) -> str:
    rating = BOT_RATINGS.get(strategy)
    return words.t("rating {rating}", rating=rating.shown) if rating else ""


def bot_described(strategy: str, words: Words) -> str:
    """The same, and how it plays."""
    return f"{bot_in_words(strategy, words)}: {words.t(BOTS[strategy].line)}"
