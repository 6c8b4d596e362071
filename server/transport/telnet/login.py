"""What somebody on a telnet line is told first, and the doors in from there: a word's, a name's, or none."""

from collections.abc import Callable
from typing import Final

from server.i18n.catalogues import Words
from server.transport.access.limiter import Reason
from server.transport.access.login_name import Login
from server.transport.access.policy import Admission
from server.transport.access.sanitize import notice_lines
from server.transport.telnet.context import TelnetContext
from server.transport.telnet.prompts import NamePrompt, PasswordPrompt, broken


class TelnetLogin:
    """For one connection, until somebody comes in. ``write`` shows a text, ``leave`` ends the connection."""

    def __init__(
        self,
        around: TelnetContext,
        address: str,
        words: Words,
        *,
        width: int,
        write: Callable[[str], None],
        come_in: Callable[[Login], None],
        leave: Callable[[], None],
    ) -> None:
        """``width`` is that of the terminal, 0 where it is not known."""
        self._around: Final = around
        self._house: Final = around.house
        self._address: Final = address
        self._words: Final = words
        self._width: Final = width
        self._write: Final = write
        self._come_in: Final = come_in
        self._leave: Final = leave
        self._door: NamePrompt | PasswordPrompt | None = None

    def begin(
        self, *, encrypted: bool, hide: Callable[[bool], None] | None, typed: Callable[[str], None]
    ) -> None:
        """Ask for what this house wants to know. ``hide`` keeps what is typed from the screen, or shows it
        again; ``None`` where the far end would not take part. ``typed`` is told what came after a word.
        """
        words = self._words
        said = [words.t("Turn the Tide, a card game for three to six players.")]
        gate = self._house.gate
        if gate.keys_only:
            self._refuse_keyless(said)
            return
        if not encrypted:
            said.append(self._warning())
        if gate.asks_word:
            self._ask_word(said, hide, typed)
        else:
            self._ask_name(said)

    def feed(self, text: str) -> str:
        """Something was typed. Returns what is left of it for the game, once somebody is in."""
        return self._door.feed(text) if self._door is not None else text

    def forget(self) -> None:
        """The connection is gone."""
        if isinstance(self._door, PasswordPrompt):
            self._door.forget()
        self._door = None

    def _refuse_keyless(self, said: list[str]) -> None:
        words = self._words
        said.append(
            words.t("Only players whose SSH key this server knows may come in: telnet has no keys.")
        )
        if advice := self._around.advice:
            said.append(words.t("With such a key: {command}", command=advice))
        self._house.guard.refuse(Reason.KEY, self._address)
        self._write(broken(said, self._width) + "\r\n")
        self._leave()

    def _warning(self) -> str:
        words = self._words
        warning = words.t("This line is not encrypted: others may read along.")
        if advice := self._around.advice:
            warning += " " + words.t("Encrypted: {command}", command=advice)
        return warning

    def _ask_word(
        self, said: list[str], hide: Callable[[bool], None] | None, typed: Callable[[str], None]
    ) -> None:
        words = self._words
        if hide is not None:
            hide(True)

        async def says(word: str) -> str:
            answer, _ = await self._house.gate.says(word, self._address)
            if answer is Admission.WAIT:
                return words.t(
                    "Too many wrong passwords have come from your address: wait a minute."
                )
            return "" if answer is Admission.FITS else words.t("That is not the word.")

        def go_on(ahead: str) -> None:
            if hide is not None:
                hide(False)
            self._ask_name([])
            typed(ahead)

        self._door = PasswordPrompt(
            words,
            said=said,
            width=self._width,
            write=self._write,
            says=says,
            come_in=go_on,
            leave=self._leave,
        )

    def _ask_name(self, said: list[str]) -> None:
        said += notice_lines(self._house.settings.notice)
        self._door = NamePrompt(
            self._words,
            said=said,
            width=self._width,
            write=self._write,
            come_in=self._come_in,
            leave=self._leave,
        )
