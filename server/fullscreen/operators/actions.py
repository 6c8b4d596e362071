"""Keys for what operators can do with what their lists show, and with the server."""

from collections.abc import Callable
from math import isinf
from typing import Any, Final

from server.coordinator.moderation.orders import PersonRow, Row, TableFacts
from server.i18n.catalogues import gettext_noop as _
from server.storage.moderation import BanRow, MuteRow, ReportRow
from server.terminal.keys.key_table import Key

OF_ROWS: Final = "rows"
OF_SERVER: Final = "server"
"""Sections of the help."""

_Does = Callable[[Any], object]


def _ask(label: str, order: str, *, sure: bool = False) -> _Does:
    return lambda page: page.ask_for(label, order, sure=sure)


def _if_sure(*order: str) -> _Does:
    return lambda page: page.ask_whether(*order)


def _on(
    kind: type[Row], name: str, does: _Does, label: str, hint: str, help: str | tuple[str, ...] = ()
) -> Key:
    """For rows of one kind."""
    return Key(
        name,
        does=does,
        when=lambda page: isinstance(page.row, kind),
        footer=label,
        what=hint,
        help=help,
        section=OF_ROWS,
    )


def _on_account(page: Any) -> bool:
    return isinstance(page.row, PersonRow) and not page.row.guest


ROW_KEYS: Final = (
    _on(
        PersonRow,
        "m",
        _ask(_("How long, and why? 2h shouts"), "mute"),
        _("silence"),
        _("nobody hears what this person says"),
        _("m, u\tpeople: silence somebody for a time, or let speak again"),
    ),
    _on(PersonRow, "u", _if_sure("unmute"), _("let speak"), _("this person may speak again")),
    _on(
        PersonRow,
        "x",
        _ask(_("Why? The player is told."), "kick"),
        _("send away"),
        _("end a connection; the seat stays"),
        _("x\tpeople: end a connection; the seat stays, and who it was may come back"),
    ),
    _on(
        PersonRow,
        "b",
        lambda page: page.ask_how_to_ban(),
        _("ban"),
        _("let somebody in no more"),
        _("b\tpeople: ban a key, a name, an address or the network around it"),
    ),
    Key(
        "v",
        does=_if_sure("vouch"),
        when=_on_account,
        footer=_("vouch"),
        what=_("list this account among the best players, whoever it has played with"),
    ),
    Key(
        "w",
        does=_if_sure("unvouch"),
        when=_on_account,
        footer=_("vouch no more"),
        what=_("take that back"),
    ),
    Key(
        "c",
        does=_if_sure("close"),
        when=lambda page: isinstance(page.row, TableFacts) and bool(page.row.code),
        footer=_("close"),
        what=_("close a table: its game is broken off, its people are in the lobby"),
        help=_("c\ttables: close one, whatever goes on there"),
        section=OF_ROWS,
    ),
    _on(
        ReportRow,
        "a",
        _ask(_("The answer, for who reported:"), "answer", sure=True),
        _("answer"),
        _("close a report, and tell its author this"),
        _("a, c, o\treports: answer, close without a word, also show those closed"),
    ),
    _on(ReportRow, "c", _if_sure("close"), _("close"), _("close a report without a word")),
    _on(ReportRow, "o", lambda page: page.show_closed(), _("all of them"), _("also those closed")),
    _on(
        BanRow,
        "u",
        _if_sure("unban"),
        _("lift"),
        _("lift a ban"),
        _("u\tbans: lift one; below them is who is silenced: let speak again"),
    ),
    _on(MuteRow, "u", _if_sure("unmute"), _("let speak"), _("this person may speak again")),
)
"""What can be done with the chosen row."""

SERVER_KEYS: Final = (
    Key(
        "s",
        does=_ask(_("To everybody:"), "say", sure=True),
        footer=_("say something"),
        what=_("tell everybody something, as the server"),
    ),
    Key(
        "d",
        does=_if_sure("drain"),
        when=lambda page: not isinf(page.context.closing_time),
        footer=_("no new games"),
        what=_("those in progress go on"),
    ),
    Key(
        "d",
        does=_if_sure("undrain"),
        when=lambda page: isinf(page.context.closing_time),
        footer=_("new games again"),
    ),
    Key(
        "e",
        does=_if_sure("drain", "stop"),
        footer=_("run dry and stop"),
        what=_("no new games; when none is left, the server stops"),
    ),
    Key("l", does=_if_sure("reload"), footer=_("settings"), what=_("read the settings again")),
    Key(
        "b",
        does=_ask(_("key, name, address or network; which; how long; why:"), "ban"),
        footer=_("ban"),
        what=_("somebody who is not here"),
    ),
)
"""What can be done that concerns everybody."""
