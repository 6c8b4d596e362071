"""A finished game again: what each pair of eyes sees, every way through it, and the recording."""

import json
import re

import pyte
import pytest

from engine.editions import Rules
from engine.records.record_format import Record
from engine.records.replay import fold
from engine.rules import StageStarted
from engine.views import seat_view
from server.cli.replay import asciicast
from server.coordinator.messages import QuickGame
from server.fullscreen.page_map import ReplayRouter
from server.i18n.lookup import words_for
from server.playback import EVERYBODY, OPEN, ReplayedGame, shown
from server.terminal.capabilities import Capabilities, Size
from tests.support.accounts import who_has_played
from tests.support.fake_clock import FakeClock
from tests.support.games import NAMES, game, record
from tests.support.keys import look_at, press_keys
from tests.support.snapshots import plain


class Viewer:
    """Somebody who watches a replay."""

    def __init__(self, seen: ReplayedGame | None = None, columns: int = 80, rows: int = 24) -> None:
        self.game = seen or game()
        self.clock = FakeClock()
        self.size = Size(columns, rows)
        self.controller = ReplayRouter(self.game, self.clock, Capabilities())
        self.controller.attach(lambda **_: None)

    @property
    def text(self) -> str:
        drawn = look_at(self.controller, self.size)
        assert len(drawn.rows) <= self.size.rows
        return plain(drawn.rows)

    @property
    def at(self) -> tuple[str, int, int]:
        moment = self.controller.replay.moment
        return type(moment.event).__name__, moment.stage, moment.round

    def press(self, *names: str) -> None:
        for name in names:
            press_keys(self.controller, name)

    def go_to(self, place: str) -> None:
        self.press("g")
        entry = self.controller.entry
        assert entry is not None
        entry.insert_text(place)
        self.press("enter")


def test_stepping_forward_and_back_shows_the_same() -> None:
    viewer = Viewer()
    forward = [viewer.text]
    for _ in range(len(viewer.game.moments) - 1):
        viewer.press("right")
        forward.append(viewer.text)
    assert len(set(forward)) == len(forward), "no two moments look alike"
    viewer.press("right")
    assert viewer.text == forward[-1], "the end is the end"
    back = [viewer.text]
    for _ in range(len(viewer.game.moments) - 1):
        viewer.press("left")
        back.append(viewer.text)
    assert back == forward[::-1]
    viewer.press("left")
    assert viewer.text == forward[0]


def test_jumps() -> None:
    viewer = Viewer()
    viewer.go_to("3.7")
    assert viewer.at == ("TidesTurned", 2, 6)
    viewer.go_to(" 2 ")
    assert viewer.at == ("StageStarted", 1, 0)
    viewer.press("n")
    assert viewer.at == ("StageStarted", 2, 0)
    viewer.press("right", "right", "p")
    assert viewer.at == ("StageStarted", 2, 0), "first to the beginning of this stage"
    viewer.press("p")
    assert viewer.at == ("StageStarted", 1, 0)
    viewer.press("p", "p")
    assert viewer.at == ("StageStarted", 0, 0)
    viewer.press("end")
    assert viewer.at[0] == "GameOver"
    viewer.press("home")
    assert viewer.at == ("StageStarted", 0, 0)
    viewer.press("n", "n", "n", "n", "n")
    assert viewer.at[0] == "GameOver"


@pytest.mark.parametrize("place", ["9", "1.13", "0", "x", "1.2.3", "-1", ""])
def test_places_that_are_not_in_the_game(place: str) -> None:
    viewer = Viewer()
    viewer.go_to("2.2")
    before = viewer.text
    viewer.go_to(place)
    assert viewer.at == ("TidesTurned", 1, 1)
    assert bool(place) is (viewer.text != before), "what is wrong is told"
    viewer.press("g", "escape")
    assert not viewer.controller.done
    assert viewer.text == before, "until the next key"


def hand_in(text: str) -> list[int]:
    """The cards of the own hand, as the screen shows them."""
    row = next((row for row in text.splitlines() if row.startswith(" your hand")), "")
    return [int(card) for card in re.findall(r"\d+", row)]


