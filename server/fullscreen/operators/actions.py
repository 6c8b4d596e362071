"""Keys for what operators can do with what their lists show, and with the server."""

from collections.abc import Callable
from math import isinf
from typing import Final, Protocol

from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import Action, PersonRow, Row, TableFacts
from server.fullscreen.context import SessionContext
from server.i18n.catalogues import gettext_noop as _
from server.storage.moderation import BanRow, MuteRow, ReportRow
from server.terminal.keys.key_table import Key
from server.text.operator_orders import ORDERS

OF_ROWS: Final = "rows"
OF_SERVER: Final = "server"
"""Sections of the help."""


class GivesOrders(Protocol):
    """The page that has the keys."""

    @property
    def context(self) -> SessionContext:
        """The session's."""

    @property
    def row(self) -> Row | None:
        """The chosen one."""

    def ask_for(self, label: str, *begin: str) -> None:
        """Have the rest of an order typed."""

    def ask_whether(self, *order: str) -> None:
        """Ask whether an order is meant."""

    def ask_how_to_ban(self) -> None:
        """By what."""

    def show_closed(self) -> None:
        """Show also what has been dealt with."""


_When = Callable[[GivesOrders], bool]
OrderKey = Key[GivesOrders]
_ORDERS: Final = {order.action: order for order in ORDERS}


def _gives(
    action: type[Action],
    name: str,
    footer: str,
    when: _When = lambda page: True,
    *,
    more: tuple[str, ...] = (),
    ask: str = "",
    what: str = "",
) -> OrderKey:
    """Gives an order: with ``more``, with the chosen row, and what is typed where ``ask`` asks for it."""
    order = (_ORDERS[action].usage.split()[0], *more)

    def does(page: GivesOrders) -> None:
        if ask:
            page.ask_for(ask, *order)
        else:
            page.ask_whether(*order)

    return Key(name, does=does, when=when, footer=footer, what=what or _ORDERS[action].meaning)


def _told(help: str) -> OrderKey:
    """What help says of the keys above."""
    return Key(help=help, section=OF_ROWS)


def _row_is(kind: type[Row]) -> _When:
    return lambda page: isinstance(page.row, kind)


_PERSON, _REPORT, _BAN = _row_is(PersonRow), _row_is(ReportRow), _row_is(BanRow)


def _account(page: GivesOrders) -> bool:
    return isinstance(page.row, PersonRow) and not page.row.guest


def _table(page: GivesOrders) -> bool:
    return isinstance(page.row, TableFacts) and bool(page.row.code)


def _drained(page: GivesOrders) -> bool:
    return isinf(page.context.closing_time)


ROW_KEYS: Final[tuple[OrderKey, ...]] = (
    _gives(asked.MutePerson, "m", _("mute"), _PERSON, ask=_("How long, and why? (2h shouting)")),
    _gives(asked.UnmutePerson, "u", _("unmute"), _PERSON),
    _told(_("m, u\tpeople: mute somebody for a time, or unmute")),
    _gives(asked.Kick, "x", _("disconnect"), _PERSON, ask=_("Why? The player is told.")),
    _told(_("x\tpeople: end a connection; the seat stays, and they may come back")),
    Key(
        "b",
        does=lambda page: page.ask_how_to_ban(),
        when=_PERSON,
        footer=_("ban"),
        what=_("keep somebody out"),
    ),
    _told(_("b\tpeople: ban a key, a name, an address or the network around it")),
    _gives(asked.Vouch, "v", _("vouch"), _account),
    _gives(asked.Unvouch, "w", _("withdraw vouching"), _account),
    _gives(asked.CloseTable, "c", _("close the table"), _table),
    _told(_("c\ttables: close one, whatever is going on there")),
    _gives(
        asked.AnswerReport,
        "a",
        _("answer"),
        _REPORT,
        ask=_("Answer to the person who reported it:"),
    ),
    _gives(asked.CloseReport, "c", _("close"), _REPORT),
    Key(
        "o",
        does=lambda page: page.show_closed(),
        when=_REPORT,
        footer=_("all of them"),
        what=_("also those closed"),
    ),
    _told(_("a, c, o\treports: answer, close without a word, also show those closed")),
    _gives(asked.Unban, "u", _("lift"), _BAN),
    _told(_("u\tbans: lift one; below them are those who are muted: unmute")),
    _gives(asked.UnmutePerson, "u", _("unmute"), _row_is(MuteRow)),
)
"""What can be done with the chosen row."""

SERVER_KEYS: Final[tuple[OrderKey, ...]] = (
    _gives(asked.Broadcast, "s", _("say something"), ask=_("To everybody:")),
    _gives(
        asked.Drain,
        "d",
        _("no new games"),
        lambda page: not _drained(page),
        what=_("those in progress go on"),
    ),
    _gives(asked.Undrain, "d", _("new games again"), _drained),
    _gives(
        asked.Drain,
        "e",
        _("finish and stop"),
        more=("stop",),
        what=_("no new games; when none is left, the server stops"),
    ),
    _gives(asked.Reload, "l", _("settings")),
    _gives(
        asked.BanSomebody,
        "b",
        _("ban"),
        ask=_("key, name, address or network; which; how long; why:"),
        what=_("somebody who is not here"),
    ),
)
"""What can be done that concerns everybody."""
