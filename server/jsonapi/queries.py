"""Queries of programs beside the tables, each with its answer.

Games that are over, results, settings, operators' help.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Final

from msgspec import Meta, Raw, Struct

from engine.bots.review import decisions, to_json
from engine.records.outcome import SeatResult, own_game
from engine.records.record_format import write
from engine.records.statistics import Bids, HandCase, Hands, Opponent, Statistics, Streak
from engine.standings import highlights, totals_after
from server import StoreError
from server.cleaning import REPORT_WIDTH
from server.coordinator.contract import Followed, PlayerResults, Profile
from server.coordinator.events.days import DayPage, Try
from server.coordinator.messages import Reply
from server.jsonapi.fields import (
    HIGHLIGHT,
    Number,
    Part,
    Request,
    SettingsRequest,
    choices_data,
    each,
    number,
    with_choices,
)
from server.playback import ReplayedGame
from server.session.account import MOST_MONTHS, GameLibrary
from server.session.client import SessionClient
from server.session.sharing import replay_line, shared_day, shared_game
from server.storage.history import BestMonth, GamePlace, GameRow, PlayerPage
from server.storage.ratings import LeaderboardRow, Rating, SeasonRow, SeasonTable
from server.text.rounds import course_in_words
from server.viewmodels.table import seat_names

LONGEST_RECORD: Final = 100_000
"""Characters of a record that is sent; a long game has some thousand."""


Found = Reply | dict[str, Any]
"""What there is in an answer, or why there is none."""
GameId = Annotated[int, Meta(ge=0, lt=1 << 53)]


class OwnStageData(Struct):
    """One stage, as its player saw it."""

    hand: Sequence[int]
    tides: Sequence[Sequence[int]]
    bids: Sequence[Sequence[int | None]]


class OwnGameData(Struct):
    """A game as one of its players knows it."""

    seat: int
    players: Sequence[str]
    commitment: str
    stages: Sequence[OwnStageData]


class SummaryData(Struct):
    """What one game came to: totals after each stage, what was remarkable, both in sentences.

    What to pass on of it, and how others see it again.
    """

    totals: Sequence[Sequence[int]]
    highlights: list[HIGHLIGHT.type]  # type: ignore[name-defined]
    course: Sequence[str]
    text: Sequence[str]
    replay: str | None


GAME: Final = Part(
    GameRow,
    "game=id ended=kept edition complete rated tutorial again event? held",
    seats=each(Part(SeatResult, "name kind? score place?"), "seats"),
    mine=number("mine"),
)
_RATING: Final = Part(Rating, "shown mu sigma games")
DAY: Final = Part(
    DayPage,
    "day until closes closed commitment seed? opponents begun state streak longest tomorrow?",
    tries=each(Part(Try, "rank name score others game program apart?"), "tries"),
)
PAGE: Final = Part(
    PlayerPage,
    "games=tally.games wins=tally.wins stages=tally.stages mean_points=tally.mean_points rank?",
    rating=(_RATING.type | None, lambda page: page.rating and _RATING(page.rating)),
)
STREAK: Final = Part(Streak, "longest now")
_MONTH: Final = Part(BestMonth, "month rank score")
_PLAYER_RESULTS: Final = Part(
    PlayerResults,
    "days met=standing.met.games ahead=standing.met.ahead behind=standing.met.behind",
    rating=(_RATING.type | None, lambda it: it.standing.rating and _RATING(it.standing.rating)),
    best=(_MONTH.type | None, lambda it: it.standing.best and _MONTH(it.standing.best)),
    days_in_a_row=(STREAK.type, lambda it: STREAK(it.streak)),
)
PROFILE: Final = Part(
    Profile,
    "name own shows_visits here table? title? seen? followable followed",
    results=(_PLAYER_RESULTS.type | None, lambda it: it.results and _PLAYER_RESULTS(it.results)),
)
FOLLOWED: Final = Part(Followed, "name here")
_OPPONENT: Final = Part(Opponent, "name games ahead level behind mean")
_CASE: Final = Part(HandCase, "game stage points others")
_HANDS: Final = Part(Hands, "played better same worse mean")
STATISTICS: Final = Part(
    Statistics,
    "games wins stages points eliminated bonuses tides stage_points",
    bids=each(Part(Bids, "left bids height took_low took_high lost"), "bids"),
    hands=(_HANDS.type, lambda found: _HANDS(found.hands)),
    best_hand=(_CASE.type | None, lambda found: found.best_hand and _CASE(found.best_hand)),
    worst_hand=(_CASE.type | None, lambda found: found.worst_hand and _CASE(found.worst_hand)),
    opponents=each(_OPPONENT, "opponents"),
    bots=each(_OPPONENT, "bots"),
    wins_in_a_row=(STREAK.type, lambda found: STREAK(found.wins_in_a_row)),
    without_elimination=(STREAK.type, lambda found: STREAK(found.without_elimination)),
)
BEST: Final = Part(
    LeaderboardRow, "rank name program", rating=(_RATING.type, lambda row: _RATING(row.rating))
)
SEASON: Final = Part(
    SeasonTable,
    "month until over closed earlier",
    places=each(Part(SeasonRow, "rank name score games met program"), "rows"),
)


async def answer_to(request: "Query", client: SessionClient) -> tuple[Reply, dict[str, Any]]:
    """What to answer, and what more there is in the answer."""
    found: Found = Reply("storage")
    with suppress(StoreError):
        found = await request.found(client)
    return (found, {}) if isinstance(found, Reply) else (Reply(), found)


class Query(Request, frozen=True):
    """A question about what is over, for operators, or about oneself."""

    async def found(self, client: SessionClient) -> Found:
        """The answer. Raises ``StoreError``."""
        library = client.account.library
        return Reply("no_games") if library is None else await self.look_up(library, client)

    async def look_up(self, library: GameLibrary, client: SessionClient) -> Found:
        """Look it up where games are kept."""
        raise NotImplementedError


# ------------------------------------------------------------------- about one game


class _OfGame(Query, frozen=True):
    game: GameId

    async def look_up(self, library: GameLibrary, client: SessionClient) -> Found:
        place = await library.place(self.game)
        if code := "no_such_game" if place is None else self.refused(place):
            return Reply(code)
        game = await library.game(self.game)
        return Reply("no_such_game") if game is None else await self.told(game, library, client)

    def refused(self, place: GamePlace) -> str:
        """Why it is not for who is that to the game; empty where it is."""
        return ""

    async def told(self, game: ReplayedGame, library: GameLibrary, client: SessionClient) -> Found:
        """The answer about a game that may be seen."""
        raise NotImplementedError


class GetRecord(_OfGame, frozen=True):
    """All of one game."""

    def refused(self, place: GamePlace) -> str:
        return "event_open" if place.held else ""

    async def told(self, game: ReplayedGame, library: GameLibrary, client: SessionClient) -> Found:
        text = write(game.replay.record)
        if len(text) > LONGEST_RECORD:
            return Reply("no_such_game")
        # As it is kept, and as `tide verify` wants it: one line in ASCII.
        return {"record": Raw(text.encode())}


class GetOwnGame(_OfGame, frozen=True):
    """What oneself has seen of a game: also while its event is open."""

    def refused(self, place: GamePlace) -> str:
        return "no_such_game" if place.mine < 0 else ""

    async def told(self, game: ReplayedGame, library: GameLibrary, client: SessionClient) -> Found:
        seen, info = own_game(game.replay, game.viewpoint), game.info
        stages = [
            OwnStageData(hand, stage.tides, stage.bids)
            for hand, stage in zip(seen.hands, seen.stages, strict=True)
        ]
        own = OwnGameData(game.viewpoint, seat_names(info), info.commitment, stages)
        return {"own_game": own}


class GetReview(_OfGame, frozen=True):
    """The bids of one seat of a game, beside those of the strongest bot."""

    seat: Number | None = None

    def refused(self, place: GamePlace) -> str:
        if self.seat is None:
            return ""
        if self.seat >= place.seats:
            return "no_such_seat"
        return "event_open" if place.held and self.seat != place.mine else ""

    async def told(self, game: ReplayedGame, library: GameLibrary, client: SessionClient) -> Found:
        of = game.reviewed_seat(game.viewpoint if self.seat is None else self.seat)
        bids = [one async for one in library.review(game, of)]
        return {"review": {"seat": of, **to_json(bids)}}


class WhatIf(GetReview, frozen=True, kw_only=True):
    """Another card in place of one that a seat has bid, beside that of the strongest bot."""

    stage: Number
    round: Number
    card: Number

    async def told(self, game: ReplayedGame, library: GameLibrary, client: SessionClient) -> Found:
        of = game.reviewed_seat(game.viewpoint if self.seat is None else self.seat)
        made = decisions(game.replay, of)
        here = [each for each in made if (each.stage, each.round) == (self.stage, self.round)]
        if not here or self.card not in here[0].view.hand:
            return Reply("not_in_hand")
        one = await library.what_if(game, of, self.stage, self.round, self.card)
        return {"review": {"seat": of, **to_json([one])}}


class GetSummary(_OfGame, frozen=True):
    """What one game came to: its chart, what was remarkable, and a text about it."""

    async def told(self, game: ReplayedGame, library: GameLibrary, client: SessionClient) -> Found:
        shared = await shared_game(client, library, game, unicode=True)
        replay = replay_line(game.code, client.facts().way_in)
        view = game.final_view
        summary = SummaryData(
            totals_after(view),
            [HIGHLIGHT(one) for one in highlights(view)],
            course_in_words(view, seat_names(game.info), client.words),
            shared.lines,
            replay or None,
        )
        return {"summary": summary}


# ------------------------------------------------------------------- about many games


class Games(Query, frozen=True):
    """The newest games that are over, or those before one."""

    mine: bool = True
    before: GameId = 0

    async def look_up(self, library: GameLibrary, client: SessionClient) -> Found:
        rows = await library.games(mine=self.mine, before=self.before)
        return {"games": [GAME(row) for row in rows]}


class GetDay(Query, frozen=True):
    """Today's tide, or that of so many days before."""

    before: Annotated[int, Meta(ge=0, le=1)] = 0

    async def look_up(self, library: GameLibrary, client: SessionClient) -> Found:
        day = await library.day(self.before)
        if day is None:
            return {"today": None, "share": []}
        shared = await shared_day(client, library, day, unicode=True)
        return {"today": DAY(day), "share": [] if shared is None else shared.lines}


