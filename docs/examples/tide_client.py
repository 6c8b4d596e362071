"""A client for Turn the Tide in one file: typed, and nothing but the standard library and the system's ssh.

    with Client(["ssh", "-T", "-p", "2222", "crab@HOST", "api"]) as client:
        client.do("play", options={"players": 3, "stages": 1, "pace": "fast"})
        while client.status == "playing":
            if client.to_bid:
                client.bid(client.legal[0])
            else:
                client.next()

``docs/api.md`` says what everything means; ``ssh HOST api schema`` has it as a JSON Schema. Copy this file
next to your program. ``forever`` plays on through lost connections.
"""

import json
import random
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal, NotRequired, Self, TypedDict

Place = Literal["lobby", "table", "nowhere"]
Status = Literal["open", "playing", "over"]
Pace = Literal["timed", "untimed", "correspondence", "fast"]


class Options(TypedDict, total=False):
    """Of a table. All of them are told; of a new table, name those that are not to be as usual."""

    edition: Literal["amigo", "gamewright", "bga"]
    players: int
    stages: int
    modified_drowning: bool
    assistance: bool
    pace: Pace
    seconds: int
    rated: bool
    spectators: Literal["open", "delayed", "none"]
    bots: str
    hints: bool


class Notice(TypedDict):
    """Something to tell a person."""

    code: str
    text: str


class Me(TypedDict):
    """Who the program is."""

    name: str
    guest: bool


class Hello(TypedDict):
    """The first line."""

    protocol: int
    server: str
    player: Me
    program: bool
    rejoin: str | None
    time: float
    notices: list[Notice]


class Closing(TypedDict):
    """The server goes down."""

    when: float | None


class LobbyTable(TypedDict):
    """A table in the list."""

    table: str
    title: str
    status: Status
    options: Options
    seats: list[str | None]
    bots: int
    kept: int
    stage: int
    watching: int
    programs: list[str]
    ratings: list[int] | None


class Lobby(TypedDict):
    """Who is here, and what tables there are."""

    players: list[str]
    players_here: int
    programs: list[str]
    tables: list[LobbyTable]
    tables_here: int
    closing: Closing | None


class TableSeat(TypedDict):
    """Who sits on a seat."""

    kind: Literal["nobody", "human", "bot"]
    name: str | None
    strategy: str | None
    connected: bool
    away: bool
    left: bool
    absent_since: float | None
    replaceable: bool
    rematch: bool
    kept: str | None
    claimed: str | None
    program: bool


class Vote(TypedDict):
    """A vote in progress."""

    motion: Literal["replace", "pause", "end"]
    seat: int | None
    agreed: list[int]
    needed: int


class Table(TypedDict):
    """The table, apart from the game on it."""

    table: str
    title: str
    status: Status
    options: Options
    owner: int | None
    private: bool
    word: str | None
    seats: list[TableSeat]
    games: int
    commitment: str | None
    seed: str | None
    due: float | None
    paused: Literal["voted", "suspended"] | None
    ended: Literal["voted", "abandoned"] | None
    played_by: list[str] | None
    votes: list[Vote]
    watching: int
    behind: bool
    kept_for: float | None
    closing: Closing | None


class GameSeat(TypedDict):
    """A seat in the game, as everybody sees it."""

    score: int
    start: int
    life_preservers: int
    level: int | None
    eliminated: bool
    bid: bool
    cards_left: int
    played: list[int]
    earlier: list[int]


class Loss(TypedDict):
    """Who lost a life preserver, or could not."""

    level: int
    lost: list[int]
    eliminated: list[int]


class Round(TypedDict):
    """A round that is over; lists by seat."""

    tides: list[int]
    bids: list[int | None]
    takers: list[int]
    levels: list[int | None]
    life_preservers: list[int]
    losses: list[Loss]
    loss_end: Literal["paid", "no_tide", "two_left", "not_passed_on"]


class Game(TypedDict):
    """The game, as everybody sees it."""

    id: str
    phase: Literal["tides", "bidding", "over"]
    stage: int
    round: int
    rounds: int
    highest_tide: int
    tides: list[int] | None
    seats: list[GameSeat]
    log: list[Round]
    points: list[list[int]]
    bonuses: list[list[int]]
    winners: list[int]
    deal: list[list[int]] | None


class Stage(TypedDict):
    """A stage before the one in ``Game``."""

    start: list[int]
    rounds: list[Round]
    points: list[int]


class Earlier(TypedDict):
    """With assistance: a hand that one has played."""

    holder: int
    cards: list[int]


class You(TypedDict):
    """What only the player on this seat knows."""

    seat: int
    to_bid: bool
    legal: list[int]
    hand: list[int]
    bid: int | None
    dealt: list[int]
    hands: list[list[int]]
    earlier: list[Earlier]


Sender = TypedDict("Sender", {"from": str})
"""``from`` is no name in a class."""


class Chat(Sender):
    """Something that somebody said."""

    number: int
    room: Literal["lobby", "table", "direct"]
    to: str | None
    text: str | None
    phrase: str | None
    table: str | None
    watching: bool
    old: bool
    time: float


class House(TypedDict):
    """Something that the server said."""

    kind: str
    text: str | None
    until: float | None
    about: str | None


