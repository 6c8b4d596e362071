"""Keys of one's own at the table."""

import pytest

from server.coordinator.messages import PlaceBid
from server.fullscreen.context import (
    ACTIONS,
    by_action,
    chosen,
    fixed_names,
    is_bindable,
    keys_with,
    to_keep,
)
from server.fullscreen.menus.help import TABLE_KEYS
from server.session.preferences import preferences_from
from server.terminal.capabilities import Size
from tests.support.accounts import FakeAccount
from tests.support.fakes import Player1
from tests.support.snapshots import Game


async def seated(account: FakeAccount | None = None) -> Player1:
    player = Player1(Game(), account=account)
    player.game.taken()
    await player.table()
    return player


async def bind(player: Player1, action: str, key: str) -> None:
    """By the pages that are there for it."""
    await player.press(meant_now(player, "o"))
    while "> Keys at the table" not in player.text:
        await player.press("down")
    await player.press("right")
    number = ACTIONS.index(action)
    await player.press(*["down"] * number, "enter", key)


def meant_now(player: Player1, usual: str) -> str:
    """The key that does now what ``usual`` usually does."""
    own = player.controller.context.own_keys
    keys = by_action(TABLE_KEYS)
    return next((own[each] for each in own if keys[each].names[0] == usual), usual)


async def test_a_key_of_ones_own_takes_the_place_of_the_usual_one() -> None:
    account = FakeAccount()
    player = await seated(account)
    await bind(player, "log", "x")
    assert "instead of L" in player.text
    await player.press("escape", "escape")
    assert " x log " in player.text
    await player.press("L")
    assert "Log of this stage" not in player.text
    await player.press("x")
    assert "Log of this stage" in player.text
    await player.press("x")
    assert "Log of this stage" not in player.text
    player.size = Size(200, 100)
    await player.press("?")
    seen = player.text
    await player.press("end")
    assert "Your own keys" in player.text
    assert "L, Tab" not in seen + player.text
    again = await seated(account)
    await again.press("x")
    assert "Log of this stage" in again.text


async def test_arrows_and_enter_go_on_working_beside_other_keys() -> None:
    player = await seated()
    await bind(player, "right", "f")
    await player.press("escape", "escape")
    await bind(player, "bid", "g")
    await player.press("escape", "escape")
    own = player.controller.context.own
    assert own is not None
    await player.press("f")
    first = player.row_with("your hand")
    await player.press("f")
    second = player.row_with("your hand")
    assert second != first
    await player.press("left")
    assert player.row_with("your hand") == first
    await player.press("g", "right", "enter")
    cards = [command.card for command in player.visit.commands if isinstance(command, PlaceBid)]
    assert len(cards) == 2
    assert cards[0] != cards[1]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("p", "p is already used for: played cards."),
        ("q", "That key is fixed"),
        ("7", "That key is fixed"),
        ("left", "left is already used for: card to the left."),
        ("f5", "That key is fixed"),
    ],
)
async def test_a_key_that_is_taken_is_refused(key: str, said: str) -> None:
    player = await seated()
    await bind(player, "log", key)
    assert said in player.text
    assert not player.controller.context.own_keys


async def test_a_key_that_was_given_up_can_be_given_to_something_else_and_all_taken_back() -> None:
    player = await seated()
    await bind(player, "played", "x")
    await player.press("escape", "escape")
    await bind(player, "log", "p")
    assert player.controller.context.own_keys == {"played": "x", "log": "p"}
    # The usual key for the played cards is the log's now: that has to go first.
    await player.press("down", "d")
    assert "p is already used for: log." in player.text
    assert len(player.controller.context.own_keys) == 2
    await player.press("up", "d", "down", "d")
    assert not player.controller.context.own_keys
    await player.press("enter", "x")
    assert player.controller.context.own_keys == {"played": "x"}
    while "> Reset all keys" not in player.text:
        await player.press("down")
    await player.press("enter")
    assert not player.controller.context.own_keys


async def test_esc_leaves_a_key_as_it_is() -> None:
    player = await seated()
    await bind(player, "log", "escape")
    assert not player.controller.context.own_keys
    assert "Press the key" not in player.text


def test_what_is_kept_is_read_back_and_nonsense_is_left_out() -> None:
    own = {"log": "x", "bid": "=", "left": "<"}
    assert chosen(to_keep(own)) == own
    assert chosen("log=7 nothing=x played=x vote=x help=qq =x") == {"played": "x"}
    assert preferences_from({"keys": 7}).keys == ""


def test_nobody_locks_themselves_out() -> None:
    own = dict(zip(ACTIONS, "bcdefgknsuwxyz", strict=False))
    names = {name for key in keys_with(TABLE_KEYS, to_keep(own)) for name in key.names}
    assert {"enter", "escape", "left", "right", "tab", "q", "f1", "7", "c-c"} <= names
    assert not is_bindable("ü" + "\u0301")
    assert not is_bindable("王")


def test_a_kept_key_with_a_fixed_meaning_is_not_taken() -> None:
    """A key that gets a meaning one day must not be lost to those who have chosen it before."""
    fixed = fixed_names(TABLE_KEYS)
    assert fixed >= {*"hjlmq!/ 0123456789"}
    for name in fixed - {*" 0123456789"}:
        assert keys_with(TABLE_KEYS, f"played={name}") == TABLE_KEYS
    own = keys_with(TABLE_KEYS, "played=x")
    assert [key.names for key in own if key.action == "played"] == [("x",)]
