"""Sentences about what happens beside the cards: who comes and goes, votes, the server itself."""

import math
from collections.abc import Sequence

from msgspec import structs

from server.coordinator import messages as m
from server.i18n.catalogues import Words


def happening_in_words(happening: m.Happening, table: m.TableSnapshot, words: Words) -> str:
    """What happened beside the cards, as a sentence for the viewer; empty for what needs none."""
    return (
        _of_people(happening, table, words)
        or _of_seats(happening, table, words)
        or _of_the_table(happening, table, words)
    )


def _of_people(happening: m.Happening, table: m.TableSnapshot, words: Words) -> str:
    mine = getattr(happening, "seat", -1) == table.seat and table.seat >= 0
    name = getattr(happening, "name", "")
    match happening:
        case m.Sat():
            return "" if mine else words.t("{name} sits down.", name=name)
        case m.Stood():
            return words.t("{name} gets up.", name=name)
        case m.WentAway():
            if mine:
                return words.t("You are away: a bot bids for you until you press a key.")
            return words.t("{name} is away: a bot bids until {name} is back.", name=name)
        case m.CameBack():
            return words.t("You are back.") if mine else words.t("{name} is back.", name=name)
        case m.LeftForGood():
            return words.t("{name} has left the game; a bot plays on.", name=name)
        case m.SubstituteBidFor():
            if mine:
                return words.t(
                    "Time was up: a bot has bid for you. Until the reveal you may replace it."
                )
            return words.t("Time was up: a bot has bid for {name}.", name=name)
        case m.Disconnected():
            return words.t("{name} lost the connection; the seat is kept.", name=name)
        case m.Reconnected():
            return "" if mine else words.t("{name} is connected again.", name=name)
        case m.NewOwner():
            if mine:
                return words.t("The table is yours now: you may change it and start.")
            return words.t("The table is {name}'s now.", name=name)
        case _:
            return ""


def _of_seats(happening: m.Happening, table: m.TableSnapshot, words: Words) -> str:
    mine = getattr(happening, "seat", -1) == table.seat and table.seat >= 0
    match happening:
        case m.Moved():
            return _moved(happening, mine, words)
        case m.SeatKept(seat, ""):
            return words.t("Seat {number} is for anybody now.", number=seat + 1)
        case m.SeatKept(seat, name):
            return words.t("Seat {number} is kept for {name}.", number=seat + 1, name=name)
        case m.Claimed(_, name):
            return words.t("{name} takes a bot's place when the next stage begins.", name=name)
        case m.TookOver(_, name, bot):
            if mine:
                return words.t("You play on for {bot} from here.", bot=bot)
            return words.t("{name} plays on for {bot} from here.", name=name, bot=bot)
        case _:
            return ""


def _moved(moved: m.Moved, mine: bool, words: Words) -> str:
    name, number = moved.name, moved.seat + 1
    if moved.other:
        return words.t("{name} and {other} have changed seats.", name=name, other=moved.other)
    if mine:
        return words.t("You sit on seat {number} now.", number=number)
    return words.t("{name} sits on seat {number} now.", name=name, number=number)


def _of_the_table(happening: m.Happening, table: m.TableSnapshot, words: Words) -> str:
    match happening:
        case m.GameStarted():
            return words.t("The game begins.")
        case m.OptionsChanged():
            return words.t("The options of this table have been changed.")
        case m.OpenedInstead():
            return words.t("No open table was right for you: this one is yours, and in the list.")
        case m.Privacy(private=True):
            return words.t("The table is private now: who comes needs the invitation word.")
        case m.Privacy():
            return words.t("The table is open to everybody now.")
        case m.Voted():
            return _vote(happening, table, words)
        case m.Paused():
            if happening.pause is m.Pause.VOTED:
                return words.t("The game is paused: everybody agreed.")
            return words.t("The game is suspended until a player is back.")
        case m.Resumed():
            return words.t("The game goes on.")
        case m.GameEnded():
            if happening.ended is m.Ended.VOTED:
                return words.t("The game was ended: everybody agreed.")
            return words.t("The game was ended: nobody came back for it.")
        case m.Trouble():
            return words.t("The server has trouble just now; it keeps trying. Nothing is lost.")
        case m.TroubleOver():
            return words.t("The trouble is over; the game goes on.")
        case m.Closing(when):
            return _closing(when, words)
        case _:
            return ""


def _closing(when: float, words: Words) -> str:
    if not when:
        return words.t("The server stays open, and new games may begin.")
    if math.isinf(when):
        return words.t("No new game begins here for now. Games in progress go on.")
    return words.t("The server goes down soon. This game is kept and goes on afterwards.")


def info_before(info: m.TableInfo, happenings: Sequence[m.Happening]) -> m.TableInfo:
    """``info`` as it was before people played on for bots: what is told of earlier rounds was the bots'."""
    seats = list(info.seats)
    for happening in happenings:
        if isinstance(happening, m.TookOver):
            seats[happening.seat] = structs.replace(
                seats[happening.seat], name=happening.bot, occupant=m.Occupant.BOT
            )
    if tuple(seats) == info.seats:
        return info
    return structs.replace(info, seats=tuple(seats), played_by=())


def return_in_words(happenings: Sequence[m.Happening], words: Words) -> str:
    """Why somebody is back in the lobby who has not asked for it; empty without such a reason."""
    for happening in happenings:
        match happening:
            case m.SentBack("removed", title):
                return words.t("You have been removed from table {title}.", title=title)
            case m.SentBack("closed", title):
                return words.t("An operator has closed table {title}.", title=title)
            case m.SentBack("deserted", title):
                return words.t("Table {title} has been closed: nobody was there.", title=title)
            case m.SentBack("went_on", title):
                return words.t(
                    "At table {title} the others went on to another game while you were away.",
                    title=title,
                )
            case m.SentBack(_, title):
                return words.t("Table {title} takes no spectators any more.", title=title)
    return ""


def motion_in_words(motion: m.Motion, target: str, words: Words) -> str:
    """What a vote is about."""
    if motion is m.Motion.REPLACE:
        return words.t("let a bot bid for {name}", name=target)
    if motion is m.Motion.PAUSE:
        return words.t("pause the game")
    return words.t("end the game")


def _vote(voted: m.Voted, table: m.TableSnapshot, words: Words) -> str:
    target = table.info.seats[voted.target].name if voted.target >= 0 else ""
    motion = motion_in_words(voted.motion, target, words)
    if voted.agree:
        return words.t("{name} votes to {motion}.", name=voted.name, motion=motion)
    return words.t("{name} no longer votes to {motion}.", name=voted.name, motion=motion)
