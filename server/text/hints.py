"""A hint in words: which card the strongest bot would play, and why."""

from engine.bots.estimates import Analysis
from server.i18n.catalogues import Words
from server.i18n.catalogues import gettext_noop as _
from server.text.history import decimal

_RARELY = 0.1


def hint_in_words(hint: Analysis, words: Words) -> list[str]:
    """The card, how sure that is, and what it most likely leads to."""
    best = hint.of(hint.best)
    text = _("{best} and {other} are about as good.")
    if hint.sure:
        text = _(
            "{best}: it brings about {more} points more than {other} (standard error {error})."
        )
    more, error = decimal(hint.difference, words), decimal(hint.error, words)
    told = [words.t(text, best=hint.best, other=hint.other, more=more, error=error)]
    share, text = max(
        (best.highest, _("The {card} most likely takes the lower tide ({share} %).")),
        (best.second, _("The {card} most likely takes the higher tide ({share} %).")),
        (1 - best.highest - best.second, _("The {card} most likely takes no tide ({share} %).")),
    )
    told.append(words.t(text, card=hint.best, share=f"{100 * share:.0f}"))
    text = _("It loses a life preserver in {share} % of cases.")
    if best.risk < _RARELY:
        text = _("It rarely loses a life preserver ({share} %).")
    return [*told, words.t(text, share=f"{100 * best.risk:.0f}")]


def risks_in_words(hint: Analysis, words: Words) -> str:
    """Each card and how often it costs a life preserver."""
    risks = ", ".join(f"{each.card}: {100 * each.risk:.0f} %" for each in hint.cards)
    return words.t("A life preserver is lost with {risks}.", risks=risks)
