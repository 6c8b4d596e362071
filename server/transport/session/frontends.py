"""The frontends of a visit: the full screen, line mode, or JSON for a program."""

import time
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace
from typing_extensions import override

from server import version
from server.cleaning import NAME_WIDTH
from server.coordinator.contract import Visit
from server.coordinator.messages import Reply
from server.fullscreen.router import Router
from server.i18n.lookup import Words, _, words_for
from server.jsonapi.session import ApiSession, ToldSoFar
from server.linemode.session import LineSession
from server.session.account import Account
from server.session.attention import attention
from server.session.client import Visitor
from server.terminal.application import PlayerApplication
from server.terminal.capabilities import ByteStream, Capabilities, ConnectionStats, Size, clipboard
from server.terminal.drawing.frame import wrap
from server.text.refusals import refusal
from server.timers import Clock
from server.transport.session.server import Frontend, SessionNotice

_SHOWN: Final = ("nothing_to_watch", "standings", "today_played")
"""Notices that a full screen does not need, as it shows what they say."""
_ARRIVING: Final = {
    "unknown_suffix": _('"+{word}" is not an option here.'),
    "called": _("That name is taken: here you are {name}. {how}"),
    "name_kept": _("This key keeps its name. {how}"),
    "machine_name": _("You are {name} because your machine says so. {how}"),
    "altered": _("You are {name}: a name has at most {most} letters and digits. {how}"),
    "domain": _(
        "You are {name}: what stands before the + was taken for the domain of your machine. {how}"
    ),
    "nothing_to_watch": _("There is no table to watch yet: the first one will be shown here."),
    "standings": _("A tournament is going on: these are the standings."),
    "code_unknown": _("That code is invalid or has expired: you are a new guest."),
    "code_wait": _(
        "Too many wrong codes have come from your address: for a minute, no code adds a key. A "
        "valid rejoin code still works at once."
    ),
    "linked": _("This key now opens your account, too."),
    "link_needs_key": _(
        "That code adds an SSH key to an account, and you have come without a key."
    ),
    "link_seated": _(
        "The account that this key has opened until now is still connected or has a seat: leave "
        "with it first."
    ),
    "many_accounts": _("Too many new players have come from your address: today you are a guest."),
}

_OTHER_NAME: Final = {
    "screen": _("n on the title page changes it."),
    "lines": _('"name" and another one changes it.'),
    "api": _("For another one, log in as NAME+rename."),
}
"""Hints how to get another name, by frontend."""

_ANSWER_SECONDS: Final = 5.0
"""Seconds after a key from which on a change on the screen is not its effect."""


def frontend_for(
    clock: Clock,
    terminal: ByteStream,
    visit: Visit,
    notices: tuple[SessionNotice, ...],
    account: Account,
    wanted: Capabilities | None = None,
    *,
    drawn: Callable[[float], object] = lambda seconds: None,
    way_in: str = "",
) -> Frontend:
    """Return the frontend for a terminal and its player.

    ``wanted`` is how to use the terminal, once the player has gone from one frontend to the other.
    ``drawn`` is told how many seconds a key took to change the screen; ``way_in`` is that of
    ``ConnectionStats``.
    """

    def facts() -> ConnectionStats:
        # What a program reads tells nothing of a terminal.
        told = ConnectionStats() if abilities.program else terminal.facts
        return told._replace(way_in=way_in)

    abilities = wanted or terminal.abilities
    words = words_for(abilities.language)
    lines = abilities.lines or (not abilities.program and bool(account.settings.get("lines")))
    who = Visitor(visit.player, clock, replace(abilities, lines=lines), account, visit, facts)
    if abilities.program:
        told = [ToldSoFar(notice.code, in_words(notice, words, "api")) for notice in notices]
        return ApiSession(terminal, who, told, version())
    terminal.expect(lines=lines)
    if not lines:
        return ScreenFrontend(terminal, who, notices, drawn)
    first = "today" if _has_had_today(notices) else ""
    return LineSession(terminal, who, [in_words(it, words, "lines") for it in notices], first)


def _has_had_today(notices: tuple[SessionNotice, ...]) -> bool:
    """Return whether the player has played today's tide, and gets the ranking in place of it."""
    return any(notice.code == "today_played" for notice in notices)


