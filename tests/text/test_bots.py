"""What is said of bots."""

import pytest

from server.i18n.lookup import words_for
from server.text.hints import bot_in_words


@pytest.mark.parametrize(
    ("language", "level"), [("en", "level 1 of 7"), ("de", "Stufe 1 von 7"), ("pt", "força 1 de 7")]
)
def test_a_level_is_told_as_people_say_it(language: str, level: str) -> None:
    assert level in bot_in_words("random", words_for(language))
