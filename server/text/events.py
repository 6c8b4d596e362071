"""Sentences about what happens beside the cards: who comes and goes, votes, the server itself."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import structs

from server.coordinator import messages as m
from server.i18n.catalogues import Words
from server.i18n.catalogues import gettext_noop as _

_TEXTS: Final[Mapping[type, str]] = {
    m.Sat: _("{name} sits down."),
    m.Stood: _("{name} gets up."),
    m.Moved: _("{name} sits on seat {number} now."),
    m.SeatKept: _("Seat {number} is kept for {name}."),
    m.Claimed: _("{name} takes a bot's place when the next stage begins."),
    m.TookOver: _("{name} plays on for {bot} from here."),
    m.WentAway: _("{name} is away: a bot bids until {name} is back."),
    m.CameBack: _("{name} is back."),
    m.LeftForGood: _("{name} has left the game; a bot plays on."),
    m.SubstituteBidFor: _("Time was up: a bot has bid for {name}."),
    m.Disconnected: _("{name} lost the connection; the seat is kept."),
    m.Reconnected: _("{name} is connected again."),
    m.NewOwner: _("The table is {name}'s now."),
    m.GameStarted: _("The game begins."),
    m.OptionsChanged: _("The options of this table have been changed."),
    m.OpenedInstead: _("No open table was right for you: this one is yours, and in the list."),
    m.Privacy: _("The table is private now: who comes needs the invitation word."),
    m.Paused: _("The game is suspended until a player is back."),
    m.Resumed: _("The game goes on."),
    m.GameEnded: _("The game was ended: nobody came back for it."),
    m.Trouble: _("The server has trouble just now; it keeps trying. Nothing is lost."),
    m.TroubleOver: _("The trouble is over; the game goes on."),
}
_OWN_TEXTS: Final[Mapping[type, str]] = {
    m.Sat: "",
    m.Moved: _("You sit on seat {number} now."),
    m.TookOver: _("You play on for {bot} from here."),
    m.WentAway: _("You are away: a bot bids for you until you press a key."),
    m.CameBack: _("You are back."),
    m.SubstituteBidFor: _(
        "Time was up: a bot has bid for you. Until the reveal you may replace it."
    ),
    m.Reconnected: "",
    m.NewOwner: _("The table is yours now: you may change it and start."),
}
"""Of the viewer's own seat, where that is said otherwise."""


def happening_in_words(happening: m.Happening, table: m.TableSnapshot, words: Words) -> str:
    """What happened beside the cards, as a sentence for the viewer; empty for what needs none."""
    seat = getattr(happening, "seat", -1)
    match happening:
        case m.Voted(motion=motion, target=target):
            text = _("{name} votes to {motion}.")
            if not happening.agree:
                text = _("{name} no longer votes to {motion}.")
            called = table.info.seats[target].name if target >= 0 else ""
            said = motion_in_words(motion, called, words)
            return words.t(text, name=happening.name, motion=said)
        case m.Closing(0):
            text = _("The server stays open, and new games may begin.")
        case m.Closing(math.inf):
            text = _("No new game begins here for now. Games in progress go on.")
        case m.Closing():
            text = _("The server goes down soon. This game is kept and goes on afterwards.")
        case m.Trouble("moving"):
            text = _("The table is being moved to another server; it goes on in a moment.")
        case m.Moved(other=other) if other:
            text = _("{name} and {other} have changed seats.")
        case m.SeatKept(name=""):
            text = _("Seat {number} is for anybody now.")
        case m.Privacy(private=False):
            text = _("The table is open to everybody now.")
        case m.Paused(pause=m.Pause.VOTED):
            text = _("The game is paused: everybody agreed.")
        case m.GameEnded(ended=m.Ended.VOTED):
            text = _("The game was ended: everybody agreed.")
        case _:
            text = _TEXTS.get(type(happening), "")
            if seat == table.seat >= 0:
                text = _OWN_TEXTS.get(type(happening), text)
    return words.t(text, number=seat + 1, **structs.asdict(happening)) if text else ""


def info_before(info: m.TableInfo, happenings: Sequence[m.Happening]) -> m.TableInfo:
    """``info`` as it was before people played on for bots: what is told of earlier rounds was the bots'."""
    seats = list(info.seats)
    for each in happenings:
        if isinstance(each, m.TookOver):
            bot = structs.replace(seats[each.seat], name=each.bot, occupant=m.Occupant.BOT)
            seats[each.seat] = bot
    if tuple(seats) == info.seats:
        return info
    return structs.replace(info, seats=tuple(seats), played_by=())


_SENT_BACK: Final = {
    "removed": _("You have been removed from table {title}."),
    "closed": _("An operator has closed table {title}."),
    "deserted": _("Table {title} has been closed: nobody was there."),
    "day_over": _("Today's tide of {title} is over: your game had to end with it."),
    "went_on": _("At table {title} the others went on to another game while you were away."),
    "no_spectators": _("Table {title} takes no spectators any more."),
}


def return_in_words(happenings: Sequence[m.Happening], words: Words) -> str:
    """Why somebody is in the lobby who has not asked for it; empty without such a reason."""
    for happening in happenings:
        if happening == m.Trouble("kept"):
            return words.t(
                _(
                    "The server cannot open your table yet. Your seat is kept: you are taken there as soon "
                    "as it can."
                )
            )
        if isinstance(happening, m.Trouble):
            return words.t(
                _("Your table is being moved to another server: you are there in a moment.")
            )
        if isinstance(happening, m.SentBack):
            return words.t(_SENT_BACK[happening.code], title=happening.title)
    return ""


_MOTIONS: Final = {
    m.Motion.REPLACE: _("let a bot bid for {name}"),
    m.Motion.PAUSE: _("pause the game"),
    m.Motion.END: _("end the game"),
}


def motion_in_words(motion: m.Motion, target: str, words: Words) -> str:
    """What a vote is about."""
    return words.t(_MOTIONS[motion], name=target)


def open_votes(info: m.TableInfo) -> list[m.VoteInfo]:
    """The votes in progress; first the one that lacks least."""
    return sorted(info.votes, key=lambda vote: vote.needed - len(vote.agreed))


def vote_in_words(vote: m.VoteInfo, info: m.TableInfo, words: Words) -> str:
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
