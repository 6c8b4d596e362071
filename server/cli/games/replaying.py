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
from server.transport.local_terminal import LocalTerminal


def watch(replay: Replay, title: str, words: Words) -> None:
    """Show it until the viewer leaves, and restore the terminal."""
    logs.set_up(level="error")
    asyncio.run(_watch(shown(replay, shown_names(replay.record, words), title)))


async def _watch(game: RecordedGame) -> None:
    terminal = LocalTerminal(os.environ)
    router = ReplayRouter(game, SystemClock(), terminal.abilities)
    viewer = PlayerApplication(terminal, router)
    with terminal.taken_over(viewer.feed, viewer.resized, viewer.end_of_input):
        await viewer.run_async()
