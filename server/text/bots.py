"""The server's bots, in words: what ``engine.bots.registry`` declares."""

from engine.bots import ALIKE, BOTS, LADDER, MANNERS
from server.coordinator.bot_levels import BOT_RATINGS
from server.i18n.lookup import Words


def bot_in_words(strategy: str, words: Words) -> str:
    """Its name, its level and its rating, if that is known."""
    facts = ", ".join(filter(None, (_level(strategy, words), _rating(strategy, words))))
    return f"{strategy} ({facts})" if facts else strategy


def bot_briefly(strategy: str) -> str:
    """Its name and its level, where there is little room."""
    return strategy if strategy == ALIKE else f"{strategy} ({BOTS[strategy].level}/{len(LADDER)})"


def bot_line(strategy: str, words: Words) -> str:
    """How it plays."""
    if strategy == ALIKE:
        return words.t("as strong as the people at the table, by their latest games against bots")
    return words.t(BOTS[strategy].line)


def bot_manner(manner: str, words: Words) -> str:
    """Which cards it likes to bid; empty without a manner."""
    return words.t(MANNERS[manner].line) if manner else ""


def bot_strength(strategy: str, words: Words) -> str:
    """How it plays, and its rating, if that is known."""
    said, rating = bot_line(strategy, words), _rating(strategy, words)
    return f"{said} ({rating})" if rating else said


def _level(strategy: str, words: Words) -> str:
    if strategy == ALIKE:
        return ""
    return words.t("level {level} of {levels}", level=BOTS[strategy].level, levels=len(LADDER))


def _rating(strategy: str, words: Words) -> str:
    rating = BOT_RATINGS.get(strategy)
    return words.t("rating {rating}", rating=rating.shown) if rating else ""


def bot_described(strategy: str, words: Words) -> str:
    """All of that."""
    return f"{bot_in_words(strategy, words)}: {bot_line(strategy, words)}"
