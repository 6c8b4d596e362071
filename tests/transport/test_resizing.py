"""How often a terminal that changes its size is drawn anew."""

from server.transport.resizing import AT_ONCE, SELDOMER, Resizing


class Clock:
    """Seconds, moved by the test."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def pictures(pace: Resizing, clock: Clock, seconds: float) -> int:
    """How often a terminal is drawn whose size never stays the same for so long."""
    end = clock.now + seconds
    count = 0
    while clock.now < end:
        count += 1
        clock.now += pace.drawn()
    return count


def test_who_drags_a_border_sees_it_follow_and_who_never_stops_costs_little() -> None:
    clock = Clock()
    pace = Resizing(0.1, clock)
    assert pictures(pace, clock, 0.75) == AT_ONCE
    assert pictures(pace, clock, 8.0) <= 8.0 / (0.1 * SELDOMER) + 2


def test_after_a_rest_it_follows_at_once_again() -> None:
    clock = Clock()
    pace = Resizing(0.1, clock)
    pictures(pace, clock, 10.0)
    clock.now += 0.1 * SELDOMER * AT_ONCE
    assert pace.drawn() == 0.1


def test_without_a_limit_there_is_none() -> None:
    assert Resizing(0.0, Clock()).drawn() == 0.0
