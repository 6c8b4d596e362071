"""Reveals and the end of a stage, picture by picture, and what keys do meanwhile."""

import re
from typing import Any

import pytest
from msgspec import structs

from engine.editions import Rules
from engine.views import RoundScene
from server.coordinator.messages import Guess, PlaceBid, Update
from server.fullscreen.pages.page import ENTER_RESTS
from server.fullscreen.replay.page import ReplayPage
from server.i18n.lookup import words_for
from server.playback import HURRIED, SPARE, RevealPlayer, ScreenMotion, reveal_steps
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.theme import theme_for
from server.text.rounds import climax_in_words
from server.viewmodels.table import seat_names
from tests.fullscreen.at_a_table import bids, hand, revealing, seated
from tests.support.fakes import Player1
from tests.support.games import game as replay_game
from tests.support.snapshots import Game, plain, table_info

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


# ---------------------------------------------------------------- what keys do meanwhile


async def test_a_reveal_takes_two_and_a_half_seconds_and_then_stays_readable() -> None:
    player = await revealing()
    await player.clock.advance(2.49)
    assert not player.controller.context.reveal.holding
    await player.clock.advance(0.02)
    show = player.controller.context.reveal
    assert show.holding
    high, second = player.game.state.stage.rounds[0].takers
    result = player.game.state.stage.rounds[0]
    assert f"({result.bids[high]}) took {result.offer[0]}" in player.text
    assert f"({result.bids[second]}) took {result.offer[1]}" in player.text
    assert "lost a life preserver" in player.text
    assert re.search(r" at \d+: (a|the last) life preserver lost", player.text)
    assert "round 1/12" in player.text
    await player.clock.advance(3)
    assert show.scene is not None
    await player.clock.advance(3)
    assert show.scene is None
    assert "lost a life preserver" in player.text
    assert "Choose a card" in player.text


async def test_the_end_of_a_stage_tells_of_the_next_round_and_a_replay_has_the_game_above() -> None:
    player = await seated(Game(Rules(players=3)))
    player.size = Size(40, 15)
    while player.game.state.stage.number == 0:
        player.game.play_round()
        await player.table(resynced=not player.game.state.stage.number)
    due = player.clock.time() + 60
    await player.table(info=table_info(player.game.rules, deadline=due))
    while "Stage 1 of 3 is over" not in player.text:
        await player.press(" ")
    rows = player.text.splitlines()
    assert "stage 2/3" not in player.text, "the stage that is over stands alone"
    assert rows[-3:-1] == [
        " next round: 1:00 to bid · Press Space",
        " to go on (or wait 20 s).",
    ]
    replay, alone = (ReplayPage(player.controller.context, replay_game()) for _ in range(2))
    player.controller.context.open(replay)
    rows = player.text.splitlines()
    assert rows[0] == " stage 2/3 · round 1/12             60 s"
    assert rows[1:] == plain(alone.frame(Size(40, 14)).rows).splitlines()
    player.controller.context.close(replay)


@pytest.mark.parametrize("size", [Size(80, 24), Size(60, 20), Size(40, 15)])
async def test_what_stays_revealed_is_the_old_rounds_and_a_line_tells_of_the_next(
    size: Size,
) -> None:
    player = await seated()
    player.size = size
    player.controller.context.prefer(reveal_seconds=0)
    names = [seat.name for seat in player.game.snapshot().info.seats]
    low, high = player.game.state.offer or (0, 0)
    player.game.play_round()
    result = player.game.state.stage.rounds[0]
    due = player.clock.time() + 64
    timed = table_info(player.game.rules, deadline=due)
    await player.table(info=timed)
    assert player.row_with("Space next")
    await player.clock.advance(2.6)
    assert player.controller.context.reveal.holding
    before = player.text.splitlines()
    assert before[0].endswith("round 1/12"), "neither the next round nor its clock"
    tides = " ".join(before[1:6])
    for taker, tide in zip(result.takers, (low, high), strict=True):
        assert re.search(rf"{names[taker]} .*\b{tide}\b", tides)
    together = " ".join(player.text.split())
    assert "next round: 1:00 to bid" in together
    assert "Space next" in together, "not what Enter would do"
    assert "Enter bid" not in together
    assert len(re.findall(r" at \d+: ", together)) == 1
    assert together.count("the highest)") <= 1, "and it is not told twice"
    for other in range(1, 5):
        player.game.bid(other)
        await player.table(info=timed)
    assert "waiting for you" in " ".join(player.text.split())
    assert player.text.splitlines()[:9] == before[:9], "others bid in the next round"
    await player.clock.advance(due - SPARE - player.clock.time() - 0.1)
    assert player.controller.context.reveal.scene is not None
    await player.clock.advance(0.2)
    assert player.controller.context.reveal.scene is None
    top = player.text.splitlines()[0]
    assert "round 2/12" in top
    assert top.endswith("10 s")


