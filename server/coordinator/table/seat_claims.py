"""People who take a bot's place while a game goes on: between two stages, in games that are not rated; or
after a game, for the next one at that table.

Nobody who has held a seat in a game gets another one in it. Where a bot plays on for somebody who left,
the result is still the leaver's: that place is nobody else's.
"""

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.table.effects import Env, Show, Step
from server.coordinator.table.model import Member, Table, human


def claim(table: Table, who: Member, command: m.JoinTable, env: Env) -> Step:
    """A player would like to play on for a bot. Until that is possible, he or she watches."""
    player = who.player
    _check_claim(table, player.id)
    others = {seat for id_, seat in table.claims.items() if id_ != player.id}
    free = [n for n in range(len(table.seats)) if _is_bots(table, n) and n not in others]
    wanted = command.seat if command.seat >= 0 else table.claims.get(player.id, -1)
    if not free or (command.seat >= 0 and command.seat not in free):
        raise m.Refused(m.Refusal.NO_BOT_SEAT)
    seat = wanted
    if wanted not in free:
        # One where one can begin at once, if there is any.
        seat = next((n for n in free if _stage_has_just_begun(table, n)), free[0])
    if player.id not in table.spectators:
        table = with_spectator(table, who, env)
    table = replace(table, claims={**table.claims, player.id: seat})
    if _stage_has_just_begun(table, seat):
        table, events = with_claims(table, env, only=player.id)
        return Step(table, tuple(events))
    claimed = m.Claimed(seat, player.name)
    return Step(table, (claimed,), effects=(Show(player.id),), apart=True)


def with_spectator(table: Table, who: Member, env: Env) -> Table:
    """The same with this person watching. Raises ``Refused`` when there are too many."""
    if len(table.spectators) >= env.limits.spectators:
        raise m.Refused(m.Refusal.TOO_MANY_SPECTATORS)
    return table.with_member(who, seated=False)


def _check_claim(table: Table, player: str) -> None:
    playing = table.status is m.Status.PLAYING
    if table.options.rated:
        raise m.Refused(m.Refusal.ALREADY_PLAYING if playing else m.Refusal.NOT_OPEN)
    if playing and table.has_held(player):
        raise m.Refused(m.Refusal.HELD_SEAT)
    if table.status is m.Status.OVER and not table.has_people:
        # Nobody is left who could ask for another game.
        raise m.Refused(m.Refusal.NO_BOT_SEAT)
    if not table.options.spectators.allowed:
        # There is nowhere to wait.
        raise m.Refused(m.Refusal.NO_SPECTATORS)


def _is_bots(table: Table, number: int) -> bool:
    """Whether somebody could play on for a bot there. When the game is over, whoever has left it keeps
    nothing but the result.
    """
    seat = table.seats[number]
    return seat.occupant is m.Occupant.BOT and (not seat.left or table.status is m.Status.OVER)


def _stage_has_just_begun(table: Table, seat: int) -> bool:
    """A stage but the first has begun, and the bot on this seat has not bid in it: nothing is lost."""
    game = table.game
    return (
        game is not None
        and table.running
        and game.stage.number > 0
        and not game.stage.rounds
        and table.owes_bid(seat)
    )


def with_claims(table: Table, env: Env, only: str = "") -> tuple[Table, list[m.Happening]]:
    """Everybody on the seat that they have claimed, or only one player; and what to tell."""
    events: list[m.Happening] = []
    stage = table.game.stage.number if table.game else 0
    for player, number in table.claims.items():
        if (only and player != only) or number >= len(table.seats) or not env.is_connected(player):
            continue
        held = stage > 0 and table.has_held(player)
        if not _is_bots(table, number) or held or table.seat_of(player) >= 0:
            continue
        who, bot = table.spectators[player], table.seats[number]
        sitting = replace(human(who.player), since=stage)
        table = table.with_seat(number, sitting).with_member(who, seated=True)
        events.append(m.TookOver(number, sitting.name, bot.name))
        if table.owner < 0:
            table = replace(table, owner=number)
            events.append(m.NewOwner(number, sitting.name))
    return table, events
