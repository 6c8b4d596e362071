"""Sentences about rounds and stages: what was bid, who lost what, why a stage is over, and the scores.

Also guesses of players who are out of a round, and the highlights of a game.
"""

from collections.abc import Collection, Sequence
from typing import Final

from engine.editions import Rules
from engine.standings import HandPlayed, Highlight, Kind, highlights, totals_after
from engine.state import LossEnd, RoundResult, StageResult
from engine.views import TableView, turning_order
from server.coordinator.messages import TableSnapshot
from server.i18n.lookup import Plural, Words, _, n_

Names = tuple[str, ...]


def capital(text: str, names: Names = ()) -> str:
    """``text`` with a capital letter, unless it begins with one of ``names``: those stay as they are."""
    if any(text.startswith(name) for name in names):
        return text
    return text[:1].upper() + text[1:]


def left_in_words(count: int, words: Words) -> str:
    """Say how many life preservers are left, in few words."""
    return words.n("{count} left", "{count} left", count)


def signed(points: int) -> str:
    """Points of a stage: "+3", "0", "-1"."""
    return f"{points:+d}" if points else "0"


def as_read_by(you: int, names: Names, words: Words) -> Names:
    """``names`` as the player on the seat ``you`` reads them; -1 for a spectator."""
    if you < 0:
        return names
    return (*names[:you], words.p("beside names", "you"), *names[you + 1 :])


_BIDS: Final = (
    _("{name} {card}"),
    _("{name} ({card}) took {tide}"),
    _("you ({card}) took {tide}"),
)


def bids_in_words(
    result: RoundResult,
    names: Names,
    words: Words,
    by_bots: Collection[int] = (),
    you: int = -1,
) -> tuple[str, ...]:
    """Every revealed bid, the highest first; the first two say what they took.

    On the seats ``by_bots``, a bot has bid for somebody; ``you`` is the reader's seat, if that is not
    to be called by name.
    """
    names = as_read_by(you, names, words)
    said = []
    for place, seat in enumerate(reversed(turning_order(result))):
        bid = result.bids[seat]
        text = _BIDS[0 if place > 1 else 2 if seat == you else 1]
        card = str(bid)
        if seat in by_bots:
            card = f"{bid}, {words.t('bot')}" if place < 2 else f"{bid} ({words.t('bot')})"
        tide = result.offer[min(place, 1)]
        said.append(words.t(text, name=names[seat], card=card, tide=tide))
    return tuple(said)


def losses_in_words(
    result: RoundResult,
    names: Names,
    rules: Rules,
    words: Words,
    you: int = -1,
    *,
    counted: bool = True,
) -> tuple[str, ...]:
    """Say who lost a life preserver and why, step by step, and why it went no further.

    ``you`` is the seat of the reader, -1 for a spectator; ``counted`` adds how many are left, where no
    picture shows them.
    """
    said, names = [], as_read_by(you, names, words)
    for step, loss in enumerate(result.losses):
        lost = tuple(map(names.__getitem__, loss.lost))
        out = tuple(map(names.__getitem__, loss.eliminated))
        texts = _LOSSES[len(lost), len(out)]
        if (you,) in (loss.lost, loss.eliminated) and len(lost) + len(out) == 1:
            texts = _YOUR_LOSSES[len(lost), len(out)]
        left = ""
        if counted and lost:
            counts = tuple(result.life_preservers[seat] for seat in loss.lost)
            left = f", {_left(counts, words)}"
        values = {"lost": words.listed(lost), "out": words.listed(out), "tide": loss.level}
        either = words.listed(lost or out)
        said.append(words.t(texts[step > 0], name=either, names=either, left=left, **values))
    if ending := _ending(result, rules):
        said.append(words.t(ending))
    return tuple(said)


def _left(counts: tuple[int, ...], words: Words) -> str:
    """Say in few words what is left to those who have just lost a life preserver."""
    if not any(counts):
        return words.t("none left")
    told = words.listed(tuple(map(str, counts)))
    return words.fill(n_("{counts} left", "{counts} left"), count=counts[-1], counts=told)


