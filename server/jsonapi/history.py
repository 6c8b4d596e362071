"""What a program may ask beside the tables: games that are over, results, settings, and operators' help."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from typing_extensions import TypedDict

from engine.bots.review import to_json
from engine.highlights import highlights
from engine.outcome import SeatResult
from engine.own_game import own_game
from engine.record import write
from engine.standings import totals_after
from engine.statistics import Bids, HandCase, Hands, Opponent, Statistics, Streak
from server.coordinator.events.days import DayPage, Try
from server.coordinator.messages import Reply
from server.i18n.catalogues import Words
from server.jsonapi.choices import choices_data, with_choices
from server.jsonapi.parts import Part, each, made
from server.jsonapi.requests import (
    Games,
    GetDay,
    GetOwnGame,
    GetRecord,
    GetReview,
    GetSeason,
    GetSettings,
    GetStatistics,
    GetSummary,
    Query,
    Results,
    SendReport,
    Set,
)
from server.jsonapi.updates import HIGHLIGHT
from server.playback.recorded_game import RecordedGame
from server.session.account import GameLibrary
from server.session.client import SessionClient
from server.session.invite import replay_line
from server.session.sharing import shared_day, shared_game
from server.storage.history import GameRow, PlayerPage
from server.storage.leaderboard import LeaderboardRow, SeasonRow, SeasonTable
from server.storage.ratings import Rating
from server.storage.store import StoreError
from server.text.highlights import course_in_words
from server.viewmodels.table import seat_names

LONGEST_RECORD: Final = 100_000
"""Characters of a record that is sent; a long game has some thousand."""


async def answer_to(request: Query, client: SessionClient) -> tuple[Reply, dict[str, Any]]:
    """What to answer, and what more there is in the answer."""
    account = client.account
    try:
        if isinstance(request, SendReport):
            code = await account.report(request.name, request.text)
            return Reply(code, {} if code == "ok" else {"name": request.name}), {}
        if isinstance(request, Set) and not await account.keep(
            with_choices(account.settings, request.settings)
        ):
            return Reply("not_kept"), {}
        if isinstance(request, Set | GetSettings):
            return Reply(), {"settings": choices_data(account.settings)}
        if account.library is None:
            return Reply("no_games"), {}
        return await _from(account.library, request, client)
    except StoreError:
        return Reply("storage"), {}


async def _from(
    library: GameLibrary, request: Query, client: SessionClient
) -> tuple[Reply, dict[str, Any]]:
    match request:
        case Games(mine, before):
            rows = await library.games(mine=mine, before=before)
            return Reply(), {"games": [GAME(row) for row in rows]}
        case GetRecord(number) | GetReview(number) | GetOwnGame(number) | GetSummary(number):
            place = await library.place(number)
            if place is None or (isinstance(request, GetOwnGame) and place.mine < 0):
                return Reply("no_such_game"), {}
            if place.held and isinstance(request, GetRecord):
                return Reply("event_open"), {}
            if isinstance(request, GetReview) and request.seat is not None:
                if request.seat >= place.seats:
                    return Reply("no_such_seat"), {}
                if place.held and request.seat != place.mine:
                    return Reply("event_open"), {}
            game = await library.game(number)
            if game is None:
                return Reply("no_such_game"), {}
            return await _of(game, library, request, client)
        case GetDay(before):
            day = await library.day(before)
            if day is None:
                return Reply(), {"today": None, "share": []}
            shared = await shared_day(client, library, day, unicode=True)
            lines = [] if shared is None else list(shared.lines)
            return Reply(), {"today": DAY(day), "share": lines}
        case Results():
            page = await library.page()
            return Reply(), {"results": None if page is None else PAGE(page)}
        case GetStatistics():
            found, days_in_a_row = await library.statistics(), await library.streak()
            return Reply(), {
                "statistics": STATISTICS(found),
                "days_in_a_row": STREAK(days_in_a_row),
            }
        case GetSeason(before):
            season = await library.season(before)
            return Reply(), {"season": None if season is None else SEASON(season)}
        case _:
            return Reply(), {"best": [BEST(row) for row in await library.best()]}


async def _of(
    game: RecordedGame,
    library: GameLibrary,
    request: GetRecord | GetReview | GetOwnGame | GetSummary,
    client: SessionClient,
) -> tuple[Reply, dict[str, Any]]:
    """The answer about a game that may be seen."""
    match request:
        case GetRecord():
            text = write(game.replay.record)
            if len(text) > LONGEST_RECORD:
                return Reply("no_such_game"), {}
            # As it is kept, and as `tide verify` wants it: one line in ASCII.
            return Reply(), {"record": msgspec.Raw(text.encode())}
        case GetReview(_, seat):
            of = game.reviewed_seat(game.viewpoint if seat is None else seat)
            bids = [one async for one in library.review(game, of)]
            return Reply(), {"review": {"seat": of, **to_json(bids)}}
        case GetOwnGame():
            return Reply(), {"own_game": own_game_data(game)}
    shared = await shared_game(client, library, game, unicode=True)
    replay = replay_line(game.code, client.facts().way_in)
    return Reply(), {"summary": summary_data(game, shared.lines, replay, client.words)}


class OwnStageData(TypedDict):
    """One stage, as its player saw it."""

    hand: list[int]
    tides: list[list[int]]
    bids: list[list[int | None]]


class OwnGameData(TypedDict):
    """A game as one of its players knows it."""

    seat: int
    players: list[str]
    commitment: str
    stages: list[OwnStageData]


def own_game_data(game: RecordedGame) -> OwnGameData:
    """What the player from whose viewpoint the game is shown has seen of its cards."""
    seen = own_game(game.replay, game.viewpoint)
    return {
        "seat": game.viewpoint,
        "players": list(seat_names(game.info)),
        "commitment": game.info.commitment,
        "stages": [
            {
                "hand": list(hand),
                "tides": [list(pair) for pair in stage.tides],
                "bids": [list(bids) for bids in stage.bids],
            }
            for hand, stage in zip(seen.hands, seen.stages, strict=True)
        ],
    }


class SummaryData(TypedDict):
    """What one game came to."""

    totals: list[list[int]]
    highlights: list[HIGHLIGHT.type]  # type: ignore[name-defined]
    course: list[str]
    text: list[str]
    replay: str | None


def summary_data(game: RecordedGame, text: Sequence[str], replay: str, words: Words) -> SummaryData:
    """Totals after each stage, what was remarkable, both in sentences; ``text`` is what to pass on of it, and
    ``replay`` how others see it again.
    """
    view, names = game.final_view, seat_names(game.info)
    return {
        "totals": [list(totals) for totals in totals_after(view)],
        "highlights": [HIGHLIGHT(one) for one in highlights(view)],
        "course": list(course_in_words(view, names, words)),
        "text": list(text),
        "replay": replay or None,
    }


GAME: Final = Part(
    GameRow,
    "game=id ended=kept edition complete rated tutorial again event? held",
    seats=each(Part(SeatResult, "name kind? score place?"), "seats"),
    mine=made(int | None, "mine", lambda seat: None if seat < 0 else seat),
)
_RATING: Final = Part(Rating, "shown mu sigma games")
DAY: Final = Part(
    DayPage,
    "day until closes closed commitment seed? opponents begun state streak longest tomorrow?",
    tries=each(Part(Try, "rank name score points others game program first_day"), "tries"),
)
PAGE: Final = Part(
    PlayerPage,
    "games=tally.games wins=tally.wins stages=tally.stages mean_points=tally.mean_points rank?",
    rating=(_RATING.type | None, lambda page: page.rating and _RATING(page.rating)),
)
_OPPONENT: Final = Part(Opponent, "name games ahead level behind mean")
STREAK: Final = Part(Streak, "longest now")
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
