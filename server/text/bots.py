"""The server's bots, in words: what ``engine.bots.registry`` declares."""

from typing import Final

from engine.bots import BOTS
from server.i18n.catalogues import Words
from server.storage.ratings import Rating

BOT_RATINGS: Final = {name: Rating(*row.rating) for name, row in BOTS.items() if row.rating}
"""Of those that have one, on the players' scale."""


def bot_in_words(strategy: str, words: Words) -> str:
    """Its name, its level and its rating, if that is known."""
    facts = [words.p("bot level", BOTS[strategy].level.value)]
    if rating := BOT_RATINGS.get(strategy):
        facts.append(words.t("rating {rating}", rating=rating.shown))
    return f"{strategy} ({', '.join(facts)})"


def bot_described(strategy: str, words: Words) -> str:
    """The same, and how it plays."""
    return f"{bot_in_words(strategy, words)}: {words.t(BOTS[strategy].line)}"
