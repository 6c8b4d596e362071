"""From a visit to what a player sees: the full screen, lines of text, or JSON for a program."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from typing_extensions import override

from server.coordinator.clock import Clock
from server.coordinator.messages import Reply
from server.coordinator.ports import Visit
from server.fullscreen.router import Router
from server.i18n.catalogues import Words, words_for
from server.jsonapi.session import ApiSession, ToldSoFar
from server.linemode.session import LineSession
from server.session.account import Account
from server.session.bell import attention
from server.terminal.application import PlayerApplication
from server.terminal.capabilities import ByteStream, Capabilities, ConnectionStats, Size, Terminal
from server.terminal.drawing.text_layout import wrap
from server.terminal.output_budget import Budget
from server.text.rounds import refusal
from server.transport.session.ports import Frontend, SessionNotice
from server.version import version


def _(text: str) -> str:
    return text


_ARRIVING: Final = {
    "nothing_to_watch": _("There is no table to watch yet: the first one will be shown here."),
    "code_unknown": _("That code is invalid or has expired: you are a new guest."),
    "code_wait": _(
        "Too many wrong codes have come from your address: for a minute none adds a key. A right one to come"
        " back with is good at once."
    ),
    "linked": _("This key now opens your account, too."),
    "link_needs_key": _(
        "That code adds an SSH key to an account, and you have come without a key."
    ),
    "link_seated": _(
        "The account that this key opens so far is still here, or has a seat: leave there first."
    ),
    "new_here": _("New here? t brings a guide. Choose a card, Enter bids it."),
    "many_accounts": _("Too many new players have come from your address: today you are a guest."),
}


_ANSWER_SECONDS: Final = 5.0
"""What changes on a screen so long after a key is not that key's doing."""


def _nobody_counts(_: float) -> None:
    """Nobody is interested in how long a key took."""


def face_for(
    clock: Clock,
    terminal: ByteStream,
    visit: Visit,
    notices: tuple[SessionNotice, ...],
    account: Account,
    *,
    drawn: Callable[[float], None] = _nobody_counts,
    way_in: str = "",
) -> Frontend:
    """The frontend that a terminal and its player want. ``drawn`` is told how many seconds a key took to
    change the screen; ``way_in`` is how others get here, as in ``ConnectionStats``.
    """

    if terminal.abilities.program:
        return _for_program(clock, terminal, visit, notices, account)
    return SwitchingFrontend(clock, terminal, visit, notices, account, drawn, way_in)


class SwitchingFrontend(Frontend):
    """Lines or the full screen, and from one to the other as often as the player likes."""

    __slots__ = ("_account", "_clock", "_drawn", "_face", "_terminal", "_visit", "_way_in")

    def __init__(
        self,
        clock: Clock,
        terminal: ByteStream,
        visit: Visit,
        notices: tuple[SessionNotice, ...],
        account: Account,
        drawn: Callable[[float], None],
        way_in: str,
    ) -> None:
        self._clock: Final = clock
        self._terminal: Final = terminal
        self._visit: Final = visit
        self._account: Final = account
        self._drawn: Final = drawn
        self._way_in: Final = way_in
        lines = terminal.abilities.lines or bool(account.settings.get("lines"))
        self._face = self._make(terminal.abilities, notices, lines=lines)

    def _make(
        self, wanted: Capabilities, notices: tuple[SessionNotice, ...] = (), *, lines: bool
    ) -> "LineSession | ScreenFrontend":
        """The one or the other, on a terminal that is to be used as ``wanted``."""
        terminal = self._terminal
        terminal.expect(lines=lines)
        abilities = replace(wanted, lines=lines)
        if lines:
            words = words_for(abilities.language)
            return LineSession(
                terminal,
                self._visit,
                self._clock,
                notices=[in_words(notice, words) for notice in notices],
                account=self._account,
                abilities=abilities,
                facts=self._facts,
                budget=terminal.budget,
            )
        return ScreenFrontend(
            terminal,
            self._visit,
            self._clock,
            notices,
            self._account,
            self._facts,
            self._drawn,
            terminal.budget,
            abilities,
        )

    def _facts(self) -> ConnectionStats:
        return self._terminal.facts._replace(way_in=self._way_in)

    @property
    @override
    def lines(self) -> bool:
        return isinstance(self._face, LineSession)

    @override
    async def run(self) -> None:
        await self._face.run()
        while self._face.wants_other:
            self._visit.feed.rewind()
            # What the player has chosen in the one goes for the other.
            self._face = self._make(self._face.abilities, lines=not self.lines)
            await self._face.run()

    @override
    def feed(self, text: str) -> None:
        self._face.feed(text)

    @override
    def resized(self) -> None:
        self._face.resized()

    @override
    def drained(self) -> None:
        self._face.drained()

    @override
    def slow(self) -> None:
        self._face.slow()


