"""The waiting room of a table."""

from collections.abc import Callable

from prompt_toolkit.buffer import Buffer

from server.coordinator.messages import (
    AddBot,
    ChangeOptions,
    Command,
    HandOver,
    JoinTable,
    KeepSeat,
    MoveSeat,
    Occupant,
    RemoveSeat,
    SetWord,
    StartGame,
    TableSnapshot,
)
from server.fullscreen.context import SessionContext
from server.fullscreen.lobby.options_page import OptionsPage
from server.fullscreen.lobby.view import WaitingFocus, waiting_screen
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.leave import LeavePage
from server.fullscreen.menus.settings import SettingsPage
from server.fullscreen.pages.choice_page import Choice, ChoicePage
from server.fullscreen.widgets.chrome import typing_room
from server.session.invite import invite_line
from server.session.quick_start import fill_and_start
from server.terminal.capabilities import Size
from server.terminal.frame import Frame
from server.terminal.line_edit import line_entry, visible
from server.viewmodels.lobby_presenter import present_waiting

_OWNERS = frozenset(
    {"enter", "s", "a", "x", "delete", "e", "v", "f", "i", "g"},
)
_LONGEST = 24


class WaitingPage:
    """See the module."""

    __slots__ = ("_asked", "_chosen", "_desk", "_label", "_moving", "_typed", "entry")

    def __init__(self, desk: SessionContext) -> None:
        self._desk = desk
        self._chosen = 0
        self._moving = False
        """The next digit says where whoever is chosen moves to."""
        self._asked = False
        """Whether to start against bots."""
        self._label = ""
        self._typed: Callable[[str], None] = lambda _: None
        self.entry: Buffer | None = None
        """A name or an invitation word, for ``_typed``."""

    @property
    def _table(self) -> TableSnapshot:
        assert self._desk.table is not None
        return self._desk.table

    def forget(self) -> None:
        """Another table, or none: nothing is being typed or asked any more."""
        self.entry = None
        self._chosen, self._moving, self._asked = 0, False, False

    def ask_to_start(self) -> None:
        """Nobody else has come for a while: offer a game against bots, unless something is being done."""
        desk = self._desk
        if self.entry is None and not desk.overlays:
            self._asked = True
            desk.say("warm", self._question)

    def not_alone(self) -> None:
        """Somebody has come, or is to come: take back what was asked of who was alone."""
        if self._asked:
            self._asked = False
            if self._desk.message[1] == self._question:
                self._desk.message = ("", "")

    @property
    def _question(self) -> str:
        words = self._desk.words
        return words.t("Nobody else is here yet. y starts against bots; else just wait.")

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        desk = self._desk
        model = present_waiting(self._table, desk.words)
        focus = WaitingFocus(
            self._chosen % len(model.seats),
            desk.said,
            visible(self.entry, typing_room(self._label, size.columns)) if self.entry else None,
            self._label,
            invite_line(self._table, desk.facts().way_in),
        )
        return waiting_screen(model, focus, size, desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        if self.entry is not None:
            self._edited(name)
            return
        moving, self._moving = self._moving, False
        asked, self._asked = self._asked, False
        desk, table = self._desk, self._table
        seats = len(table.info.seats)
        owner = table.seat >= 0 and table.seat == table.info.owner
        match name:
            case _ if moving and name.isdecimal() and name.isascii():
                desk.do(MoveSeat(self._chosen % seats, int(name) - 1))
            case "up" | "k":
                self._chosen = (self._chosen - 1) % seats
            case "down" | "j" | "tab":
                self._chosen = (self._chosen + 1) % seats
            case "?" | "f1":
                desk.open(HelpPage(desk, meeting=True))
            case "o":
                desk.open(SettingsPage(desk))
            case "escape" | "q" if not moving:
                desk.open(LeavePage(desk))
            case "y" if asked:
                self._start()
            case "enter" if table.seat < 0:
                desk.do(JoinTable(table.info.id))
            case _ if name in _OWNERS and owner:
                self._own(name)
            case _ if name in _OWNERS:
                desk.say("dim", desk.words.t("Only the owner of the table can do that."))

    def text(self, text: str) -> None:
        """See ``Page``."""

    # ---------------------------------------------------------------- what the owner may do

    def _own(self, name: str) -> None:
        desk, table = self._desk, self._table
        chosen = self._chosen % len(table.info.seats)
        match name:
            case "enter":
                self._start()
            case "s":
                desk.do(StartGame())
            case "a":
                free = not table.info.seats[chosen].name
                desk.do(AddBot(chosen if free else -1))
            case "x" | "delete":
                self._free(chosen)
            case "e":
                desk.open(
                    OptionsPage(
                        desk,
                        desk.words.t("Options of this table"),
                        table.info.options,
                        lambda options: desk.do(ChangeOptions(options)),
                    )
                )
            case _:
                self._arrange(name, chosen)

    def _arrange(self, name: str, chosen: int) -> None:
        """Who may sit where, and who may come."""
        desk, words, info = self._desk, self._desk.words, self._table.info
        seat = info.seats[chosen]
        match name:
            case "v" if seat.name:
                self._moving = True
                said = words.t(
                    "To which seat does {name} move? 1 to {last}",
                    name=seat.name,
                    last=len(info.seats),
                )
                desk.say("warm", said)
            case "v":
                desk.say("dim", words.t("Nobody sits there."))
            case "f" if seat.name:
                desk.say("dim", words.t("Choose an empty seat to keep for somebody."))
            case "f":
                self._type(
                    words.t("keep it for"),
                    seat.kept,
                    lambda called: desk.do(KeepSeat(chosen, called)),
                )
            case "i":
                self._type(
                    words.t("invitation word"),
                    self._table.word,
                    lambda word: desk.do(SetWord(word)),
                )
                desk.say("dim", words.t("Without a word, the table is open to everybody."))
            case "g" if seat.occupant is Occupant.HUMAN and chosen != self._table.seat:
                # Nobody can take that back.
                self._sure(
                    chosen,
                    words.t("Hand the table over to {name}?", name=seat.name),
                    words.t("{name} owns it then", name=seat.name),
                    HandOver(chosen),
                )
            case "g":
                desk.do(HandOver(chosen))

    def _free(self, chosen: int) -> None:
        seat = self._table.info.seats[chosen]
        if seat.kept:
            self._desk.do(KeepSeat(chosen, ""))
        elif chosen != self._table.seat and seat.occupant is Occupant.HUMAN:
            words = self._desk.words
            self._sure(
                chosen,
                words.t("Remove {name} from this table?", name=seat.name),
                words.t("may not come back for a while"),
                RemoveSeat(chosen),
            )
        elif chosen != self._table.seat:
            self._desk.do(RemoveSeat(chosen))

    def _sure(self, chosen: int, question: str, hint: str, command: Command) -> None:
        """Ask before something is done to who sits there now."""
        desk, name = self._desk, self._table.info.seats[chosen].name

        def do() -> None:
            if self._table.info.seats[chosen].name == name:
                desk.do(command)

        choices = (
            Choice("y", desk.words.t("Yes"), hint, do),
            Choice("n", desk.words.t("No"), desk.words.t("nothing changes"), lambda: None),
        )
        desk.open(ChoicePage(desk, question, choices, chosen=1))

    def _start(self) -> None:
        desk, words = self._desk, self._desk.words
        awaited = ", ".join(seat.kept for seat in self._table.info.seats if seat.kept)
        if not awaited:
            fill_and_start(self._table, desk.do)
            return
        hint = words.t("bots take the empty seats")
        begin = Choice("y", words.t("Yes"), hint, lambda: fill_and_start(self._table, desk.do))
        wait = Choice("n", words.t("No"), words.t("nothing changes"), lambda: None)
        question = words.t("Begin without {name}?", name=awaited)
        desk.open(ChoicePage(desk, question, (begin, wait), chosen=1))

    # ---------------------------------------------------------------- typing

    def _type(self, label: str, text: str, typed: Callable[[str], None]) -> None:
        self._label, self._typed = label, typed
        self.entry = line_entry(text, longest=_LONGEST)
        self.entry.cursor_position = len(text)

    def _edited(self, name: str) -> None:
        entry = self.entry
        assert entry is not None
        if name == "enter":
            self.entry = None
            self._typed(entry.text.strip())
        elif name in ("escape", "tab"):
            self.entry = None
