"""A tournament in the middle, made up: as everybody is shown it."""

from itertools import count
from typing import Final

from server.coordinator import messages as m
from server.session.preferences import TOURNAMENT

_NAMES: Final = (
    *("ada", "Maximilianna", "王小明李大华", "Puffin", "eve", "Sprat", "Gudrun", "Hakan", "Ines"),
    *("Jonas", "Kaya", "Lou", "Mina", "Nils", "Oda", "Pelle", "Quim", "Rosa", "Sven", "Tilda"),
)


def a_tournament(phase: m.TournamentPhase = m.TournamentPhase.PLAYING) -> m.TournamentView:
    """Twenty players after three of five rounds; one came late, and one has withdrawn."""
    begun = phase is not m.TournamentPhase.OPEN
    info = m.TournamentInfo(
        "kadubilo",
        m.TournamentPlan("Friday cup", TOURNAMENT),
        phase,
        4 if begun else 0,
        19,
        "Puffin",
        guests=True,
        tables=5 if begun else 0,
        playing=3 if begun else 0,
        entered=True,
        longest=1620,
        place=4 if begun else 0,
        winners=_NAMES[:1] if phase is m.TournamentPhase.OVER else (),
    )
    rows = tuple(_row(place, name, begun) for place, name in zip(count(), _NAMES, strict=False))
    tables = tuple(
        m.TournamentSeats(number + 1, (*_NAMES[number::5][:4],), number < 2)
        for number in range(5 if begun else 0)
    )
    told = tuple("0123456789abcdef"[n] * 64 for n in range(4 if begun else 0))
    return m.TournamentView(info, rows, tables, told, told[:3])


def _row(at: int, name: str, begun: bool) -> m.TournamentRow:
    scores = [(9 - at + n * 3) / 4 for n in range(3)] if begun else []
    cells = [
        m.TournamentCell(
            at % 5 + 1, (at + n) % 4 + 1, ((at + 1) % 20,), at % 7, score, stayed=at % 6 != 5
        )
        for n, score in enumerate(scores)
    ]
    late = tuple(None if at == 10 and not n else cell for n, cell in enumerate(cells))
    total = sum(cell.score for cell in late if cell is not None)
    return m.TournamentRow(
        at + 1,
        name,
        total,
        (at - 10) / 3,
        max(scores, default=0.0),
        "0",
        withdrawn=at == 17,
        you=at == 3,
        rounds=late,
    )
