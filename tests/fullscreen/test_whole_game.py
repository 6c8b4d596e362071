"""From the title to the standings, with the real tables behind it, on a terminal in memory."""

from typing import Any

import pytest

from server.coordinator.messages import Status
from server.fullscreen.pages.page import PageScreen
from server.fullscreen.router import Router
from server.i18n.lookup import words_for
from server.terminal.capabilities import Size
from server.terminal.drawing.caches import Memo
from server.terminal.drawing.frame import Frame
from tests.support.pilot import Sitting


async def begin(sitting: Sitting) -> None:
    """Open a table of three for one stage, and begin."""
    await sitting.wait()
    await sitting.press("l", "n", "down", "left", "down", "left", "left", "enter")
    await sitting.wait(0.1)
    await sitting.press("enter")
    await sitting.wait(0.5)


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
        await begin(sitting)
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


async def test_what_is_kept_from_frame_to_frame_is_as_if_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = Router.frame

    def compared(router: Router, size: Size) -> Frame:
        kept = frame(router, size)
        vars(router.page).update(_kept=Memo())
        assert PageScreen.frame(router, size).rows == kept.rows
        return kept

    monkeypatch.setattr(Router, "frame", compared)
    sitting = Sitting(Size(80, 24))
    async with sitting.pilot:
        await begin(sitting)
        for _ in range(200):
            await sitting.press("right", "enter")
            for number in range(10):
                await sitting.wait(0.4)
                if number in (2, 8):
                    await sitting.press("1")  # says so, also while a round is shown
            if sitting.status is Status.OVER:
                break
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()
