"""A replay on the local terminal."""

import asyncio
import os

from engine.replay import Replay
from server import logs
from server.cli.games.transcript import shown_names
from server.coordinator.clock import SystemClock
from server.fullscreen.replay_router import ReplayRouter
from server.i18n.catalogues import Words
from server.playback.recorded_game import RecordedGame, shown
from server.terminal.application import PlayerApplication
from server.transport.local.tty import LocalTerminal


def watch(replay: Replay, title: str, words: Words) -> None:
    """Show it until the viewer leaves, and restore the terminal."""
    logs.set_up(level="error")
    asyncio.run(_watch(shown(replay, shown_names(replay.record, words), title)))


async def _watch(game: RecordedGame) -> None:
    with LocalTerminal(os.environ) as terminal:
        router = ReplayRouter(game, SystemClock(), terminal.abilities)
        viewer = _Viewer(terminal, router)
        terminal.attach(viewer)
        await viewer.run_async()


class _Viewer(PlayerApplication):
    """Passes what the terminal reports on to the replay."""

    def hang_up(self) -> None:
        """The terminal has been closed (``TtyListener``)."""
        self.end_of_input()
