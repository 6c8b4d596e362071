"""Everything between fronts and the coordinator through the frames of a link, there and back at once.

``pytest --through-frames``: so go visits, and all that a ``GameServer`` asks for.
"""

from functools import partial
from typing import Any, Final
from unittest.mock import patch
from weakref import WeakKeyDictionary

from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.arrivals import Arrivals
from server.coordinator.contract import Arrival, Bans, Coordinator, Visit
from server.coordinator.lobby.lobby import Lobby
from server.link import frames
from server.link.coordinator_side import Door
from server.link.door_side import DoorVisit, RemoteCoordinator
from server.timers import Clock

SWITCH: Final = {"on": False}
"""Whether the option was given."""
_LINKS: Final[WeakKeyDictionary[Lobby, "Link"]] = WeakKeyDictionary()


class Wire(frames.LinkConnection[Any]):
    """An end of a line whose frames are there at once."""

    peer: "Wire | None" = None
    flushing = False

    @override
    def wake(self) -> None:
        if self.flushing or self.peer is None:
            return
        self.flushing = True
        try:
            while self._gather(self._out) or self._out:
                data, self._out = frames.framed(self._out), []
                self.peer.data_received(data)
        finally:
            self.flushing = False

    @override
    def close(self) -> None:
        raise AssertionError("a frame was not understood")


class Link(RemoteCoordinator):
    """What a door has of this coordinator."""

    clock: Clock  # type: ignore[assignment]

    def __init__(self, arrivals: Arrivals) -> None:
        super().__init__((), "")
        with patch.object(frames, "Line", Wire):
            self.door: Final = Door(arrivals, 1)
            below: Any = self.new_line()
        above: Any = self.door.line
        above.peer, below.peer = below, above
        below.wake()
        self.clock, self.bans = arrivals.clock, Bans(arrivals.clock.time)

    def visit(self, made: Visit) -> Visit:
        """A door's, of a visit that is the coordinator's."""
        number = next(self._numbers)
        visit = self._visits[number] = DoorVisit(Arrival("", "", ""), player=made.player)
        self.door.listen(number, made)
        submit, leave = partial(self._submit, number), partial(self._leave, number)
        return Visit(made.player, visit.feed, submit, leave)


def of(arrivals: Arrivals) -> Coordinator:
    """The coordinator as a front has it in this run."""
    return Link(arrivals) if SWITCH["on"] else arrivals


def enter(lobby: Lobby, player: m.Player, *given: Any, **more: Any) -> Visit:
    """``Lobby.enter`` in this run."""
    made = lobby.enter(player, *given, **more)
    if not SWITCH["on"]:
        return made
    if lobby not in _LINKS:
        gone = lobby.gone
        _LINKS[lobby] = Link(Arrivals(lobby, None))  # type: ignore[arg-type]
        lobby.gone = gone
    return _LINKS[lobby].visit(made)
