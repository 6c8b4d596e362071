"""The waiting room of a table."""

from prompt_toolkit.buffer import Buffer

from server.coordinator.messages import (
    AddBot,
    ChangeOptions,
    RemoveSeat,
    StartGame,
    TableSnapshot,
)
from server.ui.desk import Desk
from server.ui.frame import Frame
from server.ui.pages.ask_leave import LeavePage
from server.ui.pages.help import HelpPage
from server.ui.pages.options import OptionsPage
from server.ui.pages.settings import SettingsPage
from server.ui.present_lobby import present_waiting
from server.ui.screens.lobby import waiting_screen
from server.ui.terminal import Size


class WaitingPage:
    """See the module."""

    entry: Buffer | None = None

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._chosen = 0

    @property
    def _table(self) -> TableSnapshot:
        assert self._desk.table is not None
        return self._desk.table

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        desk = self._desk
        model = present_waiting(self._table, desk.words)
        chosen = self._chosen % len(model.seats)
        return waiting_screen(model, chosen, desk.said, size, desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        desk, table = self._desk, self._table
        seats = len(table.info.seats)
        owner = table.seat >= 0 and table.seat == table.info.owner
        match name:
            case "up" | "k":
                self._chosen = (self._chosen - 1) % seats
            case "down" | "j" | "tab":
                self._chosen = (self._chosen + 1) % seats
            case "?" | "f1":
                desk.open(HelpPage(desk))
            case "o":
                desk.open(SettingsPage(desk))
            case "escape" | "q":
                desk.open(LeavePage(desk))
            case "enter" | "s" | "a" | "x" | "delete" | "e" if owner:
                self._own(name)
            case "enter" | "s" | "a" | "x" | "delete" | "e":
                desk.say("dim", desk.words.t("Only the player who opened the table can do that."))

    def _own(self, name: str) -> None:
        desk, table = self._desk, self._table
        chosen = self._chosen % len(table.info.seats)
        match name:
            case "enter":
                self._fill_and_start()
            case "s":
                desk.do(StartGame())
            case "a":
                free = not table.info.seats[chosen].name
                desk.do(AddBot(chosen if free else -1))
            case "x" | "delete":
                if chosen != table.seat:
                    desk.do(RemoveSeat(chosen))
            case "e":
                desk.open(
                    OptionsPage(
                        desk,
                        desk.words.t("Options of this table"),
                        table.info.options,
                        lambda options: desk.do(ChangeOptions(options)),
                    )
                )

    def _fill_and_start(self) -> None:
        free = sum(not seat.name for seat in self._table.info.seats)
        self._add_bots(free)

    def _add_bots(self, free: int) -> None:
        if free:
            self._desk.do(AddBot(), lambda: self._add_bots(free - 1))
        else:
            self._desk.do(StartGame())

    def text(self, text: str) -> None:
        """See ``Page``."""
