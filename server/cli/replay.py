"""``tide replay``: watch a finished game again, in any terminal, as a picture or as a recording."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from click.exceptions import Exit

from engine.records.outcome import kinds_of, report_of
from engine.views import table_view
from server.cleaning import clean_text
from server.cli.commands import fail, finish, own_words, write_new
from server.cli.config import PATH, state_option
from server.cli.records import Game, account, games_of, shown_names
from server.fullscreen.widgets.drawing import look_for
from server.i18n.lookup import Words
from server.playback import (
    EVERYBODY,
    OPEN,
    ReplayedGame,
    ReplayPosition,
    pictures_of,
    seconds_of,
    shown,
)
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.svg import cells_of, svg
from server.terminal.drawing.theme import theme_for
from server.text.history import shared_text
from server.timers import SystemClock

_RECORDED: Final = Size(80, 24)
"""The size of a recording ..."""
_PICTURE: Final = Size(112, 36)
"""... and of a picture."""
_LAST: Final = 999
"""Number of the last picture of a moment."""


def svg_picture(position: ReplayPosition, words: Words) -> str:
    """Draw a moment of a game as an SVG."""
    from server.fullscreen.replay.page import replay_screen

    title = position.game.info.title
    keys, look = (("tide replay", title),), look_for(words.language, True, False)
    frame = replay_screen(position, _LAST, ("", ""), ("", ""), keys, _PICTURE, look)
    theme = theme_for(Capabilities(colours=Colours.TRUE))
    return svg(cells_of(frame, theme, _PICTURE.columns), title)


def asciicast(
    game: ReplayedGame, words: Words, *, viewpoint: int = EVERYBODY, speed: float = 1.0
) -> Iterator[str]:
    """Yield the lines of an asciicast v2 recording (docs.asciinema.org), ``speed`` times as fast."""
    from server.fullscreen.replay.page import replay_screen

    header = {
        "version": 2,
        "width": _RECORDED.columns,
        "height": _RECORDED.rows,
        "title": game.info.title,
        "env": {"TERM": "xterm-256color", "SHELL": "/bin/sh"},
    }
    yield json.dumps(header)
    renderer = FrameEncoder(theme_for(Capabilities(colours=Colours.INDEXED)))
    look = look_for(words.language, True, False, Colours.INDEXED)
    now = 0.0
    yield _event(now, renderer.enter())
    position = ReplayPosition(game)
    position.viewpoint = viewpoint
    said, keys = ("dim", position.seen_in_words(words)), (("tide replay", game.info.title),)
    for at, moment in enumerate(game.moments):
        position.at = at
        place = ("dim", f"{at + 1}/{len(game.moments)}")
        for picture in range(pictures_of(moment)):
            frame = replay_screen(position, picture, said, place, keys, _RECORDED, look)
            if text := renderer.update(frame, _RECORDED):
                yield _event(now, text)
            now += seconds_of(moment, picture) / speed
    yield _event(now, renderer.leave())


def _event(now: float, text: str) -> str:
    return json.dumps([round(now, 3), "o", text])


@click.command()
@click.argument(
    "given",
    metavar="FILE|ID",
    help="A file with one record, - for standard input, or a number from tide records list.",
)
@state_option
@click.option(
    "--asciicast",
    metavar="FILE",
    type=PATH,
    help="Write an asciicast v2 recording for asciinema instead.",
)
@click.option(
    "--svg", metavar="FILE", type=PATH, help="Write a picture instead: of the end, or of --at."
)
@click.option(
    "--at",
    metavar="STAGE[.ROUND]",
    default="",
    help="The moment of the picture, such as 3 or 3.7.",
    show_default="the end",
)
@click.option("--summary", is_flag=True, help="Print a few lines about the game, for a chat.")
@click.option(
    "--speed",
    metavar="FACTOR",
    type=click.FloatRange(0.1, 100),
    default=1.0,
    help="Speed of the recording.",
)
@click.option(
    "--view",
    "viewpoint",
    metavar="hands|public|SEAT",
    default="public",
    help="What is shown: all hands, what was public, or the view from a seat (1 is the first).",
)
@click.option(
    "--plain", is_flag=True, help="Print the game as text; the default without a terminal."
)
def replay(
    given: str,
    state: Path | None,
    asciicast: Path | None,
    svg: Path | None,
    at: str,
    summary: bool,
    speed: float,
    viewpoint: str,
    plain: bool,
) -> None:
    """Replay a finished game step by step.

    Start at any stage or round, at any speed, as one of the players saw it or with all hands open.
    """
    words = own_words()
    games = list(games_of(given, state, words))
    if None in games:
        raise Exit(1)
    if len(games) > 1 and not plain:
        text = words.n(
            "{given} contains {count} game; only one can be shown",
            "{given} contains {count} games; only one can be shown",
            len(games),
            given=given,
        )
        fail(text)
    game = games[0]
    assert game is not None
    if asciicast is not None:
        _record(game, asciicast, speed, viewpoint, words)
    elif svg is not None:
        _draw(game, svg, at, viewpoint, words)
    elif summary:
        finish(_summary(game, words))
    elif plain or not _has_screen():
        finish(account(report_of(game.replay), game.title, words))
    else:
        _watch(game, words)


def _has_screen() -> bool:
    from server.transport.net.terminal_detection import can_place_cursor

    here = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    return here and can_place_cursor(os.environ.get("TERM", ""))


def _watch(game: Game, words: Words) -> None:
    """Show it on this terminal until the viewer leaves, and restore the terminal."""
    from server import logs
    from server.fullscreen.page_map import ReplayRouter
    from server.terminal.application import PlayerApplication
    from server.transport.session.terminals import LocalTerminal

    async def watch() -> None:
        terminal = LocalTerminal(os.environ)
        viewer = PlayerApplication(terminal, ReplayRouter(seen, SystemClock(), terminal.abilities))
        with terminal.taken_over(viewer.feed, viewer.resized, viewer.end_of_input):
            await viewer.play()

    logs.set_up(level="error")
    seen = shown(game.replay, shown_names(game.replay.record, words), game.table)
    asyncio.run(watch())


def _record(game: Game, file: Path, speed: float, viewpoint: str, words: Words) -> None:
    seen, whose = _seen(game, viewpoint, words)
    write_new(file, [f"{line}\n" for line in asciicast(seen, words, viewpoint=whose, speed=speed)])
    finish([words.t("Written. To watch it: asciinema play {file}", file=clean_text(str(file)))])


def _draw(game: Game, file: Path, at: str, viewpoint: str, words: Words) -> None:
    seen, whose = _seen(game, viewpoint, words)
    position = ReplayPosition(seen)
    position.viewpoint = whose
    position.move_to(position.last)
    if at and (wrong := position.go_to(at, words)):
        fail(f"--at: {wrong}", 2)
    write_new(file, [svg_picture(position, words)])
    finish([words.t("Written: {file}", file=clean_text(str(file)))])


def _summary(game: Game, words: Words) -> list[str]:
    record = game.replay.record
    names, kinds = shown_names(record, words), kinds_of(record.fields(), len(record.players))
    left = [seat for seat, kind in enumerate(kinds) if kind == "left"]
    return shared_text(table_view(game.replay.last), names, words, left=left)


def _seen(game: Game, viewpoint: str, words: Words) -> tuple[ReplayedGame, int]:
    """Return the game and the viewpoint's seat. Ends the command if there is no such viewpoint."""
    record = game.replay.record
    seats = {str(seat + 1): seat for seat in range(record.rules.players)}
    whose = {"hands": OPEN, "public": EVERYBODY, **seats}.get(viewpoint)
    if whose is None:
        text = words.t(
            "--view must be hands, public, or a seat from 1 to {last}", last=record.rules.players
        )
        fail(text, 2)
    return shown(game.replay, shown_names(record, words), game.table), whose
