"""Real games for the screens to show: played through the engine, wrapped as the coordinator would."""

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import structs

from engine.deal import GameDeal, deal_game
from engine.editions import Rules
from engine.rules import legal_actions, new_game, turn_tides
from engine.state import GameState, Phase
from engine.views import TableView, history_of, public_history_of, seat_view, table_view
from server.coordinator.messages import (
    BidSealed,
    GameEvent,
    Occupant,
    Pace,
    SeatInfo,
    Status,
    TableOptions,
    TablePublic,
    TableSnapshot,
    game_events,
)
from server.coordinator.table.play import no_bids, seal

NAMES = ("ada", "Puffin", "cem", "dora", "eve", "Sprat")
SEED = bytes(range(32))


def seat(name: str, **changes: object) -> SeatInfo:
    """A seat's info: those of the bots' names are bots."""
    bot = name in ("Puffin", "Sprat")
    info = SeatInfo(
        occupant=Occupant.BOT if bot else Occupant.HUMAN,
        name=name,
        strategy="greedy" if bot else "",
        connected=True,
        away=False,
        rematch=False,
    )
    return structs.replace(info, **changes)


def table_info(rules: Rules, names: Sequence[str] = NAMES, **changes: object) -> TablePublic:
    """A table where a game with ``rules`` is running."""
    info = TablePublic(
        id="harbour",
        title="harbour",
        options=TableOptions(rules, Pace.UNTIMED),
        status=Status.PLAYING,
        owner=0,
        seats=tuple(seat(name) for name in names[: rules.players]),
        game=1,
        commitment="c0ffee" * 10 + "c0ff",
        seed="",
        deadline=0.0,
        spectators=0,
    )
    return structs.replace(info, **changes)


def snapshot_of(state: GameState, viewer: int) -> TableSnapshot:
    """What who sits on that seat, or watches (-1), is told of a table."""
    view = table_view(state)
    own = None if viewer < 0 else seat_view(state, viewer, view)
    past = public_history_of(state) if viewer < 0 else history_of(state, viewer)
    return TableSnapshot(table_info(state.rules), viewer, view, own, history=past)


class Game:
    """A game that is played step by step; it remembers what happened since it was last asked."""

    def __init__(self, rules: Rules | None = None, seed: bytes = SEED) -> None:
        self.rules = rules or Rules(players=5)
        self.deal: GameDeal = deal_game(seed, self.rules)
        self.state: GameState
        self.state = new_game(self.rules, self.deal.hands)
        self.bids = no_bids(self.state)
        self.events: list[GameEvent] = list(game_events(self.state))
        self.random = Random(7)
        self.turn()

    def turn(self) -> None:
        """Turn the next tides up, if it is time."""
        if self.state.phase is Phase.TIDES:
            stage = self.state.stage
            offer = self.deal.offer(stage.number, len(stage.rounds))
            self.state = turn_tides(self.state, offer)
            self.events += game_events(self.state)

    def bid(self, seat: int, card: int = 0) -> None:
        """``seat`` bids ``card``, or some card."""
        card = card or self.random.choice(legal_actions(self.state, seat))
        before, others = self.state, self.bids
        self.state, self.bids = seal(self.state, self.bids, seat, card)
        self.events += () if others[seat] else (BidSealed(seat),)
        self.events += () if self.state is before else game_events(self.state)
        self.turn()

    def missing(self) -> Iterator[int]:
        """Seats whose bid is still to come."""
        for number, bid in enumerate(self.bids):
            if bid is None and legal_actions(self.state, number):
                yield number

    def play_round(self) -> None:
        """Everybody who has not bid does."""
        for number in tuple(self.missing()):
            self.bid(number)

    def play_rounds(self, count: int) -> None:
        """That many whole rounds, or until the game is over."""
        for _ in range(count):
            self.play_round()

    def play_until_somebody_is_out(self) -> int:
        """Until a seat is eliminated and the stage goes on; which seat."""
        while self.state.phase is not Phase.OVER:
            self.play_round()
            if self.state.phase is Phase.BIDDING and any(self.state.stage.eliminated):
                return self.state.stage.eliminated.index(True)
        raise AssertionError("nobody was eliminated in mid-stage: take another seed")

    def play_out(self) -> None:
        """To the end of the game."""
        while self.state.phase is not Phase.OVER:
            self.play_round()

    def taken(self) -> tuple[GameEvent, ...]:
        """What happened since the last time."""
        events, self.events = tuple(self.events), []
        return events

    @property
    def view(self) -> TableView:
        """The game as everybody sees it."""
        return table_view(self.state, [seat for seat, bid in enumerate(self.bids) if bid])

    def snapshot(self, viewer: int = 0, info: TablePublic | None = None) -> TableSnapshot:
        """The table as ``viewer`` (-1 for a spectator) sees it now."""
        view = self.view
        if info is None:
            over = self.state.phase is Phase.OVER
            info = table_info(
                self.rules,
                status=Status.OVER if over else Status.PLAYING,
                seed=SEED.hex() if over else "",
            )
        own = seat_view(self.state, viewer, view, self.bids[viewer] or 0) if viewer >= 0 else None
        past = history_of(self.state, viewer) if viewer >= 0 else public_history_of(self.state)
        return TableSnapshot(info, viewer, view, own, history=past)


def plain(rows: Sequence[Sequence[tuple[str, str]]]) -> str:
    """A frame's rows as text, for people and for golden files."""
    return "\n".join("".join(text for _, text in spans).rstrip() for spans in rows)
