"""What was remarkable about a game, how it went, and the text that is passed on to others about it."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.highlights import Highlight, Kind, highlights
from engine.standings import standings, totals_after
from engine.views import TableView
from server.coordinator.events.days import day_of, is_day
from server.i18n.catalogues import Plural, Words
from server.i18n.catalogues import gettext_noop as _
from server.i18n.catalogues import ngettext_noop as n_
from server.text.rounds import Names, signed
from server.text.times import day_in_words

_SPARKS: Final = "▁▂▃▄▅▆▇█"
_SHARED: Final = 3
"""Highlights in a text that is passed on."""

_OWN: Final[dict[Kind, Plural]] = {
    Kind.BEST_OF_HAND: n_(
        "stage {stage}: {name} scored {count} point with their own hand, the best of all",
        "stage {stage}: {name} scored {count} points with their own hand, the best of all",
    ),
    Kind.LOST_HAND: n_(
        "stage {stage}: {name} was eliminated with their own hand, which was worth up to"
        " {count} point",
        "stage {stage}: {name} was eliminated with their own hand, which was worth up to"
        " {count} points",
    ),
}
_TEXTS: Final[dict[Kind, str | Plural]] = {
    Kind.BEST_OF_HAND: n_(
        "stage {stage}: {name} scored {count} point with {hand}'s hand, the best of all",
        "stage {stage}: {name} scored {count} points with {hand}'s hand, the best of all",
    ),
    Kind.LOST_HAND: n_(
        "stage {stage}: {name} was eliminated with {hand}'s hand, which was worth up to"
        " {count} point",
        "stage {stage}: {name} was eliminated with {hand}'s hand, which was worth up to"
        " {count} points",
    ),
    Kind.KEPT_ALL: n_(
        "stage {stage}: {name} kept all life preservers ({count})",
        "stage {stage}: {name} kept all life preservers ({count})",
    ),
    Kind.TOOK_LEAD: n_(
        "stage {stage}: {name} took the lead by {count} point and kept it",
        "stage {stage}: {name} took the lead by {count} points and kept it",
    ),
    Kind.COMEBACK: n_(
        "after stage {stage} {name} was {count} point behind, and still won",
        "after stage {stage} {name} was {count} points behind, and still won",
    ),
    Kind.BONUS_DECIDED: _("stage {stage}: the bonus for the lowest tide decided it for {name}"),
}


def highlight_in_words(highlight: Highlight, names: Names, words: Words) -> str:
    """One of them, without a full stop."""
    kind, seat, hand = highlight.kind, highlight.seat, highlight.hand
    own = _OWN.get(kind) if hand == seat else None
    counted = highlight.other if kind in (Kind.LOST_HAND, Kind.KEPT_ALL) else highlight.points
    return words.fill(
        own or _TEXTS[kind],
        stage=highlight.stage + 1,
        name=names[seat],
        hand=names[hand],
        count=counted,
    )


def highlights_in_words(view: TableView, names: Names, words: Words) -> tuple[str, ...]:
    """What was remarkable about a game that is over, in the order of its stages."""
    return tuple(highlight_in_words(each, names, words) for each in highlights(view))


def course_in_words(view: TableView, names: Names, words: Words) -> tuple[str, ...]:
    """The chart of a game as sentences: the totals after each stage, the best first."""
    return tuple(
        words.t(
            "After stage {stage}: {totals}.",
            stage=number,
            totals=", ".join(
                f"{names[seat]} {total}"
                for total, seat in sorted(
                    ((total, seat) for seat, total in enumerate(totals)),
                    key=lambda each: (-each[0], each[1]),
                )
            ),
        )
        for number, totals in enumerate(totals_after(view), 1)
    )


def shared_own(
    view: TableView,
    seat: int,
    event: str,
    title: str,
    words: Words,
    *,
    place: str = "",
    way_in: str = "",
) -> str:
    """A game whose deal others may still play, for a chat: what this seat made of it, and nothing else.
    ``title`` is that of its table; ``way_in`` what one types after ``ssh``, empty where that is not known.
    """
    points = [stage[seat] for stage in view.points]
    total = words.n("{count} point", "{count} points", sum(points))
    today = words.t("Today's tide")
    facts = (
        words.t("Turn the Tide"),
        f"{today} {day_in_words(day_of(event), words)}" if is_day(event) else title,
        f"{total} ({' '.join(map(signed, points))})",
        place,
        f"ssh {way_in}" if way_in else "",
    )
    return " - ".join(filter(None, facts))


def shared_text(
    view: TableView,
    names: Names,
    words: Words,
    *,
    unicode: bool = True,
    way_in: str = "",
    replay: str = "",
) -> list[str]:
    """A finished game in a few lines for a chat: places, points, how the totals went, what was remarkable,
    and what one types to play there, or to see its ``replay``.
    """
    rules = view.rules
    facts = (
        words.t("Turn the Tide"),
        rules.edition.called,
        words.n("{count} player", "{count} players", rules.players),
    )
    lines = [" - ".join(facts)]
    seats = standings(view)
    totals = [total for seat in seats for total in (0, *seat.totals)]
    for seat in seats:
        place = 1 + sum(other.total > seat.total for other in seats)
        spark = "".join(_sparks((0, *seat.totals), min(totals), max(totals))) if unicode else ""
        stages = ", ".join(map(str, seat.totals))
        lines.append(f"{place}. {names[seat.seat]} {seat.total}  {spark or f'({stages})'}")
    told = highlights_in_words(view, names, words)
    return [*lines, *told[-_SHARED:], *filter(None, (replay, way_in and f"ssh {way_in}"))]


def _sparks(values: Sequence[int], low: int, high: int) -> Iterator[str]:
    for value in values:
        yield _SPARKS[round((value - low) * (len(_SPARKS) - 1) / max(1, high - low))]
