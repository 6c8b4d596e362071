"""A hint in words: which card the strongest bot would play, and why."""

from engine.bots.estimates import Analysis
from server.i18n.catalogues import Words
from server.i18n.catalogues import gettext_noop as _
from server.text.history import decimal

_RARELY = 0.1


def hint_in_words(hint: Analysis, words: Words) -> list[str]:
    """The card, how sure that is, and what it most likely leads to."""
    best = hint.of(hint.best)
    text = _("{best} and {other} are about equally good.")
    if hint.sure:
        text = _(
            "The {best} brings about {more} points more than the {other} (standard error {error})."
        )
    more, error = decimal(hint.difference, words), decimal(hint.error, words)
    told = [words.t(text, best=hint.best, other=hint.other, more=more, error=error)]
    if hint.alike:
        cards = sorted({hint.best, *hint.alike, *[hint.other] * (not hint.sure)})
        good = words.t("{cards} are about equally good.", cards=", ".join(map(str, cards)))
        told = [*told, good] if hint.sure else [good]
    share, text = max(
        (best.highest, _("The {card} most likely takes the lower tide ({share}%).")),
        (best.second, _("The {card} most likely takes the higher tide ({share}%).")),
        (1 - best.highest - best.second, _("The {card} most likely takes no tide ({share}%).")),
    )
    told.append(words.t(text, card=hint.best, share=f"{100 * share:.0f}"))
    if hint.life_preservers:
        often = _("It loses a life preserver in {share}% of cases.")
        rarely = _("It rarely loses a life preserver ({share}%).")
    else:
        often = _("It puts you out of this stage in {share}% of cases.")
        rarely = _("It rarely puts you out of this stage ({share}%).")
    text = rarely if best.risk < _RARELY else often
    return [*told, words.t(text, share=f"{100 * best.risk:.0f}")]


def risks_in_words(hint: Analysis, words: Words) -> str:
    """Each card and how often it costs a life preserver, or the stage for who has none."""
    risks = ", ".join(
        f"{each.card}: {words.t('{share}%', share=f'{100 * each.risk:.0f}')}" for each in hint.cards
    )
    text = _("Risk of losing a life preserver: {risks}.")
    return words.t(text if hint.life_preservers else _("Risk of being out: {risks}."), risks=risks)
