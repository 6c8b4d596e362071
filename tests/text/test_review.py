"""Reviews in words: the accuracy and who judges, grades, and why a better card would have been better."""

import pytest

from engine.bots.estimates import JUDGE, CardReason, Why
from engine.bots.review import ReviewedBid, from_plain, to_json
from server.i18n.lookup import languages, words_for
from server.text.bots import bid_in_words, review_lines

NAMES = ("ada", "bo", "cem")
LATER = CardReason(Why.LATER)


def bid(
    difference: float = 0.6, error: float = 0.04, reason: CardReason = LATER, best: int = 12
) -> ReviewedBid:
    """The 37 beside the best card, where two points are at stake."""
    return ReviewedBid(1, 4, 37, best, difference, error, 0.4, 0.2, 2, 2.0, reason)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (CardReason(Why.TAKES, 2, None, 0.9), "The 12 would most often have taken the 2 (90%)."),
        (
            CardReason(Why.LEAVES, 9, 1, 0.62),
            "The 12 would most often have left the 9 to bo (62%).",
        ),
        (CardReason(Why.SAFER), "The 12 would have been safer in that round."),
        (CardReason(Why.LATER), "The 37 would have been worth more in a later round."),
    ],
)
def test_why_the_better_card_is_better(reason: CardReason, said: str) -> None:
    told = bid_in_words(bid(reason=reason), NAMES, words_for("en"))
    assert told == (
        "Stage 2, round 5: 37, blunder; the 12 would have brought 0.60 points more (standard error: "
        "0.04 points). "
        f"{said} Risk of losing a life preserver: 40% with the 37, 20% with the 12."
    )
    assert said not in bid_in_words(bid(reason=reason), NAMES, words_for("en"), why=False)


def test_what_is_too_close_has_no_reason() -> None:
    told = bid_in_words(bid(0.07, 0.04), NAMES, words_for("en"))
    assert "too close to the" in told
    assert "worth more" not in told


@pytest.mark.parametrize("language", languages())
def test_a_review_in_which_nothing_cost_anything_says_so(language: str) -> None:
    words = words_for(language)
    lines = review_lines([bid(0.0, 0.0, best=37), bid(0.07, 0.04)], NAMES, words)
    bids = words.n("{count} bid with a choice", "{count} bids with a choice", 2)
    assert words.t("{bids}, and none of them cost anything.", bids=bids) in lines[0]
    assert words.t("Accuracy: {share}%.", share=100) in lines[0]
    assert words.t("What cost most:") not in lines


def test_a_reviewed_bid_survives_as_json() -> None:
    one = bid(reason=CardReason(Why.LEAVES, 9, 1, 0.62))
    assert from_plain(*one[:-1], ["leaves", 9, 1, 0.62]) == one
    told = to_json([one])
    assert told["judge"] == {"bot": JUDGE.bot, "version": JUDGE.version}
    assert (told["accuracy"], told["costliest"]) == (0.74, [0])
    (found,) = told["bids"]
    assert (found["cost"], found["grade"], found["sure"]) == (0.52, "blunder", True)
    assert found["reason"] == {"kind": "leaves", "tide": 9, "seat": 1, "share": 0.62}
