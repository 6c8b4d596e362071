"""Pages with a list, of which one entry is chosen: any list, a form, a question with answers, people."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar

from typing_extensions import override

from server.coordinator.contract import Followed, Profile
from server.coordinator.messages import Command, Reply, TableOptions, Update
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import ARROWS, BACK, DOWN, FAR, NEXT, UP, Page
from server.fullscreen.pages.reading import LoadedPage, ReadingPage
from server.fullscreen.widgets.boxes import WHOLE, Pane, PaneText, are_beside, facts_pane, panes
from server.fullscreen.widgets.chrome import menu_row, paragraph, paragraphs, spacer
from server.fullscreen.widgets.drawing import shorten
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span, fit, row, text_width, wrap
from server.terminal.keys.bindings import Key, KeyTable
from server.text.people import between_lines, profile_lines
from server.text.refusals import refusal
from server.viewmodels.table_options import OPTIONS, OptionLine, options_in_words

T = TypeVar("T")


class ListPage(Page, Generic[T]):
    """A list, of which one item is chosen, and what there is to know of that one beside it."""

    KEYS = KeyTable[Any](UP, DOWN, NEXT, *FAR)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._at = 0

    def items(self) -> Sequence[T]:
        """All there is to choose from, as it is now."""
        raise NotImplementedError

    @property
    def at(self) -> int:
        """The place of the chosen one."""
        return max(0, min(self._at, len(self.items()) - 1))

    @property
    def chosen(self) -> T | None:
        """The item itself; ``None`` where there is none."""
        items = self.items()
        return items[min(self._at, len(items) - 1)] if items else None

    def move(self, step: int) -> None:
        """Choose another item, at most the first or the last."""
        self._at = max(0, min(self.at + step, len(self.items()) - 1))

    def line(self, item: T, width: int) -> Span | list[Span]:
        """An item in the list, in so many columns."""
        raise NotImplementedError

    def nothing(self) -> Sequence[str]:
        """What is said where there is no item."""
        return ()

    def beside(self, size: Size) -> Sequence[Pane]:
        """What there is to know of the chosen item, beside or below the list in ``size``."""
        return ()

    def head(self, width: int) -> Sequence[Row]:
        """What stands above all of it."""
        return ()

    @override
    def frame(self, size: Size) -> Frame:
        width, label, head = size.columns, self._label, [*self.head(size.columns)]
        if self.entry is not None:
            if text_width(label) > width // 3:  # above the line: what is typed may be long
                head += paragraph(label, width, "warm")
                label = ""
            head += [BLANK, BLANK]
        room = self.body_size(size)
        room = room._replace(rows=room.rows - len(head))
        main = self.list_pane()
        if not self.items():
            main = Pane("", partial(paragraphs, self.nothing()), grows=True)
        columns = [[main], list(self.beside(room))]
        rows = panes([each for each in columns if each], room, self.context.look, (3, 2))
        frame = self.framed(self.title(), [*head, *rows], size, aside=self.aside())
        return self.with_prompt(frame, width, len(head) - 2, label)

    def list_pane(
        self,
        line: Callable[[T, int], Span | list[Span]] | None = None,
        title: str = "",
        others: Sequence[T] | None = None,
    ) -> Pane:
        """All items as a pane, the chosen one in sight, or ``others``, of which none is.

        A text of one style is shortened to the columns there are.
        """
        line = line or self.line
        items, glyphs = self.items() if others is None else others, self.context.look.glyphs
        chosen, count = self.at if items and others is None else -1, len(items)

        def drawn(width: int, number: int) -> Row:
            cells = line(items[number], width - 3)
            if isinstance(cells, tuple):
                cells = [(cells[0], shorten(cells[1], width - 3, glyphs))]
            return menu_row(number == chosen, cells, width)

        return Pane(
            title,
            lambda width: PaneText(count, partial(drawn, width)),
            chosen=chosen,
            listed=True,
            aside=f"{chosen + 1}/{count}" if chosen >= 0 else "",
            grows=True,
        )


_LINES: Final = 6
"""The least rows of a form."""
_TOLD: Final = 2
"""Rows of most hints."""
_BROAD: Final = 50
"""Columns from which values stand beside their labels."""
_VALUE: Final = 12
"""The least columns of a value."""
_MARKS: Final = 6
"""Columns beside a label and its value."""


class FormPage(ListPage[OptionLine]):
    """A list of lines with a value each."""

    KEYS = KeyTable["FormPage"](
        *ListPage.KEYS,
        Key("left", "h", does=lambda page: page.change(-1), footer=_("change"), label=ARROWS),
        Key("right", "l", " ", does=lambda page: page.change(1)),
    )

    @override
    def frame(self, size: Size) -> Frame:
        lines = self.items()
        line, spaced = lines[self._at], size.rows >= 2 * len(lines) + 12
        body = self.body_size(size)
        form = Pane(
            "",
            partial(self._form, lines, spaced=spaced),
            chosen=self._at * (1 + spaced),
            listed=True,
            aside=f"{self._at + 1}/{len(lines)}",
            grows=True,
            least=_LINES,
        )
        look = self.context.look
        right = [Pane(line.label, partial(self._hint, line), least=WHOLE)]
        if spaced or are_beside(body, look):
            choices = Pane(self.words.t("choices"), partial(self._choices, line), least=WHOLE)
            right += [*self.beside(body), choices]
        return self.framed(self.title(), panes([[form], right], body, look, (3, 2)), size)

    def _hint(self, line: OptionLine, width: int) -> list[Row]:
        """In rows enough for most: what stands below does not move when another line is chosen."""
        cut = text_width(line.label) + text_width(line.value) + _MARKS >= width
        said = ". ".join(filter(None, (line.value if cut else "", line.hint)))
        rows = paragraph(said, width)
        return rows + [BLANK] * (_TOLD - len(rows))

    def _choices(self, line: OptionLine, width: int) -> list[Row]:
        """All values that the chosen line can have, and what follows from each."""
        rows, choices = list[Row](), line.choices()
        for value, hint in choices:
            here = value == line.value
            rows += paragraph(value, width, "strong" if here else "text", "> " if here else "  ")
            if any(other != hint for _, other in choices):
                rows += paragraph(hint, width, "dim", "    ")
        return rows

    def _form(self, lines: Sequence[OptionLine], width: int, *, spaced: bool) -> list[Row]:
        """Labels and values: a longer value moves nothing. On a narrow screen values stand at the right."""
        more, rows = self.context.look.glyphs.more, list[Row]()
        label_width = min(30, max(text_width(line.label) for line in lines) + 2)
        for number, line in enumerate(lines):
            here = number == self._at
            room = width - _MARKS - (label_width if width >= _BROAD else text_width(line.label))
            value = shorten(line.value, max(_VALUE, room - here), self.context.look.glyphs)
            value = f"< {value} >" if here and not line.fixed else f"  {value}  "
            at = label_width if width >= _BROAD else width - 2 - text_width(value)
            style = "dim" if line.fixed else "text"
            cells = ((style, fit(line.label, at, ellipsis=more)), (style, value))
            rows.append(menu_row(here, cells, width))
            rows += [BLANK] * spaced
        return rows[: len(rows) - spaced]

    def change(self, step: int) -> None:
        """Another value for the chosen line."""
        self.items()[self._at].change(step)


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


Names = Callable[[Any], Sequence[str]]
"""Returns the people whom a page is about."""


def people_key(*names: str, of: Names, **told: str) -> Key[Any]:
    """The key that shows who somebody is: where there are several to choose from, whom is asked."""

    def show(page: Any) -> None:
        found = of(page)
        if len(found) == 1:
            page.context.open(ProfilePage(page.context, found[0]))
        else:
            page.context.open(PeoplePage(page.context, found))

    options: Any = told
    return Key(*(names or ("i",)), does=show, when=lambda page: page.has_library, **options)


class PeoplePage(LoadedPage[tuple[Followed, ...]], ListPage[str]):
    """``names`` to choose from, then those whom the player follows."""

    TITLE = _("People")
    KEYS = KeyTable["PeoplePage"](*ListPage.KEYS)

    def __init__(self, context: SessionContext, names: Sequence[str]) -> None:
        super().__init__(context)
        self._names: Final = tuple(dict.fromkeys(names))

    @override
    def updated(self, update: Update) -> None:
        if any(word.kind == "came" for word in update.said):
            self.opened()

    @override
    async def load(self) -> tuple[Followed, ...]:
        return await self.context.account.followed()

    @override
    def items(self) -> Sequence[str]:
        return tuple(dict.fromkeys((*self._names, *(each.name for each in self._found or ()))))

    @override
    def nothing(self) -> Sequence[str]:
        return (self.unread or self.words.t("There is nobody to choose."),)

    @override
    def line(self, item: str, width: int) -> Span:
        words, name = self.words, item
        followed = next((each for each in self._found or () if each.name == name), None)
        if followed is None:
            return ("text", name)
        if followed.here or name in self._names:
            return ("strong", words.t("{name}, followed", name=name))
        return ("dim", words.t("{name}, followed, not here", name=name))

    @KEYS.add(*("enter", "i"), footer=_("page"), shown=lambda page: bool(page.items()))
    def show(self) -> None:
        """Show the chosen person."""
        if self.chosen is not None:
            self.context.open(ProfilePage(self.context, self.chosen, self.opened))

    KEYS.include(BACK)


class ProfilePage(LoadedPage[Profile], ReadingPage):
    """What there is to know of somebody."""

    LARGEST = ListPage.LARGEST
    HEADING = _("profile")
    KEYS = KeyTable["ProfilePage"]()

    def __init__(
        self, context: SessionContext, name: str, changed: Callable[[], None] = lambda: None
    ) -> None:
        """``changed`` is called when the player follows this person, or no more."""
        super().__init__(context)
        self._name: Final = name
        self._changed: Final = changed

    @override
    def title(self) -> str:
        return self._found.name if self._found is not None else self._name

    @override
    async def load(self) -> Profile | None:
        found = await self.context.account.profile(self._name)
        if found is None:
            self.missing = self._refused("no_profile")
        return found

    @override
    def told(self, found: Profile, width: int) -> list[Row]:
        lines = profile_lines(found, self.context.clock.time(), self.words)
        return paragraphs(lines, width, apart=True)

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        found, words = self._found, self.words
        if found is None or not (lines := between_lines(found, words)):
            return ()
        title = words.t("privacy") if found.own else words.t("you and {name}", name=found.name)
        return (Pane(title, partial(paragraphs, lines, apart=True)),)

    def _refused(self, code: str) -> str:
        return refusal(Reply(code, {"name": self._name}), self.words)

    @property
    def may_follow(self) -> bool:
        found = self._found
        return found is not None and not found.own and (found.followable or found.followed)

    @property
    def follows(self) -> bool:
        return self._found is not None and self._found.followed

    @KEYS.add("f", footer=_("follow"), when=lambda page: page.may_follow and not page.follows)
    def follow(self) -> None:
        """Be told when this person comes."""
        self.fetch(self._follow(True))

    @KEYS.add("f", footer=_("unfollow"), when=lambda page: page.follows)
    def unfollow(self) -> None:
        self.fetch(self._follow(False))

    KEYS.include(*ReadingPage.KEYS)

    async def _follow(self, on: bool) -> None:
        account = self.context.account
        if (code := await account.follow(self._name, on)) != "ok":
            self.context.complain(self._refused(code))
        self._found = await account.profile(self._name) or self._found
        self._changed()
