"""Who may watch, and what those who watch see late."""

from server.coordinator import messages as m
from server.coordinator.table.state import Member, Table
from server.coordinator.table.steps import Env, Show, Step


def watch(table: Table, who: Member, env: Env) -> Step:
    """Let a player watch, who is told at once: at a delayed table spectators are told only now and then."""
    m.refuse_if(not table.options.spectators.allowed, m.Refusal.NO_SPECTATORS)
    return Step(with_spectator(table, who, env), effects=(Show(who.player.id),))


def with_spectator(table: Table, who: Member, env: Env) -> Table:
    """The same with this person watching. Raises ``Refused`` when there are too many."""
    m.refuse_if(len(table.spectators) >= env.limits.spectators, m.Refusal.TOO_MANY_SPECTATORS)
    return table.with_member(who, seated=False)


def unseen_round(table: Table) -> tuple[int, int, int] | None:
    """The round (of which game and stage) that spectators see only when it is over; ``None`` when they see
    everything at once.
    """
    delayed = table.options.spectators is m.Spectating.DELAYED
    return table.epoch[:3] if delayed and table.status is m.Status.PLAYING else None
