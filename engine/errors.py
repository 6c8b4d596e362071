"""What can go wrong: bad rules, illegal actions, unreadable records, and what a tournament does not allow.

Each carries a locale-neutral ``code`` and the facts as ``details``; only a presenter makes sentences.
Anything else that the engine raises is a bug of ours.
"""

from typing import Final


class EngineError(Exception):
    """Base of the engine's own errors.

    ``code`` is a short stable word; ``details`` are plain values that explain it.
    """

    def __init__(self, code: str, **details: int | str) -> None:
        super().__init__(code, details)
        self.code: Final = code
        self.details: Final = details

    def __str__(self) -> str:
        facts = ", ".join(f"{key}={value}" for key, value in self.details.items())
        return f"{self.code} ({facts})" if facts else self.code


class BadRules(EngineError):
    """A combination of edition, players and options that does not exist."""


class IllegalAction(EngineError):
    """An action that the rules forbid in this state; the state is untouched."""


class BadDeal(EngineError):
    """Hands that cannot have been dealt under the rules of the game."""


class TournamentError(EngineError):
    """What a tournament does not allow as it is (codes: see ``engine.tournament.progress``)."""


class RecordError(EngineError):
    """A game record that cannot be read, or in which something happens that the rules forbid.

    ``stage``, ``round`` and ``seat`` say where, counted from 0; ``None`` where the error is not about
    one of them. Codes: see ``engine.records.record_format`` (form) and ``engine.records.replay`` (play).
    """

    def __init__(
        self,
        code: str,
        *,
        stage: int | None = None,
        round_: int | None = None,
        seat: int | None = None,
        **details: int | str,
    ) -> None:
        super().__init__(code, **details)
        self.stage: Final = stage
        self.round: Final = round_
        self.seat: Final = seat

    def __str__(self) -> str:
        places = (("stage", self.stage), ("round", self.round), ("seat", self.seat))
        where = " ".join(f"{name}[{number}]" for name, number in places if number is not None)
        return f"{where}: {super().__str__()}" if where else super().__str__()
