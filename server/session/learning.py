"""The rules in words, and puzzles: what a player learns from beside the first game."""

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.bots.review import Grade, ReviewedBid, costliest
from engine.editions import MAX_PLAYERS, WEATHER_CARDS, Rules, player_range
from server.coordinator.messages import TableOptions
from server.i18n.lookup import Plural, Words, _, n_
from server.playback import ReplayedGame, ReplayPosition
from server.session.account import GameLibrary
from server.storage.history import GameRow
from server.text.bots import bid_in_words
from server.viewmodels.table_options import options_in_words

Section = tuple[str, tuple[str, ...]]


class _With(NamedTuple):
    """A paragraph that is true only where some rules are played."""

    applies: Callable[[Rules], bool]
    text: str


_SECTIONS: Final[dict[str, tuple[str | Plural | _With, ...]]] = {
    _("The idea"): (
        _(
            "The water is rising, and your sheep has a handful of life preservers. Keep your tide"
            " low: in every round, the player with the highest tide loses one. What is left at the"
            " end of a stage is worth points."
        ),
    ),
    _("Your hand"): (
        n_(
            "Weather cards go from 1 to {last}, each once. You hold {count} of them.",
            "Weather cards go from 1 to {last}, each once. You hold {count} of them.",
        ),
        _(
            "The cards from 25 to 36 show a whole life preserver, 13 to 24 and 37 to 48 half of"
            " one, the others none. The sum, rounded down, is how many the hand begins each stage"
            " with: a difficult hand has more of them."
        ),
    ),
    _("A round"): (
        _("Two tide cards are turned up. Everybody bids one weather card, face down."),
        _(
            "When the last bid is in, all are turned up at once. The highest card takes the lower"
            " tide, the second highest takes the higher one; nobody else takes any. A new tide card"
            " covers the old one: only the newest counts."
        ),
        _(
            "Until the reveal you may replace your bid, and nobody sees that you did. Your last card"
            " is bid for you."
        ),
    ),
    _("Losing life preservers"): (
        _(
            "Then the highest tide at the table costs one life preserver, no matter who took a card in"
            " this round. If two share the highest tide, both lose one."
        ),
        _(
            "With none left you are still in. Only if you would then have to lose another are you"
            " out of this stage: that costs a point, and you are back in the next."
        ),
        _With(
            lambda rules: rules.passes_loss_on,
            _(
                "If somebody goes out and nobody has lost a life preserver in this round, the loss is"
                " passed on to whoever now shows the highest tide, as long as more than two are left."
            ),
        ),
        _With(
            lambda rules: rules.modified_drowning,
            _("At this table nobody else has to pay for it when somebody goes out."),
        ),
        _With(
            lambda rules: not (rules.passes_loss_on or rules.modified_drowning),
            _("In this edition the loss is not passed on when somebody goes out."),
        ),
    ),
    _("Points"): (
        n_(
            "A stage has {count} round, but ends at once when only two players are left.",
            "A stage has {count} rounds, but ends at once when only two players are left.",
        ),
        _(
            "Each life preserver left is a point; being out costs one. The lowest tide among those"
            " still in earns one point more; having no tide card counts as lowest."
        ),
        _(
            "Then every hand passes to the player on the left, with all its life preservers. So"
            " everybody plays every hand, and it pays to remember the one you had: your left"
            " neighbour has it now."
        ),
        _(
            "The game has as many stages as players. Whoever has the most points wins; a tie is"
            " shared."
        ),
        _With(
            lambda rules: MAX_PLAYERS in player_range(rules.edition),
            _("With six players everybody has ten cards, and the tides go up to ten only."),
        ),
        _With(
            lambda rules: rules.assistance,
            _(
                "Assistance is on: the played cards (p) show earlier stages too, beside the seat that"
                " holds that hand now."
            ),
        ),
    ),
    _("Signs on the table"): (
        _("11!\tthe highest tide at the table"),
        _("{left} {left} {lost} {lost}\ttwo life preservers left, two lost"),
        _("{half} {left}\ton a card: half a life preserver, a whole one"),
        _("14*\tfourteen points, and nobody has more"),
        _("[27]\tthe card that Enter would bid"),
        _("(27)\tyour sealed bid"),
        _("#\tsomebody's sealed bid, where the line is slow"),
    ),
}
"""Headings and paragraphs; a count is that of the cards in a hand, and so of the rounds in a stage."""


class Signs(NamedTuple):
    """How life preservers are drawn."""

    left: str = "o"
    lost: str = "."
    half: str = ".5"


PLAIN: Final = Signs()


def rules_sections(
    options: TableOptions | None, words: Words, *, facts: bool = True, signs: Signs = PLAIN
) -> tuple[Section, ...]:
    """Headings and paragraphs; a paragraph with a tab is a sign and what it means.

    ``facts``: also what exactly is played.
    """
    drawn = signs._asdict()
    rules = options.rules if options is not None else Rules()
    sections = []
    for heading, paragraphs in _SECTIONS.items():
        texts = [
            each.text if isinstance(each, _With) else each
            for each in paragraphs
            if not isinstance(each, _With) or each.applies(rules)
        ]
        said = tuple(
            words.fill(text, count=rules.rounds, last=WEATHER_CARDS[-1], **drawn) for text in texts
        )
        sections.append((words.t(heading), said))
    if facts and options is not None:
        played = ", ".join(options_in_words(options, words))
        sections.insert(1, (words.t("This table"), (played + ".",)))
    return tuple(sections)


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
