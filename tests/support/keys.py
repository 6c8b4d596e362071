"""Look at a screen that no application runs, and press keys: the real key processor says what they do."""

from typing import Any

from prompt_toolkit.application import create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import KEY_ALIASES, Keys

from server.terminal.application import Invalidate, PlayerApplication, Screen
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Frame
from tests.support.pilot import FakeTerminal, FakeTimers


class _Attached:
    """A screen that has been attached already."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def attach(self, invalidate: Invalidate) -> None:
        """It asks somebody else for its frames."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._screen, name)


def look_at(screen: Screen, size: Size) -> Frame:
    """What it shows, which is seen."""
    frame = screen.frame(size)
    for tell in frame.seen:
        tell()
    return frame


def press_keys(screen: Screen, *names: str) -> None:
    """Press these, one after the other."""
    terminal = FakeTerminal(Size(80, 24), Capabilities())
    app = PlayerApplication(terminal, _Attached(screen), FakeTimers())
    with create_app_session(input=app.input, output=app.output), set_app(app):
        for name in names:
            app.key_processor.feed_multiple(key_presses(name))
            app.key_processor.process_keys()


def key_presses(name: str) -> list[KeyPress]:
    """What a terminal's decoder makes of this key."""
    named = KEY_ALIASES.get(name, name)
    return [KeyPress(named, named) if len(named) == 1 else KeyPress(Keys(named), "")]
