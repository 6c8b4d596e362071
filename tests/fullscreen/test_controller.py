"""What keys do, and which screen is shown."""

import math
import re
from typing import Any
from unittest.mock import patch

import pytest
from msgspec import structs

from engine.editions import Rules
from engine.scenes import RoundScene
from engine.views import SeatView
from server.coordinator.messages import (
    AskHint,
    CreateTable,
    Disconnected,
    JoinTable,
    LeaveTable,
    LobbySnapshot,
    Occupant,
    Pace,
    PlaceBid,
    QuickGame,
    Rematch,
    Reply,
    Status,
    TableOptions,
    TableRow,
    Touch,
    Update,
    WatchTable,
)
from server.fullscreen.pages.page import PageScreen
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.router import COUNT_SECONDS, ENTER_RESTS
from server.fullscreen.table.card_typing import TYPING_SECONDS
from server.fullscreen.table.page import TablePage
from server.i18n.catalogues import words_for
from server.playback.reveal_player import HURRIED, SPARE
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.viewmodels.table import present_table
from tests.support.fakes import ADA, Player1
from tests.support.games import game as replay_game
from tests.support.hints import hint_for
from tests.support.keys import press_keys
from tests.support.snapshots import Game, plain, seat, table_info


def bids(player: Player1) -> list[PlaceBid]:
    return [command for command in player.visit.commands if isinstance(command, PlaceBid)]


def own(player: Player1) -> SeatView:
    found = player.controller.context.own
    assert found is not None
    return found


def hand(player: Player1) -> tuple[int, ...]:
    return own(player).hand


async def seated(game: Game | None = None, **abilities: Any) -> Player1:
    player = Player1(game, **abilities)
    player.game.taken()
    await player.table()
    await player.clock.advance(ENTER_RESTS)
    return player


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


async def test_the_last_ten_seconds_are_counted_beside_the_hand() -> None:
    player = await seated()
    due = player.clock.time() + 30
    info = structs.replace(player.game.snapshot().info, deadline=due)
    await player.table(info=info)
    prompt = "Choose a card; Enter bids it."
    await player.clock.advance(19)
    assert prompt in player.text
    assert f"s \u00b7 {prompt}" not in player.text
    await player.clock.advance(1.5)
    assert f"9 s \u00b7 {prompt}".replace("9", "10") in player.text
    await player.clock.advance(1)
    assert f" 9 s \u00b7 {prompt}" in player.text
    frames, before = player.frames_asked, player.frame.rows
    await player.clock.advance(1)
    assert f" 8 s \u00b7 {prompt}" in player.text
    assert player.frames_asked == frames + 1
    new = [
        n
        for n, (row, was) in enumerate(zip(player.frame.rows, before, strict=True))
        if row is not was
    ]
    assert new == [0, 18], "the clock and the prompt, and no other row is made anew"
    player.game.bid(0)
    await player.table(info=info)
    assert "8 s \u00b7" not in player.text, "nobody waits for a bid of this player"


# ---------------------------------------------------------------- title and lobby


async def test_one_key_on_the_title_screen_starts_a_game_against_bots() -> None:
    player = Player1()
    await player.lobby()
    assert "T U R N" in player.text
    await player.press("enter")
    assert [type(command) for command in player.visit.commands] == [QuickGame]
    await player.table()
    assert "your hand" in player.text


async def test_the_title_says_who_else_is_here() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((), ("ada", "bo", "cem")))
    assert "You are ada." in player.text
    assert "2 other players are here" in player.text


async def test_the_title_counts_who_comes_now_and_again_and_not_each() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((), ("ada",)))
    shown = player.frames_asked
    for number in range(1, 6):
        await player.lobby(LobbySnapshot((), ("ada", *"bcdef"[:number])))
    assert player.frames_asked == shown
    await player.clock.advance(COUNT_SECONDS)
    assert player.frames_asked == shown + 1
    assert "5 other players are here" in player.text
    await player.clock.advance(10 * COUNT_SECONDS)
    assert player.frames_asked == shown + 1
    await player.lobby(LobbySnapshot((), ("ada", "bo")))  # after a quiet time: at once
    assert player.frames_asked == shown + 2
    await player.lobby(LobbySnapshot((), ("ada",)))
    assert player.frames_asked == shown + 2
    player.controller.close()
    await player.clock.advance(COUNT_SECONDS)
    assert player.frames_asked == shown + 2


