"""What the screens look like. The golden ones are in ``golden/``; after a wanted change, write them anew:

    make test ARGS="tests/fullscreen/test_screens.py --snapshot-update"

and read the difference.
"""

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from engine.editions import Edition, Rules
from server.coordinator.messages import LobbySnapshot, Occupant, Status, TableOptions
from server.fullscreen.table.layout import table_layout
from server.fullscreen.table.log import log_rows
from server.fullscreen.widgets.drawing import look_for
from server.i18n.lookup import languages, words_for
from server.playback import SummaryScene
from server.terminal.capabilities import Colours, Size
from server.terminal.drawing.frame import row_width
from server.viewmodels.table import LogRound
from tests.support.fakes import Player1
from tests.support.pilot import Pilot
from tests.support.snapshots import Game, plain, seat, table_info

SIZES = [Size(80, 24), Size(100, 30), Size(200, 50), Size(60, 20), Size(40, 15)]


def named(size: Size) -> str:
    return f"{size.columns}x{size.rows}"


def five(rounds: int = 7) -> Game:
    game = Game(Rules(players=5))
    game.play_rounds(rounds)
    game.bid(1)
    game.taken()
    return game


# ---------------------------------------------------------------- golden


@pytest.mark.parametrize("size", SIZES, ids=named)
async def test_the_table_in_every_size(size: Size, golden: SnapshotAssertion) -> None:
    player = Player1(five())
    player.size = size
    await player.table()
    assert player.text == golden


async def test_six_seats_in_ascii(golden: SnapshotAssertion) -> None:
    game = Game(Rules(Edition.BGA, players=6, modified_drowning=True, assistance=True, stages=2))
    game.play_rounds(12)
    player = Player1(game, unicode=False)
    await player.table()
    assert player.text.isascii()
    assert player.text == golden(name="80x24")
    player.size = Size(40, 15)
    assert player.text.isascii()
    assert player.text == golden(name="40x15")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_in_however_few_rows_the_log_says_who_lost_and_marks_what_is_missing(
    columns: int, language: str
) -> None:
    words = words_for(language)
    look = look_for(words.language, True, False)
    names = ("Maximilianna", "Schildkröte", "王小明李大华", "ada", "eve", "Sprat")
    bids = tuple(
        words.t("{name} ({card}) took {tide}", name=name, card=50 - seat, tide=9)
        for seat, name in enumerate(names)
    )
    why = words.t(
        "{names} share the highest tide ({tide}): each lost a life preserver, {left}",
        names=words.listed(names[:2]),
        tide=12,
        left=words.t("none left"),
    )
    brief = words.t("{names} at {tide}: -1 each", names=words.listed(names[:2]), tide=12)
    log = (LogRound(1, bids, (why,), brief),)
    for rows in range(1, 10):
        layout = table_layout(Size(columns, 15), 5, 12)._replace(log=rows)
        shown = log_rows(log, layout, 0, look)
        assert len(shown) <= rows
        assert all(row_width(each) <= columns for each in shown)
        told = " ".join(plain(shown).split())
        assert told.endswith((why.split(": ")[1], brief.split(": ")[1]))
        if look.glyphs.more not in told:
            assert why in told or told == brief
            assert all(bid in told for bid in bids) or bids[0] not in told


async def test_an_eliminated_seat(golden: SnapshotAssertion) -> None:
    game = Game(Rules(players=5), bytes([1] * 32))
    out = game.play_until_somebody_is_out()
    player = Player1(game)
    player.viewer = out
    await player.table()
    assert player.text == golden


async def test_out_of_the_last_stage_nobody_is_told_of_a_next_one() -> None:
    game = Game(Rules(players=5, stages=1), bytes([1] * 32))
    out = game.play_until_somebody_is_out()
    player = Player1(game)
    player.viewer = out
    await player.table()
    assert "You are out of this stage." in player.text
    assert "next" not in player.text


async def test_a_reveal_step_by_step(golden: SnapshotAssertion) -> None:
    player = Player1(five())
    await player.table()
    player.game.play_round()
    await player.table()
    show = player.controller.context.reveal
    seen = [player.text]
    while not show.holding:
        step = show.step
        while show.step == step:
            await player.clock.next()
        seen.append(player.text)
    # Only what moves: names down to what each seat is doing, and the words below the hand.
    strips = ["\n".join(text.splitlines()[5:15] + text.splitlines()[18:22]) for text in seen]
    assert "\n\n".join(strips) == golden


