"""What a paste that the terminal does not mark may press, from one state to the next."""

from dataclasses import dataclass, field

import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from server.terminal.keys.line_edit import line_entry
from server.terminal.keys.pastes import LONG_PASTE, LONG_PASTE_GAP, PASTE_GAP, Pastes, PasteState
from server.terminal.prompt_toolkit_hooks import FLUSH
from tests.support.pilot import FakeTimers

ENTER = KeyPress(Keys.ControlM, "")
ESCAPE = [KeyPress(Keys.Escape, ""), FLUSH]


def keys(text: str) -> list[KeyPress]:
    return [ENTER if char == "\r" else KeyPress(char, char) for char in text]


@dataclass
class Typing:
    """Somebody who has a line open, or none."""

    entry: Buffer | None = None
    timers: FakeTimers = field(default_factory=FakeTimers)
    closed_by: list[KeyPress] = field(default_factory=list)
    """Keys that were pressed by themselves."""

    def __post_init__(self) -> None:
        self.pastes = Pastes(self, self.timers, self.closed_by.extend)

    def state(self) -> PasteState:
        return self.pastes.state

    def sends(self, text: str, *, more: bool = False) -> list[KeyPress]:
        """What is pressed for it; ``more`` has come by then."""
        pressed = self.pastes.begin(keys(text))
        self.pastes.pressed(more=more)
        return pressed


def test_single_keys_are_pressed_as_they_are() -> None:
    ada = Typing()
    assert ada.sends("x") == keys("x")
    assert ada.state() is PasteState.IDLE
    ada.entry = line_entry("hello")
    assert ada.sends("\r") == [ENTER]
    assert not ada.pastes.ends_a_line(ada.entry)


@pytest.mark.parametrize(
    ("text", "gap"), [("hello bo", PASTE_GAP), ("ab" * LONG_PASTE, LONG_PASTE_GAP)]
)
def test_a_paste_for_no_line_is_a_text_and_its_rest_is_for_nobody(text: str, gap: float) -> None:
    ada = Typing()
    assert ada.sends(text) == [KeyPress(Keys.BracketedPaste, text)]
    assert ada.state() is PasteState.DEAF_TO_KEYS
    assert ada.sends("q") == ada.sends("more of it") == []
    ada.timers.advance(gap)
    assert ada.sends("q") == keys("q")
    assert ada.state() is PasteState.IDLE


def test_what_has_come_of_a_paste_belongs_to_it_however_long_it_waits() -> None:
    ada = Typing()
    ada.sends("hello bo", more=True)
    ada.timers.advance(60)
    assert ada.sends("more of it", more=True) == []
    ada.timers.advance(60)
    assert ada.sends("q") == []
    ada.timers.advance(PASTE_GAP)
    assert ada.sends("q") == keys("q")
    ada.sends("hello bo", more=True)
    ada.pastes.begin([KeyPress(Keys.Up, "")])
    ada.pastes.pressed(more=False)
    ada.timers.advance(PASTE_GAP)
    assert ada.sends("q") == keys("q")


def test_a_line_stays_open_for_the_next_one_that_has_come_however_long_it_waits() -> None:
    ada = Typing(line_entry())
    ada.pastes.begin(keys("hello\r"))
    ada.pastes.line_ended(last=True)
    ada.pastes.pressed(more=True)
    ada.timers.advance(60)
    assert not ada.closed_by
    assert ada.sends("bo\r") == keys("bo\r")


def test_a_line_that_was_typed_ahead_is_typed_without_its_end() -> None:
    ada = Typing()
    assert ada.sends("/hello\rq") == keys("/hello")


def test_a_paste_into_a_line_ends_lines_and_when_that_has_closed_only_keys_are_pressed() -> None:
    ada = Typing(line_entry("hello"))
    assert ada.sends("hello\rbo") == keys("hello\rbo")
    assert ada.entry is not None
    assert ada.state() is PasteState.PASTING
    assert ada.pastes.ends_a_line(ada.entry)
    ada.entry = None
    assert ada.pastes.line_ended(last=False)
    assert ada.state() is PasteState.DEAF
    assert ada.sends("more of it") == []
    assert ada.sends("q") == keys("q")


def test_who_has_just_opened_the_line_ends_no_line_of_a_paste() -> None:
    ada = Typing(line_entry())
    ada.sends("\r1")
    ada.pastes.opened = True
    assert ada.entry is not None
    assert not ada.pastes.ends_a_line(ada.entry)


def test_a_paste_that_begins_with_enter_ends_the_empty_line_that_was_opened_before_it() -> None:
    ada = Typing(line_entry())
    ada.pastes.opened = True
    ada.sends("\rhello\r")
    assert ada.entry is not None
    assert ada.pastes.ends_a_line(ada.entry)


def test_a_line_stays_open_for_the_next_one_and_no_longer() -> None:
    ada = Typing(line_entry())
    ada.sends("hello\r")
    assert not ada.pastes.line_ended(last=True)
    assert ada.state() is PasteState.LINE_KEPT
    assert ada.sends("bo\r") == keys("bo\r"), "that was the next one"
    ada.pastes.line_ended(last=True)
    assert ada.sends("q") == [*ESCAPE, *keys("q")], "that was meant for what is below"
    ada.sends("cem\r")
    ada.pastes.line_ended(last=True)
    ada.timers.advance(PASTE_GAP)
    assert ada.closed_by == ESCAPE
    assert ada.state() is PasteState.IDLE


def test_a_paste_that_is_marked_ends_lines_and_leaves_everything_as_it_was() -> None:
    ada = Typing(line_entry("hello"))
    assert ada.entry is not None
    with ada.pastes.marked():
        assert ada.pastes.ends_a_line(ada.entry)
        assert not ada.pastes.line_ended(last=True)
    assert ada.state() is PasteState.IDLE
    assert not ada.pastes.ends_a_line(ada.entry)


def test_a_mistake_in_a_paste_that_is_marked_leaves_everything_as_it_was() -> None:
    ada = Typing(line_entry("hello"))
    with pytest.raises(RuntimeError), ada.pastes.marked():
        raise RuntimeError
    assert ada.state() is PasteState.IDLE