async def test_the_title_says_at_once_what_is_more_than_a_count() -> None:
    player = Player1()
    here = LobbySnapshot((), ("ada",))
    await player.lobby(here)
    shown = player.frames_asked
    await player.lobby(structs.replace(here, closing=player.clock.time() + 100.0))
    assert player.frames_asked == shown + 1
    player.visit.feed.push(Update(here, None, (), False, "shutdown"))
    await player.clock.advance(0)
    assert player.frames_asked > shown + 1
    assert player.controller.done


async def test_a_count_comes_also_after_something_else_has_been_shown_meanwhile() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((), ("ada",)))
    await player.lobby(LobbySnapshot((), ("ada", "bo")))  # to be counted later
    await player.clock.advance(COUNT_SECONDS / 2)
    drained = LobbySnapshot((), ("ada", "bo"), closing=math.inf)
    await player.lobby(drained)
    await player.clock.advance(COUNT_SECONDS * 0.75)
    shown = player.frames_asked
    await player.lobby(structs.replace(drained, players=("ada", "bo", "cem")))
    await player.clock.advance(COUNT_SECONDS)
    assert player.frames_asked == shown + 1
    assert "2 other players are here" in player.text


async def test_the_lobby_shows_everybody_who_comes() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((), ("ada",)))
    await player.press("l")
    shown = player.frames_asked
    for number in range(1, 6):
        await player.lobby(LobbySnapshot((), ("ada", *"bcdef"[:number])))
    assert player.frames_asked == shown + 5


def row(
    table: str, status: Status = Status.OPEN, names: tuple[str, ...] = ("bo", "", "")
) -> TableRow:
    options = TableOptions(Rules(players=len(names)), Pace.UNTIMED)
    return TableRow(table, table.title(), options, status, names, 0, 1, 0)


async def test_in_a_lobby_without_tables_keys_for_them_say_so() -> None:
    player = Player1()
    await player.lobby()
    await player.press("l", "enter")
    assert "There is no table to join; n opens one." in player.text
    await player.press("w")
    assert "There is no table." in player.text
    assert not player.visit.commands


async def test_enter_in_the_lobby_joins_the_chosen_table() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((row("reef"), row("cove")), ("ada", "bo")))
    await player.press("l", "down", "enter")
    assert player.visit.commands == [JoinTable("cove")]


async def test_the_chosen_table_stays_chosen_when_others_come() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((row("reef"), row("cove")), ("ada",)))
    await player.press("l", "down")
    await player.lobby(LobbySnapshot((row("pier"), row("reef"), row("cove")), ("ada",)))
    await player.press("enter")
    assert player.visit.commands == [JoinTable("cove")]


async def test_enter_watches_a_running_table() -> None:
    player = Player1()
    running = row("reef", Status.PLAYING, ("bo", "cem", "dora"))
    await player.lobby(LobbySnapshot((running,), ("ada",)))
    await player.press("l")
    assert "stage 2/3" in player.text
    await player.press("enter")
    assert player.visit.commands == [WatchTable("reef")]


async def test_a_refusal_is_a_sentence() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((row("reef"),), ("ada",)))
    player.visit.replies = [Reply("table_full")]
    await player.press("l", "enter")
    assert "Every seat at that table is taken." in player.text
    await player.press("down")
    assert "Every seat" not in player.text


async def test_a_code_can_be_typed() -> None:
    player = Player1()
    await player.lobby()
    await player.press("l", "c")
    entry = player.controller.entry
    assert entry is not None
    entry.insert_text("rebo")
    frame = player.frame
    assert frame.cursor is not None
    assert "rebo" in player.text
    await player.press("enter")
    assert player.visit.commands == [JoinTable("rebo")]
    assert player.controller.entry is None


