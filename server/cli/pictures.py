"""A finished game as a picture, or as a recording."""

import json
from collections.abc import Iterator
from typing import Final

from server.fullscreen.replay.page import replay_screen
from server.fullscreen.widgets.drawing import look_for
from server.i18n.lookup import Words
from server.playback.replayed_game import EVERYBODY, ReplayedGame, ReplayPosition
from server.playback.reveal_player import pictures_of, seconds_of
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.svg import cells_of, svg
from server.terminal.drawing.theme import theme_for

_RECORDED: Final = Size(80, 24)
"""The size of a recording ..."""
_PICTURE: Final = Size(112, 36)
"""... and of a picture."""
_LAST: Final = 999
"""Number of the last picture of a moment."""


def svg_picture(position: ReplayPosition, words: Words) -> str:
    """A moment of a game as an SVG."""
    title = position.game.info.title
    keys, look = (("tide replay", title),), look_for(words.language, True, False)
    frame = replay_screen(position, _LAST, ("", ""), ("", ""), keys, _PICTURE, look)
    theme = theme_for(Capabilities(colours=Colours.TRUE))
    return svg(cells_of(frame, theme, _PICTURE.columns), title)


def asciicast(
    game: ReplayedGame, words: Words, *, viewpoint: int = EVERYBODY, speed: float = 1.0
) -> Iterator[str]:
    """The game as an asciicast v2 recording (see docs.asciinema.org), line by line.

    A header, then what is written when. Times are in seconds, ``speed`` times as fast as on the screen.
    """
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
