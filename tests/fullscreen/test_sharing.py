"""The text that is passed on about a game: while others may play its deal, only the own result."""

from datetime import UTC, datetime
from typing import Any

import pytest

from engine.editions import Rules
from engine.records.outcome import result_of
from engine.records.record_format import Record, record_of
from engine.records.replay import fold
from server.coordinator import messages as m
from server.playback import ReplayedGame, shown
from server.storage.history import GameRow, replay_code
from server.terminal.capabilities import ConnectionStats, Copying, Size, clipboard
from tests.support.accounts import FakeAccount, FakeLibrary, who_has_played
from tests.support.days import a_day
from tests.support.fake_clock import FakeClock
from tests.support.fakes import ADA, Player1
from tests.support.snapshots import NAMES, SEED, Game, table_info
from tests.support.transcript import Reader

RULES = Rules(players=3)
NOON = datetime(2025, 11, 21, 12, tzinfo=UTC).timestamp()
WAY_IN = "-p 2222 192.0.2.7"


def library_of(now: float) -> FakeLibrary:
    library = FakeLibrary(now)
    found = a_day("played", tries=True)
    own = found.tries[1]._replace(player=ADA.id)
    library.days[0] = found._replace(tries=(found.tries[0], own))
    library.viewpoint = 0
    return library


DAY_IN = "ssh -p 2222 today@192.0.2.7"
SIGNS = "▅×▅▅▅▅▅×▃▅▃▁"


def result(game: Game, *, day: bool = False) -> str:
    points = [stage.points[0] for stage in game.state.finished]
    if day:
        return f"{sum(points)} points"
    signed = " ".join(f"{each:+d}" if each else "0" for each in points)
    return f"{sum(points)} points ({signed})"


async def shared(
    event: str, title: str = "harbour", *, broken: bool = False, copies: Copying = Copying.UNKNOWN
) -> tuple[Player1, list[str]]:
    """Somebody for whom a game is over, and who looks at what there is to share; what was copied."""
    library, copied = library_of(NOON), list[str]()
    library.broken = broken
    account = FakeAccount(library=library)
    player = Player1(Game(RULES), account=account, clock=FakeClock(NOON), copies=copies)
    player.controller.context.facts = lambda: ConnectionStats(way_in=WAY_IN)
    player.controller.context.copy = copied.append
    player.size = Size(120, 40)
    player.game.play_rounds(40)
    info = table_info(RULES, status=m.Status.OVER, event=event, title=title)
    await player.table(info=info)
    await player.press("s")
    return player, copied


@pytest.mark.parametrize("broken", [False, True])
async def test_todays_tide_tells_the_day_points_place_and_the_way_in(broken: bool) -> None:
    player, _ = await shared("day-2025-11-21", broken=broken)
    told = "4 points, place 2 of 2"
    line = f"Turn the Tide 2025-11-21: {result(player.game, day=True) if broken else told}"
    assert player.row_with("Turn the Tide").strip() == line
    way_in = player.row_with("ssh ").strip()
    assert way_in == (DAY_IN if broken else f"{SIGNS} {DAY_IN}")
    assert "stage" not in player.text
    assert not [name for name in NAMES if name in player.text]