def _for_program(
    clock: Clock,
    terminal: ByteStream,
    visit: Visit,
    notices: tuple[SessionNotice, ...],
    account: Account,
) -> Frontend:
    words = words_for(terminal.abilities.language)
    told = [ToldSoFar(notice.code, in_words(notice, words)) for notice in notices]
    return ApiSession(
        terminal,
        visit,
        clock,
        notices=told,
        account=account,
        version=version(),
        budget=terminal.budget,
    )


class ScreenFrontend(Frontend):
    """The full-screen game."""

    __slots__ = ("_controller", "_terminal", "_tui", "_wanted")

    def __init__(
        self,
        terminal: Terminal,
        visit: Visit,
        clock: Clock,
        notices: tuple[SessionNotice, ...] = (),
        account: Account | None = None,
        facts: Callable[[], ConnectionStats] = ConnectionStats,
        drawn: Callable[[float], None] = _nobody_counts,
        budget: Budget | None = None,
        abilities: Capabilities | None = None,
    ) -> None:
        self._terminal: Final = terminal
        self._controller: Final = Router(visit, clock, abilities or terminal.abilities, account)
        desk = self._controller.desk
        desk.facts = facts
        if any(notice.code == "nothing_to_watch" for notice in notices):
            # A screen for everybody waits where it says what goes on, and not whose it is.
            desk.greeted = True
        said = [in_words(notice, desk.words) for notice in notices]
        if notices and (asked := notices[-1].refused) is not None:
            if notices[-1].code == "word_needed":
                said[-1] = desk.words.t("That table is private: type its invitation word.")
            if notices[-1].code in ("word_needed", "wrong_word"):
                self._controller.ask_for_word(asked)
        if said:
            desk.say("notice", " ".join(said))
        self._wanted: Final = _Wanted(terminal, self._controller, drawn)
        self._tui: Final = PlayerApplication(self._wanted, self._controller, budget=budget)

    @override
    async def run(self) -> None:
        controller = self._controller
        try:
            await self._tui.run_async()
        finally:
            controller.close()
        if self.wants_other:
            return
        words = controller.desk.words
        desk = controller.desk
        said = controller.goodbye or (words.t("Goodbye, {name}.", name=desk.player.name),)
        if len(said) < 2 and desk.way_back and desk.table is not None and desk.table.seat >= 0:
            back = words.t("To go on where you left off, log in as {login}", login=desk.way_back)
            said = (*said, back)
        columns = self._terminal.size.columns
        lines = [line for text in said for line in wrap(text, columns - 1)]
        self._terminal.write("".join(f"{line}\r\n" for line in lines))

    @property
    def wants_other(self) -> bool:
        """The player wants lines now."""
        return self.abilities.lines

    @property
    def abilities(self) -> Capabilities:
        """How the player wants the terminal used by now."""
        return self._controller.desk.abilities

    @property
    @override
    def lines(self) -> bool:
        return False

    @override
    def feed(self, text: str) -> None:
        self._wanted.typed = time.perf_counter()
        self._tui.feed(text)

    @override
    def resized(self) -> None:
        self._tui.resized()

    @override
    def drained(self) -> None:
        self._tui.drained()

    @override
    def slow(self) -> None:
        desk = self._controller.desk
        if not desk.abilities.thin and desk.found_slow():
            said = desk.words.t(
                "This connection is slow: from now on less is sent. The settings can change that."
            )
            desk.say("notice", said)
            desk.changed()


class _Wanted:
    """The terminal, used as the player wants it used by now."""

    __slots__ = ("_bells", "_controller", "_drawn", "_terminal", "typed")

    def __init__(
        self, terminal: Terminal, controller: Router, drawn: Callable[[float], None]
    ) -> None:
        self._terminal: Final = terminal
        self._controller: Final = controller
        self._drawn: Final = drawn
        self._bells = 0
        self.typed = 0.0
        """When the last key came that has not been answered yet; 0 for none."""

    @property
    def size(self) -> Size:
        return self._terminal.size

    @property
    def abilities(self) -> Capabilities:
        return self._controller.desk.abilities

    @property
    def writable(self) -> bool:
        return self._terminal.writable

    def write(self, text: str) -> None:
        # What rings has changed something on the screen as well, and leaves together with it.
        if self._bells != self._controller.bells:
            self._bells = self._controller.bells
            desk = self._controller.desk
            why = self._controller.called_for
            text += attention(desk.preferences, desk.abilities, why)
        self._terminal.write(text)
        if self.typed:
            seconds, self.typed = time.perf_counter() - self.typed, 0.0
            if seconds < _ANSWER_SECONDS:
                self._drawn(seconds)

    def close(self) -> None:
        self._terminal.close()


def in_words(notice: SessionNotice, words: Words) -> str:
    """What a player is told on arrival."""
    if notice.code == "unknown_suffix":
        return words.t('"+{word}" means nothing here.', word=notice.text)
    if notice.code == "house":
        return notice.text
    if notice.code == "called":
        return words.t("That name is taken: here you are {name}.", name=notice.text)
    if notice.code in _ARRIVING:
        return words.t(_ARRIVING[notice.code])
    return refusal(Reply(notice.code, {"table": notice.text}), words)
