"""A replay as an asciicast v2 recording (see docs.asciinema.org): a header, then what is written when."""

import json
from collections.abc import Iterator
from typing import Final

from server.fullscreen.replay.view import ReplayFocus, replay_screen
from server.fullscreen.widgets.drawing import look_for
from server.i18n.catalogues import Words
from server.playback.recorded_game import EVERYBODY, RecordedGame, ReplayPosition
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.theme import theme_for

SIZE: Final = Size(80, 24)


def asciicast(
    game: RecordedGame, words: Words, *, viewpoint: int = EVERYBODY, speed: float = 1.0
) -> Iterator[str]:
    """The recording's lines. Times are in seconds, ``speed`` times as fast as on the screen."""
    header = {
        "version": 2,
        "width": SIZE.columns,
        "height": SIZE.rows,
        "title": game.title,
        "env": {"TERM": "xterm-256color", "SHELL": "/bin/sh"},
    }
    yield json.dumps(header)
    renderer = FrameEncoder(theme_for(Capabilities(colours=Colours.INDEXED)))
    look = look_for(words, True, False)
    now = 0.0
    yield _event(now, renderer.enter())
    position = ReplayPosition(game)
    position.viewpoint = viewpoint
    said = ("dim", position.seen_in_words(words))
    for at, moment in enumerate(game.moments):
        position.at = at
        place = ("dim", f"{at + 1}/{len(game.moments)}")
        focus = ReplayFocus(said, place, (("tide replay", game.title),))
        for picture in range(moment.pictures):
            text = renderer.update(replay_screen(position, picture, focus, SIZE, look), SIZE)
            if text:
                yield _event(now, text)
            now += moment.seconds(picture) / speed
    yield _event(now, renderer.leave())


def _event(now: float, text: str) -> str:
    return json.dumps([round(now, 3), "o", text])
