"""What passes between sessions and tables is plain data, and says of what kind it is."""

from itertools import combinations
from typing import get_args

import msgspec
import pytest

from engine.editions import Edition, Rules
from server.coordinator.messages import (
    AddBot,
    Block,
    ChangeOptions,
    Closing,
    Command,
    Disconnected,
    Happening,
    JoinTable,
    KeepSeat,
    Motion,
    Mute,
    Pace,
    PlaceBid,
    Rematch,
    Room,
    Say,
    TableOptions,
    Update,
    Vote,
    Voted,
)
from tests.support.tables import UNTIMED, world

CHANGED = TableOptions(Rules(Edition.BGA, 6, 2, modified_drowning=True), Pace.CORRESPONDENCE, 7200)


@pytest.mark.parametrize("kinds", [get_args(Command), get_args(Happening)], ids=len)
def test_messages_of_different_kinds_are_never_equal(
    kinds: tuple[type[msgspec.Struct], ...],
) -> None:
    for one, other in combinations(kinds, 2):
        if one.__struct_fields__ == other.__struct_fields__:
            values = ["x"] * len(one.__struct_fields__)
            assert one(*values) == one(*values)
            assert one(*values) != other(*values)


@pytest.mark.parametrize(
    "command",
    [
        AddBot(2, "tidal"),
        Block("bo"),
        ChangeOptions(CHANGED),
        JoinTable("harbour", word="otter"),
        KeepSeat(1, "bo"),
        Mute("bo"),
        PlaceBid(44, 1, 2),
        Rematch(),
        Say(Room.DIRECT, "hello", to="bo"),
        Vote(Motion.REPLACE, 1),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_command_is_the_same_after_a_journey(command: Command) -> None:
    assert msgspec.json.Decoder(Command).decode(msgspec.json.encode(command)) == command


@pytest.mark.parametrize(
    "happening", [Disconnected(1, "bo"), Voted(0, "ada", Motion.END, -1, True), Closing(12.5)]
)
def test_a_happening_is_the_same_after_a_journey(happening: Happening) -> None:
    assert msgspec.json.Decoder(Happening).decode(msgspec.json.encode(happening)) == happening


async def test_every_update_of_a_game_is_the_same_after_a_journey() -> None:
    decoder = msgspec.json.Decoder(Update)
    async with world() as house:
        ada, bo = await house.table(UNTIMED, humans=2)
        await house.play_out(ada, bo)
        for guest in (ada, bo):
            assert guest.happenings
            for update in guest.updates:
                assert decoder.decode(msgspec.json.encode(update)) == update
