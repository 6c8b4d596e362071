"""The review of a game in words: each bid beside the bot's choice, and what that is worth."""

from collections.abc import Sequence

from engine.bots.review import ReviewedBid, costliest
from server.i18n.catalogues import Words
from server.i18n.catalogues import gettext_noop as _
from server.text.history import decimal


def review_lines(bids: Sequence[ReviewedBid], words: Words) -> list[str]:
    """All there is to tell of the bids of one seat: what they come to, the costliest, and each of them."""
    lines = summary_in_words(bids, words)
    if worst := costliest(bids):
        lines += [words.t("What cost most:"), *(bid_in_words(one, words) for one in worst)]
    return [*lines, words.t("All bids:"), *(bid_in_words(one, words, risk=False) for one in bids)]


def summary_in_words(bids: Sequence[ReviewedBid], words: Words) -> list[str]:
    """What the bids come to, and how that is known."""
    worse = [one.difference for one in bids if one.sure]
    same = sum(one.best == one.bid for one in bids)
    told = words.t(
        "{bids}: {same} like the bot, {close} too close to call, {worse} worse.",
        bids=words.n("{count} bid with a choice", "{count} bids with a choice", len(bids)),
        same=same,
        close=len(bids) - same - len(worse),
        worse=len(worse),
    )
    if worse:
        cost = decimal(sum(worse), words, 1)
        told += " " + words.t("The worse ones cost about {points} points.", points=cost)
    how = words.t(
        "These are estimates: the strongest bot plays the stage on many times with either"
        " card, and knows only what the player knew. A difference of less than two standard"
        " errors is too close to call."
    )
    return [told, how]


def bid_in_words(one: ReviewedBid, words: Words, *, risk: bool = True) -> str:
    """A bid, and what the bot says of it; with ``risk`` also how safe the two cards were."""
    bid, best = f"{100 * one.risk:.0f}", f"{100 * one.best_risk:.0f}"
    told = [words.t("Stage {stage}, round {round}", stage=one.stage + 1, round=one.round + 1) + ":"]
    if one.best == one.bid:
        told.append(words.t("{bid}, like the bot.", bid=one.bid))
    elif one.sure:
        more, error = decimal(one.difference, words), decimal(one.error, words)
        text = _("{bid}; {best} brings {points} points more (standard error {error}).")
        told.append(words.t(text, bid=one.bid, best=one.best, points=more, error=error))
    else:
        told.append(
            words.t(
                "{bid}; the difference to {best} is too small to call.", bid=one.bid, best=one.best
            )
        )
    if risk and bid != best:
        text = _("Risk of losing a life preserver: {risk}% with {bid}, {best_risk}% with {best}.")
        if not one.life_preservers:
            text = _("Risk of elimination: {risk}% with {bid}, {best_risk}% with {best}.")
        told.append(words.t(text, bid=one.bid, risk=bid, best=one.best, best_risk=best))
    return " ".join(told)