_LOSSES: Final = {
    (1, 0): (
        _("{name} lost a life preserver (tide {tide}, the highest){left}"),
        _(
            "nobody could pay, so {name}, now the highest (tide {tide}), lost a life preserver{left}"
        ),
    ),
    (2, 0): (
        _("{names} share the highest tide ({tide}): each lost a life preserver{left}"),
        _(
            "nobody could pay, so {names}, now the highest (tide {tide}), lost a life preserver each"
            "{left}"
        ),
    ),
    (0, 1): (
        _(
            "{name} had no life preserver left to lose (tide {tide}, the highest)"
            " and is out of this stage"
        ),
        _("passed on: {name}, now the highest (tide {tide}), had none left and is out as well"),
    ),
    (0, 2): (
        _(
            "{names} share the highest tide ({tide}) and had no life preserver left to lose:"
            " both are out of this stage"
        ),
        _("passed on: {names}, now the highest (tide {tide}), had none left and are out as well"),
    ),
    (1, 1): (
        _(
            "{lost} and {out} share the highest tide ({tide}): {lost} lost a life preserver{left};"
            " {out} had none left and went out"
        ),
        _(
            "nobody could pay, so of the highest now (tide {tide}) {lost} lost a life preserver{left};"
            " {out} had none left and went out as well"
        ),
    ),
}
"""By how many lost one, and how many were eliminated: of the first loss, and of one that was passed on."""
_YOUR_LOSSES: Final = {
    (1, 0): (
        _("you lost a life preserver (tide {tide}, the highest){left}"),
        _("nobody could pay, so you, now the highest (tide {tide}), lost a life preserver{left}"),
    ),
    (0, 1): (
        _(
            "you had no life preserver left to lose (tide {tide}, the highest)"
            " and are out of this stage"
        ),
        _("passed on: you, now the highest (tide {tide}), had none left and are out as well"),
    ),
}
"""Texts as above where only the reader lost one, or was eliminated."""


_TOO_FEW_LEFT: Final = (
    _("nothing is passed on: nobody is left"),
    _("nothing is passed on: only one is left"),
    _("nothing is passed on: only two are left"),
)


def _ending(result: RoundResult, rules: Rules) -> str:
    """Why a loss went no further, to be translated; empty when there is nothing to explain."""
    match result.loss_end:
        case LossEnd.NO_TIDE:
            return _("nobody still in shows a tide card: nobody loses anything")
        case LossEnd.TWO_LEFT:
            return _TOO_FEW_LEFT[_inside(result)]
        case LossEnd.NOT_PASSED_ON if rules.modified_drowning:
            return _("nothing is passed on at this table")
        case LossEnd.NOT_PASSED_ON:
            return _("nothing is passed on in this edition")
    if len(result.losses) == 1 and result.losses[0].lost and result.losses[0].eliminated:
        return _("nothing is passed on: a life preserver was lost")
    return ""


def _inside(result: RoundResult) -> int:
    """Return the number of players still in the stage."""
    return sum(level is not None for level in result.levels)


def winner_name(name: str, left: bool, words: Words) -> str:
    """Name the winner; a player who gave the game up has not won, the bot that played on has."""
    return f"{name} ({words.t('bot')})" if left else name


_ENDS_AT_ONCE: Final = (
    _("nobody is left, so it ends at once"),
    _("only one is left, so it ends at once"),
    _("only two are left, so it ends at once"),
)


def stage_end_in_words(result: RoundResult, rounds: int, rules: Rules, words: Words) -> str:
    """Why a stage that has ended after ``rounds`` rounds is over."""
    inside = _inside(result)
    if rounds == rules.rounds and inside > 2:
        return words.t("every card has been played")
    return words.t(_ENDS_AT_ONCE[inside])