class Results(Query, frozen=True):
    """How one has done."""

    async def look_up(self, library: GameLibrary, client: SessionClient) -> Found:
        page = await library.page()
        return {"results": None if page is None else PAGE(page)}


class GetStatistics(Query, frozen=True):
    """How one plays."""

    async def look_up(self, library: GameLibrary, client: SessionClient) -> Found:
        found, days = await library.statistics(), await library.streak()
        return {"statistics": STATISTICS(found), "days_in_a_row": STREAK(days)}


class Best(Query, frozen=True):
    """The best players."""

    async def look_up(self, library: GameLibrary, client: SessionClient) -> Found:
        return {"best": [BEST(row) for row in await library.best()]}


class GetSeason(Query, frozen=True):
    """The best players of this month, or of so many months before."""

    before: Annotated[int, Meta(ge=0, le=MOST_MONTHS)] = 0

    async def look_up(self, library: GameLibrary, client: SessionClient) -> Found:
        season = await library.season(self.before)
        return {"season": None if season is None else SEASON(season)}


# ------------------------------------------------------------------- about oneself, and for operators


class GetSettings(Query, frozen=True):
    """What one has chosen."""

    async def found(self, client: SessionClient) -> Found:
        return {"settings": choices_data(client.account.settings)}


class Set(GetSettings, frozen=True):
    """To choose otherwise, for every visit from now on."""

    settings: SettingsRequest

    async def found(self, client: SessionClient) -> Found:
        account = client.account
        kept = await account.keep(with_choices(account.settings, self.settings))
        return await super().found(client) if kept else Reply("not_kept")


class SendReport(Query, frozen=True):
    """To tell operators about somebody."""

    name: str
    text: str

    async def found(self, client: SessionClient) -> Found:
        code = await client.account.report(self.name, self.text)
        if code == "cut":
            return {"cut": REPORT_WIDTH}
        return Reply(code, {} if code == "ok" else {"name": self.name})


# ------------------------------------------------------------------- about people


class GetProfile(Query, frozen=True):
    """What there is to know of somebody."""

    name: str

    async def found(self, client: SessionClient) -> Found:
        page = await client.account.profile(self.name)
        return {"profile": PROFILE(page)} if page else Reply("no_profile", {"name": self.name})


class Follow(Query, frozen=True):
    """To be told when somebody comes, or no more."""

    name: str
    on: bool = True

    async def found(self, client: SessionClient) -> Found:
        code = await client.account.follow(self.name, self.on)
        return Reply(code, {} if code == "ok" else {"name": self.name})


class GetFollowed(Query, frozen=True):
    """List the people whom one follows."""

    async def found(self, client: SessionClient) -> Found:
        return {"followed": [FOLLOWED(one) for one in await client.account.followed()]}