class Kept(FakeLibrary):
    """The game that has just been played is the newest one, number 7."""

    def __init__(self, now: float, over: Record) -> None:
        super().__init__(now)
        self.over = fold(over)

    async def games(self, *, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        _, found = result_of(self.over.record.text)
        return (GameRow(7, 1.0, "amigo", True, False, found.seats, 0),)

    async def game(self, number: int) -> ReplayedGame | None:
        assert number == 7
        return shown(self.over, self.over.record.players, "harbour", number=7)


@pytest.mark.parametrize("private", [False, True])
async def test_whoever_reads_it_can_see_the_game_again_unless_it_was_private(private: bool) -> None:
    game = Game(RULES)
    game.play_rounds(40)
    more = {"id": "ab" * 16 + "-1", **({"private": True} if private else {})}
    over = record_of(game.state, NAMES[:3], seed=SEED, more=more)
    account = FakeAccount(library=Kept(FakeClock().time(), over))
    player = Player1(game, account=account)
    player.controller.context.facts = lambda: ConnectionStats(way_in=WAY_IN)
    commitment = over.fields()["commitment"]
    info = table_info(RULES, status=m.Status.OVER, commitment=commitment)
    await player.table(info=info)
    await player.press("s")
    line = f"ssh -t {WAY_IN} replay {replay_code(7, over)}"
    assert (line in player.text) is not private
    async with Reader(player.visit, player.clock, account, way_in=WAY_IN) as ada:
        player.visit.feed.push(m.Update(None, game.snapshot(0, info), (), False, ""))
        await player.clock.advance(0)
        assert (line in await ada.say("share")) is not private


@pytest.mark.parametrize(
    ("copies", "before", "after"),
    [
        (Copying.KNOWN, "c copies these lines. Your terminal is known to", "Copied."),
        (Copying.UNKNOWN, "c copies these lines. Many terminals can", "Sent to your terminal. If"),
        (Copying.TMUX, 'tmux does it if its option "set-clipboard" is "on"', "Sent to your"),
        (Copying.ITERM2, "iTerm2 does it if its settings", "Sent to your terminal."),
    ],
)
async def test_c_copies_and_says_whether_that_is_known_to_work(
    copies: Copying, before: str, after: str
) -> None:
    player, copied = await shared("day-2025-11-21", copies=copies)
    assert before in player.text
    assert "c copy" in player.text
    await player.press("c")
    assert after in player.text
    line = "Turn the Tide 2025-11-21: 4 points, place 2 of 2"
    assert copied == [f"{line}\n{SIGNS} {DAY_IN}"]


async def test_nothing_is_sent_to_a_terminal_that_cannot_copy() -> None:
    player, copied = await shared("day-2025-11-21", copies=Copying.NEVER)
    assert "mark them with the mouse" in player.text
    assert "c copy" not in player.text
    await player.press("c")
    assert not copied


async def test_the_page_of_the_day_leads_there() -> None:
    player, library = await who_has_played()
    player.controller.context.facts = lambda: ConnectionStats(way_in=WAY_IN)
    library.days[0] = a_day("new")
    await player.press("d", "s")
    assert "Share this game" not in player.text
    library.days[0] = a_day("played", tries=True)
    await player.press("escape", "d")
    assert "s share" in player.text
    await player.press("s")
    assert "Turn the Tide 2025-11-21: 4 points, place 2 of 2" in player.text
    await player.press("s", "tab", "s")
    assert "Share this game" not in player.text, "nothing of yesterday"


def line_mode(**abilities: Any) -> Reader:
    player = Player1(Game(RULES))
    player.game.play_rounds(40)
    info = table_info(RULES, status=m.Status.OVER, event="day-2025-11-21")
    player.visit.feed.push(m.Update(None, player.game.snapshot(0, info), (), False, ""))
    clock = FakeClock(NOON)
    account = FakeAccount(library=library_of(clock.time()))
    return Reader(player.visit, clock, account, WAY_IN, **abilities)


LINES = ["Turn the Tide 2025-11-21: 4 points, place 2 of 2", f"=x=====x-=-_ {DAY_IN}"]


async def test_line_mode_says_what_there_is_to_do_after_the_days_game() -> None:
    async with line_mode() as ada:
        said = ada.paper.lines
        assert 'Type "share" for your result, to tell others, or "today" for the ranking.' in said
        assert 'Type "replay" to see the game again, or "leave".' in said
        assert "another game" not in ada.paper.written


async def test_line_mode_copies_when_asked() -> None:
    async with line_mode(echoes=False, wraps=False, copies=Copying.TMUX) as ada:
        question = " ".join(" ".join(await ada.say("share")).split())
        assert question.endswith(
            'Type "yes" to copy these lines. tmux does it if its option "set-clipboard" is "on".'
        )
        assert "\x1b]52" not in ada.paper.written
        *_, said = await ada.say("yes")
        assert said.endswith(clipboard("\n".join(LINES)))
        assert said.startswith("Sent to your terminal. If there is nothing to paste")


async def test_the_page_after_a_day_begins_with_what_is_shared() -> None:
    player, _ = await shared("day-2025-11-21")
    await player.press("escape")
    assert player.text.index("place 2 of 2") < player.text.index(SIGNS) < player.text.index(" wins")
