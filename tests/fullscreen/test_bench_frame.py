"""The screen that is measured is right, and the measuring runs."""

from itertools import islice

from bench.frame import SIZE, measure, ours, reveals, seat_frame, statuses, stock
from bench.stock import THEME, Stock
from server.terminal.drawing.frame_encoder import FrameEncoder
from tests.support.glass import Glass, expected_lines


def test_the_measured_screen_is_shown() -> None:
    glass, renderer = Glass(SIZE), FrameEncoder(THEME)
    glass.write(renderer.enter())
    for pictures in (statuses(), reveals()):
        for picture in islice(pictures, 8):
            frame = seat_frame(picture, 1)
            glass.write(renderer.update(frame, SIZE))
            assert glass.lines == expected_lines(frame, SIZE, THEME)


def test_the_stock_renderer_shows_the_same() -> None:
    glass, screen = Glass(SIZE), Stock(0, SIZE)
    for picture in islice(reveals(), 8):
        frame = seat_frame(picture, 0)
        glass.write(screen.draw(frame.rows))
        shown = ["".join(text for _, text in line).rstrip() for line in frame.rows]
        assert [line.rstrip() for line in glass.lines[: len(shown)]] == shown


def test_ours_sends_less_than_stock() -> None:
    for pictures in (statuses, reveals):
        mine = measure(ours(1), pictures(), 10)
        for windows in (24, 1, 0):
            assert 0 < mine.bytes < measure(stock(windows), pictures(), 10).bytes
