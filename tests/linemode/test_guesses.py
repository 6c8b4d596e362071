"""The warning that no life preserver is left, and the guesses of who is out, in sentences."""

from msgspec import structs

from engine.editions import Rules
from server.coordinator.messages import RoundResolved, TidesTurned, Update
from server.i18n.lookup import words_for
from server.linemode.narration import round_lines, told
from server.session.preferences import Verbosity
from tests.support.snapshots import Game

EN = words_for("en")


def test_the_last_life_preserver_that_goes_is_told() -> None:
    game = Game(Rules(players=5), bytes([1] * 32))
    while not any(not left for left in (s.life_preservers for s in game.view.seats)):
        game.play_round()
    result = [each for each in game.taken() if isinstance(each, RoundResolved)][-1].result
    (seat, *_others) = (n for n in result.lost if not result.life_preservers[n])
    own, other = (round_lines(result, game.snapshot(n), EN, you=n) for n in (seat, (seat + 1) % 5))
    assert "You have no life preserver left: the highest tide puts you out." in own
    name = game.snapshot().info.seats[seat].name
    assert any(name in line and "none left" in line for line in other)
    assert any(line.startswith("You lost a life preserver") for line in own)


def test_who_was_out_hears_how_the_guesses_went() -> None:
    game = Game(Rules(players=5), bytes([1] * 32))
    out = game.play_until_somebody_is_out()
    game.taken()
    game.play_round()
    result = next(each.result for each in game.taken() if isinstance(each, RoundResolved))
    table = game.snapshot(out)
    seats = list(table.info.seats)
    seats[out] = structs.replace(seats[out], guesses=(1, 2))
    table = structs.replace(table, info=structs.replace(table.info, seats=tuple(seats)))
    assert round_lines(result, table, EN, you=out)[-1] == "Guessed right: 1 of 2."
    other = structs.replace(table, seat=(out + 1) % 5)
    assert "Guessed" not in " ".join(round_lines(result, other, EN, you=other.seat))


def test_the_question_comes_with_the_tides_to_who_is_out_alone() -> None:
    game = Game(Rules(players=5), bytes([1] * 32))
    out = game.play_until_somebody_is_out()
    tides = [each for each in game.taken() if isinstance(each, TidesTurned)][-1]

    def heard(seat: int, talk: Verbosity) -> str:
        table = game.snapshot(seat)
        update = Update(None, table, (tides,), False, "")
        return " ".join(told(update, table, EN, talk))

    question = f"Guess who takes the {tides.offer[1]}: "
    for talk in Verbosity:
        assert question in heard(out, talk)
        assert not any("Guess" in heard(seat, talk) for seat in range(5) if seat != out)
