"""How much line mode says unasked."""

from enum import StrEnum


class Verbosity(StrEnum):
    """How much is said unasked."""

    QUIET = "quiet"
    """The cards only."""
    NORMAL = "normal"
    """Also who comes and goes, and when the others wait."""
    TALKATIVE = "talkative"
    """Also every bid that is sealed, and the levels and the own hand every round."""