async def test_the_form_makes_only_games_that_exist() -> None:
    player = Player1()
    await player.lobby()
    await player.press("l", "n", "left", "down", "right", "right", "right")
    assert "Board Game Arena" in player.text
    await player.press("up", "right", "enter")
    (command,) = player.visit.commands
    assert isinstance(command, CreateTable)
    rules = command.options.rules
    assert (rules.edition, rules.players) == ("amigo", 3)


async def test_esc_goes_from_the_lobby_back_to_the_title_and_from_there_asks() -> None:
    player = Player1()
    await player.lobby()
    await player.press("l")
    assert player.text.startswith(" Lobby")
    await player.press("escape")
    assert "T U R N" in player.text
    await player.press("escape")
    assert "Leave Turn the Tide?" in player.text
    await player.press("n", "l", "q")
    assert "Leave Turn the Tide?" in player.text


@pytest.mark.parametrize("code", ["word_needed", "wrong_word"])
async def test_a_private_tables_word_can_be_typed_when_it_is_asked_for(code: str) -> None:
    player = Player1()
    await player.lobby()
    await player.press("l")
    player.visit.replies = [Reply(code)]
    player.controller.text("harbour")
    await player.press("down")
    assert player.controller.entry is not None
    assert "\n  invitation word" in player.text
    player.controller.entry.insert_text("otter")
    await player.press("enter")
    assert player.visit.commands == [JoinTable("harbour"), JoinTable("harbour", word="otter")]
    assert player.controller.entry is None
    await player.press("c")
    assert "code of the table" in player.text
    player.controller.text("reef")


async def test_who_plays_alone_with_the_server_inside_is_promised_no_seat() -> None:
    player = await seated()
    await player.press("escape")
    assert "End the game and leave" in player.text
    assert "keep the seat" not in player.text
    assert "the result stays yours" not in player.text


# ---------------------------------------------------------------- choosing and bidding


async def test_arrows_choose_and_enter_bids() -> None:
    player = await seated()
    cards = hand(player)
    await player.press("home", "right", "right", "left", "enter")
    assert bids(player) == [PlaceBid(cards[1], 0, 0)]


async def test_h_and_l_choose_while_a_card_is_to_be_chosen() -> None:
    player = await seated()
    cards = hand(player)
    await player.press("home", "l", "l", "h", "enter")
    assert bids(player) == [PlaceBid(cards[1], 0, 0)]


async def test_digits_choose_a_card() -> None:
    player = await seated()
    cards = hand(player)
    card = next(card for card in cards if card > 20)
    await player.press(*str(card))
    assert f"[{card}]" in player.text
    await player.press("enter")
    assert bids(player) == [PlaceBid(card, 0, 0)]


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
    await player.press("0")
    assert f"You do not hold the {first}0." in player.text
    await player.press(first)
    await player.clock.advance(TYPING_SECONDS)
    held = int(first) in hand(player)
    assert (f"You do not hold the {first}." in player.text) is not held


async def test_a_typed_digit_is_forgotten_after_a_while() -> None:
    player = await seated(Game(Rules(players=5)))
    tens = next(
        digit
        for digit in "123456"
        if sum(str(card).startswith(digit) and card > 9 for card in hand(player)) > 1
    )
    await player.press(tens)
    assert f"card {tens}_" in player.text
    await player.clock.advance(2)
    assert f"card {tens}_" not in player.text


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


async def test_what_is_shown_is_not_made_anew_because_other_tables_have_crowded_it_out() -> None:
    player = await seated()
    before = player.frame
    snapshot = player.game.snapshot()
    assert snapshot.table is not None
    for number in range(600):
        info = structs.replace(snapshot.info, title=f"other {number}")
        present_table(info, snapshot.table, words_for("en"))
    after = player.frame
    # All but the keys, to which the chat's is added every time.
    pairs = zip(after.rows[:-1], before.rows[:-1], strict=True)
    assert all(row is was for row, was in pairs)


