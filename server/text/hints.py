"""A hint in words: which card the strongest bot would play, and why."""

from collections.abc import Mapping

from engine.bots.estimates import Analysis, CardReason, Why
from server.i18n.lookup import Words, _
from server.text.history import decimal
from server.text.rounds import Names

_RARELY = 0.1

_REASONS = {
    Why.TAKES: _("The {best} takes the {tide} in {share}% of cases."),
    Why.LEAVES: _("The {best} leaves the {tide} to {name} in {share}% of cases."),
    Why.SAFER: _("The {best} is safer than the {other} in this round."),
    Why.LATER: _("The {other} is worth more in a later round."),
}


def hint_in_words(hint: Analysis, names: Names, words: Words) -> list[str]:
    """The card, how much better it is, and why; or the cards that are equally good. All of it agrees with
    ``cards_in_words``.
    """
    best, other = hint.of(hint.best), hint.of(hint.other)
    more = decimal(round(best.points, 2) - round(other.points, 2), words)
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
            points=decimal(card.points, words),
            risk=f"{100 * card.risk:.0f}",
        )
        for card in hint.cards
    )
    text = _("Points in the stage, and the risk of losing a life preserver: {cards}.")
    if not hint.life_preservers:
        text = _("Points in the stage, and the risk of being out: {cards}.")
    return words.t(text, cards=told)
