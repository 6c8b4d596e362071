"""Line mode's sentences: answers to commands, a screen at a time, and the course of a game.

A finished game is told again, one moment after the other, from any viewpoint.
"""

import asyncio
import re
from collections.abc import Callable, Collection, Sequence
from typing import Final

from msgspec import structs
from typing_extensions import override

from engine import rules
from engine.standings import stage_hands
from engine.state import RoundResult, StageResult
from server.coordinator import messages as m
from server.coordinator.messages import TableSnapshot
from server.coordinator.people.names import called
from server.i18n.lookup import Words, _
from server.playback import EVERYBODY, OPEN, ReplayPosition
from server.session import table_in_sentences
from server.session.client import SessionClient, Visitor
from server.session.learning import Puzzle, Puzzles
from server.session.preferences import Verbosity
from server.session.sharing import GameList
from server.session.table_in_sentences import numbers, view_of
from server.terminal.capabilities import Terminal
from server.terminal.drawing.frame import text_width, wrap
from server.terminal.keys.lines import LineTyping
from server.text.happenings import happening_in_words, info_before, wins_in_words
from server.text.history import held_in_words
from server.text.rounds import (
    Names,
    bids_in_words,
    bonus_in_words,
    capital,
    guess_in_words,
    guessed_in_words,
    hand_in_words,
    last_lost_in_words,
    losses_in_words,
    next_hand_in_words,
    out_in_words,
    signed,
    stage_end_in_words,
)
from server.viewmodels.table import by_bots, seat_names
from server.viewmodels.table_options import options_in_words

HANGING: Final = "  "
"""What the second and later lines of a sentence begin with."""

_LEAST: Final = 5
"""Rows of a piece of a long answer, however small the screen."""

_CONTROL: Final = re.compile(r"[\x07\x1b]")