async def test_who_only_sees_that_others_bid_has_no_page_drawn_anew() -> None:
    player = await seated()
    assert "Choose a card" in player.text
    drawn, whole = list[Size](), TablePage.frame

    def counted(page: TablePage, size: Size) -> Frame:
        drawn.append(size)
        return whole(page, size)

    with patch.object(TablePage, "frame", counted):
        for seats, pages in (((2,), 0), ((3, 4), 0), ((1,), 1)):  # the last makes others wait
            for other in seats:
                player.game.bid(other)
            await player.table()
            drawn.clear()
            frame = player.frame
            assert len(drawn) == pages
            sealed = [bid for bid in player.game.bids if bid is not None]
            assert plain(frame.rows).count("▐█▌") == 1 + len(sealed)  # one explains the sign
            assert frame.rows == PageScreen.frame(player.controller, player.size).rows
        assert "Waiting for you" in player.text


async def test_the_clock_is_drawn_anew_when_it_says_something_else() -> None:
    player = await seated()
    info = table_info(player.game.rules, deadline=player.clock.time() + 60)
    await player.table(info=info)
    due = player.clock.due
    assert due is not None
    for spectators in range(1, 20):
        await player.clock.advance(0.1)
        await player.table(info=structs.replace(info, spectators=spectators))
    assert player.clock.due == pytest.approx(due, abs=0.01)
    await player.table(info=structs.replace(info, deadline=info.deadline + 3))
    assert player.clock.due == pytest.approx(info.deadline + 3 - 49, abs=0.01)


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


async def test_too_late_is_told() -> None:
    player = await seated()
    player.visit.replies = [Reply("too_late")]
    await player.press("home", "enter")
    assert "Too late" in player.text


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


async def test_the_bell_rings_once_when_all_wait_for_you() -> None:
    player = await seated()
    for other in range(1, 5):
        player.game.bid(other)
        await player.table()
    assert player.controller.context.bells == 1
    assert "Waiting for you" in player.text
    await player.table()
    assert player.controller.context.bells == 1


async def test_bots_do_not_ring() -> None:
    player = await seated()
    names = [who.name for who in player.game.snapshot().info.seats]
    bots = tuple(seat(name, occupant=Occupant.BOT) for name in names)
    info = player.game.snapshot().info
    info = structs.replace(info, seats=(info.seats[0], *bots[1:]))
    for other in range(1, 5):
        player.game.bid(other)
        await player.table(info=info)
    assert "Waiting for you" in player.text
    assert player.controller.context.bells == 0


async def test_the_bell_rings_once_when_time_is_short() -> None:
    player = await seated()
    info = player.game.snapshot().info
    due = player.clock.time() + 60
    await player.table(info=structs.replace(info, deadline=due))
    await player.clock.advance(49)
    assert player.controller.context.bells == 0
    for _ in range(4):
        await player.clock.advance(2)
    assert player.controller.context.bells == 1
    assert player.controller.context.called_for == "Your time is nearly over."
    player.game.bid(0)
    await player.table(info=structs.replace(info, deadline=due + 60))
    await player.clock.advance(60)
    assert player.controller.context.bells == 1


async def test_a_long_sentence_takes_a_row_of_the_log_where_it_does_not_fit() -> None:
    player = await seated(Game(Rules(players=3)))
    player.size = Size(60, 20)
    player.game.play_round()
    await player.table()
    await player.press(" ")
    refusal = "The server could not save it, so it has not happened. Try again."
    player.controller.context.say("error", refusal)
    said = " ".join(player.text.split())
    assert refusal in said
    assert "round 1 " in said


async def test_only_the_capital_l_is_the_log() -> None:
    player = await seated()
    await player.press("L")
    assert "Log of this stage" in player.text
    await player.press("L")
    assert "Log of this stage" not in player.text
    player.game.bid(0)
    await player.table()
    await player.press("l")
    assert "Log of this stage" not in player.text


