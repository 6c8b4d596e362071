"""How often a terminal that changes its size is drawn anew."""

import pytest

from server.transport.net.resize_limiter import APART, AT_ONCE, CALM, SELDOMER, ResizeLimiter
from tests.support.pilot import FakeTimers

SHORTEST = 0.1


class Terminal:
    """Counts how often it is drawn, and at which size the last time."""

    def __init__(self, shortest: float = SHORTEST) -> None:
        self.timers = FakeTimers()
        self.size = self.drawn = 0
        self.pictures: list[float] = []
        self.pace = ResizeLimiter(shortest, self.timers, self._draw)

    def _draw(self) -> None:
        self.drawn = self.size
        self.pictures.append(self.timers.now)

    def drag(self, seconds: float, step: float = 0.02) -> int:
        """Another size every so often; how many pictures that made."""
        before = len(self.pictures)
        for _ in range(round(seconds / step)):
            self.size += 1
            self.pace.changed()
            self.timers.advance(step)
        return len(self.pictures) - before


def test_another_size_is_drawn_at_once() -> None:
    terminal = Terminal()
    terminal.size = 1
    assert terminal.pace.changed() is False
    assert terminal.drawn == 1
    terminal.timers.advance(1)
    assert len(terminal.pictures) == 1
    assert terminal.timers.pending == 0


def test_who_drags_a_border_sees_it_follow_and_who_never_stops_costs_little() -> None:
    terminal = Terminal()
    assert terminal.drag(SHORTEST * (AT_ONCE - 0.5)) == AT_ONCE
    seconds = 20 * SELDOMER * SHORTEST
    assert 15 <= terminal.drag(seconds) <= 22


def test_the_last_size_is_drawn_soon_after_the_border_has_been_let_go() -> None:
    terminal = Terminal()
    terminal.drag(5.0)
    assert terminal.drawn != terminal.size
    terminal.timers.advance(SHORTEST * (CALM + 1))
    assert terminal.drawn == terminal.size
    terminal.timers.advance(5)
    assert terminal.timers.pending == 0


@pytest.mark.parametrize("step", [0.15, 0.25, 0.35])
def test_who_pauses_for_breath_is_not_drawn_much_oftener(step: float) -> None:
    terminal = Terminal()
    terminal.drag(10.0, step)
    assert terminal.drag(60.0, step) <= 60 / (APART * SHORTEST) + 2


def test_after_a_rest_it_follows_at_once_again() -> None:
    terminal = Terminal()
    terminal.drag(10.0)
    terminal.timers.advance(SHORTEST * SELDOMER * (AT_ONCE + 1))
    assert terminal.drag(SHORTEST * (AT_ONCE - 0.5)) == AT_ONCE


def test_after_a_rest_it_follows_again_however_often_it_was_drawn_out_of_turn() -> None:
    terminal = Terminal()
    terminal.drag(60.0, 0.35)
    terminal.timers.advance(SHORTEST * SELDOMER * (AT_ONCE + 1))
    assert terminal.drag(SHORTEST * (AT_ONCE - 0.5)) == AT_ONCE


def test_without_a_limit_there_is_none() -> None:
    terminal = Terminal(0.0)
    assert terminal.drag(1.0) == 50
    assert terminal.timers.pending == 0


def test_nothing_is_drawn_after_the_end() -> None:
    terminal = Terminal()
    terminal.drag(1.0)
    pictures = len(terminal.pictures)
    terminal.pace.stop()
    terminal.timers.advance(10)
    assert len(terminal.pictures) == pictures
