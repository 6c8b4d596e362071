"""The text about a game that is passed on to others, who may never have heard of it."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from engine.results import RoundResult, StageResult
from engine.standings import standings
from engine.views import TableView
from server.coordinator.events.days import day_of
from server.i18n.lookup import Words, _
from server.terminal.capabilities import Copying
from server.text.rounds import Names, signed, winner_name
from server.text.stages import highlights_in_words

_SPARKS: Final = "▁▂▃▄▅▆▇█"
_STRIP: Final = {True: tuple("·▂█×"), False: tuple(".oOx")}
"""Signs of a round, in Unicode or not: nothing, the lower tide, the higher one, a life preserver lost. No
program for chats takes them for markup or makes pictures of them.
"""
_HIGHLIGHTS: Final = 3
_COPYING: Final = {
    Copying.KNOWN: _("Your terminal is known to put them on your clipboard."),
    Copying.ITERM2: _("iTerm2 does it if its settings let programs access the clipboard."),
    Copying.TMUX: _('tmux does it if its option "set-clipboard" is "on".'),
    Copying.UNKNOWN: _("Many terminals can do that; yours does not say which one it is."),
    Copying.NEVER: _("Your terminal cannot copy them for you: mark them with the mouse."),
}


def shared_own(
    points: Sequence[int],
    event: str,
    title: str,
    words: Words,
    *,
    place: str = "",
    way_in: str = "",
    strip: str = "",
) -> list[str]:
    """A game whose deal others may still play: the points that this seat made in each stage, and nothing else
    of the game. ``title`` is that of its table; ``way_in`` what one types after ``ssh``, empty where that is
    not known. Of a day that is closed, there may be a ``strip`` as well.
    """
    day = day_of(event)
    game = f"{words.t('Turn the Tide')} {day}" if day else f"{words.t('Turn the Tide')}, {title}"
    total = words.n("{count} point", "{count} points", sum(points))
    facts = (f"{game}: {total} ({' '.join(map(signed, points))})", place)
    return _lines(", ".join(filter(None, facts)), _address(way_in), strip)


def shared_text(
    view: TableView,
    names: Names,
    words: Words,
    *,
    left: Collection[int] = (),
    unicode: bool = True,
    way_in: str = "",
    replay: str = "",
) -> list[str]:
    """A finished game in a few lines: who won, places, points, how the totals went, what was remarkable, and
    what one types to see its ``replay`` and to play there. ``left`` are the seats whose players have given it
    up.
    """
    players = words.n("{count} player", "{count} players", view.rules.players)
    head = f"{words.t('Turn the Tide')} ({view.rules.edition.called}, {players})"
    if winners := tuple(winner_name(names[it], it in left, words) for it in view.winners):
        won = words.n("{names} won", "{names} won", len(winners), names=words.listed(winners))
        head = f"{head}: {won}"
    places = []
    seats = standings(view)
    totals = [total for seat in seats for total in (0, *seat.totals)]
    for seat in seats:
        place = 1 + sum(other.total > seat.total for other in seats)
        spark = "".join(_sparks((0, *seat.totals), min(totals), max(totals))) if unicode else ""
        stages = ", ".join(map(str, seat.totals))
        places.append(f"{place}. {names[seat.seat]} {seat.total}  {spark or f'({stages})'}")
    told = highlights_in_words(view, names, words)
    return _lines(head, *places, *told[-_HIGHLIGHTS:], replay, _address(way_in))


def strip_of(stages: Sequence[StageResult], seat: int, *, unicode: bool = True) -> str:
    """A sign for each round in which ``seat`` took part, stage by stage."""
    signs = _STRIP[unicode]
    return " ".join(
        "".join(signs[_went(each, seat)] for each in stage.rounds if each.bids[seat])
        for stage in stages
    )


def strip_in_words(words: Words, *, unicode: bool = True) -> str:
    """What the signs of a strip mean."""
    nothing, lower, higher, lost = _STRIP[unicode]
    return words.t(
        "A sign for each round: {nothing} took nothing, {lower} took the lower tide, {higher} took"
        " the higher tide, {lost} lost a life preserver or was eliminated.",
        nothing=nothing,
        lower=lower,
        higher=higher,
        lost=lost,
    )


def copying_in_words(copies: Copying, words: Words) -> str:
    """Whether lines get to the clipboard of such a terminal."""
    return words.t(_COPYING[copies])


def copied_in_words(copies: Copying, words: Words) -> str:
    """What is said once they have been sent there."""
    if copies is Copying.KNOWN:
        return words.t("Copied.")
    return words.t("Sent to your terminal. If there is nothing to paste, mark the lines.")


def _went(result: RoundResult, seat: int) -> int:
    if seat in result.lost or seat in result.eliminated:
        return 3
    return result.takers.index(seat) + 1 if seat in result.takers else 0


def _lines(*lines: str) -> list[str]:
    return [line for line in lines if line]


def _address(way_in: str) -> str:
    return f"ssh {way_in}" if way_in else ""


def _sparks(values: Sequence[int], low: int, high: int) -> Iterator[str]:
    for value in values:
        yield _SPARKS[round((value - low) * (len(_SPARKS) - 1) / max(1, high - low))]
