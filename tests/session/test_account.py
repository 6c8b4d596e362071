"""Coming back: the code on the screen, another key, and what was chosen the last time."""

from typing import Any

import pytest

from server.playback import ScreenMotion, motion_on
from server.session.preferences import Preferences, abilities_from, preferences_from, to_settings
from server.terminal.capabilities import Capabilities
from tests.support.accounts import ACCOUNT, GUEST, FakeAccount, visitor


async def test_a_guest_sees_the_way_back_at_once_and_can_look_again() -> None:
    player = await visitor(GUEST, FakeAccount("k7m2-p9xq-3dhw"))
    assert "ada+k7m2-p9xq-3dhw" in player.text
    await player.press("l", "a")
    assert "ada+k7m2-p9xq-3dhw" in player.text
    assert "show it to nobody" in player.text
    await player.press("n")
    assert "link" not in player.text
    await player.press("a")
    assert "show it to nobody" not in player.text
    await player.table()
    assert "k7m2" not in player.text
    await player.press("a")
    assert "k7m2" in player.text
    await player.press("escape", "escape")
    assert "to go on, log in as ada+k7m2-p9xq-3dhw" in player.text


async def test_an_account_makes_a_code_for_another_key() -> None:
    account = FakeAccount()
    player = await visitor(ACCOUNT, account)
    await player.press("a")
    assert "link-code" not in player.text
    await player.press("n")
    assert "ada+link-code-1" in player.text
    await player.press("n")
    assert "ada+link-code-2" in player.text
    await player.press("escape", "a")
    assert account.codes == 2, "looking makes none"


async def test_what_is_chosen_is_remembered() -> None:
    account = FakeAccount(settings={"future": 1, "bell": False})
    player = await visitor(ACCOUNT, account)
    assert not player.controller.context.preferences.bell
    await player.press("o", "down", "right")
    assert account.settings["sure"] is True
    assert account.settings["future"] == 1, "what another release has put there stays"
    player.controller.context.set_abilities(thin=True, unicode=False)
    assert account.settings["thin"] is True
    assert "unicode" not in account.settings, "that is the terminal's affair"
    again = await visitor(ACCOUNT, account)
    assert again.controller.context.preferences.sure
    assert again.controller.context.abilities.thin
    assert again.controller.context.abilities.unicode


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"bell": 0, "sure": "yes", "reveal_seconds": 5, "unknown": []},
        {"theme": "fog"},
        {"language": "xx", "theme": 3, "thin": 1, "reveal_seconds": True, "id": "x"},
    ],
)
def test_settings_that_make_no_sense_are_left_out(settings: dict[str, Any]) -> None:
    assert preferences_from(settings) == Preferences()
    assert abilities_from(settings, Capabilities()) == Capabilities()


def test_settings_come_back_as_they_were() -> None:
    chosen = Preferences(sure=True, reveal_seconds=0, bell=False)
    settings = to_settings(chosen, {"theme": "mono", "motion": "none", "light": True}, {})
    assert preferences_from(settings) == chosen
    assert abilities_from(settings, Capabilities()) == Capabilities(theme="mono", motion="none")


def test_on_a_slow_line_less_moves_unless_nothing_does() -> None:
    assert motion_on(Capabilities()) is ScreenMotion.FULL
    assert motion_on(Capabilities(thin=True)) is ScreenMotion.LESS
    assert motion_on(Capabilities(thin=True, motion="none")) is ScreenMotion.NONE