class DrawnFrontend(Frontend):
    """A full-screen frontend."""

    lines: Final = False
    _tui: PlayerApplication

    @override
    def feed(self, text: str) -> None:
        self._tui.feed(text)

    @override
    def resized(self) -> None:
        self._tui.resized()

    @override
    def drained(self) -> None:
        self._tui.drained()


class ScreenFrontend(DrawnFrontend):
    """The full-screen game, and the ``Terminal`` on which it is drawn, with what the player has chosen."""

    def __init__(
        self,
        terminal: ByteStream,
        who: Visitor,
        notices: tuple[SessionNotice, ...] = (),
        drawn: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        self._terminal: Final = terminal
        self.meter = terminal.meter
        self._drawn: Final = drawn
        self._bells = 0
        self._typed = 0.0
        """Time of the last key that no frame has followed yet; 0 for none."""
        self._controller: Final = Router(who)
        context = self._controller.context
        context.copy = self._copy
        if _has_had_today(notices):
            context.menus["today"](context)
        notices = tuple(notice for notice in notices if notice.code not in _SHOWN)
        said = [in_words(notice, context.words, "screen") for notice in notices]
        if notices and (asked := notices[-1].refused) is not None:
            if notices[-1].code == "word_needed":
                said[-1] = context.words.t("That table is private: type its invitation word.")
            if notices[-1].code in ("word_needed", "wrong_word"):
                self._controller.ask_for_word(asked)
                context.say("notice", said.pop(), stays=True)
        if said:
            context.notify(" ".join(said), first=True)
        self._tui = PlayerApplication(self, self._controller)

    @override
    async def run(self) -> Capabilities | None:
        controller = self._controller
        try:
            await self._tui.play()
        finally:
            controller.close()
        if self.abilities.lines:
            return self.abilities
        context, words = controller.context, controller.context.words
        if context.account.new_name:
            return None  # and back at once
        said = controller.goodbye or (words.t("Goodbye, {name}.", name=context.player.name),)
        if (
            len(said) < 2
            and context.way_back
            and context.table is not None
            and context.table.seat >= 0
        ):
            back = words.t("To go on where you left off, log in as {login}", login=context.way_back)
            said = (*said, back)
        columns = self._terminal.size.columns
        lines = [line for text in said for line in wrap(text, columns - 1)]
        self._terminal.write("".join(f"{line}\r\n" for line in lines))
        return None

    @override
    def feed(self, text: str) -> None:
        self._typed = time.perf_counter()
        super().feed(text)

    @override
    def slow(self) -> None:
        context = self._controller.context
        if not context.abilities.thin and context.found(thin=True):
            said = context.words.t(
                "This connection is slow: from now on less is sent. The settings can change that."
            )
            context.notify(said)  # with the next picture

    # -------------------------------------------------------------- server.terminal.capabilities.Terminal

    @property
    def size(self) -> Size:
        return self._terminal.size

    @property
    def abilities(self) -> Capabilities:
        return self._controller.context.abilities

    @property
    def writable(self) -> bool:
        return self._terminal.writable

    def write(self, text: str) -> None:
        # What rings has changed something on the screen as well, and leaves together with it.
        context = self._controller.context
        if self._bells != context.bells:
            self._bells = context.bells
            text += attention(context.preferences, context.abilities, context.called_for)
        self._terminal.write(text)
        if self._typed:
            seconds, self._typed = time.perf_counter() - self._typed, 0.0
            if seconds < _ANSWER_SECONDS:
                self._drawn(seconds)

    def _copy(self, text: str) -> None:
        """Copy at once, without a frame."""
        if self.writable:
            self._terminal.write(clipboard(text))


def in_words(notice: SessionNotice, words: Words, frontend: str) -> str:
    """Return the text of a notice for a ``frontend``, one of ``_OTHER_NAME``."""
    if notice.code == "house":
        return notice.text
    if notice.code in _ARRIVING:
        text, how = notice.text, words.t(_OTHER_NAME[frontend])
        given = {"name": text, "word": text, "most": NAME_WIDTH, "how": how}
        return words.t(_ARRIVING[notice.code], **given)
    return refusal(Reply(notice.code, {"table": notice.text}), words)
