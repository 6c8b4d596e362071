"""A replay on the local terminal."""

import asyncio
import os

from engine.replay import Replay
from server import logs
from server.cli.account import shown_names
from server.coordinator.clock import SystemClock
from server.transport.tty import LocalTerminal
from server.ui.i18n import Words
from server.ui.replay_controller import ReplayController
from server.ui.replaying import Shown, shown
from server.ui.tui import TuiSession


def watch(replay: Replay, title: str, words: Words) -> None:
    """Show it until the viewer has seen enough; the terminal is as before then."""
    logs.set_up(level="error")
    asyncio.run(_watch(shown(replay, shown_names(replay.record, words), title)))


async def _watch(game: Shown) -> None:
    with LocalTerminal(os.environ) as terminal:
        controller = ReplayController(game, SystemClock(), terminal.abilities)
        viewer = _Viewer(TuiSession(terminal, controller))
        terminal.attach(viewer)
        await viewer.run()


class _Viewer:
    """What the terminal tells: see ``tty.Listener``."""

    def __init__(self, tui: TuiSession) -> None:
        self._tui = tui

    async def run(self) -> None:
        """Until the viewer leaves, or the terminal is gone."""
        await self._tui.run()

    def feed(self, text: str) -> None:
        """See ``Listener``."""
        self._tui.feed(text)

    def resized(self) -> None:
        """See ``Listener``."""
        self._tui.resized()

    def hang_up(self) -> None:
        """See ``Listener``."""
        self._tui.end_of_input()
