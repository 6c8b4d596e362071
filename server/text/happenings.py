"""Sentences about what happens at a table beside the cards."""

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import structs

from server.coordinator import messages as m
from server.i18n.lookup import Words, _, p_
from server.text.times import day_in_words


class HappeningText(NamedTuple):
    """What is told of one kind of happening. Texts are to be translated."""

    text: str = ""
    """Empty where line mode's narration and the picture say it."""
    own: str | None = None
    """For whoever sits on that seat, where that is said otherwise."""


HAPPENINGS: Final[Mapping[type[m.Happening], HappeningText]] = {
    m.Sat: HappeningText(_("{name} sits down."), ""),
    m.Stood: HappeningText(_("{name} gets up.")),
    m.Moved: HappeningText(
        _("{name} is in seat {number} now."), _("You are in seat {number} now.")
    ),
    m.SeatKept: HappeningText(_("Seat {number} is kept for {name}.")),
    m.Privacy: HappeningText(
        _("The table is private now: whoever comes needs the invitation word.")
    ),
    m.OpenedInstead: HappeningText(
        _("No open table fits, so this one is yours; it is in the list.")
    ),
    m.Claimed: HappeningText(_("{name} takes a bot's place when the next stage begins.")),
    m.TookOver: HappeningText(
        _("{name} plays on for {bot} from here."), _("You play on for {bot} from here.")
    ),
    m.OptionsChanged: HappeningText(_("The options of this table have been changed.")),
    m.NewOwner: HappeningText(
        _("{name} now owns the table."), _("The table is yours now: you may change it and start.")
    ),
    m.GameStarted: HappeningText(_("The game begins.")),
    m.SubstituteBid: HappeningText(
        _("Time was up: a bot has bid for {name}."),
        _("Time was up: a bot has bid for you. Another card replaces it."),
    ),
    m.GameEnded: HappeningText(_("The game has ended: nobody came back for it.")),
    m.WentAway: HappeningText(
        _("{name} is away: a bot bids until {name} is back."),
        _("You are away: a bot bids for you until you press a key."),
    ),
    m.CameBack: HappeningText(_("{name} is back."), _("You are back.")),
    m.Disconnected: HappeningText(_("{name} lost the connection; the seat is kept.")),
    m.Reconnected: HappeningText(_("{name} is connected again."), ""),
    m.LeftForGood: HappeningText(_("{name} has left the game; a bot plays on.")),
    m.Skipped: HappeningText(_("{name} wants to go on to the end of the stage."), ""),
    m.Paused: HappeningText(_("The game is suspended until a player is back.")),
    m.Resumed: HappeningText(_("The game goes on.")),
    m.Voted: HappeningText(_("{name} votes to {motion}.")),
    m.Closing: HappeningText(_("The server stays open, and new games may begin.")),
    m.Trouble: HappeningText(_("The server is having trouble; it keeps trying. Nothing is lost.")),
    m.TroubleOver: HappeningText(_("The trouble is over; the game goes on.")),
}
"""Others are not told in words."""


def happening_in_words(happening: m.Happening, table: m.TableSnapshot, words: Words) -> str:
    """What happened beside the cards, as a sentence for the viewer; empty for what needs none."""
    told = HAPPENINGS.get(type(happening))
    if told is None:
        return ""
    seat = getattr(happening, "seat", -1)
    match happening:
        case m.Voted(motion=motion, target=target):
            text = told.text if happening.agree else _("{name} no longer votes to {motion}.")
            called = table.info.seats[target].name if target >= 0 else ""
            said = motion_in_words(motion, called, words)
            here = [it for it in table.info.votes if (it.motion, it.seat) == (motion, target)]
            if happening.agree and here:
                agreed, needed = len(here[0].agreed), here[0].needed
                said += f" ({words.t('{agreed} of {needed}', agreed=agreed, needed=needed)})"
            return words.t(text, name=happening.name, motion=said)
        case m.Closing(math.inf):
            text = _("No new game begins here for now. Games in progress go on.")
        case m.Closing(when) if when:
            text = _("The server shuts down soon. This game is kept and goes on afterwards.")
        case m.Moved(other=other) if other:
            text = _("{name} and {other} have changed seats.")
        case m.SeatKept(name=""):
            text = _("Seat {number} is open to anybody now.")
        case m.Privacy(private=False):
            text = _("The table is open to everybody now.")
        case m.Paused(pause=m.Pause.VOTED):
            text = _("The game is paused: everybody agreed.")
        case m.Skipped() if seat == table.seat and (skip := table.info.skip) and not skip.agreed_on:
            text = _("The rest of the stage is skipped once the others who are out agree.")
        case m.GameEnded(ended=m.Ended.VOTED):
            text = _("The game has ended: everybody agreed.")
        case _:
            text = told.text
            if seat == table.seat >= 0 and told.own is not None:
                text = told.own
    said = words.t(text, number=seat + 1, **structs.asdict(happening)) if text else ""
    won = wins_in_words(table.info, words) if isinstance(happening, m.GameStarted) else ""
    return f"{said} {won}".rstrip()


def wins_in_words(info: m.TablePublic, words: Words) -> str:
    """Return how many games each player has won at this table; empty before the second."""
    if sum(count for _, count in info.wins) < 2:
        return ""
    won = words.listed(tuple([f"{name} {count}" for name, count in info.wins]))
    return words.t("Games won at this table: {won}.", won=won)


def info_before(info: m.TablePublic, happenings: Sequence[m.Happening]) -> m.TablePublic:
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
    "day_over": _("The tide of {title} is over: your game had to end with it."),
    "went_on": _("At table {title} the others went on to another game while you were away."),
    "no_spectators": _("Table {title} takes no spectators any more."),
}


def return_in_words(happenings: Sequence[m.Happening], words: Words) -> str:
    """Why somebody is in the lobby who has not asked for it; empty without such a reason."""
    for happening in happenings:
        if isinstance(happening, m.SentBack):
            title = happening.title
            # A table of today's tide is called after its day.
            if happening.code == "day_over":
                title = day_in_words(title, words)
            return words.t(_SENT_BACK[happening.code], title=title)
    return ""


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
