"""A program at the other end: sends lines, and understands what comes."""

import asyncio
import json
from typing import Any, Self

from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from typing_extensions import override

from engine.editions import Edition, Rules
from server.coordinator import messages as m
from server.coordinator.contract import Visit
from server.jsonapi.requests import REQUESTS
from server.jsonapi.schema import schema
from server.jsonapi.session import ApiSession
from server.session.account import Account
from server.session.client import Visitor
from server.session.preferences import NEW_TABLE, SOLO, TOURNAMENT
from tests.support.fake_clock import FakeClock
from tests.support.transcript import OnPaper, Paper

Data = dict[str, Any]


def _strictly(schema: Any) -> Any:
    """The same where objects have no fields but those that are named."""
    if isinstance(schema, list):
        return [_strictly(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: _strictly(each) for name, each in schema.items()}
    closes = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    return {"additionalProperties": False, **strict} if closes else strict


SCHEMA: Data = json.loads(schema())
COMMANDS = Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": "#/$defs/command"}]})
"""Of what programs send."""
CHECK = Draft202012Validator(_strictly(SCHEMA))
"""Of what programs are told: programs have to expect more fields than there are today, these tests do not."""
NO_NEWS: Data = {"happenings": [], "chat": [], "house": [], "resynced": False}
"""What an update with ``delta`` leaves out where there is nothing."""


class Program(OnPaper):
    session: ApiSession

    def __init__(
        self, visit: Visit, clock: FakeClock, account: Account | None = None, language: str = "en"
    ) -> None:
        self.paper = Paper(language=language, program=True)
        self.clock = clock
        self.visit = visit
        who = Visitor(visit.player, clock, self.paper.abilities, account or Account(), visit)
        self.session = ApiSession(self.paper, who, version="1.2.3")
        self.heard: list[Data] = []
        self.update: Data = {}
        """The last one."""
        self.happenings: list[Data] = []
        self._read = 0

    @override
    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self.new()
        return self

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
        for each in fresh:
            CHECK.validate(each)
        for each in fresh:
            if "update" in each:
                self.update = self.update | NO_NEWS | each["update"]
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

    async def play_round(self) -> None:
        """Bids the lowest card, or waits for the others to."""
        if self.you["to_bid"]:
            assert await self.bid(self.you["legal"][0]) == {"ok": True}
        else:
            assert await self.clock.next()
            self.new()

    async def play_out(self) -> None:
        """To the end of the game."""
        while self.table["status"] == "playing":
            await self.play_round()


SHORT = m.TableOptions(Rules(Edition.BGA, 6, 1), m.Pace.UNTIMED)


LINES: dict[str, tuple[dict[str, Any], m.Command]] = {
    "play": ({}, m.QuickGame(SOLO)),
    "play_today": ({}, m.PlayToday()),
    "any": ({"options": {}, "key": "k1"}, m.QuickJoin(NEW_TABLE, "k1")),
    "new": (
        {"options": {"edition": "bga", "players": 6, "stages": 1, "pace": "untimed"}},
        m.CreateTable(SHORT),
    ),
    "join": (
        {"table": "Lotulupi", "seat": 2, "word": "otter"},
        m.JoinTable("lotulupi", 2, "otter"),
    ),
    "watch": ({"table": "lotulupi"}, m.WatchTable("lotulupi")),
    "lobby": ({}, m.GoToLobby()),
    "leave": ({}, m.LeaveTable()),
    "tournament": ({"tournament": "kadubilo"}, m.AskTournament("kadubilo")),
    "enter": ({"tournament": "kadubilo"}, m.EnterTournament("kadubilo")),
    "withdraw": ({"tournament": "kadubilo"}, m.WithdrawFromTournament("kadubilo")),
    "direct": (
        {"tournament": "kadubilo", "what": "begin"},
        m.DirectTournament("kadubilo", m.Directing.BEGIN),
    ),
    "open": (
        {"name": "Friday cup", "rounds": 3, "call": 30, "pause": 60, "options": {"players": 3}},
        m.OpenTournament(m.TournamentPlan("Friday cup", TOURNAMENT.changed(players=3), 3, 30, 60)),
    ),
    "bid": ({"card": 44, "stage": 1, "round": 3}, m.PlaceBid(44, 1, 3)),
    "touch": ({}, m.Touch()),
    "again": ({}, m.Rematch()),
    "vote": ({"motion": "replace", "seat": 1}, m.Vote(m.Motion.REPLACE, 1)),
    "hint": ({}, m.AskHint()),
    "guess": ({"seat": 1, "stage": 0, "round": 3}, m.Guess(1, 0, 3)),
    "skip": ({}, m.Skip()),
    "resume": ({}, m.Resume()),
    "start": ({}, m.StartGame()),
    "add": ({"strategy": "tidal"}, m.AddBot(-1, "tidal")),
    "remove": ({"seat": 2}, m.RemoveSeat(2)),
    "options": ({"options": {"rated": True}}, m.ChangeOptions(m.TableOptions(rated=True))),
    "give": ({"seat": 2}, m.HandOver(2)),
    "move": ({"seat": 2, "to": 0}, m.MoveSeat(2, 0)),
    "keep": ({"seat": 2, "name": "zoe"}, m.KeepSeat(2, "zoe")),
    "private": ({"word": "otter"}, m.SetWord("otter")),
    "public": ({}, m.SetWord("")),
    "say": ({"text": "a\u200bb", "room": "table"}, m.Say(m.Room.TABLE, "ab")),
    "tell": ({"name": "bo", "phrase": "thanks"}, m.Say(m.Room.DIRECT, "", "thanks", "bo")),
    "mute": ({"name": "bo"}, m.Mute("bo")),
    "block": ({"name": "bo", "on": False}, m.Block("bo", False)),
}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


_FIELDS = sorted({name for fields, _ in LINES.values() for name in fields} | {"id", "seat", "on"})


OBJECTS = st.builds(
    lambda do, fields: json.dumps({"do": do, **fields}).encode(),
    st.sampled_from(sorted(REQUESTS)) | _JSON,
    st.dictionaries(st.sampled_from(_FIELDS), _JSON | st.integers(0, 5), max_size=4),
)
