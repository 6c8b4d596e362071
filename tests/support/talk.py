"""A screen that shows the keys that were pressed, and has a line to type into."""

from msgspec.structs import replace
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.history import InMemoryHistory

from server.terminal.application import Invalidate
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame import CursorPosition, Frame, fit, row
from server.terminal.keys.bindings import NEWLINE
from server.terminal.keys.lines import line_entry, visible


def _nobody(*, in_background: bool = False, now: bool = False) -> None:
    """Nobody draws yet."""


_LEAVE = ("c-c", "c-d")
SIXTEEN = Capabilities(colours=Colours.SIXTEEN)


class Talk:
    """A screen with the keys pressed so far, and a line to type into after ``t``."""

    def __init__(self, abilities: Capabilities = SIXTEEN) -> None:
        self.abilities = abilities
        self.pressed: list[str] = []
        self.said: list[str] = []
        self.entry: Buffer | None = None
        self.history = InMemoryHistory()
        self.done = False
        self.news = ""
        self.frames = 0
        self.changed: Invalidate = _nobody

    def attach(self, invalidate: Invalidate) -> None:
        self.changed = invalidate

    def frame(self, size: Size) -> Frame:
        self.frames += 1
        rows = [
            row(("title", "Turn the Tide"), ("dim", f" {size.columns}x{size.rows}")),
            row(("text", f"pressed {' '.join(self.pressed[-5:])}")),
            row(("text", f"said {'|'.join(self.said[-5:])}")),
            row(("warm", self.news)),
        ]
        if self.entry is None:
            return Frame(tuple(rows))
        text, column = visible(self.entry, 30)
        return Frame(
            (*rows, row("> ", ("input", fit(text, 30)))), CursorPosition(column + 2, len(rows))
        )

    def press(self, name: str, *, at_once: bool = False) -> bool:
        if self.entry is not None and name not in ("enter", "escape", "tab", "s-tab", NEWLINE):
            return False
        if self.entry is None and len(name) > 1 and name.startswith("c-") and name not in _LEAVE:
            return True
        self.pressed.append(name)
        match "enter" if name == NEWLINE else name:
            case "t" if self.entry is None:
                self.entry = line_entry(history=self.history)
            case "enter" if self.entry is not None:
                self.said.append(self.entry.text)
                self.history.append_string(self.entry.text)
                self.entry = None
            case "escape":
                self.entry = None
            case "q" if self.entry is None:
                self.done = True
            case "!":
                raise RuntimeError("a mistake in a screen")
        return True

    def failed(self, error: Exception, *, drawing: bool) -> bool:
        return False

    def shown_with_answer(self) -> bool:
        return self.pressed[-1:] == ["a"]

    def found(self, **abilities: object) -> None:
        self.abilities = replace(self.abilities, **abilities)
        self.changed()

    def text(self, text: str) -> None:
        self.said.append(f"pasted {text}")

    def tell(self, news: str) -> None:
        """Something happened at the table."""
        self.news = news
        self.changed()
