"""What a frontend may ask for: the player's account, the games that are over, and what operators do."""

from collections.abc import AsyncGenerator, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from engine.bots.review import ReviewedBid
from engine.records.statistics import Statistics, Streak
from server.coordinator.contract import Followed, PlayerResults, Profile
from server.coordinator.events.days import DayPage
from server.coordinator.messages import TableSnapshot
from server.coordinator.messages.operator_orders import Action, OperatorReply
from server.playback import ReplayedGame
from server.storage.history import GamePlace, GameRow, PlayerPage
from server.storage.ratings import LeaderboardRow, SeasonTable

_NEAR: Final = 20
"""Number of the newest games that may be the one at this table."""

MOST_MONTHS: Final = 1200
"""So far back one may ask for a month."""

PLAYED: Final = "played"
"""Under this name is kept how many games somebody has played to the end, up to ``FAMILIAR`` ..."""
FAMILIAR: Final = 3
"""... from which on nobody needs to be told what is what."""
SEEN: Final = "seen"
"""Under this name is kept, by the ids of tables by correspondence, which game, stage and round somebody has
seen there last.
"""
LESSON: Final = "lesson"
"""Under this name the game is kept to which the guide has come along."""


class GameLibrary(Protocol):
    """Finished games and what they say of players.

    All names are clean. All methods raise ``StoreError`` when the database does not work.
    """

    games_at_once: int = 50
    """Most games in an answer of ``games``; where there are fewer, there are no more."""

    played_today: bool = True
    """Whether this player has had the try at today's tide, or there is none."""

    async def games(self, *, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        """The newest first, only those with smaller ids than ``before``; ``mine``: this player's."""

    async def place(self, number: int) -> GamePlace | None:
        """What this player is to a game, which costs little; ``None`` where there is none to see."""

    async def game(self, number: int) -> ReplayedGame | None:
        """A game to look at, from the viewpoint of who has played it; ``None`` when it cannot be.

        One that is ``held`` is that player's own, and has no record or review yet.
        """

    async def by_code(self, code: str) -> ReplayedGame | str:
        """The game with this ``replay_code``, or why there is none to see.

        ``no_such_game``, ``game_open`` (others may still play its deal) or ``private_game``.
        """

    def review(self, game: ReplayedGame, seat: int) -> AsyncGenerator[ReviewedBid, None]:
        """The bids of a seat, one after the other as they have been thought about: some seconds for all.

        Those told before come at once. Of one person's reviews, one goes on at a time.
        """

    async def what_if(
        self, game: ReplayedGame, seat: int, stage: int, round_: int, card: int
    ) -> ReviewedBid:
        """This card of that seat's hand in place of the one that was bid, reviewed."""
        raise NotImplementedError

    async def page(self) -> PlayerPage | None:
        """This player's page."""

    async def statistics(self) -> Statistics:
        """How this player plays: of the newest games, at most ``COUNTED_GAMES``."""

    async def day(self, before: int = 0) -> DayPage | None:
        """Today's tide, or the day so many days ``before``; ``None`` where there was none."""

    async def streak(self) -> Streak:
        """On how many days in a row this player has begun today's tide: at most, and by now."""

    played_yesterday: bool = False
    """Whether that can be more than one by now."""

    async def best(self) -> tuple[LeaderboardRow, ...]:
        """The leaderboard."""

    async def season(self, before: int = 0) -> SeasonTable | None:
        """This month's leaderboard, or that of so many months ``before``; ``None`` where none is kept."""

    async def results_of(self, person: str) -> PlayerResults:
        """What somebody, by id, has achieved."""


async def game_played(library: GameLibrary, table: TableSnapshot) -> ReplayedGame | None:
    """The game that has just ended at this table, if it is kept. Raises ``StoreError``."""
    if table.table is None:
        return None
    scores = [seat.score for seat in table.table.seats]
    for known in (await library.games(mine=table.seat >= 0))[:_NEAR]:
        # Another game may have come to the same: its commitment says which one this is.
        if [seat.score for seat in known.seats] == scores:
            game = await library.game(known.id)
            if game is not None and game.info.commitment == table.info.commitment:
                return game
    return None


class OperatorActions(Protocol):
    """Everything that operators can do; whatever it is, it is written down first."""

    async def act(self, action: Action, *, again: bool = False) -> OperatorReply:
        """Do it, or say why not.

        Never raises for anything that an operator can cause. ``again``: what a list has by now that
        is still being looked at: that is written down once.
        """


class Account:
    """The person behind a visit. As it stands, for playing without a server: it keeps nothing."""

    rejoin_code: str = ""
    """A guest's, to come back with; empty for who has a key. Nobody else is shown it."""
    settings: Mapping[str, Any] = MappingProxyType({})
    """What this person chose on earlier visits."""
    library: GameLibrary | None = None
    """The games that are over; ``None`` where none are kept."""
    opens_tournaments: bool = False
    """Anybody may open tournaments there."""
    renames: bool = False
    """The player may ``rename``."""
    new_name: str = ""
    """The name with which another visit begins after this one, if it is free; empty for no other visit."""

    @property
    def operator_actions(self) -> OperatorActions | None:
        """Where operators do their work; ``None`` for everybody who is none at this moment."""
        return None

    async def profile(self, name: str) -> Profile | None:
        """The page of who is called that; ``None`` where there is none for this person.

        Raises ``StoreError``, as the next two.
        """
        return None

    async def follow(self, name: str, on: bool = True) -> str:
        """Be told when somebody comes, or no more.

        Answers ``ok``, ``no_profile``, ``own_name``, ``follow_guest`` (guests follow nobody),
        ``not_followable`` (who does not want that), or ``too_many_followed``.
        """
        return "no_profile"

    async def followed(self) -> tuple[Followed, ...]:
        """Return the people whom this person follows, by name."""
        return ()

    async def report(self, about: str, text: str) -> str:
        """Tell operators about the player called ``about``.

        Answers ``ok``, ``cut`` (only the first ``REPORT_WIDTH`` columns were taken),
        ``nobody_called``, ``own_name``, ``bot_called``, ``no_text``, ``report_wait`` (too many
        lately), ``storage``, or ``no_operators`` where there are none.
        """
        return "no_operators"

    async def link_code(self) -> str:
        """A new code that adds another key to this account, once and soon; empty for guests."""
        return ""

    def rename(self, name: str) -> None:
        """Have ``new_name`` be this one."""

    def remember(self, settings: Mapping[str, Any]) -> None:
        """Keep what the person has chosen, all of it, for the next visit; sooner or later.

        When that cannot be, the person is told.
        """

    async def keep(self, settings: Mapping[str, Any]) -> bool:
        """Keep the settings at once.

        Return False when they could not be stored and hold for this visit alone.
        """
        return True
