"""What operators may ask for and are told: plain data without room for a card, a bid, a seed or a code."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from server.storage.moderation import AuditRow, BanRow, ListedRow, MuteRow, ReportRow

MOST_ROWS: Final = 500
"""Most rows of one answer; the rest is left out and counted."""

FOR_EVER: Final = 0.0
"""The seconds of a ban without an end."""

LONGEST: Final = 10 * 366 * 24 * 60 * 60
"""Seconds that a ban or a silence may last."""

Text = Annotated[str, Meta(max_length=1000)]
Seconds = Annotated[float, Meta(ge=0, le=LONGEST)]
Number = Annotated[int, Meta(ge=0, le=2**53)]


class _Action(Struct, frozen=True, tag_field="action", forbid_unknown_fields=True):
    """Something to look at, or to do."""


# ---------------------------------------------------------------- to look at


class SeePeople(_Action, frozen=True, tag="people"):
    """List the connected people, with their addresses."""


class SeeTables(_Action, frozen=True, tag="tables"):
    """Which tables there are."""


class SeeReports(_Action, frozen=True, tag="reports"):
    """What players have reported."""

    closed: bool = False
    """Also what has been dealt with."""


class SeeBans(_Action, frozen=True, tag="bans"):
    """List bans and mutes."""


class SeeAudit(_Action, frozen=True, tag="audit"):
    """What operators have done, the newest first."""

    before: Number = 0
    """Only entries with smaller numbers; 0 for the newest."""


class SeeTournaments(_Action, frozen=True, tag="tournaments"):
    """Which tournaments there are."""


class SeeRecord(_Action, frozen=True, tag="tournament_record"):
    """All of one tournament, of the rounds that are closed: the answer has a ``document``, JSON."""

    code: Text


Seeing = SeePeople | SeeTables | SeeReports | SeeBans | SeeAudit | SeeTournaments | SeeRecord

# ---------------------------------------------------------------- to do


class _ToPerson(_Action, frozen=True):
    who: Text


class _ToEntry(_Action, frozen=True):
    number: Number


class MutePerson(_ToPerson, frozen=True, tag="mute"):
    """Nobody hears what this person says, for so many seconds."""

    seconds: Seconds
    reason: Text = ""


class UnmutePerson(_ToPerson, frozen=True, tag="unmute"):
    """This person may speak again."""


class Vouch(_ToPerson, frozen=True, tag="vouch"):
    """Have an account on the leaderboard, whomever it has played."""


class Unvouch(_ToPerson, frozen=True, tag="unvouch"):
    """Take that back: the account is there if its games put it there."""


class Kick(_ToPerson, frozen=True, tag="kick"):
    """End somebody's connection; the seat stays."""

    reason: Text = ""


class BanSomebody(_Action, frozen=True, tag="ban"):
    """Let somebody in no more. ``value`` is what ``kind`` says, or the name of who is here and has one."""

    kind: Text
    """``key``, ``name``, ``address`` or ``network``."""
    value: Text
    seconds: Seconds = FOR_EVER
    reason: Text = ""


class Unban(_ToEntry, frozen=True, tag="unban"):
    """Lift a ban."""


class AnswerReport(_ToEntry, frozen=True, tag="answer"):
    """Deal with a report; its author is told ``text``."""

    text: Text


class CloseReport(_ToEntry, frozen=True, tag="close"):
    """Deal with a report without a word."""


class CloseTable(_Action, frozen=True, tag="close_table"):
    """Send everybody at the table with this code back to the lobby, and break the game off."""

    code: Text


class Broadcast(_Action, frozen=True, tag="say"):
    """Tell everybody something, as the server."""

    text: Text


class TournamentOrder(_Action, frozen=True, tag="tournament"):
    """Open a tournament, which operators direct."""

    name: Text
    chosen: dict[str, Text | int | bool] = {}
    """What is not as usual, by the names in ``server.session.tournament_plan``."""


class DirectingOrder(_Action, frozen=True, tag="direct"):
    """Have something done with a tournament."""

    code: Text
    what: Text
    """A value of ``Directing``."""
    name: Text = ""
    """Name of the player to remove."""


class Drain(_Action, frozen=True, tag="drain"):
    """No new games; those in progress go on."""

    stop: bool = False
    """When none is left, the server stops."""


class Undrain(_Action, frozen=True, tag="undrain"):
    """New games again; the server does not stop."""


class Reload(_Action, frozen=True, tag="reload"):
    """Read the settings again, as SIGHUP does."""


AboutPerson = MutePerson | UnmutePerson | Vouch | Unvouch | Kick
AboutSomebody = AboutPerson | BanSomebody | Unban | AnswerReport | CloseReport
AboutTournaments = TournamentOrder | DirectingOrder
AboutServer = Seeing | AboutTournaments | CloseTable | Broadcast | Drain | Undrain | Reload
Action = AboutSomebody | AboutServer


def name_of(action: Action) -> str:
    """What the action is called, also in the log of what operators do."""
    return str(type(action).__struct_config__.tag)


# ---------------------------------------------------------------- what comes back


class PersonRow(ListedRow, frozen=True, tag="person", omit_defaults=True):
    """Somebody who is connected."""

    name: str
    guest: bool
    key: str
    """The fingerprint of the key this connection has proven; empty without one."""
    address: str
    line: str
    """``ssh``, ``telnet``, ``tty``."""
    seconds: int
    """Since when."""
    table: str
    """The title of the table; empty in the lobby."""
    watching: bool
    """There, but not on a seat."""
    operator: bool
    muted: int
    """For so many seconds more."""


class TableFacts(ListedRow, frozen=True, tag="table", omit_defaults=True):
    """A table, as far as everybody may know it."""

    title: str
    status: str
    edition: str
    names: tuple[str, ...]
    """A seat each; empty where nobody sits."""
    bots: int
    stage: int
    """From 1; 0 before the first game."""
    stages: int
    round: int
    """From 1; 0 before the first game."""
    spectators: int
    code: str = ""
    """With which it can be closed."""


class TournamentFacts(ListedRow, frozen=True, tag="tournament"):
    """A tournament."""

    code: str
    name: str
    phase: str
    round: int
    rounds: int
    players: int
    tables: int
    """Tables of the running round ..."""
    playing: int
    """... and how many of them are not over."""
    begins: float
    """When the next round begins by itself; 0 when it does not."""
    director: str
    """Empty for operators."""
    stuck: bool = False
    """Mistakes of the server hold it up."""


Row = PersonRow | TableFacts | TournamentFacts | ReportRow | BanRow | MuteRow | AuditRow


class OperatorReply(Struct, frozen=True):
    """What an operator is told. Besides ``ok``: codes of ``text.operator_orders``, and ``internal``."""

    code: str = "ok"
    facts: dict[str, str | int | float] = {}
    rows: tuple[Row, ...] = ()
    left_out: int = 0
    """Rows beyond ``MOST_ROWS``."""
    document: str = ""
    """What was asked for, where that is a document."""

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return self.code == "ok"
