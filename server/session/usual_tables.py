"""What new tables are when nobody chooses."""

from typing import Final

from engine.bots.manners import NAMES as BOT_NAMES
from engine.editions import Edition, Rules
from engine.records.outcome import TUTORIAL_RULES
from server.coordinator import messages as m

SOLO: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.UNTIMED)
"""One person against three bots, without a clock."""
TUTORIAL: Final = m.TableOptions(TUTORIAL_RULES, m.Pace.UNTIMED)
"""What the guide comes along to: one stage against three bots, without a clock."""
NEW_TABLE: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.TIMED)
"""What a new table is suggested to be."""
TOURNAMENT: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.TIMED, 30)
"""What the tables of a new tournament are suggested to be."""


def is_tutorial(info: m.TablePublic) -> bool:
    """Whether somebody learns the game at this table, alone: what comes after that is a whole one."""
    people = sum(seat.occupant is m.Occupant.HUMAN for seat in info.seats)
    return people == 1 and info.options == TUTORIAL


def same_people(table: m.TableSnapshot, name: str) -> tuple[str, ...]:
    """Who has played the game that is over at this table with the player of that name; empty where nobody
    has, where all tables of an event play the same deal, and at a private table, which has its rematch.
    """
    info = table.info
    if info.status is not m.Status.OVER or info.private:
        return ()
    played = info.played_by or tuple([seat.name for seat in info.seats])
    people = tuple([each for each in played if each not in ("", name, *BOT_NAMES)])
    return people if name in played and not info.event else ()


def filling(table: m.TableSnapshot) -> list[m.Command]:
    """Let the kept seats go, seat bots and begin."""
    seats = table.info.seats
    return [
        *(m.KeepSeat(number, "") for number, seat in enumerate(seats) if seat.kept),
        *(m.AddBot() for seat in seats if not seat.name),
        m.StartGame(),
    ]
