"""Votes in words: how far one is, and what it is about."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from server.coordinator import messages as m
from server.i18n.lookup import Words, _, p_


class MotionWords(NamedTuple):
    """What is said of a motion."""

    typed: str
    """After the line command "vote"; the motion's name on the wire."""
    meaning: str


MOTIONS: Final[Mapping[m.Motion, MotionWords]] = {
    m.Motion.REPLACE: MotionWords(p_("vote", "replace"), _("let a bot bid for {name}")),
    m.Motion.PAUSE: MotionWords(p_("vote", "pause"), _("pause the game")),
    m.Motion.END: MotionWords(p_("vote", "end"), _("end the game")),
}
"""In the order in which they are offered; what is about a seat comes first."""


def motion_in_words(motion: m.Motion, target: str, words: Words) -> str:
    """What a vote is about."""
    return words.t(MOTIONS[motion].meaning, name=target)


def open_votes(info: m.TablePublic) -> list[m.VoteInfo]:
    """The votes in progress; first the one that lacks least."""
    return sorted(info.votes, key=lambda vote: vote.needed - len(vote.agreed))


def vote_in_words(vote: m.VoteInfo, info: m.TablePublic, words: Words) -> str:
    """How far a vote is, what it is about, and who is for it."""
    target = info.seats[vote.seat].name if vote.seat >= 0 else ""
    return words.t(
        "Vote {count}: {motion} ({names})",
        count=votes_counted(vote),
        motion=motion_in_words(vote.motion, target, words),
        names=", ".join(info.seats[seat].name for seat in vote.agreed),
    )


def votes_counted(vote: m.VoteInfo) -> str:
    """How far a vote is: ``2/3``."""
    return f"{len(vote.agreed)}/{vote.needed}"
