"""The text about a game that is passed on to others, who may never have heard of it."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from engine.standings import standings
from engine.state import RoundResult, StageResult
from engine.views import TableView
from server.coordinator.events.days import DayPage, day_of
from server.coordinator.people.names import TODAY
from server.i18n.lookup import Words, _
from server.terminal.capabilities import Copying
from server.text.rounds import Names, signed, winner_name
from server.text.stages import highlights_in_words
from server.text.today import day_in_brief

_SPARKS: Final = "▁▂▃▄▅▆▇█"
_STRIP: Final = {True: tuple("▁▃▅▇×"), False: tuple("_-=#x")}
"""Signs of a round, in Unicode or not: how many others still in have a lower tide, and last that a life
preserver was lost. No program for chats takes them for markup or makes pictures of them.
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
    way_in: str = "",
) -> list[str]:
    """A game whose deal others may still play: the points that this seat made in each stage, and nothing else
    of the game. ``title`` is that of its table; ``way_in`` what one types after ``ssh``, empty where that is
    not known.
    """
    day = day_of(event)
    game = f"{words.t('Turn the Tide')} {day}" if day else f"{words.t('Turn the Tide')}, {title}"
    total = words.n("{count} point", "{count} points", sum(points))
    told = f"{game}: {total}" if day else f"{game}: {total} ({' '.join(map(signed, points))})"
    return _lines(told, today_line(way_in) if day else _address(way_in))


def shared_try(page: DayPage, player: str, strip: str, way_in: str, words: Words) -> list[str]:
    """What the player with this id has made of a day, in two lines: points, place, days in a row; a sign for
    each round, and what one types to play it.
    """
    row = words.n("{count} day in a row", "{count} days in a row", page.streak)
    facts = (day_in_brief(page, player, words), row if page.streak > 1 else "")
    head = f"{words.t('Turn the Tide')} {page.day}: {', '.join(filter(None, facts))}"
    return _lines(head, " ".join(filter(None, (strip, today_line(way_in)))))


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


def strip_of(stage: StageResult, seat: int, *, unicode: bool = True) -> str:
    """A sign for each round in which ``seat`` took part. It says how ``seat`` stood among the others, and
    nothing of cards and tides, which somebody else may still have to find out.
    """
    return "".join(_sign(each, seat, unicode) for each in stage.rounds if each.bids[seat])


def _sign(result: RoundResult, seat: int, unicode: bool) -> str:
    *depths, lost = _STRIP[unicode]
    own = result.levels[seat]
    if own is None or seat in result.lost:
        return lost
    return depths[sum(level is not None and level < own for level in result.levels)]


def strip_in_words(words: Words, *, unicode: bool = True) -> str:
    """What the signs of a strip mean."""
    dry, *_between, deep, lost = _STRIP[unicode]
    return words.t(
        "A sign for each round: from {dry} (the lowest tide of all) to {deep} (the highest); {lost} lost"
        " a life preserver or was eliminated.",
        dry=dry,
        deep=deep,
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


def _lines(*lines: str) -> list[str]:
    return [line for line in lines if line]


def today_line(way_in: str) -> str:
    """What anybody types to play today's tide there; ``way_in`` as in ``shared_own``."""
    *options, host = way_in.split(" ")
    return " ".join(("ssh", *options, f"{TODAY}@{host}")) if way_in else ""


def _address(way_in: str) -> str:
    return f"ssh {way_in}" if way_in else ""


def _sparks(values: Sequence[int], low: int, high: int) -> Iterator[str]:
    for value in values:
        yield _SPARKS[round((value - low) * (len(_SPARKS) - 1) / max(1, high - low))]