@pytest.mark.parametrize(
    ("key", "seen"),
    [("p", "Cards played"), ("?", "How to play"), ("o", "Settings"), ("v", "Vote"), ("tab", "Log")],
)
async def test_overlays_open_and_close(key: str, seen: str) -> None:
    player = await seated()
    await player.press(key)
    assert seen in player.text
    await player.press("escape")
    assert "your hand" in player.text
    assert not player.controller.done


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize("key", ["escape", "q", "c-c", "c-d"])
async def test_leaving_is_asked_first_and_again(key: str) -> None:
    player = await seated()
    await player.press(key)
    assert "Leave this table?" in player.text
    await player.press("c-c", "c-d", "c-c")
    assert "Leave this table?" in player.text
    assert not player.controller.done
    await player.press("escape")
    assert "your hand" in player.text


@pytest.mark.parametrize("key", ["escape", "q", "c-c", "c-d"])
async def test_the_title_asks_too(key: str) -> None:
    player = Player1()
    await player.lobby()
    await player.press(key)
    assert "Leave Turn the Tide?" in player.text
    await player.press("enter")
    assert not player.controller.done
    await player.press(key, "y")
    assert player.controller.done


async def test_ctrl_c_asks_from_within_an_overlay() -> None:
    player = await seated()
    await player.press("?", "c-c")
    assert "Leave this table?" in player.text


async def test_the_game_can_be_given_up_or_only_the_line() -> None:
    player = await seated()
    await player.press("q", "l")
    assert not player.visit.commands, "l is the next card, and the leave page is not for that"
    await player.press("g")
    assert player.visit.commands == [LeaveTable()]
    player = await seated()
    await player.press("q", "d")
    assert player.controller.done
    assert not player.visit.commands


# ---------------------------------------------------------------- the reveal


async def revealing(**abilities: Any) -> Player1:
    player = await seated(**abilities)
    player.game.play_round()
    await player.table()
    return player


async def test_a_reveal_turns_cards_up_from_the_lowest() -> None:
    player = await revealing()
    result = player.game.state.stage.rounds[0]
    order = sorted(bid for bid in result.bids if bid)
    seen = []
    for _ in range(40):
        shown = [bid for bid in order if f"[{bid:2}]" in player.text]
        seen.append(len(shown))
        assert shown == order[: len(shown)]
        if len(shown) == len(order):
            break
        await player.clock.advance(0.05)
    assert seen[0] == 0
    assert seen[-1] == len(order)


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


@pytest.mark.parametrize("size", [Size(80, 24), Size(60, 20), Size(40, 15)])
@pytest.mark.parametrize("language", ["en", "de", "pt"])
async def test_the_game_stays_on_every_page_that_lies_over_it(size: Size, language: str) -> None:
    player = await seated(language=language)
    player.size = size
    words = words_for(language)
    player.game.play_rounds(2)
    for other in range(1, 5):
        player.game.bid(other)
    due = player.clock.time() + 28
    timed = table_info(player.game.rules, deadline=due)
    await player.table(info=timed, resynced=True)
    for key in ("o", "p", "L", "?", "v", "a", "t", "m", "!", "escape"):
        await player.press(key)
        if key == "t":
            continue  # no page: the guide
        assert player.controller.context.overlays, key
        top = " ".join(player.text.splitlines()[:2])
        assert words.t("round {round}/{rounds}", round=3, rounds=12) in top
        assert words.t("Waiting for you.") in top
        assert top.endswith(words.t("{count} s", count=30))
        assert len(player.frame.rows) <= size.rows
        player.controller.context.overlays.clear()
    await player.press("o")
    await player.clock.advance(20)
    assert player.text.splitlines()[1].endswith(words.t("{count} s", count=8))
    player.game.bid(0)
    await player.table(info=timed)
    assert words.t("Waiting for you.") not in player.text


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
        " to go on (by itself after 20 s).",
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


