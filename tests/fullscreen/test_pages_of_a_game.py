"""Pages over a game, its end, and what players there are shown of others."""

import pytest
from msgspec import structs

from engine.editions import Rules
from server.coordinator.messages import Disconnected, Touch
from server.i18n.lookup import words_for
from server.terminal.capabilities import Size
from tests.fullscreen.at_a_table import seated
from tests.support.accounts import FakeAccount, FakeLibrary
from tests.support.at_a_screen import sitting
from tests.support.fakes import ADA, Player1
from tests.support.snapshots import Game, seat, table_info
from tests.support.tables import world


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "left away off prog"), ("de", "fort weg off Prog"), ("pt", "saiu aus. off prog")],
)
async def test_such_a_word_is_whole_there_in_every_language(language: str, words: str) -> None:
    player = await seated(Game(Rules(players=5)), language=language)
    info = player.game.snapshot().info
    said = (seat("b"), seat("c"), seat("d"), seat("e"))
    changes = ({"left": True}, {"away": True}, {"connected": False}, {"program": True})
    marked = [structs.replace(who, **change) for who, change in zip(said, changes, strict=True)]
    player.size = Size(40, 15)
    await player.table(info=structs.replace(info, seats=(info.seats[0], *marked)))
    rows = player.text.splitlines()
    for name, word in zip("bcde", words.split(), strict=True):
        assert next(row for row in rows if row.startswith(f" {name} ")).split()[1] == word


async def test_the_ranking_follows_a_game_of_the_day() -> None:
    player = Player1(Game(Rules(players=3)))
    player.game.play_out()
    info = structs.replace(player.game.snapshot().info, event="day-2026-11-23", seed="")
    player.controller.context.account = FakeAccount(library=FakeLibrary(0.0))  # type: ignore[misc]
    await player.table(info=info)
    assert "d today's tide" in player.text
    await player.press("d")
    assert "Tab yesterday" in player.text


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


async def test_a_spectator_has_no_hand_and_no_bid() -> None:
    player = Player1()
    player.viewer = -1
    await player.table()
    assert "your hand" not in player.text
    assert "You are watching." in player.text
    await player.press("right", "enter", "4")
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


async def test_too_small_a_terminal_is_told_so_and_recovers() -> None:
    player = await seated()
    for size in (Size(39, 24), Size(80, 14), Size(10, 3), Size(1, 1)):
        frame = player.controller.frame(size)
        assert "This" in "".join(text for _, text in frame.rows[0]) or size.columns < 5
        assert len(frame.rows) <= size.rows
    assert "your hand" in player.text


@pytest.mark.parametrize("language", ["en", "de", "pt"])
async def test_too_small_a_terminal_shows_the_way_out(language: str) -> None:
    async with world() as server, sitting(server, Size(40, 12), language=language) as ada:
        assert "+plain" in ada.text
        await ada.press("c-c", "down")
        assert "> y " in ada.text
        await ada.press("s")
        assert "+plain" in ada.text
        await ada.press("c-c", "y")
        assert ada.controller.done


async def test_the_language_changes_at_once() -> None:
    player = await seated()
    assert player.controller.context.player == ADA
    await player.press("o", "right")
    assert "Settings" not in player.text
    await player.press("left", "escape")
    assert "your hand" in player.text
