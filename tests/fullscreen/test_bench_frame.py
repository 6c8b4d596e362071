"""The screen that is measured is right, and the measuring runs."""

from itertools import islice

from bench.frame import SIZE, THEME, Stock, measure, ours, reveals, seat_frame, statuses
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


def test_ours_sends_less_than_stock() -> None:
    for pictures in (statuses, reveals):
        mine = measure(ours(1), pictures(), 10)
        stock = measure(Stock(24), pictures(), 10)
        assert 0 < mine.bytes < stock.bytes
