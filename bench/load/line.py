"""What a scripted player needs of a line, whichever it is, and where players come from."""

from typing import Final, NamedTuple, Protocol

HOST: Final = "127.0.0.1"
PER_ADDRESS: Final = 4
"""Players who share one source address: the server's limits stay on, and none of them bites."""


class Line(Protocol):
    """A connection with a session on it."""

    @property
    def arrived(self) -> float:
        """When the last bytes came in (``time.perf_counter``), before anything was made of them."""

    @property
    def received(self) -> int:
        """Bytes of the TCP stream so far, in this direction."""

    def write(self, data: bytes) -> None:
        """Type; nowhere, once the line is gone."""

    def resize(self, columns: int, rows: int) -> None:
        """Tell another size of the terminal."""

    def listen(self, *, on: bool) -> None:
        """Read what comes in, as everybody does at first; or leave it to the system to keep."""

    def abort(self) -> None:
        """Hang up."""


class Far(Protocol):
    """Who is told what comes in."""

    def came(self, line: Line, data: bytes) -> None:
        """The terminal is sent this."""

    def dropped(self) -> None:
        """The line is gone."""


class Wish(NamedTuple):
    """What somebody comes with."""

    name: str
    """With its suffixes."""
    number: int
    """Chooses the source address."""
    term: str
    size: tuple[int, int]
    """Columns and rows."""
    small: bool = False
    """Keeps little unread at this end."""


def address_of(number: int) -> str:
    """Where player ``number`` comes from."""
    place = number // PER_ADDRESS + 1
    return f"127.{10 + (place >> 16)}.{place >> 8 & 255}.{place & 255}"
