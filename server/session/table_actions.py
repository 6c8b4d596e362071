"""What somebody can do at a table, each thing declared once: line mode, the requests of programs, help and
keys are made from this. What else can be typed is in ``command_words``.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from server.coordinator import messages as m
from server.i18n.lookup import _, p_
from server.session.turn_status import may_skip


class Where(Enum):
    """Where a command can be typed."""

    ANYWHERE = auto()
    TABLE = auto()
    GAME = auto()
    """At a table where a game has begun."""


class TableAction(NamedTuple):
    """One of them."""

    word: str
    """For line mode, in the context "line command"; programs send the English one."""
    command: type[m.TableCommand]
    """What is submitted: its fields follow the word when it is typed, seats counted from 1."""
    where: Where
    help: tuple[str, ...] = ()
    """What line mode's help says: before a game, or in one. Some texts tell of the next actions as well."""
    asks: tuple[str, ...] = ()
    """What is said when a field that is needed was not typed, a sentence for each."""
    fixed: Mapping[str, str] = {}
    """Fields that nobody chooses."""
    imperative: str = ""
    """Understood, too, in the context "line command, imperative": some languages' words are infinitives."""
    also: str = ""
    """More words for it, in any language."""
    key: str = ""
    """On the page of the table, or of one that waits, for a command without fields."""
    key_in_words: str = ""
    """For whoever wants another key."""
    footer: str = ""
    """What the footer says of the key when it can be pressed; empty where another text tells of it."""
    key_help: str = ""
    """What the help page says of it."""
    key_when: Callable[[m.TableSnapshot], bool] = lambda _table: True

    def given(self, **fields: Any) -> m.TableCommand:
        """The command, with these fields."""
        return self.command(**{**self.fixed, **fields})


_SEAT: Final = _("Which seat? They are numbered from 1.")

TABLE_ACTIONS: Final = (
    # Before a game.
    TableAction(
        p_("line command", "start"),
        m.StartGame,
        Where.TABLE,
        (_('"table": who sits here. "start": begin. "leave": back to the lobby.'),),
        imperative=p_("line command, imperative", "start"),
        also="st sta",
    ),
    TableAction(
        p_("line command", "add"),
        m.AddBot,
        Where.TABLE,
        (
            _(
                '"add": a bot; "add 3": three of them; "add tidal": that kind. "remove 2": free seat'
                ' 2. "give 2": seat 2 is the owner.'
            ),
        ),
        imperative=p_("line command, imperative", "add"),
    ),
    TableAction(
        p_("line command", "remove"),
        m.RemoveSeat,
        Where.TABLE,
        asks=(_SEAT,),
        imperative=p_("line command, imperative", "remove"),
        also="kick",
    ),
    TableAction(
        p_("line command", "give"),
        m.HandOver,
        Where.TABLE,
        asks=(_SEAT,),
        imperative=p_("line command, imperative", "give"),
    ),
    TableAction(
        p_("line command", "options"),
        m.ChangeOptions,
        Where.TABLE,
        (_('"options 5 players untimed": change the options. "options" alone tells them.'),),
        also="einstellungen",
    ),
    TableAction(
        p_("line command", "private"),
        m.SetWord,
        Where.TABLE,
        (
            _(
                '"invite": the line to send to friends. "private otter": only those who '
                'know the word come in; "public": everybody again. "keep 3 zoe": seat 3 is '
                'for zoe; "keep 3": for anybody. "move 2 4": whoever is in seat 2 moves to '
                "seat 4."
            ),
        ),
        (_('With which word? For example: "private otter".'),),
    ),
    TableAction(p_("line command", "public"), m.SetWord, Where.TABLE, fixed={"word": ""}),
    TableAction(
        p_("line command", "keep"),
        m.KeepSeat,
        Where.TABLE,
        asks=(_SEAT,),
        imperative=p_("line command, imperative", "keep"),
    ),
    TableAction(
        p_("line command", "move"),
        m.MoveSeat,
        Where.TABLE,
        asks=(_SEAT, _('To which seat? For example: "move 2 4".')),
        imperative=p_("line command, imperative", "move"),
    ),
    TableAction(
        p_("line command", "leave"),
        m.LeaveTable,
        Where.TABLE,
        imperative=p_("line command, imperative", "leave"),
        also="le",
    ),
    # During a game, and after it.
    TableAction(
        p_("line command", "bid"),
        m.PlaceBid,
        Where.GAME,
        (
            _('"bid 44", or just "44": bid that card, or bid it instead of your earlier one.'),
            _('"hand", "tides", "table", "log", "played", "scores": what there is to see.'),
        ),
        also="b",
    ),
    TableAction(
        p_("line command", "hint"),
        m.AskHint,
        Where.GAME,
        (_('"hint": what the strongest bot would bid, and why, where the table gives hints.'),),
    ),
    TableAction(
        p_("line command", "guess"),
        m.Guess,
        Where.GAME,
        (_('"guess NAME": once you are out of a stage, who takes the high tide in this round.'),),
    ),
    TableAction(
        p_("line command", "skip"),
        m.Skip,
        Where.GAME,
        (_('"skip": once you are out and only bots are left, on to the end of the stage.'),),
        imperative=p_("line command, imperative", "skip"),
        key="s",
        key_in_words=_("on to the end of the stage"),
        footer=_("end of stage"),
        key_help=_("s\twhen only bots are left in a stage: on to its end"),
        key_when=may_skip,
    ),
    TableAction(
        p_("line command", "vote"),
        m.Vote,
        Where.GAME,
        (
            _(
                '"vote pause", "vote end", "vote replace NAME": vote; "vote no end": take that vote'
                ' back. "resume": go on after a pause.'
            ),
        ),
    ),
    TableAction(
        p_("line command", "resume"),
        m.Resume,
        Where.GAME,
        imperative=p_("line command, imperative", "resume"),
        key="r",
        key_in_words=_("go on after a pause"),
        key_when=lambda table: table.info.pause is m.Pause.VOTED,
    ),
    TableAction(
        p_("line command", "again"),
        m.Rematch,
        Where.GAME,
        (_('"again": another game, when this one is over. "leave": a bot plays on for you.'),),
        also="rematch",
    ),
)
"""All of them, but for what leads to a table and for a touch of a key."""


def actions_help(where: Where) -> tuple[str, ...]:
    """What help says of them at a table before its game, or with one."""
    return tuple(text for each in TABLE_ACTIONS if each.where is where for text in each.help)
