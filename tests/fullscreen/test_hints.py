"""The page with a hint."""

import pytest

from server.coordinator.messages import (
    AskHint,
    Reply,
)
from tests.fullscreen.at_a_table import bids, hand, own, seated
from tests.support.hints import hint_for
from tests.support.keys import press_keys


async def test_a_hint_and_what_each_card_brings_and_risks() -> None:
    player = await seated()
    first, best, third, *_, last = hand(player)
    player.visit.replies.append(hint_for(own(player)))
    await player.press("H")
    assert isinstance(player.visit.commands[-1], AskHint)
    assert "Hint for stage 1, round 1" in player.text
    text = " ".join(player.text.split())
    assert f"{best} brings about 0.50 points more than the {first}" in text
    assert (
        f"The {best} most often leaves the 9 to {player.game.snapshot().info.seats[1].name} (62%)."
        in text
    )
    assert player.row_with(f"> {best} ").count("%") == 2
    # The longest bar is that of the card with the most points, however much it risks.
    bars = [player.row_with(f"{card:<6}").count("\u2588") for card in (best, first, third, last)]
    assert bars == sorted(bars, reverse=True)
    assert bars[0] > bars[1] > bars[2] > bars[3] == 0
    await player.press("H")
    assert "your hand" in player.text
    player.visit.replies.append(Reply("no_hints"))
    await player.press("H")
    assert "This table gives no hints." in player.text


async def test_the_key_that_asked_for_a_hint_closes_it_whatever_is_pressed_meanwhile() -> None:
    player = await seated()
    context = player.controller.context
    player.visit.replies.append(hint_for(own(player)))
    press_keys(player.controller, "H")
    press_keys(player.controller, "left")  # before the answer
    await player.clock.settle()
    assert "Hint for stage 1" in player.text
    await player.press("H")
    assert not context.overlays


async def test_enter_bids_the_card_that_a_hint_recommends() -> None:
    player = await seated()
    best = hand(player)[1]
    player.visit.replies.append(hint_for(own(player)))
    await player.press("H")
    assert "Enter bid " in player.text.splitlines()[-1]
    await player.press("enter")
    assert [bid.card for bid in bids(player)] == [best]
    assert "your hand" in player.text


async def test_a_hint_is_followed_only_as_carefully_as_any_bid() -> None:
    player = await seated()
    player.controller.context.prefer(sure=True)
    for other in range(1, 5):
        player.game.bid(other)
    await player.table()
    player.visit.replies.append(hint_for(own(player)))
    await player.press("H", "enter")
    assert not bids(player)
    assert "Press Enter again to confirm." in player.text
    await player.press("enter")
    assert [bid.card for bid in bids(player)] == [hand(player)[1]]


@pytest.mark.parametrize(("difference", "round_"), [(0.1, -1), (0.5, 4)])
async def test_enter_bids_nothing_where_no_card_is_recommended_or_the_round_is_over(
    difference: float, round_: int
) -> None:
    player = await seated()
    player.visit.replies.append(hint_for(own(player), difference, round_))
    await player.press("H")
    assert "Enter" not in player.text.splitlines()[-1]
    assert ("> " in player.text) == (difference > 0.2), "what is marked is recommended"
    await player.press("enter")
    assert not bids(player)
    assert "Hint for stage 1" in player.text
