"""From the title to the standings, with the real tables behind it, on a terminal in memory."""

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from server.coordinator.messages import Status
from server.fullscreen.pages.page import PageScreen
from server.fullscreen.router import Router
from server.fullscreen.table.view import KeptRows
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from tests.support.pilot import Sitting


async def play(sitting: Sitting) -> list[str]:
    """Open a table of three for one stage, and play it with three keys. What the log said."""
    await sitting.press("l", "n", "down", "left", "down", "left", "left", "enter")
    await sitting.wait(0.1)
    assert "Table " in sitting.pilot.text
    await sitting.press("enter")
    await sitting.wait(0.5)
    told: list[str] = []
    for _ in range(200):
        if sitting.status is Status.OVER and sitting.controller.context.reveal.scene is None:
            break
        await sitting.press(" ", "right", "enter")
        await sitting.wait(4)
        text = sitting.pilot.text
        if "lost" in text or "took" in text:
            told.append(text)
    return told


@pytest.mark.parametrize(
    "size", [Size(80, 24), Size(60, 20), Size(40, 15), Size(200, 50)], ids=lambda s: f"{s.columns}"
)
async def test_a_whole_game_with_three_keys(size: Size) -> None:
    sitting = Sitting(size)
    async with sitting.pilot:
        await sitting.wait()
        await play(sitting)
        assert "Final standings" in sitting.pilot.text
        assert re.search(r"(wins|share the win) with \d+ points?", sitting.pilot.text)
        await sitting.press("r")
        await sitting.wait(1)
        assert "round 1/12" in sitting.pilot.text
        await sitting.press("escape", "g")
        await sitting.wait(0.5)
        assert "Lobby" in sitting.pilot.text
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
        vars(router.page).update(_kept=KeptRows())
        assert PageScreen.frame(router, size).rows == kept.rows
        return kept

    monkeypatch.setattr(Router, "frame", compared)
    sitting = Sitting(Size(80, 24))
    async with sitting.pilot:
        await sitting.wait()
        await sitting.press("l", "n", "down", "left", "down", "left", "left", "enter")
        await sitting.wait(0.1)
        await sitting.press("enter")
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


async def test_the_whole_game_as_it_was_told(golden: SnapshotAssertion) -> None:
    sitting = Sitting(Size(80, 24))
    async with sitting.pilot:
        await sitting.wait()
        told = await play(sitting)
        rounds: list[str] = []
        for text in told:
            lines = text.splitlines()[:23]
            first = next((n for n, line in enumerate(lines) if line.startswith(" round ")), 23)
            rounds += [line for line in lines[first:] if line.strip() and line not in rounds]
        assert "\n".join([*rounds, "", sitting.pilot.text]) == golden
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()


@pytest.mark.parametrize("language", ["de", "pt"])
async def test_a_whole_game_in_another_language_and_ascii(language: str) -> None:
    sitting = Sitting(Size(80, 24), language=language, unicode=False, thin=True)
    async with sitting.pilot:
        await sitting.wait()
        await sitting.press("l", "n", "down", "left", "down", "left", "left", "enter")
        await sitting.wait(0.1)
        await sitting.press("enter")
        for _ in range(200):
            if sitting.status is Status.OVER and sitting.controller.context.reveal.scene is None:
                break
            await sitting.press(" ", "right", "enter")
            await sitting.wait(4)
        title = {"de": "Endstand", "pt": "Resultado final"}[language]
        assert title in sitting.pilot.text
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()