def test_through_a_players_eyes_there_is_that_hand_and_no_other() -> None:
    viewer = Viewer()
    viewer.go_to("2.4")
    state = viewer.controller.replay.moment.state
    assert hand_in(viewer.text) == []
    for seat in range(4):
        viewer.press(str(seat + 1))
        assert hand_in(viewer.text) == list(seat_view(state, seat).hand)
        assert f"as {NAMES[seat]} saw it" in viewer.text
        bid = viewer.game.replay.record.stages[1].bids[3][seat]
        assert f"[{bid}]" in viewer.text or f"[ {bid}]" in viewer.text
    viewer.press("e")
    assert hand_in(viewer.text) == []
    assert "as everybody could see it" in viewer.text
    viewer.press("e")
    assert "as ada saw it" in viewer.text


def test_other_hands_change_nothing_in_what_a_player_sees() -> None:
    """The same game with two unplayed cards exchanged: ada's screens are equal until they are revealed."""
    seen = game(rounds=3)
    hands = [list(hand) for hand in seen.replay.record.deal]
    played = {card for stage in seen.replay.record.stages for row in stage.bids for card in row}
    one = next(card for card in hands[1] if card not in played)
    other = next(card for card in hands[2] if card not in played)
    if _half(one) != _half(other):  # life preservers are public
        other = next(card for card in hands[2] if card not in played and _half(card) == _half(one))
    fields = seen.replay.record.fields()
    fields["deal"][1] = sorted(other if card == one else card for card in hands[1])
    fields["deal"][2] = sorted(one if card == other else card for card in hands[2])
    from engine.records.record_format import parse

    changed = shown(fold(parse(json.dumps(fields))), NAMES[:4], "Harbour")
    for viewpoint in ("1", "4", "tab"):
        views = [Viewer(seen), Viewer(changed)]
        for _ in seen.moments:
            for viewer in views:
                viewer.press(viewpoint if viewpoint != "tab" else "left", "right")
            assert views[0].text == views[1].text


def _half(card: int) -> int:
    from engine.editions import half_preservers

    return half_preservers(card)


def test_all_hands_can_lie_open() -> None:
    viewer = Viewer()
    viewer.go_to("3.2")
    viewer.press("a")
    rows = viewer.text.splitlines()
    state = viewer.controller.replay.moment.state
    for seat, name in enumerate(NAMES[:4]):
        row = next(row for row in reversed(rows) if row.startswith(f" {name} "))
        assert [int(card) for card in re.findall(r"\d+", row)] == list(state.stage.hands[seat])
    marked = [
        text
        for spans in viewer.controller.frame(viewer.size).rows
        for style, text in spans
        if style == "card.chosen"
    ]
    assert marked
    assert all(text.strip() for text in marked), "no blank stands out"
    viewer.press("a")
    assert "as everybody could see it" in viewer.text


async def test_it_plays_by_itself_and_can_be_hurried() -> None:
    viewer = Viewer()
    viewer.press(" ")
    assert "1x" in viewer.text
    await viewer.clock.advance(8.0)
    usual = viewer.controller.replay.moment
    assert type(usual.event) is not StageStarted
    viewer.press(" ")
    assert "paused" in viewer.text
    await viewer.clock.advance(60.0)
    assert viewer.controller.replay.moment is usual
    fast = Viewer(viewer.game)
    fast.press("+", "+", "+", "+", " ")
    assert "8x" in fast.text
    await fast.clock.advance(8.0)
    assert fast.at[1:] > (usual.stage, usual.round)
    await fast.clock.advance(600.0)
    assert fast.at[0] == "GameOver"
    assert not fast.controller.replay.playing
    fast.press("-", "-", "-", "-", "-", " ")
    assert "0.5x" in fast.text
    assert fast.at == ("StageStarted", 0, 0), "from the beginning again"


