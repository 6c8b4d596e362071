"""Look at a screen that no application runs, and press keys: the real key processor says what they do."""

from typing import Any

from prompt_toolkit.application import create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import KEY_ALIASES, Keys

from server.terminal.application import Invalidate, PlayerApplication, Screen
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Frame
from tests.support.fake_clock import FakeTimers
from tests.support.pilot import FakeTerminal

ANSWERS = (
    *("\x1b[?62;22c", "\x1b[?62;1;2;4;6;9;15;16;17;18;21;22;28c", "\x9b?62;22c", "\x1b[24;80R"),
    *("\x1b[>1;4000;0c", "\x1b[0n", "\x1b[?2026;2$y", "\x1b[48;40;120;800;1200t", "\x1b[?0u"),
    *("\x1b]11;rgb:1414/1919/1f1f\x1b\\", "\x1b]10;rgb:ffff/ffff/ffff\x07", "\x1b]lname\x1b\\"),
    *("\x1bP>|Some Terminal 3.5\x1b\\", "\x1bP1$r0m\x1b\\", "\x1bP!|00000000\x1b\\", "\x90x\x9c"),
    *(
        "\x1b_Gi=31;OK\x1b\\",
        "\x1b^private\x1b\\",
        "\x1bXstring\x1b\\",
        f"\x1b]52;c;{'QUJD' * 99}\x07",
    ),
    *("\x1b[M !!", "\x1b[<0;10;10M", "\x1b[<0;10;10m", "\x1b[32;10;10M", "\x1b[I", "\x1b[O"),
    *(
        "\x1b[[E",
        "\x1b[15;5~",
        "\x1bOP",
        "\x1b[1;5C",
        "\x1b[1;3D",
        "\x1b\x1b[A",
        "\x1bq",
        "\x1b[113;3u",
    ),
    *("\x1b[113;1:3u", "\x1b[57441;2u"),
)
"""What terminals send that is no text: answers, reports of mouse and focus, keys without a meaning."""


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
