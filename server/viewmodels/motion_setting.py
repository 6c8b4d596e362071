"""How much moves on the screen by itself: what a player can choose, and what follows from each choice."""

from enum import StrEnum
from typing import Self

from server.i18n.lookup import p_
from server.terminal.capabilities import Capabilities


class ScreenMotion(StrEnum):
    """One of the choices; its value is kept, and what programs call it."""

    word: str
    """What players call it, in the context "motion"."""
    moves: bool
    """Something moves by itself; otherwise there is the last picture at once."""
    flows: bool
    """In many small steps: cards turn up one by one, water flows, and what matters flashes."""

    def __new__(cls, name: str, word: str = "", moves: bool = True, flows: bool = True) -> Self:
        made = str.__new__(cls, name)
        made._value_, made.word, made.moves, made.flows = name, word, moves, flows
        return made

    FULL = "full", p_("motion", "full")
    LESS = "less", p_("motion", "less: few steps, no flashing"), True, False
    NONE = "none", p_("motion", "none"), False, False


def motion_on(terminal: Capabilities) -> ScreenMotion:
    """How much may move there: on a slow line never all."""
    motion = ScreenMotion(terminal.motion)
    return ScreenMotion.LESS if terminal.thin and motion.flows else motion
