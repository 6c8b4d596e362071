"""Help for operators: the lists, what can be done with whom, and what becomes of it."""

from collections.abc import Sequence

from server.fullscreen.pages.reading_page import ReadingPage
from server.fullscreen.widgets.reading import help_lines
from server.i18n.catalogues import Words
from server.terminal.frame import Row


class OperatorsHelpPage(ReadingPage):
    """See the module."""

    same_key = "?"

    def title(self) -> str:
        """See ``ReadingPage``."""
        return self._desk.words.t("Operators")

    def lines(self, width: int) -> Sequence[Row]:
        """See ``ReadingPage``."""
        words = self._desk.words
        return help_lines((_lists(words), _deeds(words), _good_to_know(words)), width)


def _lists(words: Words) -> tuple[str, tuple[str, ...]]:
    return (
        words.t("The lists"),
        (
            words.t("Tab, 1 to 5\tthe next list, or this one: people, tables, reports, bans, log"),
            words.t("Up Down\tchoose; below the list is all that is known about the chosen one"),
            words.t("Enter\twhat can be done with the chosen one"),
            words.t("r\tlook again at once; a list follows what happens every few seconds"),
            words.t("Esc, !\tback to where you were"),
        ),
    )


def _deeds(words: Words) -> tuple[str, tuple[str, ...]]:
    return (
        words.t("What can be done"),
        (
            words.t("m, u\tpeople: silence somebody for a time, or let speak again"),
            words.t("x\tpeople: end a connection; the seat stays, and who it was may come back"),
            words.t("b\tpeople: ban a key, a name, an address or the network around it"),
            words.t("c\ttables: close one, whatever goes on there"),
            words.t("a, c, o\treports: answer, close without a word, also show those closed"),
            words.t("u\tbans: lift one; below them is who is silenced: let speak again"),
            words.t(
                "h\tthe house: say something to everybody, no new games, run dry and stop, read the"
                " settings again, ban somebody who is not here"
            ),
        ),
    )


def _good_to_know(words: Words) -> tuple[str, tuple[str, ...]]:
    return (
        words.t("Good to know"),
        (
            words.t("A time is a number and a letter: 30m, 2h, 7d, 4w; a ban may last for ever."),
            words.t("Nothing is done without a yes, but for texts, which are sent with Enter."),
            words.t(
                "Whatever an operator does or looks at is written down, also what was refused: the log"
                " shows it. Nobody can change that."
            ),
            words.t("Nobody sees a hidden hand, a sealed bid or an invitation word here."),
            words.t("The same orders work in line mode (admin help) and as tide admin in a shell."),
        ),
    )
