"""Days of today's tide, made up."""

from server.coordinator.events.days import OPPONENTS, DayPage, Try

TRIES = (
    Try(1, "bo", 9, (8, 4, 2), 99, "account:2"),
    Try(2, "ada", 4, (9, 9, 1), 97, "account:1", True),
)


def a_day(state: str, *, closed: bool = False, tries: bool = False) -> DayPage:
    """One that lasts for an hour after the fake clock's beginning."""
    return DayPage(
        "2025-11-21",
        1_003_600.0,
        1_007_200.0,
        closed,
        "cd" * 32,
        "ab" * 32 if closed else "",
        OPPONENTS,
        2,
        state,
        tries=TRIES if tries else (),
        tomorrow="" if closed else "ef" * 32,
    )
