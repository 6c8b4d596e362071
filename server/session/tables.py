"""What new tables are when nobody chooses, and lines that invite to one, as they are written and pasted."""

import re
from typing import Final

from engine.editions import Edition, Rules
from engine.outcome import TUTORIAL_RULES
from server.coordinator import messages as m

SOLO: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.UNTIMED)
"""One person against three bots, without a clock."""
TUTORIAL: Final = m.TableOptions(TUTORIAL_RULES, m.Pace.UNTIMED)
"""What the guide comes along to: one stage against three bots, without a clock."""
NEW_TABLE: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.TIMED)
"""What a new table is suggested to be."""
TOURNAMENT: Final = m.TableOptions(Rules(Edition.AMIGO, players=4), m.Pace.TIMED, 30)
"""What the tables of a new tournament are suggested to be."""


def is_tutorial(info: m.TableInfo) -> bool:
    """Whether somebody learns the game at this table, alone: what comes after that is a whole one."""
    people = sum(seat.occupant is m.Occupant.HUMAN for seat in info.seats)
    return people == 1 and info.options == TUTORIAL


def filling(table: m.TableSnapshot) -> list[m.Command]:
    """Let the kept seats go, seat bots and begin."""
    seats = table.info.seats
    return [
        *(m.KeepSeat(number, "") for number, seat in enumerate(seats) if seat.kept),
        *(m.AddBot() for seat in seats if not seat.name),
        m.StartGame(),
    ]


_CODE: Final = re.compile(
    r"(?<![^\W_])((?:[bdklmnprstvz][aeiou]){4})(?:[+ ]([\w-]+))?(?![\w-])", re.IGNORECASE
)


def invite_line(table: m.TableSnapshot, way_in: str) -> str:
    """What a friend types to sit down here; ``way_in`` is a host, with the options that ssh needs.

    Empty when that is not known. The invitation word of a private table is in it for its owner only.
    """
    if not way_in:
        return ""
    word = f" {table.word}" if table.word else ""
    return f"ssh -t {way_in} join {table.info.id}{word}"


def code_and_word(text: str) -> tuple[str, str]:
    """The code and the invitation word in what somebody typed or pasted: ``CODE``, ``CODE WORD``, or a line
    that invites. What is no code is handed on as it is: whether there is such a table, the lobby knows.
    """
    found = _CODE.search(text)
    if found is not None:
        return found[1].casefold(), (found[2] or "").casefold()
    code, _, word = text.strip().partition(" ")
    return code, word.strip()