class Happening(TypedDict):
    """Something that happened; of the fields a ``kind`` has those that ``docs/api.md`` names."""

    kind: str
    seat: NotRequired[int | None]
    name: NotRequired[str]
    other: NotRequired[str]
    bot: NotRequired[str]
    code: NotRequired[str]
    title: NotRequired[str]
    private: NotRequired[bool]
    game: NotRequired[int]
    commitment: NotRequired[str]
    stage: NotRequired[int]
    round: NotRequired[int]
    life_preservers: NotRequired[list[int]]
    tides: NotRequired[list[int]]
    result: NotRequired[Round]
    points: NotRequired[list[int]]
    bonus: NotRequired[list[int]]
    eliminated: NotRequired[list[bool]]
    scores: NotRequired[list[int]]
    winners: NotRequired[list[int]]
    ended: NotRequired[str]
    motion: NotRequired[str]
    target: NotRequired[int | None]
    agree: NotRequired[bool]
    pause: NotRequired[str]
    closing: NotRequired[Closing | None]


class State(TypedDict):
    """How things stand, and what has happened since the last update."""

    number: int
    time: float
    place: Place
    lobby: Lobby | None
    table: Table | None
    game: Game | None
    history: list[Stage] | None
    you: You | None
    happenings: list[Happening]
    chat: list[Chat]
    house: list[House]
    resynced: bool


class Refused(Exception):
    """The server does not do that. ``code`` and ``details`` are for programs, the text is for people."""

    def __init__(self, code: str, details: dict[str, int | str], text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.details = details


class Ended(Exception):
    """The session is over. ``code`` is empty when the connection was lost without a word."""

    def __init__(self, code: str, text: str = "") -> None:
        super().__init__(f"{code or 'lost'}: {text}")
        self.code = code


class Client:
    """One session. Use it in a ``with`` statement. What it is told is in ``state``."""

    def __init__(self, command: Sequence[str], *, delta: bool = True) -> None:
        """``command`` starts a session of the API. ``delta``: have what has not changed left out."""
        pipe = subprocess.PIPE
        self._ssh = subprocess.Popen(list(command), stdin=pipe, stdout=pipe, encoding="utf-8")
        self._asked = 0
        self.hello: Hello = self._read()["hello"]
        self.state: State = self._read()["update"]
        if delta:
            self.do("updates", delta=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; the seat is kept."""
        self._ssh.terminate()
        self._ssh.communicate()

    # ------------------------------------------------------------------ what is known

    @property
    def status(self) -> Status | None:
        """Of the table; ``None`` in the lobby."""
        table = self.state["table"]
        return table["status"] if table else None

    @property
    def game(self) -> Game:
        """The game at this table. Raises ``LookupError`` where there is none."""
        if (game := self.state["game"]) is None:
            raise LookupError("there is no game")
        return game

    @property
    def you(self) -> You:
        """One's seat and hand. Raises ``LookupError`` without a seat."""
        if (you := self.state["you"]) is None:
            raise LookupError("there is no seat")
        return you

    @property
    def to_bid(self) -> bool:
        """Whether the table waits for this program."""
        you = self.state["you"]
        return you is not None and you["to_bid"]

    @property
    def legal(self) -> list[int]:
        """The cards that may be bid."""
        return self.you["legal"]

    # ------------------------------------------------------------------ what is done

    def next(self) -> State:
        """Wait for the next update. Raises ``Ended``."""
        while "update" not in (line := self._read()):
            pass
        return self._told(line["update"])

    def do(self, what: str, **fields: object) -> dict[str, Any]:
        """Give a command; the answer to it. What has come of it is in ``state``, with the happenings of all
        updates until then. Raises ``Refused`` and ``Ended``.
        """
        self._asked += 1
        assert self._ssh.stdin is not None
        # Where the session is over, what it has said last is still to be read.
        with suppress(OSError):
            print(
                json.dumps({"id": self._asked, "do": what, **fields}),
                file=self._ssh.stdin,
                flush=True,
            )
        happenings: list[Happening] = []
        while True:
            line = self._read()
            if "update" in line:
                happenings += self._told(line["update"])["happenings"]
            elif line.get("id") == self._asked:
                break
        self.state["happenings"] = happenings
        if not line["ok"]:
            raise Refused(line["code"], line["details"], line["text"])
        return line

    def bid(self, card: int) -> None:
        """Bid a card in this round, or replace the bid."""
        game = self.game
        self.do("bid", card=card, stage=game["stage"], round=game["round"])

    def _told(self, update: dict[str, Any]) -> State:
        state: dict[str, Any] = dict(self.state)
        state |= {"happenings": [], "chat": [], "house": [], "resynced": False}
        self.state = state | update  # type: ignore[assignment]
        return self.state

    def _read(self) -> dict[str, Any]:
        assert self._ssh.stdout is not None
        line = self._ssh.stdout.readline()
        if not line.endswith("\n"):
            raise Ended("")
        data: dict[str, Any] = json.loads(line)
        if "end" in data:
            raise Ended(data["end"]["code"], data["end"]["text"])
        return data


PATIENT = frozenset({"", "shutdown", "storage", "internal", "left"})
"""Ends after which one may come back. Not ``taken_over``: then somebody else plays with this key."""


def forever(
    command: Sequence[str],
    play: Callable[[Client], None],
    *,
    wait: Callable[[float], object] = time.sleep,
    longest: float = 60.0,
) -> str:
    """Call ``play`` with a new session whenever the last one has ended, and with growing pauses while that
    fails; until ``play`` returns, or the server does not want this program any more. Returns why, such as
    ``taken_over``; nothing when ``play`` has returned.
    """
    pause = 1.0
    while True:
        try:
            with Client(command) as client:
                pause = 1.0
                play(client)
                return ""
        except Ended as end:
            if end.code not in PATIENT:
                return end.code
        # Not all at the same moment after a restart.
        wait(pause * random.uniform(0.5, 1.0))
        pause = min(2 * pause, longest)
