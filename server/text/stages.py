"""The end of a stage in sentences: why the bonus, who made how much of which hand, whose hand comes next.

And what was remarkable about a game.
"""

from collections.abc import Sequence
from typing import Final

from engine.standings import HandPlayed, Highlight, Kind, highlights, totals_after
from engine.state import StageResult
from engine.views import TableView
from server.i18n.lookup import Plural, Words, _, n_
from server.text.rounds import Names, signed


def bonus_in_words(result: StageResult, names: Names, words: Words) -> str:
    """Say who got the bonus, and why."""
    level = min((level for level in result.rounds[-1].levels if level is not None), default=None)
    if level is None or not result.bonus:
        return words.t("Nobody is left in the stage, so there is no bonus.")
    who = tuple(names[seat] for seat in result.bonus)
    if not level:
        return words.n(
            "Bonus: {names} has no tide card, which counts as lowest.",
            "Bonus: {names} have no tide card, which counts as lowest.",
            len(who),
            names=words.listed(who),
        )
    return words.n(
        "Bonus: {names} has the lowest tide ({tide}) of all still in.",
        "Bonus: {names} share the lowest tide ({tide}) of all still in.",
        len(who),
        names=words.listed(who),
        tide=level,
    )


def out_in_words(result: StageResult, names: Names, words: Words, *, last: bool) -> str:
    """Name the players who were out of the stage in the end, without a full stop; empty for nobody."""
    who = [name for name, gone in zip(names, result.eliminated, strict=True) if gone]
    text = _("out: {names}") if last else _("out: {names}; back in the next stage")
    return words.t(text, names=words.listed(tuple(who))) if who else ""


def hand_in_words(played: HandPlayed, names: Names, words: Words) -> str:
    """What somebody made of a hand, and what others had made of it; without a full stop."""
    points = signed(played.points)
    said = words.t(
        "{name} scored {points} with their own hand", name=names[played.seat], points=points
    )
    if played.hand != played.seat:
        said = words.t(
            "{name} scored {points} with {hand}'s hand",
            name=names[played.seat],
            points=points,
            hand=names[played.hand],
        )
    if not played.earlier:
        return said
    return words.t("{said} (before: {earlier})", said=said, earlier=earlier_in_words(played, names))


def earlier_in_words(played: HandPlayed, names: Names) -> str:
    """List those who had played a hand before, with their points: "ada +3, bo -1"."""
    return ", ".join(f"{names[seat]} {signed(points)}" for seat, points in played.earlier)


def next_hand_in_words(hands: Sequence[HandPlayed], seat: int, names: Names, words: Words) -> str:
    """Say whose hand comes to ``seat`` in the next stage, and what has been made of it."""
    coming = next((hand for hand in hands if hand.next_seat == seat), None)
    if coming is None:
        return words.t("Every hand now passes to the left, with all its life preservers.")
    made = ", ".join(
        filter(
            None, (earlier_in_words(coming, names), f"{names[coming.seat]} {signed(coming.points)}")
        )
    )
    return words.n(
        "You get the hand that was dealt to {hand}, with {count} life preserver. So far: {made}.",
        "You get the hand that was dealt to {hand}, with {count} life preservers. So far: {made}.",
        coming.start,
        hand=names[coming.hand],
        made=made,
    )


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
