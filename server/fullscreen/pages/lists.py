"""Pages on which something is chosen: a question with answers, the options of a table."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from typing_extensions import override

from server.coordinator.messages import Command, TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, FormPage, ListPage
from server.fullscreen.widgets.boxes import Pane, facts_pane
from server.fullscreen.widgets.chrome import spacer
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row, fit, row, wrap
from server.terminal.keys.key_table import Key, KeyTable
from server.viewmodels.table_options import OPTIONS, OptionLine, options_in_words

_AROUND: Final = 3
"""Rows of the title and of the footer."""


class Choice(NamedTuple):
    """One answer: the key that gives it, what it is called, what follows from it, and what does that."""

    key: str
    label: str
    hint: str
    action: Callable[[], None]


class ChoicePage(ListPage[Choice]):
    """Goes with Esc. Subclasses may have questions and answers that change while they are asked."""

    SAYS = False
    KEYS = KeyTable["ChoicePage"](
        *ListPage.KEYS,
        Key("left", does=lambda page: page.move(-1)),
        Key("right", does=lambda page: page.move(1)),
    )

    def __init__(
        self,
        context: SessionContext,
        title: str = "",
        choices: Sequence[Choice] = (),
        chosen: int = 0,
    ) -> None:
        super().__init__(context)
        self._title: Final = title
        self._choices: Final = tuple(choices)
        self._at = chosen

    @override
    def title(self) -> str:
        return self._title or super().title()

    @override
    def items(self) -> Sequence[Choice]:
        return self._choices

    @override
    def state(self) -> tuple[object, ...]:
        return (*super().state(), [choice.label for choice in self.items()])

    @override
    def frame(self, size: Size) -> Frame:
        body = self._rows(size)
        if len(body) > size.rows - _AROUND:
            # The hint of the chosen answer is what there is room for.
            body = self._rows(size, brief=True)
        return self.framed(self.title(), body, size)

    def _rows(self, size: Size, *, brief: bool = False) -> list[Row]:
        inner = min(size.columns - 4, 72)
        body = spacer(size)
        for number, choice in enumerate(self.items()):
            chosen = number == self.at
            mark, style = (">", "selected") if chosen else (" ", "text")
            for line, text in enumerate(wrap(choice.label, inner - 6)):
                key = choice.key if line == 0 else ""
                body.append(row(" ", (style, fit(f"{mark} {key:<1}   {text}", inner + 1))))
                mark = " "
            if chosen or not brief:
                hint = wrap(choice.hint, size.columns - 8)
                body += [row("       ", ("dim", text)) for text in hint]
            body += [] if brief else spacer(size)
        return body

    @KEYS.add("enter", footer=_("choose"))
    def choose(self) -> None:
        if self.chosen is not None:
            self.give(self.chosen)

    KEYS.include(Key("escape", does=lambda page: page.go_back(), footer=_("stay")))

    @override
    def other(self, name: str) -> None:
        for choice in self.items():
            if choice.key == name:
                self.give(choice)
                return

    def give(self, choice: Choice) -> None:
        self.go_back()
        choice.action()


def ask_yes_or_no(
    context: SessionContext, question: str, hint: str, do: Callable[[], None]
) -> None:
    """Nothing is done without a yes, which ``hint`` says what follows from."""
    words = context.words
    yes = Choice("y", words.t("Yes"), hint, do)
    no = Choice("n", words.t("No"), words.t("nothing changes"), lambda: None)
    context.open(ChoicePage(context, question, (yes, no), chosen=1))


class OptionsPage(FormPage):
    """Gives the ``command`` for what was chosen."""

    KEYS = KeyTable["OptionsPage"]()

    def __init__(
        self,
        context: SessionContext,
        title: str,
        options: TableOptions,
        command: Callable[[TableOptions], Command],
    ) -> None:
        super().__init__(context)
        self._title: Final = title
        self._options = options
        self._command: Final = command

    @override
    def title(self) -> str:
        return self._title

    @override
    def items(self) -> Sequence[OptionLine]:
        return [each.line(self._options, self.words, self._take) for each in OPTIONS]

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        facts = options_in_words(self._options, self.words)
        title, look = self.words.t("what you will play"), self.context.look
        return (facts_pane(title, facts, size, look),)

    def _take(self, options: TableOptions) -> None:
        self._options = options

    @KEYS.add("enter", footer=_("done"))
    def finish(self) -> None:
        self.go_back()
        self.context.do(self._command(self._options))

    KEYS.include(*FormPage.KEYS, BACK)
