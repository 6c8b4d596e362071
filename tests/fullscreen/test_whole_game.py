"""From the title to the standings, with the real tables behind it, on a terminal in memory."""

from typing import Any

import pytest

from server.coordinator.messages import Status
from server.i18n.lookup import words_for
from server.terminal.capabilities import Size
from tests.support.pilot import Sitting


@pytest.mark.parametrize(
    ("size", "abilities"),
    [
        (Size(80, 24), {}),
        (Size(60, 20), {}),
        (Size(40, 15), {}),
        (Size(200, 50), {}),
        (Size(80, 24), {"language": "de", "unicode": False, "thin": True}),
        (Size(80, 24), {"language": "pt", "unicode": False, "thin": True}),
    ],
    ids=str,
)
async def test_a_whole_game_with_three_keys(size: Size, abilities: dict[str, Any]) -> None:
    sitting = Sitting(size, **abilities)
    words = words_for(abilities.get("language", "en"))
    async with sitting.pilot:
        await sitting.wait()
        await sitting.press("l", "n", "down", "left", "down", "left", "left", "enter")
        await sitting.wait(0.1)
        await sitting.press("enter")
        await sitting.wait(0.5)
        for _ in range(200):
            if sitting.status is Status.OVER and sitting.controller.context.reveal.scene is None:
                break
            await sitting.press(" ", "right", "enter")
            await sitting.wait(4)
        assert words.t("Final standings") in sitting.pilot.text
        await sitting.press("r")
        await sitting.wait(1)
        assert words.t("round {round}/{rounds}", round=1, rounds=12) in sitting.pilot.text
        await sitting.press("escape", "g")
        await sitting.wait(0.5)
        assert words.t("Lobby") in sitting.pilot.text
        await sitting.press("q", "y")
        assert sitting.controller.done
    sitting.controller.close()
    sitting.visit.close()
