"""Hints in words: the card, how sure that is, and why."""

import pytest

from engine.bots.estimates import Analysis, CardEstimate, CardReason, Why
from server.i18n.lookup import languages, words_for
from server.text.bots import cards_in_words, hint_in_words

NAMES = ("ada", "bo", "cem")
LATER = CardReason(Why.LATER)


def hint(
    difference: float = 0.5,
    highest: float = 0.1,
    second: float = 0.2,
    risk: float = 0.3,
    alike: tuple[int, ...] = (),
    left: int = 2,
    reason: CardReason = LATER,
) -> Analysis:
    cards = (
        CardEstimate(4, 1.0, 0.0, 0.1, 0.625, 0.0),
        CardEstimate(23, 1.5, highest, second, risk, 0.0),
    )
    return Analysis(0, 3, cards, 23, 4, difference, 0.1, alike, left, reason)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (hint(), "The 23 brings about 0.50 points more than the 4."),
        (hint(difference=0.1), "The 23 looks best, but 0.50 points more than the 4 may be chance."),
        (hint(0.1, 0.9, 0.1), "The 23 most likely takes the lower tide (90%)."),
        (hint(0.1, second=0.7), "The 23 most likely takes the higher tide (70%)."),
        (hint(0.1), "The 23 most likely takes no tide (70%)."),
        (hint(reason=CardReason(Why.TAKES, 2, None, 0.9)), "The 23 takes the 2 in 90% of cases."),
        (
            hint(reason=CardReason(Why.LEAVES, 9, 1, 0.62)),
            "The 23 leaves the 9 to bo in 62% of cases.",
        ),
        (
            hint(reason=CardReason(Why.LEAVES, 9, None, 0.8)),
            "The 23 leaves the 9 to somebody else in 80% of cases.",
        ),
        (hint(reason=CardReason(Why.SAFER)), "The 23 is safer than the 4 in this round."),
        (hint(), "The 4 is worth more in a later round."),
        (hint(risk=0.04), "The 23 rarely loses a life preserver (4%)."),
        (hint(risk=0.4), "The 23 loses a life preserver in 40% of cases."),
        (hint(left=0), "The 23 puts you out of this stage in 30% of cases."),
        (hint(left=0, risk=0.04), "The 23 rarely puts you out of this stage (4%)."),
        (hint(alike=(25, 31)), "Pick any of these, they are equally good: 23, 25, 31."),
    ],
)
def test_what_is_said(given: Analysis, said: str) -> None:
    told = hint_in_words(given, NAMES, words_for("en"))
    assert said in told
    assert len(told) == 3


def test_the_sentence_says_what_the_table_says() -> None:
    """Also where the difference is not that of what is printed: 1.234 and 0.996 are told as 1.23 and 1.00."""
    found = hint()
    cards = tuple(
        card._replace(points=points)
        for card, points in zip(found.cards, (0.996, 1.234), strict=True)
    )
    (told, *_) = hint_in_words(found._replace(cards=cards), NAMES, words_for("en"))
    assert told == "The 23 brings about 0.23 points more than the 4."


@pytest.mark.parametrize("language", languages())
def test_nobody_loses_a_life_preserver_without_having_one(language: str) -> None:
    words = words_for(language)
    for some, none in zip(
        (*hint_in_words(hint(), NAMES, words), cards_in_words(hint(), words)),
        (*hint_in_words(hint(left=0), NAMES, words), cards_in_words(hint(left=0), words)),
        strict=True,
    ):
        assert (some == none) == (words.t("{share}%", share=30) not in some)
