"""A tournament as the server holds it: immutable, with what its plan, its times and its rounds are."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from engine.errors import EngineError
from engine.tournament.model import LEAST_PLAYERS, Tournament
from engine.tournament.record import from_plain, to_plain
from server.cleaning import clean_text
from server.coordinator import messages as m
from server.storage.tournaments import KIND, StoredTournament

NAME_WIDTH: Final = 24
VERSION: Final = 1


class UnreadableTournament(Exception):
    """What the store holds is not what a server of this version writes."""


class Held(Struct, frozen=True):
    """One tournament."""

    id: str
    plan: m.TournamentPlan
    opened: float
    director: str
    """The id of who opened it; empty for the operators of the server."""
    director_name: str
    guests: bool
    play: Tournament
    begins: float = 0.0
    """When the next round begins by itself; 0 when it does not."""
    over: float = 0.0
    """When it ended; 0 while it has not."""
    commitments: tuple[str, ...] = ()
    """To the deals of the rounds that have begun."""

    @property
    def phase(self) -> m.TournamentPhase:
        """What it is doing."""
        if self.play.over:
            return m.TournamentPhase.OVER
        if self.play.open_round is not None:
            return m.TournamentPhase.PLAYING
        return m.TournamentPhase.BREAK if self.play.started else m.TournamentPhase.OPEN

    def event(self, number: int) -> str:
        """The event of a round (from 0)."""
        return f"{KIND}/{self.id}/{number + 1}"

    def has(self, event: str) -> bool:
        """Whether an event is that of one of its rounds."""
        return event.startswith(f"{KIND}/{self.id}/")

    def title(self, table: int) -> str:
        """Of a table (from 0) of the round that goes on: no two are the same."""
        return f"{self.plan.name} {len(self.play.rounds)}/{table + 1}"

    def with_play(self, play: Tournament, **changes: Any) -> "Held":
        """The same after something has happened to it."""
        return replace(self, play=play, **changes)


def checked_plan(plan: m.TournamentPlan) -> m.TournamentPlan:
    """The plan as it can be held. Raises ``Refused``, with ``what`` is wrong."""
    options, name = plan.options, clean_text(plan.name, NAME_WIDTH)
    m.refuse_if(not name, m.Refusal.TOURNAMENT_PLAN, {"what": "name"})
    m.refuse_if(options.pace is not m.Pace.TIMED, m.Refusal.TOURNAMENT_PLAN, {"what": "seconds"})
    for what, allowed in m.PLAN_RANGES.items():
        number = options.seconds if what == "seconds" else getattr(plan, what)
        m.refuse_if(number not in allowed, m.Refusal.TOURNAMENT_PLAN, {"what": what})
    settled = m.TableOptions(
        options.rules,
        m.Pace.TIMED,
        options.seconds,
        spectators=m.Spectating.NONE,
        bots=options.bots,
        hints=False,
    )
    return replace(plan, name=name, options=settled)


def to_stored(held: Held) -> StoredTournament:
    """As the store has it."""
    plan = held.plan
    state = {
        "version": VERSION,
        "plan": {**to_builtins(replace(plan, options=None)), "options": plan.options.to_plain()},
        "director": held.director,
        "director_name": held.director_name,
        "guests": held.guests,
        "begins": held.begins,
        "commitments": list(held.commitments),
        "play": to_plain(held.play),
    }
    return StoredTournament(held.id, held.opened, held.over, state)


def from_stored(stored: StoredTournament) -> Held:
    """The tournament again. Raises ``UnreadableTournament``."""
    try:
        return _from_state(stored, stored.state)
    except (LookupError, TypeError, ValueError, EngineError, ValidationError) as error:
        raise UnreadableTournament(type(error).__name__) from None


def _from_state(stored: StoredTournament, state: Mapping[str, Any]) -> Held:
    if state["version"] != VERSION:
        raise ValueError("version")
    plain = {name: value for name, value in state["plan"].items() if name != "options"}
    usual = m.TournamentPlan("", m.TableOptions.from_plain(state["plan"]["options"]))
    known = {name: value for name, value in plain.items() if name != "type"}
    return Held(
        stored.id,
        replace(usual, **known),
        stored.opened,
        state["director"],
        state["director_name"],
        state["guests"],
        from_plain(state["play"]),
        convert(state["begins"], float),
        stored.over,
        tuple(state["commitments"]),
    )


__all__ = [
    "LEAST_PLAYERS",
    "Held",
    "UnreadableTournament",
    "checked_plan",
    "from_stored",
    "to_stored",
]
