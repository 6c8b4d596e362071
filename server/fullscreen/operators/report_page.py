"""A player tells the operators about somebody."""

from typing import Final

from prompt_toolkit.buffer import Buffer

from server.coordinator.messages import Occupant
from server.fullscreen.context import SessionContext
from server.fullscreen.operators.view import OperatorsView, office_screen, prompt_room
from server.terminal.capabilities import Size
from server.terminal.frame import Frame
from server.terminal.line_edit import line_entry, visible
from server.text.server_messages import report_in_words

_LONGEST: Final = 300


class ReportPage:
    """See the module."""

    def __init__(self, desk: SessionContext) -> None:
        self._desk: Final = desk
        self._chosen = 0
        self._about = ""
        self.entry: Buffer | None = None

    @property
    def _names(self) -> tuple[str, ...]:
        """Whom one sees here."""
        desk = self._desk
        if desk.table is not None:
            seats = desk.table.info.seats
            here = [seat.name for seat in seats if seat.occupant is Occupant.HUMAN]
        else:
            here = list(desk.lobby.players) if desk.lobby is not None else []
        return tuple(name for name in here if name != desk.player.name)

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        desk, words = self._desk, self._desk.words
        prompt = None
        if self.entry is not None:
            text, column = visible(self.entry, prompt_room(size))
            label = (
                words.t("What has {name} done?", name=self._about)
                if self._about
                else words.t("The name, and what has happened:")
            )
            prompt = label, text, column
        keys = (
            (("Enter", words.t("send")), ("Esc", words.t("back")))
            if prompt
            else (("Enter", words.t("choose")), ("Esc", words.t("back")))
        )
        view = OperatorsView(
            words.t("Tell the operators about somebody"),
            (),
            0,
            (*self._names, words.t("somebody else")),
            min(self._chosen, len(self._names)),
            words.t(
                "Operators of this house read what you write, with your name and the table. Nobody else"
                " does; you hear their answer here, or when you come the next time."
            ),
            desk.said,
            keys,
            prompt,
        )
        return office_screen(view, size, desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        if self.entry is not None:
            self._typed(name)
            return
        last = len(self._names)
        match name:
            case "up" | "k":
                self._chosen = max(0, min(self._chosen, last) - 1)
            case "down" | "j" | "tab":
                self._chosen = min(last, self._chosen + 1)
            case "enter":
                names = self._names
                self._about = names[self._chosen] if self._chosen < len(names) else ""
                self.entry = line_entry(longest=_LONGEST)
            case "escape" | "q" | "!":
                self._desk.close(self)

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _typed(self, name: str) -> None:
        entry = self.entry
        assert entry is not None
        if name == "escape":
            self.entry = None
        elif name == "enter":
            about, text = self._about, entry.text.strip()
            if not about:
                about, _, text = text.partition(" ")
            self._send(about, text)

    def _send(self, about: str, text: str) -> None:
        desk = self._desk

        async def work() -> None:
            code = await desk.account.report(about, text)
            said = report_in_words(code, about, desk.words)
            desk.say("notice" if code == "ok" else "error", said)
            if code == "ok":
                desk.close(self)
            desk.changed()

        desk.spawn(work())
