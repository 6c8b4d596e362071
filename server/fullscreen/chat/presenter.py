"""From what was heard to what is drawn."""

from collections.abc import Sequence

from server.coordinator.messages import ChatLine
from server.i18n.catalogues import Words
from server.session.chat_history import ChatHistory
from server.text.chat import age_in_words, said_in_words, who_in_words
from server.viewmodels.chat import ChatRow


def present_chat(
    lines: Sequence[ChatLine], book: ChatHistory, now: float, words: Words
) -> tuple[ChatRow, ...]:
    """The rows of these ``lines`` of the ``book``, as they are to be read ``now``."""
    rows = []
    for line in lines:
        who = who_in_words(line, book.me, book.place, words)
        age = age_in_words(line, now, words)
        rows.append(
            ChatRow(
                f"{who} ({age})" if age else who,
                said_in_words(line, words),
                line.sender == book.me,
                book.is_for_me(line),
                line.old,
            )
        )
    return tuple(rows)
