"""What can be typed at a table where a game is played, is over, or is told again."""

from server.coordinator.messages import (
    LeaveTable,
    Motion,
    PlaceBid,
    Status,
    Vote,
)
from server.linemode import status
from server.linemode.context import LineContext
from server.session.turn_status import waits_for


def look(session: LineContext, _rest: str) -> None:
    """Everything there is to see."""
    words, told = session.words, session.replayed
    if told is None:
        session.say(*status.place_lines(None, session.here, words))
    else:
        session.say(*status.table_lines(told, words))


def log(session: LineContext, rest: str) -> None:
    """The rounds of this stage, or the last ones of them."""
    last = int(rest) if rest.isdecimal() and len(rest) < 3 else 0
    session.say(*status.log_lines(session.seen, session.words, last))


def bid(session: LineContext, rest: str) -> None:
    """Bid a card."""
    words, table, view = session.words, session.here, status.view_of(session.here)
    if not rest.isdecimal() or len(rest) > 2:
        session.say(words.t("Which card? For example: bid 44."))
        return
    command = PlaceBid(int(rest), view.stage, view.round)

    def submit() -> None:
        session.do(command, sealed)

    def sealed() -> None:
        now = session.table
        # When it was the last bid, the round has been told by now.
        if now and now.table and (now.table.stage, now.table.round) == (view.stage, view.round):
            session.say(words.t("{card} is sealed.", card=command.card))

    if session.preferences.sure and waits_for(table):
        said = words.t("That reveals the round. Say yes to bid {card}.", card=command.card)
        session.ask(said, submit)
    else:
        submit()


def again(session: LineContext, _rest: str) -> None:
    """Another game."""

    def ready() -> None:
        # Where all others were ready already, the next game has begun, and been told.
        table = session.table
        if table is not None and table.info.status is Status.OVER:
            session.say(session.words.t("You are ready for another game."))

    session.play_again(ready)


def vote(session: LineContext, rest: str) -> None:
    """Vote, or take the vote back."""
    words = session.words
    typed = rest.casefold().split()
    agree = not (typed and typed[0] in ("no", words.p("table option", "no")))
    kinds = {
        words.p("vote", "pause"): Motion.PAUSE,
        words.p("vote", "end"): Motion.END,
        words.p("vote", "replace"): Motion.REPLACE,
    } | {motion.value: motion for motion in Motion}
    asked = typed if agree else typed[1:]
    motion = kinds.get(asked[0]) if asked else None
    if motion is None:
        session.say(words.t("Say vote pause, vote end, or vote replace and a name."))
        return
    seat = -1
    if motion is Motion.REPLACE:
        wanted = " ".join(asked[1:])
        seats = enumerate(session.here.info.seats)
        found = [number for number, who in seats if who.name.casefold() == wanted]
        if not found:
            session.say(words.t('Nobody at this table is called "{name}".', name=wanted))
            return
        seat = found[0]
    session.do(Vote(motion, seat, agree))


def leave(session: LineContext, _rest: str) -> None:
    """Leave the replay, or the table."""
    words, table = session.words, session.table
    if session.replay is not None:
        session.replay = None
        session.say(
            words.t("You are in the lobby.")
            if table is None
            else words.t("The replay is closed; you are at table {title}.", title=table.info.title)
        )
    elif session.here.seat < 0 or session.here.info.status is not Status.PLAYING:
        session.do(LeaveTable())
    else:
        said = words.t(
            "A bot would play on for you, and its result would be yours. Say yes to leave."
        )
        session.ask(said, lambda: session.do(LeaveTable()))
