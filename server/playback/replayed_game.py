"""A finished game as a series of moments, and where somebody is in it."""

import re
from typing import Final, NamedTuple

from msgspec import structs

from engine.records.outcome import bot_bids_of, kinds_of
from engine.records.replay import Moment, Replay, moments_of
from engine.rules import StageStarted, TidesTurned
from engine.state import GameState
from engine.views import TableView, seat_view, table_view
from server.coordinator import messages as m
from server.i18n.lookup import Words
from server.storage.history import replay_code

EVERYBODY: Final = -1
"""The viewpoint of a spectator."""
OPEN: Final = -2
"""The viewpoint from which all hands are open."""

_PLACE: Final = re.compile(r"\s*(\d{1,2})(?:\D+(\d{1,2}))?\s*")


class ReplayedGame(NamedTuple):
    """A game that can be shown; all texts are fit for a terminal."""

    replay: Replay
    info: m.TablePublic
    moments: tuple[Moment, ...]
    viewpoint: int = EVERYBODY
    """Viewpoint from which it is shown first: a seat's, or everybody's."""
    held: bool = False
    """The deal is still secret: there is only what the viewpoint's player has seen (``own_game``)."""
    number: int = 0
    """Number under which it is kept; 0 where it is not."""

    @property
    def code(self) -> str:
        """Code with which anybody may see it again; empty where not everybody may."""
        record = self.replay.record
        private = record.fields().get("private") is True
        return "" if self.held or private or not self.number else replay_code(self.number, record)

    @property
    def event(self) -> str:
        """What it was played for, if other tables played the same deal; else empty."""
        event = self.replay.record.fields().get("event")
        return event if isinstance(event, str) else ""

    @property
    def final_view(self) -> TableView:
        """The end of the game, as everybody sees it."""
        return self.view_of(self.replay.last)

    def view_of(self, state: GameState) -> TableView:
        """Return what everybody sees of the game."""
        view = table_view(state)
        return view._replace(deal=()) if self.held else view

    def can_be_seen_by(self, viewpoint: int) -> bool:
        """Return whether it can be shown from this viewpoint."""
        return not self.held or viewpoint in (EVERYBODY, self.viewpoint)

    def reviewed_seat(self, viewpoint: int) -> int:
        """Return the seat whose bids a review is about: where nobody is looked through, the first person's.

        One's own where others may still play the deal.
        """
        if self.held:
            return self.viewpoint
        people = [n for n, seat in enumerate(self.info.seats) if seat.occupant is m.Occupant.HUMAN]
        return viewpoint if viewpoint >= 0 else next(iter(people), 0)


def shown(
    replay: Replay,
    names: tuple[str, ...],
    title: str,
    viewpoint: int = EVERYBODY,
    *,
    held: bool = False,
    number: int = 0,
) -> ReplayedGame:
    """``names`` are the players', clean and different from each other, and ``title`` is clean as well.

    A game that is ``held`` is an ``own_replay`` of the viewpoint's seat.
    """
    fields = replay.record.fields()
    seats = tuple(
        m.SeatInfo(
            occupant=m.Occupant.BOT if kind == "bot" else m.Occupant.HUMAN,
            name=name,
            left=kind == "left",
            bot_bids=bot_bids,
        )
        for name, kind, bot_bids in zip(
            names, kinds_of(fields, len(names)), bot_bids_of(fields, len(names)), strict=True
        )
    )
    info = m.TablePublic(
        id="",
        title=title,
        options=m.TableOptions(replay.record.rules),
        status=m.Status.OVER,
        owner=-1,
        seats=seats,
        game=1,
        commitment=_hex(fields.get("commitment")),
        seed=_hex(fields.get("seed")),
        ended=next((each for each in m.Ended if each.value == fields.get("ended")), m.Ended.NO),
    )
    return ReplayedGame(replay, info, tuple(moments_of(replay)), viewpoint, held, number)


def _hex(value: object) -> str:
    """Return what a record says is a seed or a commitment, if it looks like one."""
    text = value if isinstance(value, str) and len(value) == 64 else ""
    return text if set(text) <= set("0123456789abcdef") else ""


class ReplayPosition:
    """Where somebody is in a game, and from which viewpoint it is seen."""

    def __init__(self, game: ReplayedGame) -> None:
        self.game: Final = game
        self.viewpoint = game.viewpoint
        self.at = 0
        seats = tuple(structs.replace(seat, left=False) for seat in game.info.seats)
        self._played: Final = structs.replace(game.info, seats=seats)

    @property
    def moment(self) -> Moment:
        """What is shown, or was told last."""
        return self.game.moments[self.at]

    def now(self) -> m.TableSnapshot:
        """Return the table at this moment, as it is seen from the viewpoint."""
        state, seat = self.moment.state, self.viewpoint
        view = self.game.view_of(state)
        bid = self.moment.bid_of(seat) if self.moment.reveals else 0
        own = seat_view(state, seat, view, bid) if seat >= 0 else None
        return m.TableSnapshot(self.info, max(seat, EVERYBODY), view, own)

    @property
    def info(self) -> m.TablePublic:
        """The table at this moment. Who has left did so at some time, and is told of only in the end."""
        return self.game.info if self.at == self.last else self._played

    def look_from(self, viewpoint: int) -> bool:
        """Take this viewpoint. False when the game cannot be seen from there yet."""
        if allowed := self.game.can_be_seen_by(viewpoint):
            self.viewpoint = viewpoint
        return allowed

    @property
    def last(self) -> int:
        """The end of the game."""
        return len(self.game.moments) - 1

    def move_to(self, at: int) -> bool:
        """Move to this moment, or the nearest there is. Return False when that is where one was."""
        was, self.at = self.at, max(0, min(at, self.last))
        return self.at != was

    def go_to(self, typed: str, words: Words) -> str:
        """Go to where a stage begins, or the tides of a round are turned up: "3", "3.7" or "3 7".

        Returns what is wrong with that, or nothing.
        """
        wanted = _PLACE.fullmatch(typed)
        if wanted is None:
            return words.t("A stage, or stage and round: 3 or 3.7")
        stage, round_ = int(wanted[1]) - 1, int(wanted[2] or 1) - 1
        kind = TidesTurned if wanted[2] else StageStarted
        for at, moment in enumerate(self.game.moments):
            if isinstance(moment.event, kind) and (moment.stage, moment.round) == (stage, round_):
                self.at = at
                return ""
        return words.t("The game did not get there.")

    def seen_in_words(self, words: Words) -> str:
        """Return in words who could see what is shown."""
        if self.viewpoint == OPEN:
            return words.t("All hands open; [ ]: this round's bid")
        if self.viewpoint == EVERYBODY:
            return words.t("Replay, as everybody could see it.")
        return words.t("Replay, as {name} saw it.", name=self.game.info.seats[self.viewpoint].name)
