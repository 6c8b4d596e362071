"""What a reveal shows for a moment, picture by picture."""

import re
from typing import Any

import pytest
from msgspec import structs

from engine.editions import Rules
from server.coordinator.messages import Guess, Update
from server.i18n.lookup import words_for
from server.playback import RevealPlayer, ScreenMotion, reveal_steps
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.theme import theme_for
from server.text.rounds import climax_in_words
from server.viewmodels.table import seat_names
from tests.support.fakes import Player1
from tests.support.snapshots import Game, table_info

SIZES = [Size(80, 24), Size(120, 40), Size(200, 50), Size(300, 80)]


async def before_a_reveal(game: Game, size: Size, **abilities: Any) -> Player1:
    player = Player1(game, **abilities)
    player.size = size
    game.taken()
    await player.table()
    return player


def until_somebody_is_out(rules: Rules) -> Game:
    """The next round eliminates somebody, and the stage goes on."""
    rounds = Game(rules, bytes([1] * 32))
    rounds.play_until_somebody_is_out()
    game = Game(rules, bytes([1] * 32))
    game.play_rounds(len(rounds.state.stage.rounds) - 1)
    return game


async def pictures(player: Player1) -> list[str]:
    """Each picture, and the time that it took until the last."""
    show: RevealPlayer = player.controller.context.reveal
    seen = [player.text]
    while not show.holding:
        step = show.step
        while show.step is step:
            await player.clock.next()
        seen.append(player.text)
    return seen


@pytest.mark.parametrize("language", ["en", "de", "pt"])
@pytest.mark.parametrize("size", [Size(40, 15), Size(80, 24), Size(100, 30), Size(120, 40)])
async def test_what_a_round_comes_to_is_whole_in_every_size(size: Size, language: str) -> None:
    words = words_for(language)
    player = Player1(Game(Rules(players=4)), language=language)
    player.size = size
    await player.table()
    for _ in range(8):
        player.game.play_round()
        result = player.game.state.stage.rounds[-1]
        await player.table()
        await pictures(player)
        names = seat_names(player.game.snapshot().info)
        shown = " ".join(re.sub(r"[│┃|]", " ", player.text).split())
        forms = climax_in_words(result, names, words, player.viewer)
        assert any(said in shown or " ".join(said) in player.text for said in forms), player.text
        await player.press(" ")


@pytest.mark.parametrize("size", SIZES)
async def test_who_is_out_sinks_and_a_line_says_it(size: Size) -> None:
    game = until_somebody_is_out(Rules(players=5))
    player = await before_a_reveal(game, size)
    game.play_round()
    await player.table()
    result = game.state.stage.rounds[-1]
    name = game.snapshot().info.seats[result.eliminated[0]].name
    seen = await pictures(player)
    said = [" ".join(text.split()) for text in seen]
    line = re.compile(rf"{name} at \d+( without a life preserver)?: out")
    spaced = " ".join(f"{name} at")
    told = [bool(line.search(text) or spaced in text) for text in said]
    assert told == [False] * (len(seen) - 3) + [True] * 3
    assert "oO" in seen[-2], "bubbles"
    assert "~ out ~" in seen[-1]
    assert "~ out ~" not in seen[-2]


@pytest.mark.parametrize("size", SIZES)
async def test_the_tide_cards_come_to_their_takers_and_a_ring_drifts_off(size: Size) -> None:
    game = Game(Rules(players=5))
    player = await before_a_reveal(game, size)
    game.play_round()
    await player.table()
    result = game.state.stage.rounds[-1]
    assert result.lost
    assert not result.eliminated
    seen = await pictures(player)
    cards = [text.count("[" + f"{result.offer[0]:2}" + "]") for text in seen]
    taking = sum(bid is not None for bid in result.bids)
    assert cards[taking] > cards[taking - 1]
    names = [seat.name for seat in game.snapshot().info.seats]
    for taker, tide in zip(result.takers, result.offer, strict=True):
        took = f"{names[taker]} took the {tide}"
        assert [took in text for text in seen] == [False] * taking + [True] * (len(seen) - taking)
    places = []
    for text in seen[-3:-1]:
        drawn = [line for line in text.splitlines() if line.lstrip().startswith("│")]
        at = {line.rstrip().index("○") for line in drawn if "○" in line and "·" not in line}
        places.append(max(at))
    assert places[0] < places[1], "it drifts"