async def test_a_step_ends_what_is_being_turned_up() -> None:
    viewer = Viewer()
    viewer.press("right", " ")
    await viewer.clock.advance(1.8)
    assert viewer.at == ("RoundResolved", 0, 0)
    assert "lost a life preserver" not in viewer.text
    viewer.press("right")
    assert viewer.at == ("RoundResolved", 0, 0)
    assert not viewer.controller.replay.playing
    whole = viewer.text
    viewer.press("right", "left")
    assert viewer.text == whole


@pytest.mark.parametrize("key", ["escape", "q", "c-c", "c-d"])
async def test_leaving(key: str) -> None:
    viewer = Viewer()
    viewer.press(" ", key)
    assert viewer.controller.done
    assert viewer.clock.due is None, "nothing goes on behind"


def test_a_game_that_was_broken_off_ends_where_it_ended() -> None:
    viewer = Viewer(game(rounds=14, ended="voted"))
    viewer.press("end")
    assert viewer.at[0] != "GameOver"
    viewer.press("right", "a", "1", "n")
    assert viewer.text


def odd_fields() -> Record:
    return record(3, NAMES[:4], seats="nonsense", ended=["?"], note=None)


def test_fields_of_any_form_do_no_harm() -> None:
    over = odd_fields()
    viewer = Viewer(shown(fold(over), over.players, "x"))
    viewer.press("end")
    assert "Final standings" in viewer.text


# ---------------------------------------------------------------- the recording


@pytest.mark.slow
@pytest.mark.parametrize("viewpoint", [EVERYBODY, OPEN, 0])
def test_a_recording_shows_the_game(viewpoint: int) -> None:
    seen = game()
    header, *events = [
        json.loads(line) for line in asciicast(seen, words_for("en"), viewpoint=viewpoint)
    ]
    assert (header["version"], header["width"], header["height"]) == (2, 80, 24)
    assert header["title"] == "Harbour"
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    before, seen_standings = 0.0, False
    for at, kind, text in events:
        assert kind == "o"
        assert at >= before
        before = at
        stream.feed(text)
        seen_standings |= "Final standings" in screen.display[0]
    assert seen_standings
    assert 100 < before < 1000


def test_a_recording_can_be_hurried() -> None:
    seen = game(rules=Rules(players=3, stages=1))
    slow, fast = (
        json.loads(list(asciicast(seen, words_for("en"), speed=speed))[-1])[0] for speed in (1, 10)
    )
    assert slow == pytest.approx(10 * fast, rel=0.01)


SIZES = [(40, 15), (80, 24), (120, 40), (200, 60)]


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_puzzle_shows_the_position_takes_a_card_and_says_what_it_is_worth(
    size: tuple[int, int],
) -> None:
    player, _ = await who_has_played()
    player.size = Size(*size)
    await player.press("l", "p")
    assert "Puzzles" in player.text
    first = player.text
    await player.press("right")
    assert player.text != first, "another card"
    await player.press("enter")
    said = " ".join(player.text.split())
    assert "Solved: " in said or "better card" in said
    await player.press("enter")
    assert "Puzzles" in player.text
    assert player.text != first, "the next one"
    await player.press("enter", "c")
    (command,) = player.visit.commands
    assert isinstance(command, QuickGame)
    assert command.played
    assert command.deal


async def test_without_games_the_page_says_what_to_do() -> None:
    player, _ = await who_has_played(games=0)
    await player.press("l", "p")
    assert "play a game" in player.text
    await player.press("enter", "right", "escape")
    assert "Lobby" in player.text


async def test_a_replay_is_played_on_before_the_round_that_is_shown() -> None:
    player, library = await who_has_played()
    await player.press("l", "r", "enter")
    await player.press("g")
    entry = player.controller.entry
    assert entry is not None
    entry.insert_text("2.3")
    await player.press("enter", "c")
    (command,) = player.visit.commands
    game_ = await library.game(library.rows[0].id)
    assert game_ is not None
    assert isinstance(command, QuickGame)
    stages = [stage.bids for stage in game_.replay.record.stages]
    assert command.played == (stages[0], stages[1][:2])
    await player.press("end", "c")
    assert len(player.visit.commands) == 1, "it is over there"
