"""The terminal at the other end: size and abilities, bytes out, and its clipboard; never a socket."""

from base64 import b64encode
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, Protocol

from msgspec import Struct

from server.terminal.meter import Meter


class Size(NamedTuple):
    """Size of a terminal, in character cells."""

    columns: int
    rows: int


class Colours(IntEnum):
    """Number of colours that the terminal shows."""

    NONE = 0
    SIXTEEN = 16
    INDEXED = 256
    TRUE = 1 << 24


class Copying(StrEnum):
    """Whether a terminal puts on the clipboard what it is sent for that (``clipboard``)."""

    UNKNOWN = ""
    KNOWN = "known"
    """Unless its user has forbidden it."""
    ITERM2 = "iterm2"
    """If its settings allow it."""
    TMUX = "tmux"
    """If its option ``set-clipboard`` is ``on``."""
    NEVER = "never"


class Background(StrEnum):
    """What a terminal's background is taken for."""

    AUTO = "auto"
    """What the terminal tells."""
    DARK = "dark"
    LIGHT = "light"


class Capabilities(Struct, frozen=True):
    """What the terminal can show and how the player wants it; the player may change all of it."""

    colours: Colours = Colours.INDEXED
    unicode: bool = True
    """Box drawing and block elements; else plain ASCII."""
    language: str = "en"
    thin: bool = False
    """A slow line: no animation, fewest bytes."""
    synchronized: bool = False
    """Understands synchronized output (DEC private mode 2026)."""
    notifies: str = ""
    """How it can be told to show a notification on the player's desktop: one of the ``WAYS`` of
    ``attention``; empty when it is not known to take any."""
    copies: Copying = Copying.UNKNOWN
    theme: str = "sea"
    """One of `theme.PALETTES`; an unknown name is taken for the default."""
    light: bool | None = False
    """The terminal's background is light; ``None`` until it has told."""
    background: Background = Background.AUTO
    """What the player says of the background."""
    motion: str = "full"
    """A ``ScreenMotion``: as the player wants it, otherwise as it suits what reads the screen."""
    lines: bool = False
    """Sentences, one after the other, instead of a full screen."""
    program: bool = False
    """No terminal at all: lines of JSON, for a program."""
    cursor: bool = True
    """The terminal can place its cursor: without that there is no full screen."""
    echoes: bool = False
    """The far end shows by itself what is typed; it sends whole lines."""
    wraps: bool = False
    """The far end breaks lines by itself, as MUD clients do, or is no terminal but a program."""
    reader: bool = False
    """A screen reader speaks the lines, and would pause where we break one: the terminal breaks them."""

    @property
    def on_light(self) -> bool | None:
        """Whether to draw for a light background; ``None``: so that it can be seen on either."""
        return (
            self.light
            if self.background is Background.AUTO
            else self.background is Background.LIGHT
        )


class ConnectionStats(NamedTuple):
    """About a line, for who asks."""

    sent: int = 0
    """Bytes to the player's terminal so far, without what encryption and the network add."""
    received: int = 0
    """Bytes from it."""
    kind: str = ""
    """The terminal's type as it told it, cleaned; empty when it did not."""
    speed: int = 0
    """Bits a second, as the terminal told it; 0 when it did not."""
    way_in: str = ""
    """How others get to this server: its host, after the options that ssh needs; empty when not known."""
    line: str = ""
    """``ssh`` or ``telnet``; empty without any."""


class Terminal(Protocol):
    """The transport's side of a session."""

    meter: Meter
    """The connection's, which may have several terminals."""

    @property
    def size(self) -> Size:
        """Clamped to what can sensibly be drawn."""

    @property
    def abilities(self) -> Capabilities:
        """As found out when the session began."""

    @property
    def writable(self) -> bool:
        """False while too much output is unread at the other end: then draw nothing."""

    def write(self, text: str) -> None:
        """Send text; one call, one write on the wire.

        Raises nothing: that the line has gone, who reads it will say.
        """


class ByteStream(Terminal, Protocol):
    """A terminal and the line that leads there."""

    @property
    def facts(self) -> ConnectionStats:
        """As they are now."""

    def close(self) -> None:
        """End the connection once what was written is out."""

    def expect(self, *, lines: bool) -> None:
        """From now on whole lines are to be typed, or else single keys: the client may have to be told."""


MOST: Final = 4000
"""Characters that are sent: more than any text here has, and less than any terminal's limit."""


def clipboard(text: str) -> str:
    """What to send so that the terminal has ``text`` on its clipboard.

    Prints nothing, moves nothing, asks for no answer. Of characters that are not seen, only the ends of
    lines are copied.
    """
    shown = "".join(char for char in text if char == "\n" or char.isprintable())[:MOST]
    return f"\x1b]52;c;{b64encode(shown.encode()).decode()}\x1b\\"
