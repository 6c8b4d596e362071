"""The notice that the server closes; the bell and the notification."""

import pytest

from server.coordinator.messages import LobbySnapshot, Player, Update
from server.fullscreen.widgets.chrome import with_notice
from server.session.attention import attention
from server.session.client import SessionClient, Visitor
from server.session.preferences import Preferences
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from server.terminal.drawing.frame import BLANK, Frame, row
from tests.support.accounts import FakeAccount
from tests.support.fake_clock import FakeClock
from tests.support.fakes import FakeVisit, Player1
from tests.support.snapshots import Game
from tests.support.transcript import Reader

CODE = "k7m2-p9xq-3dhw"


def farewell(name: str, code: str, facts: ConnectionStats) -> tuple[str, ...]:
    player = Player("1", name, True)
    account = FakeAccount(code)
    who = Visitor(player, FakeClock(), Capabilities(), account, facts=lambda: facts)
    return SessionClient(who).farewell("shutdown")


def text(frame: Frame) -> list[str]:
    return ["".join(part for _, part in each) for each in frame.rows]


async def test_the_lobby_counts_down_in_coarse_steps() -> None:
    player = Player1()
    closing = player.clock.time() + 60
    await player.lobby(LobbySnapshot((), ("ada",), closing))
    assert "The server shuts down in 60 s." in player.text
    await player.clock.advance(5)
    assert "The server shuts down in 60 s." in player.text
    await player.clock.advance(6)
    assert "The server shuts down in 45 s." in player.text
    await player.clock.advance(60)
    assert "The server shuts down now." in player.text
    await player.lobby(LobbySnapshot((), ("ada",)))
    assert "The server shuts down" not in player.text


def test_the_notice_stands_where_nothing_is_said() -> None:
    size = Size(20, 4)
    frame = Frame((row("title"), row("~~~~~~~~"), row("body"), row("keys")))
    assert text(with_notice(frame, "soon", size)) == ["title", "~~~~~~~ soon ", "body", "keys"]
    rows = (row("title"), row("1"), row("2"), row("3"), row("4"), BLANK, row("keys"))
    assert text(with_notice(Frame(rows), "soon", size))[-2:] == ["        soon ", "keys"]
    frame = Frame((row("title"), row("one"), row("two"), row("three"), row("four"), row("keys")))
    assert [line.strip() for line in text(with_notice(frame, "soon", size))][-1] == "keys    soon"


@pytest.mark.parametrize(
    ("bell", "notify", "way", "sent"),
    [
        (True, True, "", "\a"),
        (False, True, "", ""),
        (True, False, "osc9", "\a"),
        (False, True, "osc9", "\x1b]9;Turn the Tide: Waiting for you.\x1b\\"),
        (
            True,
            True,
            "osc777",
            "\a\x1b]777;notify;Turn the Tide;Waiting for you.\x1b\\",
        ),
    ],
)
def test_only_terminals_that_are_known_to_take_it_get_a_notification(
    bell: bool, notify: bool, way: str, sent: str
) -> None:
    wanted = Preferences(bell=bell, notify=notify)
    assert attention(wanted, Capabilities(notifies=way), "Waiting for you.") == sent


@pytest.mark.parametrize(
    ("code", "facts", "said"),
    [
        (CODE, ConnectionStats(line="ssh", way_in="-p 2222 host"), f"ssh -p 2222 ada+{CODE}@host"),
        (CODE, ConnectionStats(line="ssh", way_in="host"), f"ssh ada+{CODE}@host"),
        (CODE, ConnectionStats(line="telnet", way_in="-p 2222 host"), f"log in as ada+{CODE}"),
        (CODE, ConnectionStats(line="ssh"), f"log in as ada+{CODE}"),
        ("", ConnectionStats(line="ssh", way_in="-p 2222 host"), "ssh -p 2222 ada@host"),
        ("", ConnectionStats(), "come back later to go on."),
    ],
)
def test_the_farewell_says_how_to_come_back(code: str, facts: ConnectionStats, said: str) -> None:
    lines = farewell("ada", code, facts)
    assert lines[-1].endswith(said)
    assert lines[0].startswith("The server is shutting down.")


def test_a_command_to_come_back_with_can_be_pasted_whatever_the_name() -> None:
    facts = ConnectionStats(line="ssh", way_in="-p 2222 host")
    lines = farewell("ada; rm", CODE, facts)
    assert lines[-1].endswith(f"ssh -p 2222 'ada; rm+{CODE}@host'")


async def test_nothing_follows_the_last_words() -> None:
    clock, visit, game = FakeClock(), FakeVisit(), Game()
    async with Reader(visit, clock) as reader:
        visit.feed.push(Update(None, game.snapshot(), (), False, ""))
        await clock.advance(0)
        for seat in range(1, 5):
            game.bid(seat)
        visit.feed.push(Update(None, game.snapshot(), game.taken(), False, "shutdown"))
        await clock.advance(0)
        assert reader.new()[-1].startswith("The server is shutting down.")
