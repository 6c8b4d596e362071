"""Puzzles: positions of one's own games in which a bid cost most, to choose a card anew."""

from typing import Final, NamedTuple

from engine.bots.review import Grade, ReviewedBid, costliest
from server.i18n.lookup import Words
from server.playback.replayed_game import ReplayedGame, ReplayPosition
from server.session.account_protocol import GameLibrary
from server.storage.history import GameRow
from server.text.hints import bid_in_words

_GAMES: Final = 20
"""The newest ones that are searched."""


class Puzzle(NamedTuple):
    """A position, and what was bid in it."""

    game: ReplayedGame
    seat: int
    bid: ReviewedBid

    def position(self, words: Words) -> ReplayPosition:
        """The game as the player saw it then."""
        position = ReplayPosition(self.game)
        position.viewpoint = self.seat
        position.go_to(f"{self.bid.stage + 1}.{self.bid.round + 1}", words)
        return position


class Puzzles:
    """The puzzles of one visitor, those of the newest game first: one game after the other is reviewed."""

    def __init__(self, library: GameLibrary) -> None:
        self._library: Final = library
        self._rows: list[GameRow] | None = None
        self._found: list[Puzzle] = []
        self.tried = self.solved = 0

    async def next(self) -> Puzzle | None:
        """The next one; ``None`` when there are no more. Raises ``StoreError``."""
        if self._rows is None:
            rows = await self._library.games(mine=True)
            own = [it for it in rows if it.mine >= 0 and not (it.held or it.tutorial or it.again)]
            self._rows = own[:_GAMES]
        while not self._found and self._rows:
            row = self._rows.pop(0)
            if (game := await self._library.game(row.id)) is not None:
                bots = game.info.seats[row.mine].bot_bids
                bids = [one async for one in self._library.review(game, row.mine)]
                own_bids = [one for one in bids if (one.stage, one.round) not in bots]
                self._found = [Puzzle(game, row.mine, one) for one in costliest(own_bids)]
        return self._found.pop(0) if self._found else None

    async def answered(self, puzzle: Puzzle, card: int, words: Words) -> list[str]:
        """What the strongest bot says of this ``card``, and of what was bid. Raises ``StoreError``."""
        was = told = puzzle.bid
        if card != was.bid:
            told = await self._library.what_if(puzzle.game, puzzle.seat, was.stage, was.round, card)
        self.tried += 1
        solved = told.grade is Grade.GOOD
        self.solved += solved
        names = tuple(seat.name for seat in puzzle.game.info.seats)
        lines = [words.t("Solved.") if solved else words.t("There is a better card.")]
        lines.append(bid_in_words(told, names, words))
        if told is not was:
            lines.append(words.t("In the game: {bid}", bid=bid_in_words(was, names, words)))
        count = words.t("Solved: {solved} of {tried}.", solved=self.solved, tried=self.tried)
        return [*lines, count]
