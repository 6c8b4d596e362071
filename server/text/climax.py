"""What a round came to, in one line."""

from typing import Final

from engine.results import RoundResult
from server.i18n.lookup import Plural, Words, _, n_
from server.text.rounds import Names, as_read_by

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
    """Who loses a life preserver or is out: "ada at 9: a life preserver lost, one left"; with a loss that was
    passed on, one after the other. The second is the same with few words. ``you`` is the reader's seat.
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
            who = words.listed(tuple(names[seat] for seat in seats))
            values = {"name": who, "names": who, "tide": loss.level, "count": left}
            if seats:
                told.append((words.fill(texts[0], **values), words.fill(texts[1], **values)))
    return "; ".join(each[0] for each in told), "; ".join(each[1] for each in told)


def last_lost_in_words(result: RoundResult, you: int, words: Words) -> str:
    """What it means that this round took the last life preserver of the reader, on the seat ``you``; empty
    where it did not.
    """
    if you not in result.lost or result.life_preservers[you]:
        return ""
    return words.t("you have no life preserver left: the highest tide puts you out")
