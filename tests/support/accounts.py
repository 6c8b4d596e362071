"""What goes with an account, made up: what it keeps, its games, and what operators may do."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from engine.bots.review import ReviewedBid, decisions, reviewed
from engine.records.outcome import own_replay, result_of
from engine.records.record_format import parse
from engine.records.replay import fold
from engine.records.statistics import Collector, Statistics, Streak
from server import StoreError
from server.coordinator.contract import Followed, PlayerResults, Profile
from server.coordinator.events.days import DayPage
from server.coordinator.messages import LobbySnapshot, Player
from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import Action, OperatorReply, PersonRow, TableFacts
from server.playback import EVERYBODY, ReplayedGame, shown
from server.session.account import Account, GameLibrary, OperatorActions
from server.storage.history import BestMonth, GamePlace, GameRow, Met, PlayerPage, PublicResults
from server.storage.moderation import AuditRow, BanRow, ReportRow
from server.storage.ratings import LeaderboardRow, Rating, SeasonRow, SeasonTable
from tests.support.fake_clock import FakeClock
from tests.support.fakes import Player1
from tests.support.games import record
from tests.support.regular import Regular

GUEST = Player("guest:1", "ada", True)


ACCOUNT = Player("account:1", "ada", False)


@dataclass
class FakeAccount(Account):
    rejoin_code: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    codes: int = 0
    library: GameLibrary | None = None
    operator_actions: OperatorActions | None = None
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    following: Set[str] = frozenset()

    def __post_init__(self) -> None:
        self.settings = {**Regular.settings, **self.settings}

    async def profile(self, name: str) -> Profile | None:
        if self.library is None or name not in self.profiles:
            return None
        found = self.profiles[name]
        return found._replace(followed=name in self.following)

    async def follow(self, name: str, on: bool = True) -> str:
        if name not in self.profiles:
            return "no_profile"
        self.following = {*self.following, name} if on else self.following - {name}
        return "ok"

    async def followed(self) -> tuple[Followed, ...]:
        return tuple(Followed(name, self.profiles[name].here) for name in sorted(self.following))

    async def report(self, about: str, text: str) -> str:
        return "no_operators"

    async def link_code(self) -> str:
        self.codes += 1
        return f"link-code-{self.codes}"

    def remember(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings

    async def keep(self, settings: Mapping[str, Any]) -> bool:
        self.remember(settings)
        return True


async def cannot_review(*_: object) -> int:
    """Where no bot thinks."""
    return 0


async def visitor(who: Player, account: FakeAccount | None = None) -> Player1:
    """Somebody at the title screen."""
    player = Player1(who=who, account=account)
    await player.lobby()
    return player


ME = Player("account:1", "ada", False)


NAMES = ("ada", "bo", "cem", "dora")


def game_row(number: int, now: float, mine: int = 0) -> GameRow:
    _, result = result_of(record(number).text)
    kept = now - number * 3600
    return GameRow(100 - number, kept, "amigo", True, number % 2 == 0, result.seats, mine)


def two_months() -> list[SeasonTable]:
    """One that goes on, and the one before."""
    ada = SeasonRow(1, "account:1", "ada", 62.5, 9, 12)
    bo = SeasonRow(1, "account:2", "bo", 50.0, 5, 10, program=True)
    return [
        SeasonTable("2026-11", 1.8e9, False, False, True, (ada,)),
        SeasonTable("2026-10", 1.7e9, True, True, False, (bo,)),
    ]


RESULTS = PlayerResults(
    PublicResults(Rating(31.2, 2.26, 12), BestMonth("2026-10", 3, 61.5), Met(12, 7, 4)),
    Streak(9, 3),
    21,
)


class FakeLibrary(GameLibrary):
    """Games 99, 98, ... of which the odd ones are mine."""

    games_at_once = 25

    def __init__(self, now: float, games: int = 60) -> None:
        self.rows = [game_row(number, now) for number in range(1, games + 1)]
        self.found: PlayerPage | None = None
        self.days: list[DayPage | None] = [None, None]
        self.days_in_a_row = Streak(0, 0)
        self.played_yesterday = False
        self.played_today = True
        self.standings: tuple[LeaderboardRow, ...] = ()
        self.seasons: list[SeasonTable] = []
        self.broken = False
        self.busy = False
        self.viewpoint = EVERYBODY
        self.held = False
        """Events are open: games are shown as their players saw them."""
        self.asked: list[tuple[bool, int]] = []

    def _check(self) -> None:
        if self.broken:
            raise StoreError("damaged")

    async def games(self, *, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        self._check()
        self.asked.append((mine, before))
        rows = [row for row in self.rows if (not before or row.id < before) and row.id % 2 >= mine]
        return tuple(row._replace(held=self.held) for row in rows[: self.games_at_once])

    async def place(self, number: int) -> GamePlace | None:
        self._check()
        return None if number == 95 else GamePlace(len(NAMES), self.viewpoint, self.held)

    async def game(self, number: int) -> ReplayedGame | None:
        if await self.place(number) is None:
            return None
        replay = fold(parse(record(100 - number).text))
        if self.held:
            replay = own_replay(replay, self.viewpoint)
        return shown(
            *(replay, NAMES, f"game {number}", self.viewpoint), held=self.held, number=number
        )

    async def by_code(self, code: str) -> ReplayedGame | str:
        number = int(code.partition("-")[0])
        game = await self.game(number)
        return game if game is not None and game.code == code else "no_such_game"

    async def review(self, game: ReplayedGame, seat: int) -> AsyncGenerator[ReviewedBid, None]:
        for decision in islice(decisions(game.replay, seat), 6):
            await asyncio.sleep(0)
            if self.busy:
                raise StoreError("busy")
            yield reviewed(decision, 40)

    async def what_if(
        self, game: ReplayedGame, seat: int, stage: int, round_: int, card: int
    ) -> ReviewedBid:
        made = decisions(game.replay, seat)
        decision = next(each for each in made if (each.stage, each.round) == (stage, round_))
        return reviewed(decision._replace(bid=card), 40)

    async def page(self) -> PlayerPage | None:
        self._check()
        return self.found

    async def statistics(self) -> Statistics:
        self._check()
        collector = Collector()
        for row in reversed(self.rows):
            replay = fold(parse(record(100 - row.id).text))
            collector.add(replay, max(0, row.mine), row.id)
        return collector.statistics()

    async def day(self, before: int = 0) -> DayPage | None:
        self._check()
        return self.days[before]

    async def streak(self) -> Streak:
        self._check()
        return self.days_in_a_row

    async def best(self) -> tuple[LeaderboardRow, ...]:
        self._check()
        return self.standings

    async def results_of(self, person: str) -> PlayerResults:
        self._check()
        return RESULTS

    async def season(self, before: int = 0) -> SeasonTable | None:
        self._check()
        return self.seasons[before] if before < len(self.seasons) else None


async def who_has_played(
    games: int = 60, who: Player = ME, **abilities: Any
) -> tuple[Player1, FakeLibrary]:
    library = FakeLibrary(FakeClock().time(), games)
    player = Player1(who=who, account=FakeAccount(library=library), **abilities)
    await player.lobby(LobbySnapshot((), ("ada",)))
    return player, library


KEY = "SHA256:WSlMSFl9Pi/aMrAIuC0Cv8G7JL8DOgmZXLjntnFVoUM"


ROWS: dict[str, OperatorReply] = {
    "people": OperatorReply(
        rows=(
            PersonRow("bo", False, KEY, "2001:db8::7", "ssh", 65, "Shoal", False, False, 0),
            PersonRow("cem", True, "", "192.0.2.9", "telnet", 7300, "", False, False, 120),
        )
    ),
    "tables": OperatorReply(
        rows=(TableFacts("Shoal", "playing", "amigo", ("bo", "Gull", "", ""), 1, 2, 4, 7, 3),)
    ),
    "reports": OperatorReply(
        rows=(ReportRow(4, 1e6, "cem", "bo", "Shoal", "shouts at everybody", "", 0.0, ""),)
    ),
    "bans": OperatorReply(rows=(BanRow(9, "network", "192.0.2.0/24", "spam", 1e6, "ada", 0.0),)),
    "audit": OperatorReply(
        rows=(AuditRow(3, 1e6, KEY, "ada", "kick", "bo", {"reason": "loud"}, "ok"),), left_out=2
    ),
}


@dataclass
class FakeOperators:
    done: list[Action] = field(default_factory=list)
    looks: list[Action] = field(default_factory=list)
    again: list[Action] = field(default_factory=list)
    later: OperatorReply | None = None
    answer: OperatorReply = field(default_factory=lambda: OperatorReply(facts={"name": "bo"}))

    async def act(self, action: Action, *, again: bool = False) -> OperatorReply:
        name = asked.name_of(action)
        if again:
            self.again.append(action)
            return self.later or ROWS[name]
        if name in ROWS:
            self.looks.append(action)
            return ROWS[name]
        self.done.append(action)
        return self.answer


@dataclass
class Reporting(FakeAccount):
    code: str = "ok"
    reports: list[tuple[str, str]] = field(default_factory=list)

    async def report(self, about: str, text: str) -> str:
        self.reports.append((about, text))
        return self.code
