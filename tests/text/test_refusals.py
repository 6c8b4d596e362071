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
