"""The review of a game in words: each bid beside the bot's choice, and what that is worth."""

from collections.abc import Sequence
from typing import Final

from engine.bots.estimates import JUDGE, Why
from engine.bots.review import Grade, ReviewedBid, accuracy, costliest
from server.i18n.lookup import Words, _, n_, p_
from server.text.hints import reason_in_words
from server.text.history import decimal
from server.text.rounds import Names

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
_REASONS: Final = {
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
        cost = decimal(sum(one.cost for one in bids), words, 1)
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
    """A bid, and what the bot says of it; with ``why`` also what the better card would have done, and how
    safe the two cards were.
    """
    bid, best = f"{100 * one.risk:.0f}", f"{100 * one.best_risk:.0f}"
    told = [words.t("Stage {stage}, round {round}", stage=one.stage + 1, round=one.round + 1) + ":"]
    if one.best == one.bid:
        told.append(words.t("{bid}, like the bot.", bid=one.bid))
    elif one.sure:
        more, error = decimal(one.difference, words), decimal(one.error, words)
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
        told.append(reason_in_words(one.reason, _REASONS, names, words, **cards))
    if why and bid != best:
        text = _(
            "Risk of losing a life preserver: {risk}% with the {bid}, {best_risk}% with the {best}."
        )
        if not one.life_preservers:
            text = _("Risk of elimination: {risk}% with the {bid}, {best_risk}% with the {best}.")
        told.append(words.t(text, bid=one.bid, risk=bid, best=one.best, best_risk=best))
    return " ".join(told)
