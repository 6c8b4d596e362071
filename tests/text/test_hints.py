"""Hints in words: the card, how sure that is, and why."""

import pytest

from engine.bots.advice import from_plain, to_json
from engine.bots.estimates import Analysis, CardEstimate
from server.i18n.catalogues import languages, words_for
from server.text.hints import hint_in_words, risks_in_words


def hint(
    difference: float = 0.5,
    highest: float = 0.1,
    second: float = 0.2,
    risk: float = 0.3,
    alike: tuple[int, ...] = (),
    left: int = 2,
) -> Analysis:
    cards = (
        CardEstimate(4, 1.0, 0.0, 0.1, 0.625, 0.0),
        CardEstimate(23, 1.5, highest, second, risk, 0.0),
    )
    return Analysis(0, 3, cards, 23, 4, difference, 0.1, alike, left)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (hint(), "The 23 brings about 0.50 points more than the 4 (standard error 0.10)."),
        (hint(difference=0.1), "23 and 4 are about equally good."),
        (hint(highest=0.9, second=0.1), "The 23 most likely takes the lower tide (90%)."),
        (hint(second=0.7), "The 23 most likely takes the higher tide (70%)."),
        (hint(), "The 23 most likely takes no tide (70%)."),
        (hint(risk=0.04), "It rarely loses a life preserver (4%)."),
        (hint(risk=0.4), "It loses a life preserver in 40% of cases."),
        (hint(left=0), "It puts you out of this stage in 30% of cases."),
        (hint(left=0, risk=0.04), "It rarely puts you out of this stage (4%)."),
        (hint(difference=0.1, alike=(25, 31)), "4, 23, 25, 31 are about equally good."),
    ],
)
def test_what_is_said(given: Analysis, said: str) -> None:
    told = hint_in_words(given, words_for("en"))
    assert said in told
    assert len(told) == 3


def test_a_card_that_is_worse_is_told_beside_those_that_are_as_good() -> None:
    told = hint_in_words(hint(alike=(25,)), words_for("en"))
    assert told[:2] == [
        "The 23 brings about 0.50 points more than the 4 (standard error 0.10).",
        "23, 25 are about equally good.",
    ]


@pytest.mark.parametrize("language", languages())
def test_nobody_loses_a_life_preserver_without_having_one(language: str) -> None:
    words = words_for(language)
    for some, none in zip(
        (*hint_in_words(hint(), words), risks_in_words(hint(), words)),
        (*hint_in_words(hint(left=0), words), risks_in_words(hint(left=0), words)),
        strict=True,
    ):
        assert (some == none) == (words.t("{share}%", share=30) not in some)


@pytest.mark.parametrize("language", languages())
def test_every_card_and_its_risk(language: str) -> None:
    words = words_for(language)
    each = [f"{card}: {words.t('{share}%', share=share)}" for card, share in ((4, 62), (23, 30))]
    assert ", ".join(each) in risks_in_words(hint(), words)
    assert all("23" in line or "30" in line for line in hint_in_words(hint(), words))


def test_a_hint_survives_as_json() -> None:
    found = hint()
    cards = [[*card] for card in found.cards]
    assert from_plain(0, 3, cards, 23, 4, 0.5, 0.1, [], 2) == found
    assert to_json(found)["cards"][1]["risk"] == 0.3
    assert to_json(found)["sure"]
