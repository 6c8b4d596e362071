"""A program at the other end: sends lines, and understands what comes."""

import asyncio
import json
from contextlib import suppress
from types import TracebackType
from typing import Any

from server.coordinator.clock import FakeClock
from server.coordinator.ports import Visit
from server.jsonapi.session import ApiSession
from server.session.account import Account
from tests.support.transcript import Paper

Data = dict[str, Any]


class Program:
    """Use as an asynchronous context manager."""

    def __init__(
        self, visit: Visit, clock: FakeClock, account: Account | None = None, language: str = "en"
    ) -> None:
        self.paper = Paper(language=language)
        self.clock = clock
        self.visit = visit
        self.session = ApiSession(self.paper, visit, clock, account=account, version="1.2.3")
        self.heard: list[Data] = []
        self.update: Data = {}
        """The last one."""
        self.happenings: list[Data] = []
        self._read = 0
        self.task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Program":
        self.task = asyncio.create_task(self.session.run())
        await self.clock.advance(0)
        self.new()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.task is not None
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task

    @property
    def ended(self) -> bool:
        return self.task is not None and self.task.done()

    async def send(self, *lines: str) -> list[Data]:
        """What is answered; updates are kept."""
        for line in lines:
            self.session.feed(f"{line}\n")
        await self.clock.advance(0)
        # An invitation word is hashed in a thread, which that does not wait for.
        while busy := self.session._tasks:
            await asyncio.wait(set(busy))
            await self.clock.advance(0)
        return [each for each in self.new() if "ok" in each]

    async def do(self, what: str, **fields: Any) -> Data:
        """One command, and its answer."""
        (answer,) = await self.send(json.dumps({"id": what, "do": what, **fields}))
        assert answer.pop("id") == what
        return answer

    async def ok(self, what: str, **fields: Any) -> None:
        answer = await self.do(what, **fields)
        assert answer == {"ok": True}, answer

    def new(self) -> list[Data]:
        """What has come since the last call. Each line is one JSON object and nothing else."""
        *lines, rest = self.paper.written[self._read :].split("\n")
        assert rest == ""
        self._read = len(self.paper.written)
        fresh = [json.loads(line) for line in lines]
        assert all(isinstance(each, dict) for each in fresh)
        for each in fresh:
            if "update" in each:
                self.update = each["update"]
                self.happenings += self.update["happenings"]
        self.heard += fresh
        return fresh

    @property
    def you(self) -> Data:
        return dict(self.update["you"])

    @property
    def game(self) -> Data:
        return dict(self.update["game"])

    @property
    def table(self) -> Data:
        return dict(self.update["table"])

    async def bid(self, card: int) -> Data:
        game = self.game
        return await self.do("bid", card=card, stage=game["stage"], round=game["round"])

    async def play_out(self) -> None:
        """Bids the lowest card until the game is over."""
        while self.table["status"] == "playing":
            if self.you["to_bid"]:
                assert await self.bid(self.you["legal"][0]) == {"ok": True}
            else:
                assert await self.clock.next()
                self.new()