@pytest.mark.parametrize(
    ("size", "colours", "most"),
    [
        (SIZES[0], Colours.SIXTEEN, 1030),
        (SIZES[0], Colours.TRUE, 1500),
        (SIZES[3], Colours.TRUE, 12_000),
    ],
)
async def test_a_whole_reveal_takes_few_bytes(size: Size, colours: Colours, most: int) -> None:
    able = Capabilities(colours=colours)
    sizes = []
    for rounds in range(1, 9):
        game = Game(Rules(players=5))
        game.play_rounds(rounds)
        player = await before_a_reveal(game, size, colours=colours)
        encoder = FrameEncoder(theme_for(able))
        encoder.update(player.frame, size)
        game.play_round()
        due = player.clock.time() + 34
        await player.table(info=table_info(game.rules, deadline=due))
        sent = len(encoder.update(player.frame, size).encode())
        while not player.controller.context.reveal.holding:
            await player.clock.next()
            sent += len(encoder.update(player.frame, size).encode())
        sizes.append(sent)
    assert 0 < sum(sizes) / len(sizes) <= most


def test_where_less_is_to_move_nothing_flashes() -> None:
    game = Game()
    game.play_round()
    result = game.state.stage.rounds[-1]
    less = reveal_steps(result, ScreenMotion.LESS)
    assert len(less) == 3
    assert not any(step.climax for step in less), "nothing flashes"
    (only,) = reveal_steps(result, ScreenMotion.NONE)
    assert only.last


async def test_who_is_out_guesses_with_a_digit_and_sees_the_score() -> None:
    game = Game(Rules(players=5), bytes([1] * 32))
    out = game.play_until_somebody_is_out()
    player = Player1(game)
    player.viewer = out
    game.taken()
    await player.table()
    assert "You are out of this stage. Guess who takes the" in player.text
    view = game.view
    inside = [n for n, seat in enumerate(view.seats) if not seat.eliminated]
    await player.press(str(out + 1))
    assert not player.visit.commands, "nobody who is out takes a tide card"
    await player.press(str(inside[0] + 1))
    assert player.visit.commands == [Guess(inside[0], view.stage, view.round)]
    info = game.snapshot(out).info
    who = structs.replace(info.seats[out], guesses=(2, 3))
    seats = (*info.seats[:out], who, *info.seats[out + 1 :])
    snapshot = structs.replace(
        game.snapshot(out, structs.replace(info, seats=seats)), guess=inside[0]
    )
    player.visit.feed.push(Update(None, snapshot, (), False, ""))
    await player.clock.advance(0)
    together = " ".join(player.text.split())
    assert f"You guess that {info.seats[inside[0]].name} takes the" in together
    assert "Guessed right: 2 of 3." in together
    assert "guessed 2/3" in together


@pytest.mark.parametrize("size", [Size(40, 15), *SIZES])
async def test_nobody_misses_that_no_life_preserver_is_left(size: Size) -> None:
    game = Game(Rules(players=5), bytes([1] * 32))
    while not any(not seat.life_preservers and not seat.eliminated for seat in game.view.seats):
        game.play_round()
    endangered = [n for n, seat in enumerate(game.view.seats) if not seat.life_preservers]
    player = Player1(game)
    player.size, player.viewer = size, endangered[0]
    game.taken()
    await player.table()
    assert ("!0" if size.columns == 40 else "0 left!") in player.text
    assert "No life preserver left: the highest tide puts you out." in " ".join(player.text.split())
