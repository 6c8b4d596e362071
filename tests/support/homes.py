"""Somebody at a server with finished games, by sentences."""

from server.coordinator.messages import LobbySnapshot, Player, Update
from tests.support.accounts import ME, FakeAccount, FakeLibrary
from tests.support.fake_clock import FakeClock
from tests.support.fakes import FakeVisit
from tests.support.transcript import Reader


def at_home(
    who: Player = ME, games: int = 60, *, way_in: str = "", **account: object
) -> tuple[Reader, FakeLibrary]:
    """Somebody in the lobby of a server with finished games."""
    clock = FakeClock()
    library = FakeLibrary(clock.time(), games)
    visit = FakeVisit(who)
    visit.feed.push(Update(LobbySnapshot((), ("ada",)), None, (), False, ""))
    settings: dict[str, object] = {"library": library, **account}
    known = FakeAccount(**settings)  # type: ignore[arg-type]
    return Reader(visit, clock, known, way_in), library
