"""Tournaments as programs are told them (docs/api.md, "tournaments")."""

from typing import Any, Final

from server.coordinator import messages as m
from server.i18n.lookup import Words
from server.jsonapi.choices import OptionsData, options_data
from server.jsonapi.field_lists import Part, each, list_of, made
from server.text.tournaments import shared_cup

TOURNAMENT_INFO: Final = Part(
    m.TournamentInfo,
    "tournament=id name=plan.name rounds=plan.rounds call=plan.call pause=plan.pause places=plan.places"
    " phase round players director? guests tables playing begins? entered directs table? longest"
    " place? lifted stuck winners",
    options=made(OptionsData, "plan.options", options_data),
)
"""A tournament in a list."""
_CELL: Final = Part(m.TournamentCell, "table seat opponents points score stayed")
_ROW: Final = Part(
    m.TournamentRow,
    "place name total opponents best exact withdrawn you",
    rounds=made(
        list_of(_CELL.type | None),
        "rounds",
        lambda cells: [cell and _CELL(cell) for cell in cells],
    ),
)
_SEATS: Final = Part(
    m.TournamentSeats,
    "number names done round awaited due?",
    stage=made(int | None, "stage", lambda stage: None if stage < 0 else stage),
)
TOURNAMENT_VIEW: Final = Part(
    m.TournamentView,
    "commitments seeds",
    tournament=made(TOURNAMENT_INFO.type, "info", TOURNAMENT_INFO),
    standings=each(_ROW, "rows"),
    tables=each(_SEATS, "tables"),
)
"""All of one."""


def answer(command: m.Command, reply: m.Reply, words: Words, way_in: str) -> dict[str, Any]:
    """What the answer to a command about tournaments has; ``way_in`` is that of ``ConnectionStats``."""
    if (view := reply.tournament) is not None:
        told = {"tournament": TOURNAMENT_VIEW(view)}
        over = view.info.phase is m.TournamentPhase.OVER
        return {**told, "share": shared_cup(view, words, way_in)} if over else told
    return {"opened": reply.details["tournament"]} if isinstance(command, m.OpenTournament) else {}
