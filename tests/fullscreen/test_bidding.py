"""Choosing and bidding cards with keys, and with a hint."""

import pytest

from engine.editions import Rules
from server.coordinator.messages import AskHint, Disconnected, PlaceBid, Reply
from server.fullscreen.context import MESSAGE_SECONDS, NOTICE_SECONDS
from server.fullscreen.pages.page import ENTER_RESTS
from server.fullscreen.table.cards import TYPING_SECONDS
from server.terminal.capabilities import Size
from tests.fullscreen.at_a_table import bids, hand, own, revealing, seated
from tests.support.fakes import Player1
from tests.support.hints import hint_for
from tests.support.keys import press_keys
from tests.support.snapshots import Game, table_info


@pytest.mark.parametrize(("left", "right"), [("left", "right"), ("h", "l")])
async def test_arrows_choose_and_enter_bids(left: str, right: str) -> None:
    player = await seated()
    cards = hand(player)
    await player.press("home", right, right, left, "enter")
    assert bids(player) == [PlaceBid(cards[1], 0, 0)]


def tens(player: Player1, *, held: bool) -> str:
    """A digit with which a card in the hand, of two digits, begins; or with which none does."""
    begun = {str(card)[0] for card in hand(player) if card > 9}
    return next(digit for digit in "123456" if (digit in begun) is held)


async def seated_without_tens() -> Player1:
    """With a hand in which there is no card of some ten."""
    for number in range(50):
        player = await seated(Game(Rules(players=5), bytes([number] * 32)))
        if len({str(card)[0] for card in hand(player) if card > 9}) < 6:
            return player
    raise AssertionError("no such hand")


async def test_a_number_of_no_card_is_told_as_it_was_typed_and_chooses_none() -> None:
    player = await seated()
    first = tens(player, held=True)
    missing = next(n for n in range(int(first) * 10, 61) if n not in hand(player))
    await player.press(*str(missing))
    assert f"You do not hold the {missing}." in player.text
    await player.press("enter")
    assert not bids(player)


async def test_a_number_is_told_whole_also_where_no_card_begins_like_it() -> None:
    player = await seated_without_tens()
    first = tens(player, held=False)
    await player.press("home", first)
    assert "You do not hold" not in player.text
    assert f"card {first}_" in player.text
    await player.press("0")
    assert f"You do not hold the {first}0." in player.text
    await player.press(first)
    await player.clock.advance(TYPING_SECONDS)
    held = int(first) in hand(player)
    assert (f"You do not hold the {first}." in player.text) is not held
    await player.clock.advance(MESSAGE_SECONDS)
    assert f"card {first}_" not in player.text


async def test_what_was_accepted_is_drawn_when_the_table_tells_it_and_a_refusal_at_once() -> None:
    player = await seated()
    await player.press("home")
    asked = player.frames_asked
    await player.press("enter")
    assert len(player.visit.commands) == 1
    assert player.frames_asked == asked
    player.visit.replies.append(Reply("not_in_hand"))
    await player.press("enter")
    assert player.frames_asked == asked + 1


async def test_a_sealed_bid_is_shown_and_can_be_replaced() -> None:
    player = await seated()
    first, second = hand(player)[:2]
    player.game.bid(0, first)
    await player.table()
    assert f"({first:2})" in player.text
    assert f"Your {first} is sealed" in player.text
    await player.press("home", "right", "enter")
    assert bids(player) == [PlaceBid(second, 0, 0)]


async def test_the_same_card_again_is_no_command() -> None:
    player = await seated()
    first = hand(player)[0]
    player.game.bid(0, first)
    await player.table()
    await player.press("home", "enter")
    assert not bids(player)
    assert f"The {first} is already your bid." in player.text


async def test_sure_is_asked_only_when_wanted_and_only_of_the_last() -> None:
    player = await seated()
    player.controller.context.prefer(sure=True)
    for other in range(2, 5):
        player.game.bid(other)
    await player.table()
    await player.press("right")
    player.game.bid(1)
    await player.table()
    await player.press("enter")
    assert not bids(player)
    assert "Enter again" in player.text
    await player.press("left")
    assert "Enter again" not in player.text
    await player.press("enter", "enter")
    assert len(bids(player)) == 1


