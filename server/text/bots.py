"""The server's bots: what they are worth on the players' scale, and what is said of them and their hints.

A hint, which is the card that the strongest one would play, and why; and the review of a game, each bid
beside the bot's choice.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from engine.bots import ALIKE, BOTS, LADDER
from engine.bots.estimates import JUDGE, Analysis, CardReason, Why
from engine.bots.review import Grade, ReviewedBid, accuracy, costliest
from server.i18n.lookup import Words, _, n_, p_
from server.storage.history import MetBots
from server.storage.ratings import Rating, rated
from server.text.rounds import Names

if TYPE_CHECKING:
    from server.storage.history_store import HistoryStore


BOT_RATINGS: Final = {name: Rating(*row.rating) for name, row in BOTS.items() if row.rating}
"""By the name of the strategy."""


def level_of(games: Iterable[MetBots]) -> int:
    """Return the level of the bots nearest to a player (``engine.bots.LADDER``); 0 if there is none.

    ``games`` against bots decide it, the oldest first.
    """
    met = Rating()
    for place, bots in games:
        known = [(BOT_RATINGS[name], other) for name, other in bots if name in BOT_RATINGS]
        if known:
            ratings, places = zip((met, place), *known, strict=True)
            met = rated(ratings, places)[0]
    if not met.games:
        return 0
    gaps = [abs(BOT_RATINGS[name].mu - met.mu) for name in LADDER]
    return 1 + gaps.index(min(gaps))


def strength_by(history: "HistoryStore") -> Callable[[str], Awaitable[tuple[int | None, int]]]:
    """Tells how strong the account with an id is: the rating as people are told it, and the level."""

    async def strength(player: str) -> tuple[int | None, int]:
        rating, games = await history.strength(player)
        return rating, level_of(games)

    return strength


_RARELY = 0.1

_REASONS = {
    Why.TAKES: _("The {best} takes the {tide} in {share}% of cases."),
    Why.LEAVES: _("The {best} leaves the {tide} to {name} in {share}% of cases."),
    Why.SAFER: _("The {best} is safer than the {other} in this round."),
    Why.LATER: _("The {other} is worth more in a later round."),
}


def hint_in_words(hint: Analysis, names: Names, words: Words) -> list[str]:
    """The card, how much better it is, and why; or the cards that are equally good.

    All of it agrees with ``cards_in_words``.
    """
    best, other = hint.of(hint.best), hint.of(hint.other)
    more = words.decimal(round(best.points, 2) - round(other.points, 2))
    cards = ", ".join(map(str, sorted({hint.best, *hint.alike})))
    text = _("The {best} looks best, but {more} points more than the {other} may be chance.")
    if hint.alike:
        text = _("Pick any of these, they are equally good: {cards}.")
    elif hint.sure:
        text = _("The {best} brings about {more} points more than the {other}.")
    compared = {"best": hint.best, "other": hint.other}
    told = [words.t(text, **compared, more=more, cards=cards)]
    if hint.alike or not hint.sure:
        told.append(_most_likely(hint, words))
    else:
        told.append(reason_in_words(hint.reason, _REASONS, names, words, **compared))
    if hint.life_preservers:
        often = _("The {card} loses a life preserver in {share}% of cases.")
        rarely = _("The {card} rarely loses a life preserver ({share}%).")
    else:
        often = _("The {card} puts you out of this stage in {share}% of cases.")
        rarely = _("The {card} rarely puts you out of this stage ({share}%).")
    text = rarely if best.risk < _RARELY else often
    return [*told, words.t(text, card=hint.best, share=f"{100 * best.risk:.0f}")]


def reason_in_words(
    reason: CardReason, texts: Mapping[Why, str], names: Names, words: Words, **cards: int
) -> str:
    """Why one card is better than another, by one of the ``texts``; ``cards`` are what it calls them."""
    kind, tide, seat, share = reason
    return words.t(
        texts[kind],
        **cards,
        tide=tide,
        name=words.p("to whom", "somebody else") if seat is None else names[seat],
        share=f"{100 * (share or 0):.0f}",
    )


def _most_likely(hint: Analysis, words: Words) -> str:
    best = hint.of(hint.best)
    share, text = max(
        (best.highest, _("The {card} most likely takes the lower tide ({share}%).")),
        (best.second, _("The {card} most likely takes the higher tide ({share}%).")),
        (1 - best.highest - best.second, _("The {card} most likely takes no tide ({share}%).")),
    )
    return words.t(text, card=hint.best, share=f"{100 * share:.0f}")


def cards_in_words(hint: Analysis, words: Words) -> str:
    """What each card brings, and how often it costs a life preserver, or the stage for who has none."""
    each = _("{card}: {points} points, risk {risk}%")
    told = "; ".join(
        words.t(
            each,
            card=card.card,
            points=words.decimal(card.points),
            risk=f"{100 * card.risk:.0f}",
        )
        for card in hint.cards
    )
    text = _("Points in the stage, and the risk of losing a life preserver: {cards}.")
    if not hint.life_preservers:
        text = _("Points in the stage, and the risk of being out: {cards}.")
    return words.t(text, cards=told)


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


GRADES: Final = {
    Grade.GOOD: (p_("grade", "good"), ""),
    Grade.INACCURACY: (p_("grade", "inaccuracy"), "?!"),
    Grade.MISTAKE: (p_("grade", "mistake"), "?"),
    Grade.BLUNDER: (p_("grade", "blunder"), "??"),
}
"""What a grade is called, and its sign: those of chess."""
_COUNTED: Final = {
    Grade.INACCURACY: n_("{count} inaccuracy", "{count} inaccuracies"),
    Grade.MISTAKE: n_("{count} mistake", "{count} mistakes"),
    Grade.BLUNDER: n_("{count} blunder", "{count} blunders"),
}
_REVIEWED: Final = {
    Why.TAKES: _("The {best} would most often have taken the {tide} ({share}%)."),
    Why.LEAVES: _("The {best} would most often have left the {tide} to {name} ({share}%)."),
    Why.SAFER: _("The {best} would have been safer in that round."),
    Why.LATER: _("The {bid} would have been worth more in a later round."),
}


def review_lines(bids: Sequence[ReviewedBid], names: Names, words: Words) -> list[str]:
    """All there is to tell of the bids of one seat: what they come to, the costliest, and each of them."""
    lines = summary_in_words(bids, words)
    if worst := costliest(bids):
        lines.append(words.t("What cost most:"))
        lines += [bid_in_words(one, names, words) for one in worst]
    lines.append(words.t("All bids:"))
    return [*lines, *(bid_in_words(one, names, words, why=False) for one in bids)]


def summary_in_words(bids: Sequence[ReviewedBid], words: Words) -> list[str]:
    """What the bids come to, who says so, and how that is known."""
    kept, grades = accuracy(bids), [one.grade for one in bids]
    told = []
    if kept is not None:
        told.append(words.t("Accuracy: {share}%.", share=f"{100 * kept:.0f}"))
    counted = [
        words.fill(text, count=grades.count(grade))
        for grade, text in _COUNTED.items()
        if grade in grades
    ]
    all_bids = words.n("{count} bid with a choice", "{count} bids with a choice", len(bids))
    if counted:
        cost = words.decimal(sum(one.cost for one in bids), 1)
        text = _("{bids}: {grades}. They cost at least {points} points.")
        told.append(words.t(text, bids=all_bids, grades=", ".join(counted), points=cost))
    elif bids:
        told.append(words.t("{bids}, and none of them cost anything.", bids=all_bids))
    judged = words.t(
        "Judged by {bot}, version {version}. Figures of different versions cannot be compared.",
        bot=JUDGE.bot,
        version=JUDGE.version,
    )
    how = words.t(
        "It knows only what the player knew. A difference of less than two standard errors is"
        " chance, and costs nothing."
    )
    return [" ".join(told), judged, how]


def bid_in_words(one: ReviewedBid, names: Names, words: Words, *, why: bool = True) -> str:
    """A bid, and what the bot says of it.

    With ``why`` also what the better card would have done, and how safe the two cards were.
    """
    bid, best = f"{100 * one.risk:.0f}", f"{100 * one.best_risk:.0f}"
    told = [words.t("Stage {stage}, round {round}", stage=one.stage + 1, round=one.round + 1) + ":"]
    if one.best == one.bid:
        told.append(words.t("{bid}, like the bot.", bid=one.bid))
    elif one.sure:
        more, error = words.decimal(one.difference), words.decimal(one.error)
        text = _(
            "{bid}, {grade}; the {best} would have brought {points} points more (standard error: "
            "{error} points)."
        )
        grade = words.p("grade", GRADES[one.grade][0])
        told.append(
            words.t(text, bid=one.bid, grade=grade, best=one.best, points=more, error=error)
        )
    else:
        told.append(words.t("{bid}; too close to the {best} to call.", bid=one.bid, best=one.best))
    if why and one.sure:
        cards = {"bid": one.bid, "best": one.best}
        told.append(reason_in_words(one.reason, _REVIEWED, names, words, **cards))
    if why and bid != best:
        text = _(
            "Risk of losing a life preserver: {risk}% with the {bid}, {best_risk}% with the {best}."
        )
        if not one.life_preservers:
            text = _("Risk of elimination: {risk}% with the {bid}, {best_risk}% with the {best}.")
        told.append(words.t(text, bid=one.bid, risk=bid, best=one.best, best_risk=best))
    return " ".join(told)