async def test_a_stage_and_the_standings(golden: SnapshotAssertion) -> None:
    player = Player1(Game(Rules(players=4)))
    await player.table()
    stage = ""
    while not player.game.state.winners:
        player.game.play_round()
        await player.table()
        await player.press(" ")
        if isinstance(player.controller.context.reveal.scene, SummaryScene):
            stage = stage or player.text
            await player.press(" ")
    assert stage == golden(name="stage")
    await player.clock.advance(2)  # all stand on the podium
    assert player.text == golden(name="standings")
    player.size = Size(60, 20)
    assert player.text == golden(name="standings-60x20")


@pytest.mark.parametrize(
    "key",
    ["p", "L", "?", "o", "escape"],
    ids=["played", "log", "help", "settings", "leave"],
)
async def test_what_lies_over_the_table(key: str, golden: SnapshotAssertion) -> None:
    player = Player1(five(14))
    await player.table()
    await player.press(key)
    assert player.text == golden


@pytest.mark.parametrize("size", SIZES, ids=named)
async def test_a_long_notice_is_read_in_full_on_the_title_screen(size: Size) -> None:
    player = Player1()
    player.size = size
    await player.lobby(LobbySnapshot((), ("ada",)))
    said = "Club evening on Tuesdays at eight; the server rests on Sundays."
    player.controller.context.say("notice", said)
    shown = [line.strip() for line in player.text.splitlines()]
    assert said in " ".join(shown)
    assert "Enter  play at once, against bots" in shown, "and the way in is still there"
    player.controller.context.say("notice", "\u6d77\u5cb8" * 200)
    assert max(map(row_width, player.frame.rows)) <= size.columns


async def test_title_lobby_form_and_waiting_room(golden: SnapshotAssertion) -> None:
    player = Player1()
    rows = tuple((table_row(number, status)) for number, status in enumerate(Status))
    await player.lobby(LobbySnapshot(rows, ("ada", "bo", "cem", "dora")))
    assert player.text == golden(name="title")
    await player.press("l", "down")
    assert player.text == golden(name="lobby")
    await player.press("n", "down")
    assert player.text == golden(name="form")
    await player.press("escape")
    nobody = seat("", occupant=Occupant.NOBODY, connected=False)
    seats = (seat("ada"), seat("Puffin"), nobody, nobody, nobody)
    rules = Rules(players=5, assistance=True)
    info = table_info(rules, status=Status.OPEN, seats=seats)
    player.game = Game(rules)
    await player.table(info=info)
    assert player.text == golden(name="waiting")
    player.size = Size(60, 24)
    assert "g hand over" in player.text, "a key stands beside what it does"


def table_row(number: int, status: Status):  # type: ignore[no-untyped-def]
    from server.coordinator.messages import TableRow

    names = ("bo", "Puffin", "cem") if status is not Status.OPEN else ("bo", "", "cem")
    title = ("Reef", "Cove", "Pier")[number]
    return TableRow(
        title.lower(), title, TableOptions(Rules(players=3)), status, names, 1, number, number
    )


# ---------------------------------------------------------------- for every screen


# ---------------------------------------------------------------- what must be on one screen


async def test_a_real_terminal_shows_the_same() -> None:
    """Through the renderer, the escape codes and a terminal in memory."""
    player = Player1(five())
    async with Pilot(player.controller, colours=Colours.SIXTEEN) as pilot:
        await player.table()
        pilot.timers.advance(0.1)
        # Water is sent as blanks in its colour.
        sent = re.sub("(?<!▐)█", " ", player.text)
        assert pilot.screen() == [line.rstrip() for line in sent.splitlines()]
        pilot.press("right", "?", "down", "escape", "p")
        assert pilot.screen() == [
            line.rstrip() for line in (player.text + "\n" * 24).splitlines()[:24]
        ]
        pilot.press("escape")
        pilot.resize(30, 10)
        assert "40" in pilot.text
        pilot.resize(100, 30)
        assert "your hand" in pilot.text
        player.controller.context.leave()