async def test_six_seats_reveal_in_the_same_time() -> None:
    from engine.editions import Edition

    player = await seated(Game(Rules(Edition.BGA, players=6)))
    player.game.play_round()
    await player.table()
    await player.clock.advance(2.51)
    assert player.controller.context.reveal.holding


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


async def test_an_enter_that_comes_late_bids_nothing() -> None:
    player = await revealing()
    while player.controller.context.reveal.scene is not None:  # it closes by itself
        await player.clock.advance(0.1)
    await player.press("right", "enter")
    assert not bids(player), "meant for what has just been there"
    await player.clock.advance(ENTER_RESTS)
    await player.press("enter")
    assert len(bids(player)) == 1, "chosen with an arrow, and looked at"


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


async def test_no_animation_when_it_is_switched_off() -> None:
    player = await seated()
    player.controller.context.set_abilities(motion="none")
    player.game.play_round()
    await player.table()
    assert player.controller.context.reveal.holding


async def test_a_thin_line_gets_no_show() -> None:
    player = await revealing(thin=True)
    assert player.controller.context.reveal.scene is None
    assert "lost a life preserver" in player.text


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


# ---------------------------------------------------------------- the whole course


async def test_a_stage_is_summed_up_and_the_game_goes_on() -> None:
    player = await seated(Game(Rules(players=3)))
    while player.game.state.stage.number == 0:
        player.game.play_round()
        await player.table()
        await player.press(" ")
    assert "Stage 1 of 3 is over" in player.text
    assert "the last round" in player.text
    await player.press("enter", "4", "right", "x")
    assert "the last round" in player.text
    await player.press(" ")
    assert "stage 2/3" in player.text


async def test_the_game_ends_with_the_standings_and_a_rematch() -> None:
    player = await seated(Game(Rules(players=3, stages=1)))
    while not player.game.state.winners:
        player.game.play_round()
        await player.table()
        await player.press(" ")
    await player.press(" ")
    assert "Final standings" in player.text
    assert re.search(r"^[> ] (ada|bo|cem) ", player.text, re.MULTILINE), (
        "no number that looks like a rank"
    )
    assert "What everybody scored with the same hand" not in player.text, (
        "nobody had the hand of another"
    )
    await player.press("enter")
    assert not player.visit.commands
    await player.press("r")
    assert player.visit.commands == [Rematch()]
    again = Game(Rules(players=3, stages=1), bytes(32))
    player.game = again
    again.taken()
    await player.table(info=table_info(again.rules, game=2))
    assert "round 1/12" in player.text


async def test_a_spectator_has_no_hand_and_no_bid() -> None:
    player = Player1()
    player.viewer = -1
    await player.table()
    assert "your hand" not in player.text
    assert "You are watching." in player.text
    await player.press("right", "enter", "4")
    assert not player.visit.commands


async def test_who_is_out_sees_the_rest_of_the_stage() -> None:
    player = await seated(Game(Rules(players=5), bytes([1] * 32)))
    player.viewer = player.game.play_until_somebody_is_out()
    await player.table(resynced=True)
    assert "You are out of this stage" in player.text
    assert "~ out ~" in player.text
    await player.press("enter")
    assert not player.visit.commands


async def test_an_away_player_comes_back_with_any_key() -> None:
    player = Player1()
    info = table_info(player.game.rules)
    away = structs.replace(info, seats=(seat("ada", away=True), *info.seats[1:]))
    await player.table(info=away)
    assert "A bot bids for you" in player.text
    assert "away" in player.row_with("Puffin")
    await player.press("right")
    assert player.visit.commands == [Touch()]


async def test_a_lost_line_is_told_for_a_while_and_kept_in_the_log() -> None:
    player = await seated()
    await player.table(Disconnected(2, "cem"))
    assert "cem lost the connection; the seat is kept." in player.text
    await player.clock.advance(10)
    assert "lost the connection" not in player.text
    await player.press("L")
    assert "cem lost the connection" in player.text


