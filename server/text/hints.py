"""A hint in words: which card the strongest bot would play, and why."""

from collections.abc import Mapping

from engine.bots.estimates import Analysis, CardReason, Why
from server.i18n.lookup import Words, _
from server.text.history import decimal
from server.text.rounds import Names

_RARELY = 0.1

_REASONS = {
    Why.TAKES: _("The {best} most often takes the {tide} ({share}%)."),
    Why.LEAVES: _("The {best} most often leaves the {tide} to {name} ({share}%)."),
    Why.SAFER: _("The {best} is safer than the {other} in this round."),
    Why.LATER: _("The {other} is worth more in a later round."),
}


def hint_in_words(hint: Analysis, names: Names, words: Words) -> list[str]:
    """The card, how sure that is, and why: of cards that are equally good, what they most likely lead to."""
    best = hint.of(hint.best)
    text = _("{best} and {other} are about equally good.")
    if hint.sure:
        text = _(
            "The {best} brings about {more} points more than the {other} (standard error: {error}"
            " points)."
        )
    more, error = decimal(hint.difference, words), decimal(hint.error, words)
    told = [words.t(text, best=hint.best, other=hint.other, more=more, error=error)]
    if hint.alike:
        cards = sorted({hint.best, *hint.alike, *[hint.other] * (not hint.sure)})
        good = words.t("{cards} are about equally good.", cards=", ".join(map(str, cards)))
        told = [*told, good] if hint.sure else [good]
    if hint.sure:
        compared = {"best": hint.best, "other": hint.other}
        told.append(reason_in_words(hint.reason, _REASONS, names, words, **compared))
    else:
        told.append(_most_likely(hint, words))
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