async def test_enter_and_digits_end_no_reveal_and_only_a_number_bids_while_it_is_shown() -> None:
    player = await revealing()
    await player.clock.advance(2 * ENTER_RESTS)
    await player.press("enter")
    assert player.controller.context.reveal.scene is not None
    card = next(card for card in hand(player) if card > 9)
    await player.press(*str(card))
    assert player.controller.context.reveal.scene is not None
    assert f"[{card:2}]" in player.text
    await player.press("enter")
    assert bids(player) == [PlaceBid(card, 0, 1)]
    assert player.controller.context.reveal.scene is not None


async def test_nothing_is_chosen_in_a_new_round_until_an_arrow_or_a_digit() -> None:
    player = await seated()
    assert "[" not in player.row_with("your hand")
    await player.press("enter")
    assert not bids(player)
    assert "Choose a card first" in player.text
    first = hand(player)[0]
    await player.press("home", "enter")
    assert bids(player) == [PlaceBid(first, 0, 0)]
    player.game.play_round()
    await player.table()
    await player.press(" ")
    assert "[" not in player.row_with("your hand")
    await player.press("enter")
    assert len(bids(player)) == 1
    near = next(card for card in hand(player) if card > first)
    await player.press("right")
    assert f"[{near:2}]" in player.row_with("your hand"), "the arrows begin where they were"


async def test_enter_rests_when_the_round_has_changed_by_itself_but_not_behind_a_number() -> None:
    player = await seated()
    player.controller.context.set_abilities(motion="none")
    await player.press("home")
    player.game.play_round()
    await player.table()
    await player.press("enter")
    assert not bids(player)
    low, middle, high = (hand(player)[at] for at in (0, 6, -1))
    await player.press(*str(high), "enter")
    assert bids(player) == [PlaceBid(high, 0, 1)], "a number is bid at once"
    # Half of a number that was meant for the round before is none for this one.
    await player.press(str(middle)[0])
    player.game.bid(0, low)
    player.game.play_round()
    await player.table()
    await player.press(str(middle)[1], "enter")
    assert len(bids(player)) == 1
    assert f"[{middle:2}]" in player.row_with("your hand")


async def test_a_seal_a_chat_line_and_the_clock_do_not_keep_enter_from_bidding() -> None:
    player = await seated()
    info = table_info(player.game.rules, deadline=player.clock.time() + 60)
    first = hand(player)[0]
    await player.press("home")
    player.game.bid(1)
    await player.table(info=info)
    await player.clock.advance(20)
    await player.table(Disconnected(2, "cem"), info=info)
    await player.press("enter")
    assert bids(player) == [PlaceBid(first, 0, 0)]


async def test_an_own_bid_key_rests_like_enter() -> None:
    player = await seated()
    player.controller.context.prefer(keys="bid=b")
    player.game.play_round()
    await player.table()
    await player.press("right", "b")
    assert len(bids(player)) == 1, "the arrow has gone on: the player's doing"
    player.game.play_round()
    await player.table()
    await player.clock.advance(10)  # the reveal closes by itself
    player.game.play_round()
    player.controller.context.set_abilities(motion="none")
    await player.table(resynced=True)
    await player.press("right", "b")
    assert len(bids(player)) == 1


async def test_keys_do_nothing_while_nothing_can_be_seen() -> None:
    player = await seated()
    player.size = Size(30, 8)
    assert "30" in player.text
    await player.press("home", "enter", "4", "enter")
    assert not bids(player)
    player.size = Size(80, 24)
    assert "your hand" in player.text
    await player.press("home", "enter")
    assert len(bids(player)) == 1


async def test_the_second_digit_of_the_only_card_with_the_first_is_no_other_card() -> None:
    player = await seated()
    held = hand(player)
    tens = [card // 10 for card in held]
    card = next(card for card in held if card > 9 and tens.count(card // 10) == 1)
    await player.press(*str(card), "enter")
    assert bids(player) == [PlaceBid(card, 0, 0)]


async def test_what_was_said_goes_by_itself_and_leaves_the_question_for_a_card() -> None:
    player = await seated()
    context = player.controller.context
    context.notify("This key keeps its name. n on the title page changes it.")
    assert "Choose a card; Enter bids it." in player.text
    assert "This key keeps its name." in player.text
    await player.clock.advance(NOTICE_SECONDS)
    assert "This key keeps its name." not in player.text
    await player.press("enter")
    assert "Choose a card first" in player.text
    await player.clock.advance(MESSAGE_SECONDS)
    assert "Choose a card; Enter bids it." in player.text


# ---------------------------------------------------------------- a hint


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