class LineContext(SessionClient):
    """The client, and how to answer. Only ``session.py`` makes one."""

    _typing: LineTyping

    def __init__(self, terminal: Terminal, who: Visitor) -> None:
        super().__init__(who)
        self._unread: Sequence[str] = ()
        """What is left of the last long answer."""
        self._after_it: Callable[[], None] | None = None
        """Fetches what comes after that."""
        self.games = GameList()
        """The list told last: games are called by their numbers in it, from 1."""
        self.replay: LineReplay | None = None
        """The game that is told again."""
        self.question: Callable[[], None] | None = None
        """What ``yes`` would do."""
        self.puzzles: Puzzles | None = None
        self.puzzle: Puzzle | None = None
        """The one that is to be answered."""
        self.spectators_told = ""
        """The table at which it has been told that only spectators hear this one."""
        self.wants_other = False
        """The player asked for the full screen; the session has ended for that."""
        self._terminal: Final = terminal
        self._over: Final = asyncio.Event()
        self._unsaid: list[str] | None = None
        self._missed = False

    @property
    def here(self) -> TableSnapshot:
        """The table where the player is, for commands that are carried out only at one."""
        assert self.table is not None
        return self.table

    @property
    def seen(self) -> TableSnapshot:
        """The table that is asked about: while a game is told again, that of the replay."""
        return self.replayed or self.here

    @property
    def replayed(self) -> TableSnapshot | None:
        """The table of the game that is told again, at this moment."""
        return self.replay.now() if self.replay is not None else None

    @property
    def talk(self) -> Verbosity:
        """Amount that is said unasked."""
        return Verbosity(self.preferences.talk)

    @property
    def width(self) -> int:
        """Columns of a line, with one left for the cursor."""
        return self._terminal.size.columns - 1

    def say(self, *lines: str) -> None:
        """Write lines, all in one piece."""
        lines = tuple(line for line in lines if line)
        if not lines:
            return
        if self._unsaid is not None:
            self._unsaid += lines
            return
        if not self._terminal.writable:
            self._missed = True
            return
        said = "".join(f"{part}\r\n" for line in lines for part in self._broken(line))
        self._terminal.write(self._typing.taken_away + said + self._typing.pending)

    def say_not_listed(self, word: str) -> None:
        """Say why a list follows, if there is such a ``word``."""
        if word:
            self.say(self.words.t('"{word}" is not one of these:', word=word))

    def _broken(self, line: str) -> tuple[str, ...]:
        """``line`` as it fits the terminal, if lines are to be broken for it."""
        text = _CONTROL.split(line, maxsplit=1)[0]
        wraps = self._terminal.abilities.wraps or self.abilities.reader
        if wraps or text_width(text) <= self.width:
            return (line,)
        # Hanging, so that nothing that somebody says can begin a line as if the server said it.
        *first, last = wrap(text, self.width, HANGING)
        # What calls the player back to the table follows the sentence, and is not for reading.
        return (*first, last + line[len(text) :])

    @override
    def together(self, work: Callable[[], None]) -> None:
        """Everything said by ``work`` leaves as one write."""
        self._unsaid = []
        try:
            work()
        finally:
            said, self._unsaid = self._unsaid, None
            self.say(*said)

    def read(self, lines: Sequence[str], then: Callable[[], None] | None = None) -> None:
        """Say a long answer a screen at a time; ``then`` fetches what comes after it."""
        self._unread, self._after_it = lines, then
        self.read_on()

    def read_on(self) -> bool:
        """Say what comes next of it, or have that fetched. False when nothing was left of it."""
        words, size = self.words, self._terminal.size
        if not self._unread:
            then, self._after_it = self._after_it, None
            if then is not None:
                then()
            return then is not None
        room, said = max(_LEAST, size.rows - 2), 0
        for line in self._unread:
            room -= max(1, -(-text_width(line) // size.columns))
            if room < 0 and said:
                break
            said += 1
        piece, self._unread = self._unread[:said], self._unread[said:]
        more = words.t('There is more: type "more", or press Enter.') if self._after_it else ""
        if count := len(self._unread):
            more = words.n(
                '{count} more line: type "more", or press Enter.',
                '{count} more lines: type "more", or press Enter.',
                count,
            )
        self.say(*piece, more)
        return True

    @override
    def complain(self, why: str) -> None:
        self.say(why)

    def ask(self, question: str, then: Callable[[], None]) -> None:
        """Ask something; ``yes`` does it."""
        self.question = then
        self.say(question)

    def end(self, *lines: str) -> None:
        """Say the last words, and leave."""
        self.say(*lines)
        self.done = True
        self._over.set()

    @override
    def leave(self) -> None:
        self.end()

    def goodbye(self) -> None:
        """Leave because the player wants to."""
        self.end(self.words.t("Goodbye, {name}.", name=self.player.name))


def sentence(text: str, names: Names = ()) -> str:
    """``text`` with a full stop, and a capital letter unless it begins with one of ``names``."""
    text = capital(text, names)
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def told(
    update: m.Update,
    table: m.TableSnapshot,
    words: Words,
    talk: Verbosity,
    *,
    skipped: bool = False,
) -> list[str]:
    """What has happened at ``table`` as sentences, oldest first.

    Of a stage that was ``skipped`` only what it has brought.
    """
    lines: list[str] = []
    now, table = table, structs.replace(table, info=info_before(table.info, update.happenings))
    for happening in update.happenings:
        skipped = skipped and not isinstance(happening, m.StageScored)
        if skipped and isinstance(happening, m.TidesTurned | m.BidSealed | m.RoundResolved):
            continue
        if isinstance(happening, m.TookOver):
            table = now
        lines += _told(happening, table, words, talk)
    return lines


def _told(
    happening: m.Happening, table: m.TableSnapshot, words: Words, talk: Verbosity
) -> list[str]:
    talkative = talk is Verbosity.TALKATIVE
    match happening:
        case m.GameStarted():
            facts = ", ".join(options_in_words(table.info.options, words))
            begins = words.t("The game begins: {facts}.", facts=facts)
            return [begins, *filter(None, [wins_in_words(table.info, words)])]
        case m.BidSealed(seat=seat):
            heard = talkative and seat != table.seat
            return [words.t("{name} has bid.", name=table.info.seats[seat].name)] if heard else []
        case m.StageStarted(stage=stage):
            view = view_of(table)
            said = words.t("Stage {stage} of {stages}.", stage=stage + 1, stages=view.rules.stages)
            dealt = table.own if view.stage == stage else None
            return [said] if dealt is None else [said, table_in_sentences.dealt_line(dealt, words)]
        case m.TidesTurned():
            return _tides(happening, table, words, talkative)
        case m.RoundResolved(result=result, stage=stage, round=number):
            bots = by_bots(table.info, stage, number)
            return round_lines(result, table, words, bots, you=table.seat)
        case m.StageScored(result=result, stage=stage):
            return stage_lines(result, stage, table, words)
        case m.GameOver():
            return table_in_sentences.final_lines(table, words)
    # When the server closes is for the session to say, also in the lobby and to who wants quiet.
    if talk is Verbosity.QUIET or (isinstance(happening, m.Closing) and happening.when):
        return []
    return [happening_in_words(happening, table, words)]


def _tides(
    event: m.TidesTurned, table: m.TableSnapshot, words: Words, talkative: bool
) -> list[str]:
    (low, high), number, view = event.offer, event.round + 1, table.table
    lines = [words.t("Round {round}: tides {low} and {high}.", round=number, low=low, high=high)]
    if view is None or (view.stage, view.round) != (event.stage, event.round):
        return lines
    if question := guess_in_words(table, words):
        lines.append(question)
    if talkative and event.round:  # before the first, the hand has just been dealt
        lines.append(table_in_sentences.levels_line(table, words))
        if table.own is not None and table.own.hand:
            lines.append(words.t("Your hand: {cards}.", cards=numbers(table.own.hand)))
    return lines


def round_lines(
    result: RoundResult,
    table: m.TableSnapshot,
    words: Words,
    bots: Collection[int] = (),
    *,
    you: int = -1,
) -> list[str]:
    """A revealed round; on the seats ``bots``, one has bid for somebody. ``you`` is the listener's seat."""
    names = seat_names(table.info)
    bids = ", ".join(bids_in_words(result, names, words, bots, you))
    losses = losses_in_words(result, names, view_of(table).rules, words, you)
    warned = last_lost_in_words(result, you, words)
    guessed = ""
    if you >= 0 and result.bids[you] is None:
        guessed = guessed_in_words(table, words)
    return [sentence(text, names) for text in (bids, *losses, warned, guessed) if text]


def stage_lines(result: StageResult, stage: int, table: m.TableSnapshot, words: Words) -> list[str]:
    """A scored stage; ``stage`` from 0."""
    names, rules = seat_names(table.info), view_of(table).rules
    out = out_in_words(result, names, words, last=stage + 1 == rules.stages)
    why = stage_end_in_words(result.rounds[-1], len(result.rounds), rules, words)
    points = [f"{name} {signed(result.points[seat])}" for seat, name in enumerate(names)]
    for seat in result.bonus:
        points[seat] = words.t("{points} with the bonus for the lowest tide", points=points[seat])
    lines = [
        words.t("Stage {stage} is over: {why}.", stage=stage + 1, why=why),
        *([sentence(out)] if out else []),
        words.t("Points: {points}.", points=", ".join(points)),
        bonus_in_words(result, names, words),
    ]
    hands = stage_hands(view_of(table), stage, result)
    if stage:
        lines += [sentence(hand_in_words(hand, names, words), names) for hand in hands]
    # After the last stage the standings say so.
    if stage + 1 < rules.stages:
        totals = ", ".join(f"{name} {result.scores[seat]}" for seat, name in enumerate(names))
        lines.append(words.t("Totals: {totals}.", totals=totals))
        if table.seat >= 0:
            lines.append(next_hand_in_words(hands, table.seat, names, words))
    return lines


# ------------------------------------------------------------------- told again


class LineReplay(ReplayPosition):
    """A game that is told again."""

    def look_through(self, wanted: str, words: Words) -> str:
        """Take the viewpoint of a player, or everybody's; what to say of it."""
        names = [seat.name for seat in self.game.info.seats]
        if not wanted or wanted in ("all", words.p("eyes", "all")):
            viewpoint = EVERYBODY
        elif (named := called(names, wanted)) >= 0:
            viewpoint = named
        else:
            return words.t('Nobody at this table is called "{name}".', name=wanted)
        return self.seen_in_words(words) if self.look_from(viewpoint) else held_in_words(words)

    # ---------------------------------------------------------------- telling

    def told(self, words: Words) -> list[str]:
        """This moment as sentences."""
        moment, table = self.moment, self.now()
        match moment.event:
            case rules.StageStarted(stage):
                stages = moment.state.rules.stages
                begins = words.t("Stage {stage} of {stages}.", stage=stage + 1, stages=stages)
                return [begins, *self.hands(words)]
            case rules.TidesTurned(stage, round_, (low, high)):
                tides = words.t(
                    "Stage {stage}, round {round}: tides {low} and {high}.",
                    stage=stage + 1,
                    round=round_ + 1,
                    low=low,
                    high=high,
                )
                return [tides, *self.hands(words)]
            case rules.RoundResolved(stage, number, result):
                return round_lines(result, table, words, by_bots(table.info, stage, number))
            case rules.StageScored(stage, result):
                return stage_lines(result, stage, table, words)
            case rules.GameOver():
                return [
                    *table_in_sentences.final_lines(table, words),
                    *table_in_sentences.course_lines(table, words),
                    *table_in_sentences.fairness_lines(table, words),
                ]

    def hands(self, words: Words) -> list[str]:
        """The hands that are seen from the viewpoint, and what is bid from each in this round."""
        seats = range(len(self.game.info.seats)) if self.viewpoint == OPEN else [self.viewpoint]
        return [self._hand(seat, words) for seat in seats if seat >= 0]

    def _hand(self, seat: int, words: Words) -> str:
        moment, name = self.moment, self.game.info.seats[seat].name
        stage = moment.state.stage
        if stage.eliminated[seat]:
            return words.t("{name} is out of this stage.", name=name)
        cards, bid = numbers(stage.hands[seat]) or words.p("cards", "none"), moment.bid_of(seat)
        text = _("{name} holds {cards} and bids {card}.") if bid else _("{name} holds {cards}.")
        return words.t(text, name=name, cards=cards, card=bid)
