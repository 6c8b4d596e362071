"""The end of a stage in sentences: why the bonus, who made how much of which hand, whose hand comes next."""

from collections.abc import Sequence

from engine.results import StageResult
from engine.standings import HandPlayed
from server.i18n.lookup import Words, _
from server.text.rounds import Names, signed


def bonus_in_words(result: StageResult, names: Names, words: Words) -> str:
    """Who got the bonus, and why."""
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
    """Who was out of the stage in the end, without a full stop; empty for nobody."""
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
    """Who had played a hand before, with what points: "ada +3, bo -1"."""
    return ", ".join(f"{names[seat]} {signed(points)}" for seat, points in played.earlier)


def next_hand_in_words(hands: Sequence[HandPlayed], seat: int, names: Names, words: Words) -> str:
    """Whose hand comes to ``seat`` in the next stage, and what has been made of it."""
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