async def test_the_log_has_a_round_above_what_happened_before_its_reveal() -> None:
    player = await seated()
    await player.table(Disconnected(2, "cem"))
    player.game.play_round()
    await player.table()
    await player.press("enter", "L")
    assert player.text.index("round 1") < player.text.index("cem lost the connection")


async def test_a_connection_that_was_taken_over_ends_with_a_word() -> None:
    player = await seated()
    player.visit.feed.push(Update(None, player.game.snapshot(), (), False, "taken_over"))
    await player.clock.advance(0)
    assert player.controller.done
    (goodbye,) = player.controller.goodbye
    assert "somewhere else" in goodbye


async def test_the_countdown_is_coarse_and_then_precise() -> None:
    player = Player1()
    start = player.clock.time()
    await player.table(info=table_info(player.game.rules, deadline=start + 60))
    asked = player.frames_asked
    assert player.text.splitlines()[0].endswith("60 s")
    await player.clock.advance(50.5)
    assert player.text.splitlines()[0].endswith("10 s")
    assert player.frames_asked - asked <= 6
    await player.clock.advance(3)
    assert player.text.splitlines()[0].endswith(" 7 s")


async def test_the_waiting_room_fills_up_and_starts() -> None:
    player = Player1(Game(Rules(players=3)))
    nobody = seat("", occupant=Occupant.NOBODY, connected=False)
    info = table_info(
        player.game.rules, status=Status.OPEN, seats=(seat("ada"), nobody, nobody), game=0
    )
    snapshot = structs.replace(player.game.snapshot(0, info), table=None, own=None)
    player.visit.feed.push(Update(None, snapshot, (), False, ""))
    await player.clock.advance(0)
    assert "code to join: harbour" in player.text
    await player.press("enter")
    assert not player.visit.commands, "nobody could have read that yet"
    await player.clock.advance(ENTER_RESTS)
    await player.press("enter")
    names = [type(command).__name__ for command in player.visit.commands]
    assert names == ["AddBot", "AddBot", "StartGame"]


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


async def test_too_small_a_terminal_is_told_so_and_recovers() -> None:
    player = await seated()
    for size in (Size(39, 24), Size(80, 14), Size(10, 3), Size(1, 1)):
        frame = player.controller.frame(size)
        assert "This" in "".join(text for _, text in frame.rows[0]) or size.columns < 5
        assert len(frame.rows) <= size.rows
    assert "your hand" in player.text


async def test_the_language_changes_at_once() -> None:
    player = await seated()
    assert player.controller.context.player == ADA
    await player.press("o", "right")
    assert "Settings" not in player.text
    await player.press("left", "escape")
    assert "your hand" in player.text


async def test_what_comes_as_the_session_ends_starts_nothing() -> None:
    player = await seated()
    game = player.game.snapshot(0)
    player.visit.feed.push(Update(None, game, (Disconnected(1, "bo"),), False, ""))
    player.controller.close()
    await player.clock.advance(0)
    assert player.clock.due is None


async def test_closing_leaves_no_timer_and_no_task() -> None:
    player = await revealing()
    player.controller.context.leave()
    player.controller.close()
    assert player.clock.due is None


async def test_the_second_digit_of_the_only_card_with_the_first_is_no_other_card() -> None:
    player = await seated()
    held = hand(player)
    tens = [card // 10 for card in held]
    card = next(card for card in held if card > 9 and tens.count(card // 10) == 1)
    await player.press(*str(card), "enter")
    assert bids(player) == [PlaceBid(card, 0, 0)]


async def test_nobody_waits_for_a_step_of_a_show_or_a_tick_of_a_clock_but_for_a_bid_they_do() -> (
    None
):
    player = await seated()
    hurried = player.hurried
    player.game.play_round()
    await player.table()
    assert player.hurried > hurried
    hurried, asked = player.hurried, player.frames_asked
    await player.clock.advance(1.0)
    assert player.frames_asked > asked + 3
    assert player.hurried == hurried
