"""Sentences about rounds: what was bid, who lost what, why a stage is over."""

from collections.abc import Collection
from typing import Final

from engine.editions import Rules
from engine.results import LossEnd, RoundResult
from server.i18n.lookup import Words, _, n_

Names = tuple[str, ...]


def capital(text: str, names: Names = ()) -> str:
    """``text`` with a capital letter, unless it begins with one of ``names``: those stay as they are."""
    if any(text.startswith(name) for name in names):
        return text
    return text[:1].upper() + text[1:]


def left_in_words(count: int, words: Words) -> str:
    """So many life preservers left, in few words."""
    return words.n("{count} left", "{count} left", count)


def signed(points: int) -> str:
    """Points of a stage: "+3", "0", "-1"."""
    return f"{points:+d}" if points else "0"


def as_read_by(you: int, names: Names, words: Words) -> Names:
    """``names`` as the player on the seat ``you`` reads them; -1 for a spectator."""
    if you < 0:
        return names
    return (*names[:you], words.p("beside names", "you"), *names[you + 1 :])


def bids_in_words(
    result: RoundResult,
    names: Names,
    words: Words,
    by_bots: Collection[int] = (),
    you: int = -1,
) -> tuple[str, ...]:
    """Every revealed bid, the highest first; the first two say what they took. On the seats ``by_bots``, a
    bot has bid for somebody; ``you`` is the reader's seat, if that is not to be called by name.
    """
    names = as_read_by(you, names, words)
    bids = sorted(((bid, seat) for seat, bid in enumerate(result.bids) if bid), reverse=True)
    said = []
    for place, (bid, seat) in enumerate(bids):
        took = _("you ({card}) took {tide}") if seat == you else _("{name} ({card}) took {tide}")
        text = took if place < 2 else _("{name} {card}")
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
    """Say who lost a life preserver and why, step by step, and why it went no further. ``you`` is the seat of
    the reader, -1 for a spectator; ``counted`` adds how many are left, where no picture shows them.
    """
    said, names = [], as_read_by(you, names, words)
    for step, loss in enumerate(result.losses):
        lost, out = (tuple(names[seat] for seat in seats) for seats in (loss.lost, loss.eliminated))
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
    if result.eliminated and result.lost and len(result.losses) == 1:
        return _("nothing is passed on: a life preserver was lost")
    return ""


def _inside(result: RoundResult) -> int:
    """How many are still in the stage."""
    return sum(level is not None for level in result.levels)


def winner_name(name: str, left: bool, words: Words) -> str:
    """Who has won; who gave the game up has not, the bot that played on has."""
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
