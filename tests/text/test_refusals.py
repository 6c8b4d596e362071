"""Why a command was refused, in words."""

import pytest

from server.coordinator import messages as m
from server.i18n.lookup import words_for
from server.text.refusals import refusal


@pytest.mark.parametrize(
    ("language", "what", "said"),
    [
        ("en", "seconds", "A tournament cannot be opened like that: seconds a bid."),
        ("de", "rounds", "So lässt sich kein Turnier eröffnen: Runden."),
        ("pt", "edition", "Não é possível abrir um torneio assim: edição."),
    ],
)
def test_what_is_wrong_with_a_tournament_is_told_in_words(
    language: str, what: str, said: str
) -> None:
    reply = m.Reply(code="tournament_plan", details={"what": what})
    assert refusal(reply, words_for(language)) == said


@pytest.mark.parametrize(
    ("language", "said"), [("en", "was moving"), ("de", "zog gerade um"), ("pt", "estava mudando")]
)
def test_what_a_moving_table_answers_is_still_true_when_it_has_moved(
    language: str, said: str
) -> None:
    """It may be read only then: after "the trouble is over", and until the next key is pressed."""
    assert said in refusal(m.Reply("moving"), words_for(language))
