"""Programs that play for hours over the JSON API, and note what was acknowledged."""

import asyncio
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import asyncssh

from tests.support.clients import connect

_LOGIN_SECONDS = 5.0
_ANSWER_SECONDS = 60.0
_KEEPALIVE_SECONDS = 1.0
"""Who hears nothing for three times as long connects again."""
_REPLACED = 0.25
"""How likely a bid is replaced, or the next game asked for again, whenever there is news."""
_PLAYING = frozenset({"bid", "again"})
"""What only the table can answer."""
_MAYBE = frozenset({"uncertain", "internal"})
"""What was refused with these codes may have happened."""
_CERTAIN = 5
"""Asked so often for a bid that was accepted, a program believes that it is lost."""

Data = dict[str, Any]


class Moment(NamedTuple):
    """A round."""

    table: str
    game: int
    stage: int
    round: int


class Game(NamedTuple):
    table: str
    number: int


class _Gone(Exception):
    """The connection is over."""


class CardProgram:
    """Plays at the table of its ``Party``, over as many connections as it takes."""

    def __init__(self, place: int, party: "Party", chance: random.Random) -> None:
        self.name = f"p{party.number}x{place}"
        self.acknowledged: dict[Moment, int] = {}
        """The last card that the server has accepted."""
        self.asked: dict[Moment, list[int]] = {}
        """Cards that were asked for since, and may have been accepted."""
        self.bids = self.replaced = 0
        """Acknowledged; how many of these in place of another one."""
        self.state: Data = {}
        """The last update."""
        self.visits = 0
        self.heard = 0.0
        """When something was heard last."""
        self.in_lobby: list[tuple[float, Game]] = []
        """When this one was let in and not shown the game that was on when it was lost."""
        self.ends: list[float] = []
        """When a connection has ended."""
        self.wrong: list[str] = []
        self.refusals: dict[str, int] = {}
        """How often, by code."""
        self._party = party
        self._chance = chance
        self._key = asyncssh.generate_private_key("ssh-ed25519")
        # As if each party were in another house: so many new accounts are not given to one address.
        self.address = "127.0.0.1"
        if sys.platform == "linux":  # one in two comes by another door
            self.address = f"127.0.{1 + party.number}.{1 + place % 2}"
        self._unsure: dict[Moment, int] = {}
        """How often another bid was shown there than the accepted one."""
        self._plays: Game | None = None
        """The game that was on when something was heard last."""
        self._again: set[Game] = set()
        self._news = asyncio.Event()
        self._answers: dict[int, asyncio.Future[Data]] = {}
        self._number = 0

    async def play(self, port: Callable[[], int]) -> None:
        """Until the party is over."""
        while not self._party.over:
            visits = self.visits
            with suppress(OSError, asyncssh.Error, TimeoutError, _Gone):
                await self._visit(port())
            if self.visits > visits and not self._party.over:
                self.ends.append(time.monotonic())
            await asyncio.sleep(0.2)

    @property
    def status(self) -> str:
        """Of the table where this program is."""
        return str(self.state["table"]["status"]) if self.state.get("table") else ""

    @property
    def seen(self) -> str:
        """For whom something is wrong with."""
        table, game, you = (self.state.get(it) or {} for it in ("table", "game", "you"))
        where = (game.get("stage"), game.get("round"), you.get("to_bid"))
        seats = [(it["name"], it.get("connected")) for it in table.get("seats", ())]
        return f"{self.name}: {self.state.get('place')} {table.get('table')} {self.status} {where} {seats}"

    async def _visit(self, port: int) -> None:
        login = connect(
            port,
            self.name,
            [self._key],
            local_addr=(self.address, 0),
            login_timeout=_LOGIN_SECONDS,
            connect_timeout=_LOGIN_SECONDS,
            keepalive_interval=_KEEPALIVE_SECONDS,
            keepalive_count_max=3,
        )
        async with login as connection:
            async with asyncio.timeout(_LOGIN_SECONDS):
                process = await connection.create_process("api", encoding="utf-8")
            self.visits += 1
            self.state = {}
            acting = asyncio.create_task(self._act(process))
            reading = asyncio.create_task(self._read(process))
            try:
                await asyncio.wait([acting, reading], return_when=asyncio.FIRST_COMPLETED)
            finally:
                acting.cancel()
                reading.cancel()
                for answer in self._answers.values():
                    answer.cancel()
                self._answers.clear()
                results = await asyncio.gather(acting, reading, return_exceptions=True)
                connection.abort()
            for result in results:
                if isinstance(result, Exception):
                    raise result

    async def _read(self, process: asyncssh.SSHClientProcess[str]) -> None:
        async for line in process.stdout:
            if not line.endswith("\n"):  # the rest went down with the door
                break
            said: Data = json.loads(line)
            self.heard = time.monotonic()
            if "update" in said:
                self._see(said["update"])
                self._news.set()
            elif "end" in said:
                raise _Gone
            elif (answer := self._answers.get(said.get("id", 0))) and not answer.done():
                answer.set_result(said)
        raise _Gone

    def _see(self, update: Data) -> None:
        if not self.state and self._plays and update["place"] == "lobby":
            self.in_lobby.append((self.heard, self._plays))
        self.state = update
        if update["place"] == "table":
            table = update["table"]
            on = table["status"] == "playing"
            self._plays = Game(table["table"], table["games"]) if on else None

    async def _ask(self, process: asyncssh.SSHClientProcess[str], do: str, **more: Any) -> Data:
        self._number += 1
        number = self._number
        answer: asyncio.Future[Data] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        process.stdin.write(json.dumps({"id": number, "do": do, **more}) + "\n")
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                said = await answer
            if said["ok"] and do in _PLAYING:
                self._party.served.append(time.monotonic())
            return said
        finally:
            self._answers.pop(number, None)

    # ------------------------------------------------------------ what to do

    async def _act(self, process: asyncssh.SSHClientProcess[str]) -> None:
        while not self._party.over:
            self._news.clear()
            asked = await self._do_something(process)
            if not asked:
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await self._news.wait()
            elif not asked["ok"]:
                code = str(asked["code"])
                self.refusals[code] = self.refusals.get(code, 0) + 1
                if code != "too_late":
                    await asyncio.sleep(0.3)
                await self._ask(process, "look")

    async def _do_something(self, process: asyncssh.SSHClientProcess[str]) -> Data | None:
        place = self.state.get("place")
        if place == "lobby":
            return await self._sit_down(process)
        if place != "table":
            return None
        table, you = self.state["table"], self.state["you"]
        game = Game(table["table"], table["games"])
        self._party.code = self._party.code or table["table"]
        if you is None:
            self.wrong.append(f"{self.name}: only watches at {table['table']}")
            return await self._ask(process, "leave")
        if table["status"] == "playing":
            self._party.begun.add(game)
            return await self._bid(process) if you["legal"] else None
        if table["status"] == "over":
            if self._party.ending or (game in self._again and self._chance.random() > _REPLACED):
                return None
            asked = await self._ask(process, "again")
            if asked["ok"]:
                self._again.add(game)
            return asked
        here = {seat["name"] for seat in table["seats"]}
        everybody = here.issuperset(it.name for it in self._party.programs)
        if you["seat"] == table["owner"] and everybody and not self._party.ending:
            return await self._ask(process, "start")
        return None

    async def _sit_down(self, process: asyncssh.SSHClientProcess[str]) -> Data | None:
        if self._party.ending:
            return None
        if self._party.code:
            asked = await self._ask(process, "join", table=self._party.code)
            if not asked["ok"] and asked["code"] == "no_such_table":
                self._party.code = ""
            return asked
        if self._party.programs[0] is not self:
            return None
        options = {
            "players": len(self._party.programs),
            "stages": self._party.stages,
            "pace": "timed",
            "seconds": self._party.seconds,
            "rated": True,
        }
        return await self._ask(process, "new", options=options)

    async def _bid(self, process: asyncssh.SSHClientProcess[str]) -> Data | None:
        table, game, you = self.state["table"], self.state["game"], self.state["you"]
        moment = Moment(table["table"], table["games"], game["stage"], game["round"])
        sealed, asked_for = self.acknowledged.get(moment), self.asked.setdefault(moment, [])
        if sealed is not None and you["bid"] not in (sealed, *asked_for):
            # The answer may have come before the news. If not, the table has forgotten it.
            self._unsure[moment] = self._unsure.get(moment, 0) + 1
            if self._unsure[moment] == _CERTAIN:
                self.wrong.append(
                    f"{self.name}: {sealed} was acknowledged in {moment}, {you['bid']} is shown"
                )
            if self._unsure[moment] < _CERTAIN:
                await asyncio.sleep(0.3)
                return await self._ask(process, "look")
        elif sealed is not None and self._chance.random() > _REPLACED:
            return None
        if ahead := [it for it in self.acknowledged if it[:2] == moment[:2] and it > moment]:
            self.wrong.append(f"{self.name}: in {moment}, was in {max(ahead)}")
        card = self._chance.choice(you["legal"])
        await asyncio.sleep(self._chance.uniform(0.0, self._party.think))
        asked_for.append(card)
        asked = await self._ask(process, "bid", card=card, stage=moment.stage, round=moment.round)
        if asked["ok"]:
            self.bids += 1
            self.replaced += sealed is not None
            self.acknowledged[moment] = card
            self._party.played[Game(*moment[:2])] = time.monotonic()
            asked_for.clear()
        elif asked["code"] not in _MAYBE:
            asked_for.remove(card)
        return asked


class Party:
    """Programs that play one game after the other together."""

    def __init__(self, number: int, players: int, seconds: int, chance: random.Random) -> None:
        self.number = number
        self.seconds = seconds
        """For a round."""
        self.stages = 1
        self.think = 0.2
        """Seconds before a bid, at most."""
        self.code = ""
        self.begun: set[Game] = set()
        self.played: dict[Game, float] = {}
        """When a bid was acknowledged last."""
        self.served: list[float] = []
        """When something was acknowledged at the table."""
        self.ending = False
        """No further game is begun."""
        self.over = False
        self.programs = [CardProgram(place, self, chance) for place in range(players)]

    def goes_on(self, game: Game, after: float) -> bool:
        """Whether it was not over at that time: who was away then does not know."""
        return self.played.get(game, 0.0) > after

    @property
    def at_rest(self) -> bool:
        """As far as anybody there can see, no game is on."""
        return all(it.state and it.status != "playing" for it in self.programs)
