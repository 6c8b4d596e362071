"""Who is out guesses who takes the high tide: seen by nobody before the reveal, and without any effect."""

from engine.editions import Rules
from engine.views import TableView
from server.coordinator.messages import Guess, Pace, RoundResolved, TableOptions
from tests.support.tables import Guest, World, world

FIVE = TableOptions(Rules(players=5, stages=2), Pace.UNTIMED)


def view_of(guest: Guest) -> TableView:
    view = guest.table.table
    assert view is not None
    return view


async def until_out(server: World) -> tuple[list[Guest], Guest]:
    """Five players in the middle of a stage, and one of them who is out."""
    players = await server.table(FIVE, 5)
    for _ in range(24):
        for number, player in enumerate(players):
            if player.owes():
                await player.bid(player.own.hand[-1 if number < 2 else 0])
        await server.clock.advance(10)
        view = view_of(players[0])
        out = [n for n, seat in enumerate(view.seats) if seat.eliminated]
        if out and view.offer is not None:
            return players, players[out[0]]
    raise AssertionError("nobody is out")


async def test_a_guess_is_counted_and_told_when_the_round_is_over() -> None:
    async with world(seed=lambda: bytes([1] * 32)) as server:
        players, out = await until_out(server)
        others = [player for player in players if player.own.hand]
        here = (view_of(out).stage, view_of(out).round)
        inside = [n for n, seat in enumerate(view_of(out).seats) if not seat.eliminated]
        seen = {id(player): player.table for player in players if player is not out}
        for seat in (inside[0], inside[1], inside[0]):
            await out.ok(Guess(seat, *here))
        assert out.table.guess == inside[0]
        for player in players:
            if player is not out:
                assert player.table == seen[id(player)], "nobody sees that there is one"
        number = out.table.seat
        assert out.info.seats[number].guesses is None
        for player in others:
            await player.bid(player.own.hand[0])
        await server.clock.advance(10)
        result = out.heard(RoundResolved)[-1].result
        low, high = result.offer
        right = inside[0] in (result.takers if low == high else result.takers[1:])
        assert others[0].info.seats[number].guesses == (int(right), 1)
        assert out.table.guess == -1


async def test_who_cannot_guess_and_what() -> None:
    async with world(seed=lambda: bytes([1] * 32)) as server:
        players, out = await until_out(server)
        stage, round_ = view_of(out).stage, view_of(out).round
        inside = next(n for n, seat in enumerate(view_of(out).seats) if not seat.eliminated)
        other = next(player for player in players if player.own.hand)
        assert await other.code(Guess(inside, stage, round_)) == "no_guess"
        assert await out.code(Guess(out.table.seat, stage, round_)) == "no_guess"
        assert await out.code(Guess(9, stage, round_)) == "no_such_seat"
        assert await out.code(out.bid_of(1)) == "eliminated"
        assert await out.code(Guess(inside, stage, round_ - 1)) == "too_late"
        assert await out.code(Guess(inside, stage, round_ + 1)) == "wrong_round"
