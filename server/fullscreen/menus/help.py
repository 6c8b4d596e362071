"""The help page: the rules in our own words, as this table plays them, and the keys."""

from collections.abc import Sequence

from server.coordinator.messages import TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.reading_page import ReadingPage
from server.fullscreen.widgets.reading import help_lines
from server.session.help_text import help_sections, replay_sections
from server.session.key_preferences import rows, without
from server.terminal.frame import Row


class HelpPage(ReadingPage):
    """See the module."""

    same_key = "?"

    def __init__(
        self, desk: SessionContext, *, meeting: bool = False, replay: TableOptions | None = None
    ) -> None:
        """``meeting``: asked for where people meet, not where they play; ``replay``: in the replay of a game
        with these options.
        """
        super().__init__(desk)
        self._meeting = meeting
        self._replay = replay

    def title(self) -> str:
        """See ``ReadingPage``."""
        return self._desk.words.t("How to play")

    def lines(self, width: int) -> Sequence[Row]:
        """See ``ReadingPage``."""
        table = self._desk.table
        options = table.info.options if table is not None else None
        words, own = self._desk.words, self._desk.own_keys
        if self._replay is not None:
            return help_lines(replay_sections(self._replay, words), width)
        sections = help_sections(options, words, meeting=self._meeting)
        if own:
            sections = (
                *((heading, without(texts, own)) for heading, texts in sections),
                (words.t("Your own keys"), rows(own, words)),
            )
        return help_lines(sections, width)
