"""A visit without a coordinator: tests say what comes, and see what was asked for."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from server.coordinator.contract import Feed, Visit
from server.coordinator.messages import (
    Command,
    Happening,
    LobbySnapshot,
    Player,
    Reply,
    TablePublic,
    Update,
)
from server.fullscreen.router import Router
from server.session.account import Account
from server.session.client import Visitor
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Frame
from server.timers import Clock
from tests.support.fake_clock import FakeClock
from tests.support.keys import look_at, press_keys
from tests.support.regular import Regular
from tests.support.snapshots import Game, plain

ADA = Player("ada-id", "ada", True)
NOBODY_HERE = LobbySnapshot((), ("ada",))


class FakeFeed(Feed):
    """Gives what was pushed."""

    def __init__(self) -> None:
        super().__init__()
        self._pushed: Update | None = None

    @override
    def take(self) -> Update | None:
        update, self._pushed = self._pushed, None
        return update

    @property
    @override
    def can_wait(self) -> bool:
        waiting = self._pushed
        return waiting is not None and waiting.table is None and not waiting.closed

    def push(self, update: Update) -> None:
        self._pushed = update
        if self._ready is not None:
            self._ready()


class FakeVisit(Visit):
    feed: FakeFeed

    def __init__(self, player: Player = ADA) -> None:
        super().__init__(player, FakeFeed(), self._submit, self._close)
        self.commands: list[Command] = []
        self.replies: list[Reply] = []
        """Answers to come; "ok" when there is none."""
        self.closed = False

    async def _submit(self, command: Command) -> Reply:
        self.commands.append(command)
        return self.replies.pop(0) if self.replies else Reply()

    def _close(self) -> None:
        self.closed = True


def router_for(
    visit: Visit, clock: Clock, able: Capabilities, account: Account | None = None
) -> Router:
    """The full screen of somebody with such a terminal, whose connection tells nothing."""
    return Router(Visitor(visit.player, clock, able, account or Regular(), visit))


class Player1:
    """A controller with its visit, clock and a game at whose first seat it sits."""

    def __init__(
        self,
        game: Game | None = None,
        *,
        who: Player = ADA,
        account: Account | None = None,
        clock: FakeClock | None = None,
        **abilities: Any,
    ) -> None:
        self.visit = FakeVisit(who)
        self.clock = clock or FakeClock()
        self.game = game or Game()
        self.viewer = 0
        self.size = Size(80, 24)
        self.frames_asked = 0
        self.hurried = 0
        """How many of them somebody waits for."""
        able = Capabilities(**abilities)
        self.controller = router_for(self.visit, self.clock, able, account)
        self.controller.attach(self._asked)

    def _asked(self, *, in_background: bool = False, now: bool = False) -> None:
        self.frames_asked += 1
        self.hurried += not in_background

    async def lobby(self, lobby: LobbySnapshot = NOBODY_HERE) -> None:
        """The visitor is in the lobby."""
        self.visit.feed.push(Update(lobby, None, (), False, ""))
        await self.clock.settle()
        await self.clock.advance(0)

    async def table(
        self,
        *more: Happening,
        info: TablePublic | None = None,
        resynced: bool = False,
    ) -> None:
        """The table as it is now, with what happened since the last time."""
        snapshot = self.game.snapshot(self.viewer, info)
        happenings: Sequence[Happening] = (*self.game.taken(), *more)
        self.visit.feed.push(Update(None, snapshot, tuple(happenings), resynced, ""))
        await self.clock.advance(0)

    async def press(self, *names: str) -> None:
        """Press keys, one after the other; commands are carried out."""
        for name in names:
            press_keys(self.controller, name)
            await self.clock.settle()

    @property
    def frame(self) -> Frame:
        return look_at(self.controller, self.size)

    @property
    def text(self) -> str:
        """What is on the screen."""
        return plain(self.frame.rows)

    def row_with(self, words: str) -> str:
        """The first row that has these words."""
        for line in self.text.splitlines():
            if words in line:
                return line
        raise AssertionError(f"{words!r} is not on the screen:\n{self.text}")
