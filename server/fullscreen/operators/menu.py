"""What operators can do with what their lists show, and with the whole house: choices, and their keys."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from server.coordinator.moderation.orders import PersonRow, Row, TableFacts
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.choice_page import Choice, ChoicePage
from server.storage.moderation import BanRow, MuteRow, ReportRow
from server.text.operators import kind_in_words


class Lists(Protocol):
    """The page on which the choices are made."""

    def ask_for(self, label: str, *begin: str, sure: bool = False) -> Callable[[], None]:
        """Have the rest of an order typed; ``sure`` when typing it is sign enough that it is meant."""

    def sure(self, *order: str) -> Callable[[], None]:
        """Ask whether an order is meant."""

    def switch(self) -> None:
        """Show also what has been dealt with, or no longer."""


class OperatorMenu:
    """What an operator can do with the chosen row."""

    __slots__ = ("_desk", "_page")

    def __init__(self, desk: SessionContext, page: Lists) -> None:
        self._desk: Final = desk
        self._page: Final = page

    def about(self, row: Row | None) -> Sequence[Choice]:
        """What can be done with what is chosen in a list."""
        words = self._desk.words
        match row:
            case PersonRow(name=name, guest=guest):
                vouching = (
                    Choice(
                        "v",
                        words.t("vouch"),
                        words.t(
                            "list this account among the best players, whoever it has played with"
                        ),
                        self._page.sure("vouch", name),
                    ),
                    Choice(
                        "w",
                        words.t("vouch no more"),
                        words.t("take that back"),
                        self._page.sure("unvouch", name),
                    ),
                )
                return (
                    Choice(
                        "m",
                        words.t("silence"),
                        words.t("nobody hears what this person says"),
                        self._page.ask_for(words.t("How long, and why? 2h shouts"), "mute", name),
                    ),
                    Choice(
                        "u",
                        words.t("let speak"),
                        words.t("this person may speak again"),
                        self._page.sure("unmute", name),
                    ),
                    Choice(
                        "x",
                        words.t("send away"),
                        words.t("end a connection; the seat stays"),
                        self._page.ask_for(words.t("Why? The player is told."), "kick", name),
                    ),
                    Choice(
                        "b",
                        words.t("ban"),
                        words.t("let somebody in no more"),
                        lambda: self._desk.open(
                            ChoicePage(
                                self._desk,
                                words.t("Ban {name} by what?", name=name),
                                self._kinds(name),
                            )
                        ),
                    ),
                    *(() if guest else vouching),
                )
            case TableFacts(code=code) if code:
                return (
                    Choice(
                        "c",
                        words.t("close"),
                        words.t(
                            "close a table: its game is broken off, its people are in the lobby"
                        ),
                        self._page.sure("close", code),
                    ),
                )
            case ReportRow(id=number):
                return (
                    Choice(
                        "a",
                        words.t("answer"),
                        words.t("close a report, and tell its author this"),
                        self._page.ask_for(
                            words.t("The answer, for who reported:"),
                            "answer",
                            str(number),
                            sure=True,
                        ),
                    ),
                    Choice(
                        "c",
                        words.t("close"),
                        words.t("close a report without a word"),
                        self._page.sure("close", str(number)),
                    ),
                    Choice(
                        "o", words.t("all of them"), words.t("also those closed"), self._page.switch
                    ),
                )
            case BanRow(id=number):
                return (
                    Choice(
                        "u",
                        words.t("lift"),
                        words.t("lift a ban"),
                        self._page.sure("unban", str(number)),
                    ),
                )
            case MuteRow(name=name):
                return (
                    Choice(
                        "u",
                        words.t("let speak"),
                        words.t("this person may speak again"),
                        self._page.sure("unmute", name),
                    ),
                )
            case _:
                return ()

    def _kinds(self, name: str) -> Sequence[Choice]:
        words = self._desk.words
        label = words.t("How long, and why? 7d shouts; ever is for ever.")
        hints = {
            "key": words.t("whoever comes with it, wherever from"),
            "name": words.t("whoever is called so, or almost so"),
            "address": words.t("whoever comes from there"),
            "network": words.t("whoever comes from around there"),
        }
        return tuple(
            Choice(
                str(place),
                kind_in_words(kind, words),
                hint,
                self._page.ask_for(label, "ban", kind, name),
            )
            for place, (kind, hint) in enumerate(hints.items(), 1)
        )

    def about_the_server(self) -> Sequence[Choice]:
        """What can be done that concerns everybody."""
        words = self._desk.words
        drained = self._desk.closing_for_now
        return (
            Choice(
                "s",
                words.t("say something"),
                words.t("tell everybody something, as the server"),
                self._page.ask_for(words.t("To everybody:"), "say", sure=True),
            ),
            Choice("d", words.t("new games again"), "", self._page.sure("undrain"))
            if drained
            else Choice(
                "d",
                words.t("no new games"),
                words.t("those in progress go on"),
                self._page.sure("drain"),
            ),
            Choice(
                "e",
                words.t("run dry and stop"),
                words.t("no new games; when none is left, the server stops"),
                self._page.sure("drain", "stop"),
            ),
            Choice(
                "l",
                words.t("settings"),
                words.t("read the settings again"),
                self._page.sure("reload"),
            ),
            Choice(
                "b",
                words.t("ban"),
                words.t("somebody who is not here"),
                self._page.ask_for(
                    words.t("key, name, address or network; which; how long; why:"), "ban"
                ),
            ),
        )
