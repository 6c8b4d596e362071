"""One player at any of the three faces: what somebody does and what is learnt, told once for all of them.

    @on_each_face
    async def test_ones_own_results(face: Face) -> None:
        async with at_home(face) as ada:
            await ada.does("results")
            ada.learns("12 games, 4 won (33%)", results={"games": 12, "wins": 4})

People read sentences, which screens and lines have alike; programs get the same as fields of data.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple, Self

import pytest
from typing_extensions import override

from server.coordinator.contract import Visit
from server.coordinator.messages import LobbySnapshot, Player, Update
from server.terminal.capabilities import Capabilities, Size
from tests.support.accounts import ME, FakeAccount, FakeLibrary
from tests.support.api_program import Data, Program
from tests.support.fake_clock import FakeClock
from tests.support.fakes import FakeVisit, router_for
from tests.support.keys import look_at, press_keys
from tests.support.snapshots import plain
from tests.support.transcript import Reader

TALL: Final = Size(80, 120)
"""Narrow enough for one box below the other, and high enough for all of it."""


FIRST: Final = "up up up up"
"""To the first seat, whichever is chosen."""


class Act(NamedTuple):
    """How something is done: with keys from the lobby or the table, as a line, and as a request."""

    keys: str
    """Names of keys with blanks between them; ``{text}`` and ``=text`` are typed character by character."""
    line: str
    request: Data


ACTS: Final = {
    "results": Act("r y", "results", {"do": "results"}),
    "best": Act("r b", "best", {"do": "best"}),
    "season": Act("r b m", "season", {"do": "season"}),
    "last season": Act("r b m left", "season 1", {"do": "season", "before": 1}),
    "statistics": Act("r s", "statistics", {"do": "statistics"}),
    "games": Act("r", "games", {"do": "games"}),
    "today": Act("d", "today", {"do": "today"}),
    "yesterday": Act("d tab", "yesterday", {"do": "today", "before": 1}),
    "profile": Act("i enter", "profile {name}", {"do": "profile", "name": "{name}"}),
    "follow": Act("i enter f", "follow {name}", {"do": "follow", "name": "{name}"}),
    "unfollow": Act(
        "i enter f", "unfollow {name}", {"do": "follow", "name": "{name}", "on": False}
    ),
    "report": Act(
        "! enter {text} enter",
        "report {name} {text}",
        {"do": "report", "name": "{name}", "text": "{text}"},
    ),
    "open a table": Act("n enter", "new", {"do": "new"}),
    "come": Act("c {code} enter", "join {code}", {"do": "join", "table": "{code}"}),
    "keep seat 3": Act(
        f"{FIRST} down down f {{name}} enter",
        "keep 3 {name}",
        {"do": "keep", "seat": 2, "name": "{name}"},
    ),
    "open seat 3": Act(f"{FIRST} down down x", "keep 3", {"do": "keep", "seat": 2, "name": ""}),
    "move seat 2 to 4": Act(f"{FIRST} down v 4", "move 2 4", {"do": "move", "seat": 1, "to": 3}),
    "remove seat 4": Act(f"{FIRST} down down down x y", "remove 4", {"do": "remove", "seat": 3}),
    "make private": Act("i {word} enter", "private {word}", {"do": "private", "word": "{word}"}),
    "next letter": Act("y", "turns next", {"do": "join", "table": "{code}"}),
    "to the lobby": Act("escape", "lobby", {"do": "lobby"}),
    "see the tournament": Act(
        "e enter", "tournament {cup}", {"do": "tournament", "tournament": "{cup}"}
    ),
    "register": Act(
        "e enter r", "tournament register {cup}", {"do": "enter", "tournament": "{cup}"}
    ),
    "withdraw": Act(
        "e enter r", "tournament withdraw {cup}", {"do": "withdraw", "tournament": "{cup}"}
    ),
    "say": Act("/ {text} enter", "say {text}", {"do": "say", "text": "{text}"}),
    "tell": Act(
        "/ =tell space {name} space {text} enter",
        "tell {name} {text}",
        {"do": "tell", "name": "{name}", "text": "{text}"},
    ),
    "praise": Act("/ enter 3", "phrase 3", {"do": "say", "phrase": "well_played"}),
    "mute": Act("/ =mute space {name} enter", "mute {name}", {"do": "mute", "name": "{name}"}),
    "unmute": Act(
        "/ =unmute space {name} enter",
        "unmute {name}",
        {"do": "mute", "name": "{name}", "on": False},
    ),
    "block": Act("/ =block space {name} enter", "block {name}", {"do": "block", "name": "{name}"}),
}


class Face(ABC):
    """One player there; use as an asynchronous context manager."""

    def __init__(self, visit: Visit, clock: FakeClock, account: FakeAccount | None = None) -> None:
        self.visit: Final = visit
        self.clock: Final = clock
        self.account: Final = account or FakeAccount()

    @property
    def library(self) -> FakeLibrary:
        assert isinstance(self.account.library, FakeLibrary)
        return self.account.library

    async def does(self, act: str, **fields: str) -> None:
        """Do something, and wait until it is done."""
        await self._do(ACTS[act], fields)
        await self.clock.advance(1)

    @abstractmethod
    async def _do(self, act: Act, fields: dict[str, str]) -> None: ...

    @abstractmethod
    def learns(self, *said: str, **data: Any) -> None:
        """These sentences have been told since the last thing done, or to programs, these fields."""

    @abstractmethod
    def told(self) -> str:
        """All of it as text, to see what is not there."""

    @abstractmethod
    def last_words(self) -> str:
        """What was told as the visit ended; empty while it has not."""

    @abstractmethod
    async def __aenter__(self) -> Self: ...

    @abstractmethod
    async def __aexit__(self, *error: object) -> None: ...


class OnScreen(Face):
    @override
    async def __aenter__(self) -> Self:
        able = Capabilities()
        self.controller = router_for(self.visit, self.clock, able, self.account)
        self.controller.attach(lambda **_: None)
        await self._settled()
        if self.controller.context.table is None:
            await self._press("l")
        return self

    async def _settled(self) -> None:
        await self.clock.settle()
        await self.clock.advance(0)
        look_at(self.controller, TALL)

    async def _press(self, *names: str) -> None:
        for name in names:
            press_keys(self.controller, " " if name == "space" else name)
            await self._settled()

    @override
    async def _do(self, act: Act, fields: dict[str, str]) -> None:
        while self.controller.context.overlays:
            await self._press("escape")
        for key in act.keys.split():
            if key[0].isalpha() or len(key) == 1:
                await self._press(key)
            else:  # is typed
                await self._press(*key.removeprefix("=").format(**fields))

    @override
    def told(self) -> str:
        return " ".join(plain(look_at(self.controller, TALL).rows).replace("│", " ").split())

    @override
    def learns(self, *said: str, **data: Any) -> None:
        for each in said:
            assert each in self.told(), f"{each!r} is not on the screen:\n{self.told()}"

    @override
    def last_words(self) -> str:
        return " ".join(self.controller.goodbye) if self.controller.done else ""

    @override
    async def __aexit__(self, *error: object) -> None:
        self.controller.close()


class InLines(Face):
    @override
    async def __aenter__(self) -> Self:
        self._heard = list[str]()
        self.reader = Reader(self.visit, self.clock, self.account)
        self.reader.paper.size = TALL
        await self.reader.__aenter__()
        return self

    @override
    async def _do(self, act: Act, fields: dict[str, str]) -> None:
        self._heard = await self.reader.say(act.line.format(**fields))

    @override
    def told(self) -> str:
        self._heard += self.reader.new()
        return " ".join(self._heard)

    @override
    def learns(self, *said: str, **data: Any) -> None:
        for each in said:
            assert each in self.told(), f"{each!r} was not said: {self.told()}"

    @override
    def last_words(self) -> str:
        return self.told() if self.reader.ended else ""

    @override
    async def __aexit__(self, *error: object) -> None:
        await self.reader.__aexit__(None, None, None)


class ByProgram(Face):
    @override
    async def __aenter__(self) -> Self:
        self.program = Program(self.visit, self.clock, self.account)
        await self.program.__aenter__()
        return self

    @override
    async def _do(self, act: Act, fields: dict[str, str]) -> None:
        request = {
            name: value.format(**fields) if isinstance(value, str) else value
            for name, value in act.request.items()
        }
        del self.program.heard[:]
        self._answer = await self.program.do(request.pop("do"), **request)

    @override
    def told(self) -> str:
        self.program.new()
        return f"{self.program.heard}"

    @override
    def learns(self, *said: str, **data: Any) -> None:
        self.program.new()
        found = {**self.program.update, **self._answer}
        assert _has(found, data), f"{data} is not in {found}"

    @override
    def last_words(self) -> str:
        self.program.new()
        return str(self.program.heard[-1]["end"]["text"]) if self.program.ended else ""

    @override
    async def __aexit__(self, *error: object) -> None:
        await self.program.__aexit__(None, None, None)


def _has(found: Any, wanted: Any) -> bool:
    """Whether all that is wanted is there, among whatever else."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            name in found and _has(found[name], each) for name, each in wanted.items()
        )
    if isinstance(wanted, list) and wanted:
        return all(any(_has(one, each) for one in found) for each in wanted)
    return bool(found == wanted)


AnyFace = Callable[..., Face]
on_each_face: Final = pytest.mark.parametrize("face", [OnScreen, InLines, ByProgram])


@asynccontextmanager
async def at_home(
    face: AnyFace,
    who: Player = ME,
    games: int = 60,
    kind: type[FakeAccount] = FakeAccount,
    **account: Any,
) -> AsyncIterator[Face]:
    """Somebody in the lobby of a server with finished games, where bo is, too."""
    clock = FakeClock()
    visit = FakeVisit(who)
    visit.feed.push(Update(LobbySnapshot((), ("ada", "bo")), None, (), False, ""))
    library = FakeLibrary(clock.time(), games)
    async with face(visit, clock, kind(**({"library": library} | account))) as ada:
        yield ada
