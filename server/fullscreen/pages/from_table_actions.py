"""Keys for what is done at a table with a command and nothing else."""

from typing import Final

from server.fullscreen.pages.page import Page
from server.i18n.lookup import _
from server.session.table_actions import TABLE_ACTIONS, TableAction, Where
from server.terminal.keys.key_table import Key

MEETING: Final = _("Meeting people")
"""Where the help page tells of keys with which people meet."""


def action_keys(where: Where) -> tuple[Key[Page], ...]:
    """Of the page of a table before its game, or with one."""
    return tuple(_key(each) for each in TABLE_ACTIONS if each.where is where and each.key)


def _key(action: TableAction) -> Key[Page]:
    return Key(
        action.key,
        does=lambda page: page.context.do(action.given()),
        when=lambda page: action.key_when(page.table),
        footer=action.footer,
        help=action.key_help or (),
        action=action.word,
        what=action.key_in_words,
    )
