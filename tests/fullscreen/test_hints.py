"""The page with a hint."""

from server.coordinator.messages import AskHint, Reply
from server.fullscreen.pages.page import ENTER_RESTS
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
        f"The {best} leaves the 9 to {player.game.snapshot().info.seats[1].name} in 62% of cases."
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


async def test_a_hint_is_thought_about_on_its_page_and_takes_no_enter_meant_for_the_table() -> None:
    player = await seated()
    context = player.controller.context
    player.visit.replies.append(hint_for(own(player)))
    press_keys(player.controller, "H")
    assert "Thinking ..." in player.text
    press_keys(player.controller, "enter")  # before the answer
    await player.clock.settle()
    assert "Hint for stage 1" in player.text
    await player.press("enter")  # just after it
    assert not bids(player)
    assert "Hint for stage 1" in player.text
    await player.press("H")
    assert not context.overlays


async def test_a_hint_is_followed_only_as_carefully_as_any_bid() -> None:
    player = await seated()
    player.controller.context.prefer(sure=True)
    for other in range(1, 5):
        player.game.bid(other)
    await player.table()
    player.visit.replies.append(hint_for(own(player)))
    await player.press("H")
    await player.clock.advance(ENTER_RESTS)
    await player.press("enter")
    assert not bids(player)
    assert "Press Enter again to confirm." in player.text
    await player.press("enter")
    assert [bid.card for bid in bids(player)] == [hand(player)[1]]


async def test_enter_bids_nothing_once_the_round_is_over() -> None:
    player = await seated()
    player.visit.replies.append(hint_for(own(player), round_=4))
    await player.press("H")
    assert "Enter" not in player.text.splitlines()[-1]
    await player.clock.advance(ENTER_RESTS)
    await player.press("enter")
    assert not bids(player)
    assert "Hint for stage 1" in player.text


async def test_of_equal_cards_all_are_marked_and_enter_bids_one() -> None:
    player = await seated()
    first, best, *_ = hand(player)
    reply = hint_for(own(player))
    assert reply.hint is not None
    player.visit.replies.append(Reply(hint=reply.hint._replace(alike=(first,))))
    await player.press("H")
    assert f"Pick any of these, they are equally good: {first}, {best}." in " ".join(
        player.text.split()
    )
    assert all(player.row_with(f"> {card} ") for card in (first, best))
    assert "Enter bid " in player.text.splitlines()[-1]
    await player.clock.advance(ENTER_RESTS)
    await player.press("enter")
    assert [bid.card for bid in bids(player)] == [best]
    assert "your hand" in player.text
