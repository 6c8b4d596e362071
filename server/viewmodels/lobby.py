"""What the lobby and the waiting room of a table show."""

from typing import NamedTuple


class TableLine(NamedTuple):
    """A table in the list."""

    id: str
    title: str
    edition: str
    facts: tuple[str, ...]
    """House options and pace, in words."""
    seats: str
    """"3/5"."""
    names: str
    """Who sits there, in words."""
    state: str
    """"open", "stage 2/5", "over"."""
    joinable: bool
    watchable: bool


class LobbyModel(NamedTuple):
    """The lobby."""

    tables: tuple[TableLine, ...]
    here: str
    """Who is here, in words."""
    people: str
    """How many, in words."""
    hidden: int = 0
    """Tables that do not fit the filter."""
    folded: int = 0
    """Tables that are only counted: games against bots, and what is over."""


class SeatLine(NamedTuple):
    """A seat of a table that has not begun."""

    seat: int
    name: str
    """What to call who sits there; words for an empty seat."""
    tag: str
    taken: bool
    you: bool
    owner: bool


class WaitingModel(NamedTuple):
    """A table that waits for players."""

    title: str
    code: str
    facts: tuple[str, ...]
    seats: tuple[SeatLine, ...]
    owner: bool
    """The viewer may change options, seat bots and start."""
    full: bool
    lines: tuple[str, ...]
    """What to do now, as sentences."""
    private: bool = False
    watching: bool = False
    """The viewer has no seat."""
    word: str = ""
    """The invitation word, where the viewer may see it."""
    bots: bool = True
    """They may play here."""


class OptionLine(NamedTuple):
    """One choice of the options form."""

    label: str
    value: str
    hint: str
    fixed: bool
    """Follows from other choices."""
