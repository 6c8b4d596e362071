"""Those people of a club evening whose program plays for them, and talks."""

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

import asyncssh

from tests.e2e.guests import PAUSE, SECRET, Guest, passed
from tests.support.patience import PATIENCE

if TYPE_CHECKING:
    from tests.e2e.evening import Evening

_OVER: Final = '"kind":"game_over"'


class ProgramGuest(Guest):
    """Reads lines of JSON, and knows nothing else. Opens no table."""

    def __init__(self, evening: "Evening", name: str, place: str, *, seated: bool = True) -> None:
        super().__init__(evening, name, place, seated=seated)
        self._read: Final[list[str]] = []
        self._bid_for: tuple[int, int, int] | None = None

    @property
    def read(self) -> str:
        return "".join(self._read)

    def read_during(self, game: int) -> str:
        return "".join(self.read.split(_OVER)[: game + 1])

    async def come(self) -> None:
        """Stay until the evening is over."""
        async with self.connected("api") as process:
            listening = asyncio.create_task(self._listen(process))
            try:
                await asyncio.gather(self._arrive(process), self._talk(process))
                await self.evening.over.wait()
                _send(process, "quit")
                async with asyncio.timeout(PATIENCE):
                    await process.wait_closed()
            finally:
                listening.cancel()

    async def _arrive(self, process: asyncssh.SSHClientProcess[str]) -> None:
        """Once there is a table with a code, go there."""
        while self.place not in self.evening.codes:
            if await passed(self.evening.over, 0.5):
                return
        # The word is told by the owner, who has just chosen it.
        self.knows = self.place == "private"
        word = {"word": SECRET} if self.knows else {}
        code = self.evening.codes[self.place]
        while not self.here:
            _send(process, "join" if self.seated else "watch", table=code, **word)
            if await passed(self.evening.over, 1.0):
                return

    async def _talk(self, process: asyncssh.SSHClientProcess[str]) -> None:
        while not await passed(self.evening.quiet, self.evening.chance.expovariate(1 / PAUSE) + 1):
            if self.here:
                verb, words = self.something_to_say()
                if verb == "tell":
                    name, _, text = words.partition(" ")
                    _send(process, "tell", name=name, text=text)
                elif verb:
                    _send(process, "say", text=words)

    async def _listen(self, process: asyncssh.SSHClientProcess[str]) -> None:
        async for line in process.stdout:
            self._read.append(line)
            update = json.loads(line).get("update")
            if update and update["place"] == "table":
                self.here = True
                if self.seated:
                    self._play(process, update)

    def _play(self, process: asyncssh.SSHClientProcess[str], update: dict[str, Any]) -> None:
        table, game, you = update["table"], update["game"], update["you"]
        if any(each["kind"] == "game_over" for each in update["happenings"]):
            self.games += 1
            _send(process, "again")
        self.round = game["round"] + 1 if game and table["status"] == "playing" else 0
        moment = (table["games"], game["stage"], game["round"]) if game else None
        if you and you["to_bid"] and moment != self._bid_for:
            self._bid_for = moment
            self.bids += 1
            card = self.evening.chance.choice(you["legal"])
            _send(process, "bid", card=card, stage=game["stage"], round=game["round"])


def _send(process: asyncssh.SSHClientProcess[str], do: str, **fields: Any) -> None:
    if not process.stdin.is_closing():
        process.stdin.write(json.dumps({"do": do, **fields}) + "\n")
