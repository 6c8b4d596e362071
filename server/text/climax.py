"""What a round came to, in one line."""

from engine.results import Loss, RoundResult
from server.i18n.catalogues import Words
from server.text.rounds import Names


def climax_in_words(result: RoundResult, names: Names, words: Words) -> tuple[str, str]:
    """Who loses a ring or is out: "ada stands at 9: a ring lost, one left"; with a loss that was passed on,
    one after the other. The second is the same with few words.
    """
    if not result.losses:
        said = words.t("no tide card shows: nobody loses a ring")
        return said, words.t("no tide card: no ring lost")
    said = "; ".join(
        [each for loss in result.losses for each in _parts(loss, result, names, words)]
    )
    brief = "; ".join(
        [each for loss in result.losses for each in _brief(loss, result, names, words)]
    )
    return said, brief


def _brief(loss: Loss, result: RoundResult, names: Names, words: Words) -> list[str]:
    lost, out = (words.listed(tuple(names[seat] for seat in seats)) for seats in loss[1:])
    said, tide = [], loss.level
    if len(loss.lost) > 1:
        said.append(words.t("{names} at {tide}: -1 ring each", names=lost, tide=tide))
    elif loss.lost:
        left = result.life_preservers[loss.lost[0]]
        text = words.n(
            "{name} at {tide}: -1 ring, {count} left",
            "{name} at {tide}: -1 ring, {count} left",
            left,
            name=lost,
            tide=tide,
        )
        said.append(text if left else words.t("{name} at {tide}: last ring", name=lost, tide=tide))
    if out:
        said.append(words.t("{names} at {tide}: out", names=out, tide=tide))
    return said


def _parts(loss: Loss, result: RoundResult, names: Names, words: Words) -> list[str]:
    lost, out = (words.listed(tuple(names[seat] for seat in seats)) for seats in loss[1:])
    said, tide = [], loss.level
    if len(loss.lost) > 1:
        said.append(words.t("{names} stand at {tide}: a ring each lost", names=lost, tide=tide))
    elif loss.lost:
        left = result.life_preservers[loss.lost[0]]
        if left > 1:
            text = words.t(
                "{name} stands at {tide}: a ring lost, {count} left",
                name=lost,
                tide=tide,
                count=left,
            )
        elif left:
            text = words.t("{name} stands at {tide}: a ring lost, one left", name=lost, tide=tide)
        else:
            text = words.t("{name} stands at {tide}: the last ring lost", name=lost, tide=tide)
        said.append(text)
    if len(loss.eliminated) > 1:
        said.append(words.t("{names} stand at {tide} without a ring: out", names=out, tide=tide))
    elif loss.eliminated:
        said.append(words.t("{name} stands at {tide} without a ring: out", name=out, tide=tide))
    return said


def without_rings_in_words(
    result: RoundResult, names: Names, you: int, words: Words
) -> tuple[str, ...]:
    """Whose last ring this round took, and what that means; ``you`` is the reader's seat or -1."""
    last = [seat for seat in result.lost if not result.life_preservers[seat]]
    return tuple(
        words.t("you have no life preserver left: the highest tide puts you out")
        if seat == you
        else words.t("{name} has no life preserver left", name=names[seat])
        for seat in last
    )
