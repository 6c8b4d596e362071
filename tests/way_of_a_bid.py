"""What a bid passes, from Enter on the full screen to the picture that shows it (``python -m
tests.way_of_a_bid``).
"""

import asyncio
import sys
from pathlib import Path
from types import FrameType
from typing import Final

from server.coordinator.messages import Pace, QuickGame
from server.session.preferences import SOLO
from server.terminal.fair_queue import queues_of
from tests.support.pilot import NORMAL, Sitting

ROOT: Final = Path(__file__).resolve().parents[1]

Call = tuple[str, str]
"""A file of the program, and the qualified name of a function there."""


async def followed() -> list[Call]:
    """Return every call of a function of ours that a bid leads to, in order: one player among bots, with the
    database in memory and without a transport.
    """
    calls: list[Call] = []

    def called(frame: FrameType, event: str, _: object) -> None:
        # Comprehensions are no functions; from Python 3.12 on, they have no frames either.
        named = not frame.f_code.co_name.endswith(("comp>", "genexpr>"))
        if event == "call" and named and frame.f_code.co_filename.startswith(str(ROOT)):
            file = Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()
            if file.startswith(("server/", "engine/")):
                calls.append((file, frame.f_code.co_qualname))

    queues_of(asyncio.get_running_loop())  # which a server has since its first session
    sitting = Sitting(NORMAL)
    async with sitting.pilot:
        await sitting.wait()
        await sitting.visit.submit(QuickGame(SOLO.changed(pace=Pace.UNTIMED)))
        await sitting.wait(5)
        await sitting.press("right")
        await sitting.wait(5)
        sys.setprofile(called)
        try:
            await sitting.press("enter")
            await sitting.wait(5)
        finally:
            sys.setprofile(None)
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()
    return calls


def main() -> None:
    """Print how much that is, and each function where it is called first."""
    calls = asyncio.run(followed())
    files, functions = {file for file, _ in calls}, list(dict.fromkeys(calls))
    print(f"calls {len(calls)} distinct files {len(files)} distinct functions {len(functions)}")
    for file, function in functions:
        print(file, function)


if __name__ == "__main__":
    main()
