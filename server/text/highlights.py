"""What was remarkable about a game, and how it went."""

from typing import Final

from engine.records.highlights import Highlight, Kind, highlights
from engine.standings import totals_after
from engine.views import TableView
from server.i18n.lookup import Plural, Words, _, n_
from server.text.rounds import Names

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
    Kind.BONUS_DECIDED: _("stage {stage}: the bonus for the lowest tide won it for {name}"),
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