async def test_a_round_with_little_time_is_held_for_a_moment_at_least() -> None:
    player = await seated()
    player.controller.context.set_abilities(motion="none")
    player.game.play_round()
    await player.table(info=table_info(player.game.rules, deadline=player.clock.time() + 9))
    await player.clock.advance(HURRIED - 0.1)
    assert player.controller.context.reveal.scene is not None
    await player.clock.advance(0.2)
    assert player.controller.context.reveal.scene is None


@pytest.mark.parametrize("key", [" ", "escape"])
async def test_keys_that_move_on_do_nothing_else(key: str) -> None:
    player = await revealing()
    await player.press(key)
    assert player.controller.context.reveal.scene is None
    assert not player.visit.commands
    assert "Leave" not in player.text.splitlines()[0]


async def test_a_choice_during_the_reveal_moves_on_and_counts() -> None:
    player = await revealing()
    await player.press("home")
    assert player.controller.context.reveal.scene is None
    assert f"[{hand(player)[0]:2}]" in player.text
    await player.press("enter")
    assert bids(player) == [PlaceBid(hand(player)[0], 0, 1)]


async def test_a_reveal_may_stay_until_space() -> None:
    player = await seated()
    player.controller.context.prefer(reveal_seconds=0)
    player.game.play_round()
    await player.table()
    await player.clock.advance(3600)
    assert player.controller.context.reveal.scene is not None
    await player.press("enter")
    assert player.controller.context.reveal.scene is not None
    await player.press(" ")
    assert player.controller.context.reveal.scene is None


async def test_reveals_that_pile_up_are_caught_up_with() -> None:
    player = await revealing()
    for _ in range(3):
        player.game.play_round()
        await player.table()
    await player.clock.advance(8.1)
    assert player.controller.context.reveal.holding
    shown = player.controller.context.reveal.scene
    assert shown is None or (isinstance(shown, RoundScene) and len(shown.after.rounds) == 4)


async def test_a_resync_shows_the_snapshot() -> None:
    player = await seated()
    player.game.play_rounds(3)
    await player.table(resynced=True)
    assert player.controller.context.reveal.scene is None
    assert "round 4/12" in player.text


async def test_a_letter_that_was_typed_is_seen_when_the_reveal_goes_on() -> None:
    player = await revealing()
    await player.press("/")
    assert "soon" not in player.text
    line = player.controller.entry
    assert line is not None
    line.insert_text("soon", fire_event=False)  # not drawn yet
    await player.clock.advance(0.5)
    assert "soon" in player.text


async def test_a_space_that_was_meant_for_the_reveal_leaves_no_stage_page() -> None:
    player = await seated(Game(Rules(players=4, stages=2)))
    player.game.play_rounds(12)
    await player.table()
    while "Stage 1 of 2 is over" not in player.text:
        assert await player.clock.next()
    await player.press(" ")
    assert "Stage 1 of 2 is over" in player.text
    await player.clock.advance(ENTER_RESTS)
    await player.press(" ")
    assert "Stage 1 of 2 is over" not in player.text
