"""Tournaments as programs are told them (docs/api.md, "tournaments")."""

from typing import Any, Final

from server.coordinator import messages as m
from server.jsonapi.choices import OptionsData, options_data
from server.jsonapi.parts import Part, each, list_of, made

TOURNAMENT_INFO: Final = Part(
    m.TournamentInfo,
    "tournament=id name=plan.name rounds=plan.rounds call=plan.call pause=plan.pause places=plan.places"
    " phase round players director? guests tables playing begins? entered directs table? longest"
    " place? lifted stuck",
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
TOURNAMENT_VIEW: Final = Part(
    m.TournamentView,
    "commitments seeds",
    tournament=made(TOURNAMENT_INFO.type, "info", TOURNAMENT_INFO),
    standings=each(_ROW, "rows"),
    tables=each(Part(m.TournamentSeats, "number names done"), "tables"),
)
"""All of one."""


def answer(command: m.Command, reply: m.Reply) -> dict[str, Any]:
    """What the answer to a command about tournaments has."""
    if reply.tournament is not None:
        return {"tournament": TOURNAMENT_VIEW(reply.tournament)}
    return {"opened": reply.details["tournament"]} if isinstance(command, m.OpenTournament) else {}