_LOST: Final[tuple[tuple[str, str | Plural], ...]] = (
    (_("{name} at {tide}: the last life preserver lost"), _("{name} at {tide}: -1, none left")),
    (
        _("{name} at {tide}: a life preserver lost, one left"),
        n_("{name} at {tide}: -1, {count} left", "{name} at {tide}: -1, {count} left"),
    ),
    (
        _("{name} at {tide}: a life preserver lost, {count} left"),
        n_("{name} at {tide}: -1, {count} left", "{name} at {tide}: -1, {count} left"),
    ),
)
"""By how many life preservers are left, two for more; in full, and in few words."""
_EACH_LOST: Final = (
    _("{names} at {tide}: each lost a life preserver"),
    _("{names} at {tide}: -1 each"),
)
_OUT: Final = (
    (_("{name} at {tide} without a life preserver: out"), _("{names} at {tide}: out")),
    (_("{names} at {tide} without a life preserver: out"), _("{names} at {tide}: out")),
)


def climax_in_words(
    result: RoundResult, names: Names, words: Words, you: int = -1
) -> tuple[str, str]:
    """Say who loses a life preserver or is out, in many words and in few.

    "ada at 9: a life preserver lost, one left"; with a loss that was passed on, one after the other.
    ``you`` is the reader's seat.
    """
    names = as_read_by(you, names, words)
    if not result.losses:
        said = words.t("no tide card shows: nobody loses a life preserver")
        return said, words.t("no tide card: nothing lost")
    told: list[tuple[str, str]] = []
    for loss in result.losses:
        left = result.life_preservers[loss.lost[0]] if loss.lost else 0
        lost = _EACH_LOST if len(loss.lost) > 1 else _LOST[min(left, 2)]
        out = _OUT[len(loss.eliminated) > 1]
        for seats, texts in ((loss.lost, lost), (loss.eliminated, out)):
            who = words.listed(tuple(map(names.__getitem__, seats)))
            values = {"name": who, "names": who, "tide": loss.level, "count": left}
            if seats:
                told.append((words.fill(texts[0], **values), words.fill(texts[1], **values)))
    whole, brief = zip(*told, strict=True)
    return "; ".join(whole), "; ".join(brief)


def last_lost_in_words(result: RoundResult, you: int, words: Words) -> str:
    """What it means that this round took the last life preserver of the reader, on the seat ``you``.

    Empty where it did not.
    """
    if you not in result.lost or result.life_preservers[you]:
        return ""
    return words.t("you have no life preserver left: the highest tide puts you out")


def may_guess(table: TableSnapshot) -> tuple[int, ...]:
    """Return the seats that this player may guess to take the high tide; none before being out of it."""
    own, view = table.own, table.table
    if own is None or view is None or view.offer is None or not view.seats[own.seat].eliminated:
        return ()
    return tuple(number for number, seat in enumerate(view.seats) if not seat.eliminated)


def guess_in_words(table: TableSnapshot, words: Words) -> str:
    """The question, or the guess that was made, and how many were right so far; empty when there is none."""
    seats, offer = may_guess(table), table.table.offer if table.table else None
    if not seats or offer is None:
        return ""
    names = [seat.name for seat in table.info.seats]
    if table.guess >= 0:
        said = words.t(
            "You guess that {name} takes the {tide}.", name=names[table.guess], tide=offer[1]
        )
    else:
        told = ", ".join(f"{seat + 1} {names[seat]}" for seat in seats)
        said = words.t("Guess who takes the {tide}: {names}.", tide=offer[1], names=told)
    score = guessed_in_words(table, words)
    return f"{said} {score}" if score else said


def guessed_in_words(table: TableSnapshot, words: Words) -> str:
    """Say how many of this player's guesses were right; empty before the first."""
    guesses = table.info.seats[table.seat].guesses if table.seat >= 0 else None
    if guesses is None:
        return ""
    right, made = guesses
    return words.t("Guessed right: {right} of {made}.", right=right, made=made)


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
