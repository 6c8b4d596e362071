"""The notice that the server closes; the bell and the notification."""

import pytest

from server.coordinator.messages import LobbySnapshot
from server.ui.attention import attention
from server.ui.closing import with_notice
from server.ui.frame import Frame, row
from server.ui.i18n import words_for
from server.ui.preferences import Preferences
from server.ui.terminal import Abilities, Size
from tests.ui.fakes import Player1

WORDS = words_for("en")


def text(frame: Frame) -> list[str]:
    return ["".join(part for _, part in each) for each in frame.rows]


async def test_the_lobby_counts_down_in_coarse_steps() -> None:
    player = Player1()
    closing = player.clock.time() + 60
    await player.lobby(LobbySnapshot((), ("ada",), closing))
    assert "The server closes in 60 s." in player.text
    await player.clock.advance(5)
    assert "The server closes in 60 s." in player.text
    await player.clock.advance(6)
    assert "The server closes in 45 s." in player.text
    await player.clock.advance(60)
    assert "The server closes now." in player.text
    await player.lobby(LobbySnapshot((), ("ada",)))
    assert "The server closes" not in player.text


def test_the_notice_stands_where_nothing_is_said() -> None:
    size = Size(20, 4)
    frame = Frame((row("title"), row("~~~~~~~~"), row("body"), row("keys")))
    assert text(with_notice(frame, "soon", size)) == ["title", "~~~~~~~ soon ", "body", "keys"]
    frame = Frame((row("title"), row("one"), row("two"), row("three"), row("four"), row("keys")))
    assert [line.strip() for line in text(with_notice(frame, "soon", size))][-1] == "keys    soon"


@pytest.mark.parametrize(
    ("bell", "notify", "way", "sent"),
    [
        (True, True, "", "\a"),
        (False, True, "", ""),
        (True, False, "osc9", "\a"),
        (False, True, "osc9", "\x1b]9;Turn the Tide: All wait for you.\x1b\\"),
        (True, True, "osc777", "\a\x1b]777;notify;Turn the Tide;All wait for you.\x1b\\"),
    ],
)
def test_only_terminals_that_are_known_to_take_it_get_a_notification(
    bell: bool, notify: bool, way: str, sent: str
) -> None:
    wanted = Preferences(bell=bell, notify=notify)
    assert attention(wanted, Abilities(notifies=way), "All wait for you.") == sent
